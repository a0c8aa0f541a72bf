"""How fast the server is: start-up, a directive over stdio against an empty tool call, large boards.

Run it alone on a quiet machine: python tests/bench/bench_server.py
"""

import asyncio
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

REPORTS = 300
EMPTY = """
from mcp.server import MCPServer
server = MCPServer("empty")
@server.tool()
async def nothing() -> str:
    return ""
server.run()
"""


def steps(count: int) -> list[dict[str, Any]]:
    """A chain of tool calls."""
    ids = [f"s{number}" for number in range(count)]
    wires = [[{"port": "out", "to": later}] for later in ids[1:]] + [[]]
    first = {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"port": "out", "to": "s0"}]}
    calls = [
        {"id": id, "type": "tool.call", "title": id, "config": {"tool": "Wiki:get_page"}, "next": next}
        for id, next in zip(ids, wires, strict=True)
    ]
    return [first, *calls]


def started(code: str) -> float:
    """The best of five starts of Python with some code, in seconds."""
    times = []
    for _ in range(5):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        times.append(time.perf_counter() - begin)
    return min(times)


async def timed(call: Callable[[], Awaitable[object]], count: int) -> float:
    """Milliseconds a call, over `count` of them."""
    begin = time.perf_counter()
    for _ in range(count):
        await call()
    return (time.perf_counter() - begin) / count * 1000


async def empty_call() -> float:
    async with Client(StdioServerParameters(command=sys.executable, args=["-c", EMPTY])) as client:
        await client.call_tool("nothing", {})
        return await timed(lambda: client.call_tool("nothing", {}), REPORTS)


async def loop(store: str) -> float:
    """A report and its directive, in a loop over many items on a small board."""
    each = {"id": "each", "type": "logic.each", "title": "E", "config": {"list": "trigger.items", "limit": 5000}}
    board = [
        {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "each"}]},
        {**each, "next": [{"to": "get"}]},
        {"id": "get", "type": "tool.call", "title": "G", "config": {"tool": "Wiki:get_page"}},
    ]
    server = StdioServerParameters(command=sys.executable, args=["-m", "circuit_export", "serve", "--store", store])
    async with Client(server) as client:
        await client.call_tool("circuit_design", {"workflowId": "b", "name": "b", "steps": board})
        given = {"workflowId": "b", "trigger": {"items": list(range(REPORTS * 2))}}
        run = (await client.call_tool("circuit_run", given)).structured_content
        assert run is not None
        report = {"runId": run["run"]["id"], "stepId": "get", "result": {"ok": True}}
        return await timed(lambda: client.call_tool("circuit_step", report), REPORTS)


async def large(store: str, count: int) -> tuple[float, float]:
    """Milliseconds to design a board of `count` steps, and to start a run of it."""
    server = StdioServerParameters(command=sys.executable, args=["-m", "circuit_export", "serve", "--store", store])
    async with Client(server, read_timeout_seconds=300) as client:
        board = {"workflowId": "l", "name": "l", "steps": steps(count)}
        design = await timed(lambda: client.call_tool("circuit_design", board), 1)
        return design, await timed(lambda: client.call_tool("circuit_run", {"workflowId": "l"}), 1)


def main() -> None:
    sdk, ours = started("from mcp.server import MCPServer"), started("import circuit_export.server.stdio")
    print(f"imports: the SDK {sdk:.2f} s, ours {ours:.2f} s, ratio {ours / sdk:.2f}")
    empty = asyncio.run(empty_call())
    print(f"empty tool call over stdio {empty:.2f} ms")
    with tempfile.TemporaryDirectory() as folder:
        for store in ("memory", str(Path(folder) / "b.db")):
            each = asyncio.run(loop(store))
            print(f"report and directive, {'memory' if store == 'memory' else 'SQLite'}: {each:.2f} ms", end=", ")
            print(f"{each / empty:.1f} × an empty call")
        for count in (1_000, 10_000):
            design, run = asyncio.run(large("memory", count))
            print(f"{count:,} steps: design {design:,.0f} ms, run {run:,.0f} ms")


if __name__ == "__main__":
    main()
