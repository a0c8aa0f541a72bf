"""Keeps everything in a Postgres database, which any number of servers share (the extra `postgres`).

The tables' names start with `circuit_` and stand wherever the connection's search path puts them. Nothing outlives
one transaction in a session (no prepared statements, no session locks), so a pooler may stand in between.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Final, TypeVar

from circuit_export.store import schema
from circuit_export.store.base import StoreError
from circuit_export.store.operations import Operation
from circuit_export.store.rows import Row, Values
from circuit_export.store.sql import SqlStore

try:
    import psycopg
    from psycopg import AsyncConnection
    from psycopg.conninfo import conninfo_to_dict
    from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout
except ImportError as error:
    raise StoreError(
        "Postgres needs a library that is not installed",
        found=str(error),
        hint="pip install 'circuit-export[postgres]'",
    ) from None

T = TypeVar("T")

CONNECTIONS: Final = 10
"""Connections that one process holds at most."""

PATIENCE: Final = 10.0
"""Seconds that are waited for a connection."""

_ATTEMPTS = 3
_SOON = 1.0
"""Seconds after which whoever waits for a connection looks whether the database is there at all."""

_MIGRATING = 0x43495243
"""The advisory lock of those who change the tables."""

_VERSION = "CREATE TABLE IF NOT EXISTS circuit_schema (version BIGINT NOT NULL)"
_SIZE = """
SELECT sum(pg_total_relation_size(oid)) FROM pg_class
WHERE relkind = 'r' AND relname LIKE 'circuit!_%' ESCAPE '!' AND pg_table_is_visible(oid)
"""


class PostgresStore(SqlStore):
    """A store in a database. It belongs to the event loop that first uses it."""

    kind = "postgres"
    size_sql = _SIZE

    def __init__(self, url: str, *, connections: int = CONNECTIONS, patience: float = PATIENCE) -> None:
        self.place = _without_credentials(url)
        self._pool: AsyncConnectionPool[AsyncConnection[Row]] = AsyncConnectionPool(
            url,
            min_size=1,
            max_size=connections,
            timeout=patience,
            reconnect_timeout=patience,
            open=False,
            kwargs={"autocommit": True, "prepare_threshold": None, "connect_timeout": max(2, int(patience))},
        )
        self._url = url
        self._patience = patience
        self._opening = asyncio.Lock()
        self._ready = False

    async def open(self) -> None:
        if self._ready:
            return
        async with self._opening:
            if self._ready:
                return
            await self._check_reachable()
            await self._pool.open()
            await self._reaching(_migrate)
            self._ready = True

    async def close(self) -> None:
        self._ready = False
        await self._pool.close()

    async def backup(self, target: str) -> None:
        raise StoreError(
            "A database is copied with its own tools",
            file=self.place,
            hint=f"pg_dump --file {target} --table 'circuit_*' DATABASE_URL",
        )

    # --- how a statement is sent

    async def _ask(self, sql: str, values: Values) -> list[Row]:
        async def ask(connection: AsyncConnection[Row]) -> list[Row]:
            return await _execute(connection, sql, values)

        await self.open()
        return await self._reaching(ask)

    async def _do(self, operation: Operation[T]) -> T:
        """An operation is driven once: when the connection fails after its first answer, that is said."""
        started = False

        async def drive(connection: AsyncConnection[Row]) -> T:
            nonlocal started
            async with connection.transaction():
                started = True
                try:
                    statement = next(operation)
                    while True:
                        statement = operation.send(await _execute(connection, *statement))
                except StopIteration as end:
                    result: T = end.value
                    return result

        await self.open()
        return await self._reaching(drive, again=lambda: not started)

    async def _reaching(
        self, use: Callable[[AsyncConnection[Row]], Awaitable[T]], *, again: Callable[[], bool] = lambda: True
    ) -> T:
        """Uses a connection, and another one if it turns out to be lost (the database was restarted, say).

        A statement that was lost on its way back may have been done: sent again, a compare-and-set or a once-only
        key then says that somebody was quicker, which is the answer that does no harm.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                connection = await self._lent()
                try:
                    return await use(connection)
                finally:
                    await self._pool.putconn(connection)
            except (PoolTimeout, PoolClosed) as error:
                raise self._explained(error) from None
            except psycopg.OperationalError as error:
                if attempt == _ATTEMPTS or not again() or not _is_lost(error):
                    raise self._explained(error) from None
                await self._check_reachable()
                await self._pool.check()
            except psycopg.Error as error:
                raise self._explained(error) from None
        raise AssertionError("the last attempt returns or raises")

    async def _lent(self) -> AsyncConnection[Row]:
        """A connection of the pool; of a database that is away that is said soon, of a busy one it is waited for."""
        try:
            return await self._pool.getconn(min(_SOON, self._patience))
        except PoolTimeout:
            await self._check_reachable()
            return await self._pool.getconn(self._patience)

    # --- opening

    async def _check_reachable(self) -> None:
        """Connects once, beside the pool: the pool tries for a while and then only knows that time is up."""
        try:
            connection = await AsyncConnection.connect(self._url, connect_timeout=max(2, int(self._patience)))
        except psycopg.Error as error:
            raise self._explained(error) from None
        await connection.close()

    def _explained(self, error: Exception) -> StoreError:
        """An error of the database as one that says what to do, without the credentials that it may quote."""
        said = " ".join(str(error).split()) or type(error).__name__
        if isinstance(error, PoolTimeout | PoolClosed | psycopg.OperationalError):
            hint = "is it running, and does DATABASE_URL lead to it?"
            return StoreError("The database does not answer", file=self.place, found=said, hint=hint)
        return StoreError("The database refuses", file=self.place, found=said)


