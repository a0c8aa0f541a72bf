"""Stores as tests use them: what to put in, and how to ask one."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, TypeVar

from circuit_export.store import open_store
from circuit_export.store.base import NEW, Content, Facts, Grant, Store, first_revision, stamp

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


# --- races: of all who try the same at once exactly one wins


class Race(NamedTuple):
    """What is made before, and what each racer does; true for who won."""

    prepare: Callable[[Store, str], Awaitable[object]]
    run: Callable[[Store, str, int], Awaitable[bool]]


async def _nothing(store: Store, name: str) -> None:
    pass


async def _with_board(store: Store, name: str) -> None:
    head = await store.put_board("ws", name, content("before"), expected=NEW, at=at(1))
    assert head is not None
    assert head.revision == first_revision(at(1))


async def _with_run(store: Store, name: str) -> None:
    assert await store.add_run("ws", run_of(name)) == 1


async def _with_grant(store: Store, name: str) -> None:
    assert await store.add_grant(Grant("refresh", name, {}, family=name))


async def _make_board(store: Store, name: str, number: int) -> bool:
    return await store.put_board("ws", name, content(str(number)), expected=NEW, at=at(2)) is not None


async def _change_board(store: Store, name: str, number: int) -> bool:
    changed = content(str(number))
    return await store.put_board("ws", name, changed, expected=first_revision(at(1)), at=at(2)) is not None


async def _change_or_delete_board(store: Store, name: str, number: int) -> bool:
    if number % 2:
        return await store.delete_board("ws", name, expected=first_revision(at(1)))
    return await _change_board(store, name, number)


async def _start_run(store: Store, name: str, number: int) -> bool:
    return await store.add_run("ws", run_of(name, by=number), fired=True) is not None


async def _save_run(store: Store, name: str, number: int) -> bool:
    return await store.save_run("ws", run_of(name, by=number), expected=1) is not None


async def _tell_once(store: Store, name: str, number: int) -> bool:
    return await store.once("ws", name, now=at(1), until=at(9))


async def _add_grant(store: Store, name: str, number: int) -> bool:
    return await store.add_grant(Grant("code", name, {"by": number}))


async def _use_grant(store: Store, name: str, number: int) -> bool:
    return await store.use_grant("refresh", name, now=at(1)) is not None


async def _drop_grant(store: Store, name: str, number: int) -> bool:
    return await store.drop_grant("refresh", name)


RACES = {
    "make a board": Race(_nothing, _make_board),
    "change a board": Race(_with_board, _change_board),
    "change or delete a board": Race(_with_board, _change_or_delete_board),
    "start a run": Race(_nothing, _start_run),
    "report to a run": Race(_with_run, _save_run),
    "tell a key": Race(_nothing, _tell_once),
    "add a grant": Race(_nothing, _add_grant),
    "use a grant": Race(_with_grant, _use_grant),
    "drop a grant": Race(_with_grant, _drop_grant),
}
