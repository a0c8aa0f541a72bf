"""How fast the server is: python tests/bench/bench_server.py [start] [step] [rates] [memory] [large]; all without one.

`step` is what a report and its directive cost over stdio, against the library's own empty tool call: the same client,
turn by turn, so that whatever else the machine does falls on both.
"""

import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.postgres import binaries, running
from support.talking import Piped, Serving, Web

EMPTY = """
from mcp.server import MCPServer
server = MCPServer("empty")
@server.tool()
async def nothing() -> str:
    return ""
server.run()
"""
TURNS, EACH = 30, 20
"""Turns that the two take, and calls in each."""


def loop_board() -> list[dict[str, Any]]:
    """Ten steps: a trigger, a loop, and eight calls in it."""
    ids = [f"call{number}" for number in range(8)]
    config = {"tool": "Wiki:get_page", "arguments": {"page": "{{item}}"}}
    each = {"id": "each", "type": "logic.each", "title": "Each", "config": {"list": "trigger.items", "limit": 5000}}
    return [
        {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "each"}]},
        {**each, "next": [{"to": ids[0]}]},
        *(
            {"id": id, "type": "tool.call", "title": "Get a page", "config": config, "next": [{"to": to}] if to else []}
            for id, to in zip(ids, [*ids[1:], ""], strict=True)
        ),
    ]


def chain_board(count: int) -> list[dict[str, Any]]:
    """A chain of tool calls."""
    ids = ["start", *(f"s{number}" for number in range(count))]
    config = {"tool": "Wiki:get_page"}
    return [
        {"id": id, "type": "tool.call" if number else "trigger.ask", "title": id, "config": config if number else {}}
        | ({"next": [{"to": ids[number + 1]}]} if number < count else {})
        for number, id in enumerate(ids)
    ]


# --- start-up ----------------------------------------------------------------------------------------------------


def start() -> None:
    """Whole processes, in pairs; compiled modules may be kept."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def took(*command: str) -> float:
        begin = time.perf_counter()
        subprocess.run([sys.executable, *command], check=True, env=environment, stdin=subprocess.DEVNULL)
        return time.perf_counter() - begin

    theirs, ours = ("-c", "from mcp.server import MCPServer"), ("-m", "circuit_export", "serve", "--store", "memory")
    took(*theirs), took(*ours)
    pairs = [(took(*theirs), took(*ours)) for _ in range(9)]
    first, second = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(our / their for their, our in pairs)
    print(f"start: the library {first:.2f} s, circuit serve from start to end {second:.2f} s, ratio {ratio:.2f}")


# --- a step ------------------------------------------------------------------------------------------------------


async def step(store: str) -> tuple[float, float]:
    """Milliseconds: the medians of an empty call, and of a report with its directive."""
    empty = StdioServerParameters(command=sys.executable, args=["-c", EMPTY])
    ours = StdioServerParameters(command=sys.executable, args=["-m", "circuit_export", "serve", "--store", store])
    async with Client(empty) as nothing, Client(ours) as circuit:
        await circuit.call_tool("circuit_design", {"workflowId": "b", "name": "b", "steps": loop_board()})
        started = {"workflowId": "b", "trigger": {"items": list(range(TURNS * EACH))}}
        at = (await circuit.call_tool("circuit_run", started)).structured_content
        assert at is not None
        run = at["run"]["id"]

        async def report() -> None:
            nonlocal at
            assert at is not None
            given = {"runId": run, "stepId": at["directive"]["stepId"], "result": {"ok": True}}
            at = (await circuit.call_tool("circuit_step", given)).structured_content

        async def call_nothing() -> None:
            await nothing.call_tool("nothing", {})

        await taking_turns(call_nothing, report, 2)
        return await taking_turns(call_nothing, report, TURNS)


async def taking_turns(
    one: Callable[[], Awaitable[None]], other: Callable[[], Awaitable[None]], turns: int
) -> tuple[float, float]:
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(turns):
        for call, took in zip((one, other), times, strict=True):
            for _ in range(EACH):
                begin = time.perf_counter()
                await call()
                took.append((time.perf_counter() - begin) * 1000)
    return statistics.median(times[0]), statistics.median(times[1])


def steps() -> None:
    with stores() as addresses:
        for name, address in addresses.items():
            empty, ours = asyncio.run(step(address))
            print(f"step on {name}: {ours:.2f} ms, an empty call {empty:.2f} ms, ratio {ours / empty:.2f}")


@contextmanager
def stores() -> Iterator[dict[str, str]]:
    """A new store of each kind, by name."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        found = {"memory": "memory", "SQLite": str(Path(folder) / "b.db")}
        if binaries() is not None:
            found["Postgres"] = stack.enter_context(running()).database()
        yield found