def _is_lost(error: psycopg.OperationalError) -> bool:
    """Was it the connection that failed (nobody said why, or that it fails or shuts down) and not the statement?"""
    return error.sqlstate is None or error.sqlstate.startswith(("08", "57P"))


async def _execute(connection: AsyncConnection[Row], sql: str, values: Values) -> list[Row]:
    cursor = await connection.execute(_translated(sql), values)
    return await cursor.fetchall() if cursor.description else []


async def _migrate(connection: AsyncConnection[Row]) -> None:
    """Brings the tables up to this version; of several who try, one does it and the others find it done."""
    async with connection.transaction():
        await connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
        await connection.execute(_VERSION)
        cursor = await connection.execute("SELECT coalesce(max(version), 0) FROM circuit_schema")
        ((present,),) = await cursor.fetchall()
        if present > schema.CURRENT:
            raise StoreError(
                "This store was made by a later version of circuit",
                found=f"tables of version {present}",
                expected=f"version {schema.CURRENT} at most",
                hint="update circuit-export",
            )
        for version in range(present + 1, schema.CURRENT + 1):
            for statement in schema.statements(version, schema.POSTGRES):
                await connection.execute(_translated(statement))
            await connection.execute("INSERT INTO circuit_schema VALUES (%s)", (version,))


@cache
def _translated(sql: str) -> Any:
    """A statement with its values named as this database's library names them."""
    return re.sub(r":(\w+)", r"%(\1)s", sql.replace("%", "%%")).encode()


def _without_credentials(url: str) -> str:
    """Names a database without saying how to get in. Raises StoreError for what is no address of one."""
    try:
        parts = conninfo_to_dict(url)
    except psycopg.Error as error:
        raise StoreError(
            "This is not the address of a Postgres database",
            expected="postgresql://USER:PASSWORD@HOST:PORT/DATABASE",
            found=type(error).__name__,
        ) from None
    host, port = parts.get("host") or "localhost", parts.get("port") or "5432"
    return f"postgresql://{host}:{port}/{parts.get('dbname') or ''}"
