"""Keeps everything in one SQLite file, which any number of processes on one machine may use at once.

The file is in write-ahead mode: reading never waits. A transaction that writes holds the file's lock for some tens of
microseconds; who finds it held tries again after a moment, during which the event loop goes on. A commit is in the
operating system's hands when it is acknowledged, so the end of the process, however sudden, loses nothing; with
`sync` it is on the disk, so that neither does the end of the machine's power, at the price of waiting for the disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Final, TypeVar

from circuit_export.store import schema
from circuit_export.store.base import StoreError
from circuit_export.store.operations import Operation
from circuit_export.store.rows import Row, Values
from circuit_export.store.sql import SqlStore

T = TypeVar("T")

APPLICATION: Final = 0x43495243
"""What marks a file as a store of ours ("CIRC")."""

PATIENCE: Final = 10.0
"""Seconds that are waited for a lock that another process holds."""

_LONGEST_WAIT = 0.02
_PAGE = 16_384
"""Bytes of a page: a run of some tens of kilobytes, which is written anew at each report, fits into few."""

_LOCKED = frozenset((sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED))


class SqliteStore(SqlStore):
    """A store in a file. Threads may share it."""

    kind = "sqlite"
    size_sql = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"

    def __init__(self, path: Path | str, *, sync: bool = False, patience: float = PATIENCE) -> None:
        self.path = Path(path)
        self.place = str(path)
        self._sync = sync
        self._patience = patience
        self._lock = Lock()
        self._connection: sqlite3.Connection | None = None

    async def open(self) -> None:
        await self._patiently(lambda connection: None)

    async def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    async def backup(self, target: str) -> None:
        await self.open()
        await asyncio.to_thread(self._copy_to, Path(target))

    # --- how a statement is sent

    async def _ask(self, sql: str, values: Values) -> list[Row]:
        return await self._patiently(lambda connection: connection.execute(sql, values).fetchall())

    async def _do(self, operation: Operation[T]) -> T:
        return await self._patiently(lambda connection: _drive(operation, connection))

    async def _patiently(self, attempt: Callable[[sqlite3.Connection], T]) -> T:
        """Tries until nobody else holds the file. Nothing suspends while this store's own lock is held."""
        wait, deadline = 0.0005, time.monotonic() + self._patience
        while True:
            try:
                with self._lock:
                    if self._connection is None:
                        self._connection = self._connect()
                    return attempt(self._connection)
            except sqlite3.Error as error:
                if _code(error) not in _LOCKED or time.monotonic() >= deadline:
                    raise self._explained(error) from None
            await asyncio.sleep(wait)
            wait = min(wait * 1.5, _LONGEST_WAIT)

    # --- opening

    def _connect(self) -> sqlite3.Connection:
        """A connection to the file, which is made if need be, with tables of this version."""
        self._make_private()
        connection = sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._check_ours(connection)
            connection.execute(f"PRAGMA page_size = {_PAGE}")  # of a new file; another one stays as it is
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(f"PRAGMA synchronous = {'FULL' if self._sync else 'NORMAL'}")
            if _pragma(connection, "user_version") < schema.CURRENT:
                _migrate(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _make_private(self) -> None:
        """What runs hold is nobody else's business: the file is its owner's alone, and so is what SQLite adds."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StoreError(f"The store cannot be made: {reason}", file=self.place) from None

    def _check_ours(self, connection: sqlite3.Connection) -> None:
        # In this order: the mark is set with the first tables, so where there are tables it can be seen already.
        empty = not connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
        if not empty and _pragma(connection, "application_id") != APPLICATION:
            raise StoreError(
                "This SQLite file belongs to another program",
                file=self.place,
                expected="a store of circuit's, or no file yet",
                hint="name another file",
            )
        version = _pragma(connection, "user_version")
        if version > schema.CURRENT:
            raise StoreError(
                "This store was made by a later version of circuit",
                file=self.place,
                found=f"tables of version {version}",
                expected=f"version {schema.CURRENT} at most",
                hint="update circuit-export",
            )

    def _explained(self, error: sqlite3.Error) -> StoreError:
        """An error of SQLite as one that says what to do."""
        code = _code(error)
        if code in _LOCKED:
            hint = "another process holds it: wait for it to end, or end it"
            return StoreError(f"The store was locked for {self._patience:g} seconds", file=self.place, hint=hint)
        hints = {
            sqlite3.SQLITE_NOTADB: "it is no SQLite file: name another one",
            sqlite3.SQLITE_CORRUPT: "it is damaged: put a backup in its place",
            sqlite3.SQLITE_FULL: "the disk is full: make room",
            sqlite3.SQLITE_READONLY: "the file or its folder cannot be written to",
            sqlite3.SQLITE_CANTOPEN: "the file or its folder cannot be opened",
        }
        return StoreError(f"The store cannot be used: {error}", file=self.place, hint=hints.get(code, ""))

    # --- keeping house

    def _copy_to(self, target: Path) -> None:
        """Writes one moment of the store to a new file, which is its owner's alone as well."""
        try:
            os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        except FileExistsError:
            raise StoreError("There is a file already", file=str(target), hint="name a new one") from None
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise StoreError(f"The backup cannot be written: {reason}", file=str(target)) from None
        try:
            with contextlib.closing(sqlite3.connect(self.path, timeout=self._patience, isolation_level=None)) as source:
                source.execute("VACUUM INTO ?", (str(target),))
        except sqlite3.Error as error:
            with contextlib.suppress(OSError):
                target.unlink()
            raise self._explained(error) from None


def _drive(operation: Operation[T], connection: sqlite3.Connection) -> T:
    """Drives an operation in a transaction that has the lock from its start.

    So only its first statement can find the file locked, before anything of the operation has happened.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        statement = next(operation)
        while True:
            statement = operation.send(connection.execute(*statement).fetchall())
    except StopIteration as end:
        connection.execute("COMMIT")
        result: T = end.value
        return result
    except BaseException:
        _roll_back(connection)
        raise


def _roll_back(connection: sqlite3.Connection) -> None:
    if connection.in_transaction:  # an error of the disk has rolled back already
        connection.execute("ROLLBACK")


def _migrate(connection: sqlite3.Connection) -> None:
    """Brings the tables up to this version; of several who try, one does it and the others find it done."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        for version in range(_pragma(connection, "user_version") + 1, schema.CURRENT + 1):
            for statement in schema.statements(version, schema.SQLITE):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {version}")
        connection.execute(f"PRAGMA application_id = {APPLICATION}")
        connection.execute("COMMIT")
    except BaseException:
        _roll_back(connection)
        raise


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary result code."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF
