"""All stores answer alike: whatever is done to one and to another, in whatever order, they say the same."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.stores import asked, at, content, run_of

from circuit_export.diagnostics import CircuitError
from circuit_export.store.base import ARMED, DRAFT, Binding, BoundTool, Grant, Schedule, Store
from circuit_export.store.memory import MemoryStore
from circuit_export.store.sqlite import SqliteStore

NAMES = st.sampled_from(["a", "b", "a/b", "é", ""])
SPACES = st.sampled_from(["one", "two"])
TIMES = st.integers(1, 9).map(at)
TEXTS = st.sampled_from(["1", "2", "ü \n 📮"])
FOUND = st.sampled_from(["found", "stale", "new"])
"""Which revision is expected: the one that is there, an older one, or none."""

CALLS = st.one_of(
    st.tuples(
        st.just("put_board"),
        SPACES,
        NAMES,
        TEXTS,
        st.sampled_from([DRAFT, ARMED]),
        st.sampled_from([None, Schedule("0 9 * * *", "mornings", "task", at(1))]),
        FOUND,
        TIMES,
        st.booleans(),
    ),
    st.tuples(st.just("delete_board"), SPACES, NAMES, FOUND),
    st.tuples(st.just("add_run"), SPACES, NAMES, NAMES, TIMES, st.booleans()),
    st.tuples(st.just("save_run"), SPACES, NAMES, st.sampled_from(["failed", "succeeded", "cancelled"]), FOUND, TIMES),
    st.tuples(st.just("put_binding"), SPACES, TIMES),
    st.tuples(st.just("tally"), SPACES, NAMES, TIMES, TIMES),
    st.tuples(st.just("add_grant"), NAMES, st.sampled_from(["f", "g"]), st.one_of(st.just(""), TIMES)),
    st.tuples(st.just("use_grant"), NAMES, TIMES),
    st.tuples(st.just("drop_grant"), NAMES),
    st.tuples(st.just("revoke_family"), st.sampled_from(["f", "g"]), TIMES),
    st.tuples(st.just("prune"), TIMES, TIMES, st.booleans(), st.booleans()),
)


def revision(found: str, present: int | None) -> int:
    return {"found": present or 0, "stale": (present or 1) - 1, "new": 0}[found]


async def call(store: Store, name: str, args: tuple[Any, ...]) -> Any:
    """Does one thing to a store; what it answers, or what kind of error it raises."""
    try:
        return await CALLERS[name](store, *args)
    except CircuitError as error:
        return error.message


async def put_board(
    store: Store, space: str, name: str, text: str, status: str, schedule: Any, found: str, time: str, minor: bool
) -> Any:
    kept = await store.get_board(space, name)
    put = content(text)._replace(status=status, schedule=schedule)
    expected = revision(found, kept.head.revision if kept else None)
    return await store.put_board(space, name, put, expected=expected, at=time, minor=minor)


async def delete_board(store: Store, space: str, name: str, found: str) -> Any:
    kept = await store.get_board(space, name)
    return await store.delete_board(space, name, expected=revision(found, kept.head.revision if kept else None))


async def save_run(store: Store, space: str, name: str, status: str, found: str, time: str) -> Any:
    kept = await store.get_run(space, name)
    run = {**(kept.run if kept else run_of(name)), "status": status, "endedAt": time if status != "failed" else None}
    return await store.save_run(space, run, expected=revision(found, kept.revision if kept else None))


CALLERS: dict[str, Any] = {
    "put_board": put_board,
    "delete_board": delete_board,
    "add_run": lambda store, space, name, board, time, fired: store.add_run(
        space, run_of(name, board, started=time), fired=fired
    ),
    "save_run": save_run,
    "put_binding": lambda store, space, time: store.put_binding(space, Binding(time, (BoundTool("a", "b"),))),
    "tally": lambda store, space, key, now, until: store.tally(space, key, now=now, until=until),
    "add_grant": lambda store, key, family, expires: store.add_grant(
        Grant("code", key, {"n": 1}, expires_at=expires, family=family)
    ),
    "use_grant": lambda store, key, now: store.use_grant("code", key, now=now),
    "drop_grant": lambda store, key: store.drop_grant("code", key),
    "revoke_family": lambda store, family, until: store.revoke_family(family, until=until),
    "prune": lambda store, before, now, unfinished, dry: store.prune(
        before=before, now=now, unfinished=unfinished, dry=dry
    ),
}


async def everything(store: Store) -> list[Any]:
    """All that can be seen of a store."""
    seen: list[Any] = [await store.armed_boards(), (await store.info())[3:7]]
    for space in ("one", "two"):
        seen += [await store.list_boards(space), await store.list_runs(space), await store.get_binding(space)]
        for name in ("a", "b", "a/b", "é", ""):
            seen += [await store.get_board(space, name), await store.list_versions(space, name)]
            seen += [await store.get_run(space, name), await store.list_runs(space, name, 2)]
    return seen + [await store.get_grant("code", name, now=at(3)) for name in ("a", "b", "a/b", "é", "")]


@settings(max_examples=60, deadline=None)
@given(st.lists(CALLS, max_size=25))
def test_memory_and_sqlite_answer_alike(calls: list[tuple[Any, ...]]) -> None:
    async def compare(path: Path) -> None:
        memory, sqlite = MemoryStore(), SqliteStore(path)
        for name, *args in calls:
            assert await call(memory, name, tuple(args)) == await call(sqlite, name, tuple(args)), (name, args)
        assert await everything(memory) == await everything(sqlite)
        await sqlite.close()
        await asyncio.sleep(0)

    with tempfile.TemporaryDirectory() as folder:
        asked(compare(Path(folder) / "store.db"))
