"""What takes long does not hold up what does not."""

import asyncio
import threading
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from support.serving import DESIGN, Session

from circuit_export.server.app import make_server
from circuit_export.server.aside import MANY, MANY_WIRES, aside, takes_long
from circuit_export.server.desk import Desk, board_of
from circuit_export.server.tools import TOOLS
from circuit_export.store import open_store
from circuit_export.store.memory import MemoryStore


@pytest.mark.parametrize(
    ("tool", "arguments", "long"),
    [
        ("circuit_design", {"steps": [1] * MANY}, False),
        ("circuit_design", {"steps": [1] * (MANY + 1)}, True),
        ("circuit_design", {"steps": "x" * (MANY + 1)}, False),
        ("circuit_design", {"steps": [{"next": [1] * 100}] * (MANY_WIRES // 100)}, False),
        ("circuit_design", {"steps": [{"next": [1] * 101}, {"next": 1}, 1] * (MANY_WIRES // 100)}, True),
        ("circuit_patch", {"ops": [1] * (MANY + 1)}, True),
        ("circuit_run", {}, True),
        ("circuit_validate", {}, True),
        ("circuit_patch", {"ops": [1]}, True),
        ("circuit_rename", {"name": "x"}, True),
        ("circuit_arm", {}, True),
        ("circuit_list", {}, False),
        ("circuit_step", {"result": [1] * (MANY + 1)}, False),
    ],
)
def test_what_is_large(tool: str, arguments: dict[str, Any], long: bool) -> None:
    assert takes_long(tool, arguments) is long


def test_what_a_run_calls_at_every_step_never_is() -> None:
    assert not [spec.name for spec in TOOLS if spec.often and takes_long(spec.name, {})]


def test_others_are_answered_meanwhile() -> None:
    started, go_on = threading.Event(), threading.Event()

    async def long(desk: Desk) -> str:
        started.set()
        assert go_on.wait(60)  # as work does that never gives way
        await desk.store.put_binding("ws", binding)
        return threading.current_thread().name

    async def script() -> None:
        desk = Desk(MemoryStore(), "ws")
        working = asyncio.create_task(aside(desk, long))
        while not started.is_set():
            await asyncio.sleep(0.001)
        assert await desk.store.get_binding("ws") is None
        go_on.set()
        assert await working != threading.current_thread().name
        assert await desk.store.get_binding("ws") == binding

    from circuit_export.store.base import Binding

    binding = Binding("now", ())
    asyncio.run(script())


def test_a_long_call_over_any_store(tmp_path: Path) -> None:
    async def script(address: str) -> None:
        store = open_store(address)
        desk = Desk(store, "local")
        async with Client(make_server(desk)) as client:
            session = Session(client, desk, [])
            await session.good("design", **DESIGN, workflowId="b")
            assert (await session.good("validate", workflowId="b")).result.structured_content is not None
            assert "--- begin html ---" in (await session.good("export", workflowId="b")).text
            assert "No workflow" in await session.bad("export", workflowId="c")
        await store.close()

    for address in ("memory", str(tmp_path / "b.db")):
        asyncio.run(script(address))


def test_what_goes_wrong_is_raised() -> None:
    async def script() -> None:
        await aside(Desk(MemoryStore(), "ws"), lambda desk: board_of(desk, "nothing"))

    with pytest.raises(Exception, match="No workflow"):
        asyncio.run(script())


def test_a_large_design_does_not_hold_up_a_small_call() -> None:
    steps = [{"id": f"s{number}", "type": "note.say", "title": "T", "next": []} for number in range(3000)]

    async def script() -> None:
        desk = Desk(MemoryStore(), "local")
        async with Client(make_server(desk)) as client:
            session = Session(client, desk, [])
            order: list[str] = []

            async def call(name: str, /, **given: Any) -> None:
                await session.call(name, **given)
                order.append(name)

            designing = asyncio.create_task(call("design", name="b", steps=steps))
            await asyncio.sleep(0.05)
            for _ in range(3):
                await call("list")
            await designing
            assert order == ["list", "list", "list", "design"]

    asyncio.run(script())
