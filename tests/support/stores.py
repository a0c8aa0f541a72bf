"""Stores as tests use them: what to put in, and how to ask one."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from circuit_export.store import open_store
from circuit_export.store.base import Content, Facts, Store, stamp

T = TypeVar("T")

START = datetime(2026, 1, 5, tzinfo=UTC)


def at(second: int) -> str:
    """A time as a store keeps it, some seconds after the start of all tests."""
    return stamp(START + timedelta(seconds=second))


def content(text: str = "{}") -> Content:
    return Content(text, "steps", Facts("A board"))


def run_of(run_id: str, workflow_id: str = "a", *, started: str = at(1), **more: Any) -> dict[str, Any]:
    """A run as far as a store looks at one."""
    run = {"id": run_id, "workflowId": workflow_id, "status": "running", "mode": "live", "startedAt": started}
    return {**run, "awaiting": None, "data": {}, **more}


def asked(coroutine: Any) -> Any:
    """Runs a coroutine on a loop of its own; Postgres needs a selector, which is not what Windows gives."""
    factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        return runner.run(coroutine)


def with_store(address: str, question: Callable[[Store], Awaitable[T]]) -> T:
    """Asks the store at an address, and closes it whatever happens."""

    async def ask() -> T:
        store = open_store(address)
        try:
            return await question(store)
        finally:
            await store.close()

    answer: T = asked(ask())
    return answer
