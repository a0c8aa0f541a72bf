"""A plain call is answered at once, and as the library would answer it."""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import pytest
from mcp import Client
from support.serving import DESIGN, START

from circuit_export.server import quick
from circuit_export.server.app import make_server
from circuit_export.server.desk import Desk
from circuit_export.store.memory import MemoryStore

CALLS: list[tuple[str, dict[str, Any] | None]] = [
    ("circuit_list", None),
    ("circuit_catalog", {}),
    ("circuit_bind", {"tools": [{"name": "Gmail:send_message"}]}),
    ("circuit_design", {**DESIGN, "workflowId": "b", "description": "said with “é”"}),
    ("circuit_open", {"workflowId": "b"}),
    ("circuit_open", {"workflowId": "nothing"}),
    ("circuit_open", {"workflowid": "b"}),
    ("circuit_run", {"workflowId": "b", "input": {"voice": "warm"}}),
    ("circuit_step", {"runId": "run_0001", "stepId": "fetch", "result": [1, None, {"a": 0.1}]}),
    ("circuit_step", {"runId": "run_0001", "stepId": "fetch"}),
    ("circuit_step", {"runId": 5, "stepId": []}),
    ("circuit_runs", {"limit": 3}),
    ("circuit_validate", {"workflowId": "b"}),
    ("circuit_trace", {"workflowId": "b"}),
    ("circuit_diff", {"before": "{}", "after": "{}"}),
    ("circuit_health", {}),
    ("nothing", {}),
]


def answers(mode: str, reveal: Callable[[Client, str, Any], Awaitable[Any]]) -> list[Any]:
    async def talked() -> list[Any]:
        numbers = count(1)
        desk = Desk(MemoryStore(), "local", now=lambda: START, token=lambda: f"{next(numbers):04x}")
        async with Client(make_server(desk), mode=mode) as client:  # type: ignore[arg-type]
            return [await reveal(client, name, arguments) for name, arguments in CALLS]

    return asyncio.run(talked())


async def called(client: Client, name: str, arguments: Any) -> Any:
    return (await client.call_tool(name, arguments)).model_dump(mode="json")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_both_ways_answer_alike(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    quickly = answers(mode, called)
    ready = []
    monkeypatch.setattr(quick.QuickCalls, "_called", lambda *given: ready.append(given))
    assert answers(mode, called) == quickly
    assert len(ready) >= len(CALLS)
    assert quickly[3]["structured_content"]["workflow"]["description"] == "said with “é”"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_plain_call_does_not_reach_the_library(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    slow: list[str] = []
    server = make_server(Desk(MemoryStore(), "local"))
    call_tool = server.call_tool

    async def watched(name: str, *given: Any, **named: Any) -> Any:
        slow.append(name)
        return await call_tool(name, *given, **named)

    monkeypatch.setattr(server, "call_tool", watched)

    async def talked() -> None:
        async with Client(server, mode=mode) as client:  # type: ignore[arg-type]
            await client.call_tool("circuit_list")
            await client.call_tool("nothing")

    asyncio.run(talked())
    assert slow == ["nothing"]