# --- how many a second -------------------------------------------------------------------------------------------


def reports(talker: Piped | Web, board: str, count: int) -> None:
    """A run of the ten steps, with so many reports."""
    at = talker.call("run", workflowId=board, trigger={"items": list(range(count))}).props
    run = at["run"]["id"]
    for _ in range(count):
        at = talker.call("step", runId=run, stepId=at["directive"]["stepId"], result={"ok": True}).props


def rate(talkers: list[Any], count: int) -> float:
    """Directives a second that all get together."""
    talkers[0].call("design", workflowId="b", name="b", steps=loop_board())
    for talker in talkers:
        reports(talker, "b", 2)
    with ThreadPoolExecutor(len(talkers)) as pool:
        begin = time.perf_counter()
        list(pool.map(lambda talker: reports(talker, "b", count), talkers))
        return len(talkers) * count / (time.perf_counter() - begin)


def rates() -> None:
    print(f"{'directives a second':24}{'1 client':>12}{'16 clients':>12}")
    with stores() as addresses, tempfile.TemporaryDirectory() as folder:
        for name, address in addresses.items():
            found = []
            for clients in (1, 16) if address != "memory" else (1,):  # over stdio each client has its own server
                with ExitStack() as stack:
                    talkers = [stack.enter_context(Piped("--store", address)) for _ in range(clients)]
                    found.append(rate(talkers, 400 // clients))
            print(f"{f'stdio, {name}':24}" + "".join(f"{figure:12,.0f}" for figure in found))
            for processes in (1, 4) if address != "memory" else (1,):
                with ExitStack() as stack:
                    logs = [Path(folder) / f"{name}{processes}{number}" for number in range(processes)]
                    servers = [stack.enter_context(Serving(log, "--store", address)) for log in logs]
                    found = [
                        rate([servers[number % processes].web() for number in range(clients)], 400 // clients)
                        for clients in (1, 16)
                    ]
                of = f"HTTP, {name}, {processes} process{'es' if processes > 1 else ''}"
                print(f"{of:24}" + "".join(f"{figure:12,.0f}" for figure in found))


# --- memory ------------------------------------------------------------------------------------------------------


def memory() -> None:
    """The server's memory in the course of 100,000 steps, in runs of a thousand."""
    with tempfile.TemporaryDirectory() as folder, Piped("--store", str(Path(folder) / "b.db")) as server:
        server.call("design", workflowId="b", name="b", steps=loop_board())
        taken = {}
        begin = time.perf_counter()
        for thousand in range(1, 101):
            reports(server, "b", 1000)
            if thousand in (1, 10, 50, 100):
                taken[thousand] = resident(server.process.pid)
        seconds = time.perf_counter() - begin
        said = ", ".join(f"{thousand},000: {size:.1f} MB" for thousand, size in taken.items())
        print(f"memory after steps: {said}; ratio {taken[100] / taken[10]:.2f} ({seconds:,.0f} s)")


def resident(pid: int) -> float:
    """Megabytes of a process that are in memory."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) / 1024


# --- large boards ------------------------------------------------------------------------------------------------


def large() -> None:
    for count in (100, 1_000, 10_000):
        with Piped("--store", "memory") as server:
            taken = []
            begin = time.perf_counter()
            server.call("design", workflowId="b", name="b", steps=chain_board(count - 1))
            taken.append(time.perf_counter() - begin)
            begin = time.perf_counter()
            at = server.call("run", workflowId="b").props
            taken.append(time.perf_counter() - begin)
            begin = time.perf_counter()
            given = {"runId": at["run"]["id"], "stepId": at["directive"]["stepId"], "result": {}}
            answer = server.ask("tools/call", {"name": "circuit_step", "arguments": given})
            taken.append(time.perf_counter() - begin)
            named = zip(("design", "run", "step"), taken, strict=True)
            said = ", ".join(f"{name} {seconds * 1000:,.0f} ms" for name, seconds in named)
            print(f"{count:,} steps: {said}; an answer has {len(json.dumps(answer)) / 1000:,.0f} kB")


PARTS = {"start": start, "step": steps, "rates": rates, "memory": memory, "large": large}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()
