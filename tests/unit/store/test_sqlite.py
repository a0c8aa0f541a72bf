"""The store in a file: whose file it may be, who may read it, and what happens while others hold it."""

import asyncio
import os
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import pytest
from support.stores import asked, at, content, run_of, with_store

from circuit_export.store.base import NEW, Binding, BoundTool, Grant, Store, StoreError
from circuit_export.store.operations import Operation, put_board
from circuit_export.store.sqlite import SqliteStore

POSIX = pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")


@POSIX
def test_the_file_is_its_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / "not" / "there" / "store.db"

    async def question(store: Store) -> None:
        await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        for file in path.parent.iterdir():
            assert file.stat().st_mode & 0o077 == 0, file

    with_store(str(path), question)


def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE theirs (x)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="belongs to another program"):
        with_store(str(path), lambda store: store.open())
    assert path.read_bytes() == before


def test_what_is_no_store_is_said(tmp_path: Path) -> None:
    text = tmp_path / "text.db"
    text.write_text("This is a letter, not a database. " * 50)
    with pytest.raises(StoreError, match="no SQLite file"):
        with_store(str(text), lambda store: store.open())
    with pytest.raises(StoreError, match="cannot be"):
        with_store(str(tmp_path), lambda store: store.open())
    with pytest.raises(StoreError, match="cannot be made"):
        with_store(str(text / "below"), lambda store: store.open())


def test_a_damaged_file_is_said(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def fill(store: Store) -> None:
        for number in range(50):
            await store.put_board("ws", str(number), content("x" * 4000), expected=NEW, at=at(1))

    with_store(str(path), fill)
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(StoreError, match="cannot be used"):
        with_store(str(path), lambda store: store.list_boards("ws"))


@pytest.mark.parametrize("value", ["garbage", "", "[7]", b"\xff\x00"], ids=["text", "nothing", "list", "bytes"])
@pytest.mark.parametrize(
    ("damaged", "question"),
    [
        ("circuit_board SET facts", lambda store: store.list_boards("ws")),
        ("circuit_board SET facts", lambda store: store.get_board("ws", "a")),
        ("circuit_board SET facts", lambda store: store.armed_boards()),
        ("circuit_run SET awaiting", lambda store: store.list_runs("ws")),
        ("circuit_run SET record", lambda store: store.get_run("ws", "run")),
        ("circuit_run SET revision", lambda store: store.get_run("ws", "run")),
        ("circuit_binding SET tools", lambda store: store.get_binding("ws")),
        ("circuit_grant SET value", lambda store: store.get_grant("code", "key", now=at(1))),
        ("circuit_board SET version", lambda store: store.list_versions("ws", "a")),
    ],
    ids=lambda what: what if isinstance(what, str) else "",
)
def test_what_another_wrote_into_it_is_said(
    tmp_path: Path, damaged: str, question: Callable[[Store], Awaitable[object]], value: object
) -> None:
    path = tmp_path / "store.db"

    async def fill(store: Store) -> None:
        armed = content()._replace(status="armed")
        await store.put_board("ws", "a", armed, expected=NEW, at=at(1))
        await store.add_run("ws", run_of("run"))  # type: ignore[arg-type]
        await store.put_binding("ws", Binding(at(1), (BoundTool("Mail:send"),)))
        await store.add_grant(Grant("code", "key", {}))

    with_store(str(path), fill)
    with_store(str(path), question)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute(f"UPDATE {damaged} = ?", (value,))
    with pytest.raises(StoreError, match="cannot be read"):
        with_store(str(path), question)


def test_the_loop_goes_on_while_another_holds_the_file(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def question() -> None:
        store = SqliteStore(path)
        await store.open()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        put = asyncio.create_task(store.put_board("ws", "a", content(), expected=NEW, at=at(1)))
        add = asyncio.create_task(store.add_run("ws", run_of("r")))
        for _ in range(20):
            await asyncio.sleep(0.001)
            assert await store.get_board("ws", "a") is None  # reading waits for nobody
        assert not put.done()
        other.execute("COMMIT")
        other.close()
        assert (await put) is not None
        assert (await add) is not None
        await store.close()

    asked(question())


def test_a_file_that_stays_locked_is_said(tmp_path: Path) -> None:
    path = tmp_path / "store.db"

    async def question() -> None:
        store = SqliteStore(path, patience=0.05)
        await store.open()
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match=r"locked for 0\.05 seconds"):
            await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        with pytest.raises(StoreError, match="locked"):
            await store.once("ws", "k", now=at(1), until=at(2))
        other.execute("COMMIT")
        other.close()
        assert await store.put_board("ws", "a", content(), expected=NEW, at=at(1)) is not None
        await store.close()

    asked(question())


def test_it_opens_again_after_it_was_closed(tmp_path: Path) -> None:
    async def question(store: Store) -> None:
        await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        await store.close()
        assert await store.get_board("ws", "a") is not None

    with_store(str(tmp_path / "store.db"), question)


def test_what_fails_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    def broken(revision: int) -> Operation[None]:
        put = put_board("ws", "a", content("2"), expected=revision, at=at(2), minor=False)
        rows = yield next(put)  # claimed
        yield put.send(rows)  # kept as a version
        raise RuntimeError("the power is gone")

    async def question(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        head = await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        assert head is not None
        with pytest.raises(RuntimeError):
            await store._do(broken(head.revision))
        assert await store.list_versions("ws", "a") == [(1, at(1), "{}")]
        assert await store.put_board("ws", "a", content("2"), expected=head.revision, at=at(2)) is not None

    with_store(str(tmp_path / "store.db"), question)


@pytest.mark.parametrize(("said", "level"), [("", 1), ("full", 2)])
def test_sync_waits_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, level: int) -> None:
    monkeypatch.setenv("CIRCUIT_SQLITE_SYNC", said)

    async def question(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        assert await store._ask("PRAGMA synchronous", {}) == [(level,)]
        assert await store._ask("PRAGMA journal_mode", {}) == [("wal",)]

    with_store(str(tmp_path / "store.db"), question)


# --- backups


def test_a_backup_is_a_store_of_one_moment(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"

    async def question(store: Store) -> None:
        for number in range(30):
            await store.put_board("ws", str(number), content("x" * number), expected=NEW, at=at(1))
        backup = asyncio.create_task(store.backup(str(copy)))
        await store.add_run("ws", run_of("meanwhile"))
        await backup
        with pytest.raises(StoreError, match="There is a file already"):
            await store.backup(str(copy))
        with pytest.raises(StoreError, match="cannot be written"):
            await store.backup(str(tmp_path / "no" / "folder"))

    with_store(str(tmp_path / "store.db"), question)

    async def look(store: Store) -> None:
        assert len(await store.list_boards("ws")) == 30
        kept = await store.get_board("ws", "7")
        assert kept is not None
        assert kept.text == "x" * 7
        assert await store.put_board("ws", "7", content(), expected=kept.head.revision, at=at(2)) is not None

    with_store(str(copy), look)
    assert sys.platform == "win32" or copy.stat().st_mode & 0o077 == 0
