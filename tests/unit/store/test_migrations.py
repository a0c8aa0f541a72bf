"""A store that an earlier version made is brought forward whole; one by a later version is left alone."""

import hashlib
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.postgres import Cluster
from support.stores import at, content, run_of, with_store

from circuit_export.store import schema
from circuit_export.store.base import ARMED, NEW, Grant, Store, StoreError, Version
from circuit_export.store.sqlite import APPLICATION

# Stores were made by these, so they never change: a change of the tables is one more entry.
PUBLISHED = ["eddb5d65", "79a0118b"]

# What a store of the first version may hold. Later tables are empty in it by definition.
ROWS = [
    """INSERT INTO circuit_board (workspace, id, format, facts, status, schedule, version, revision, created_at,
       updated_at, saved_at, last_run_at, source) VALUES ('ws', 'a', 'steps', '["A board", "", 2, ["G:send"], []]',
       'armed', '["0 9 * * *", "", "", ""]', 2, 77, '{at1}', '{at2}', '{at2}', '{at3}', 'second')""",
    "INSERT INTO circuit_version VALUES ('ws', 'a', 1, '{at1}', 'first')",
    """INSERT INTO circuit_run (workspace, id, workflow_id, status, mode, started_at, ended_at, awaiting, revision,
       record) VALUES ('ws', 'r', 'a', 'running', 'live', '{at1}', '', '""', 3, '{run}')""",
    "INSERT INTO circuit_binding VALUES ('ws', '{at1}', '[[\"G:send\", \"\"]]')",
    "INSERT INTO circuit_tally VALUES ('ws', 'k', 2, '{at9}')",
]


def filled() -> list[str]:
    said = []
    for row in ROWS:
        for second in (1, 2, 3, 9):
            row = row.replace(f"{{at{second}}}", at(second))
        said.append(row.replace("{run}", json.dumps(run_of("r"))))
    return said


def made_in_sqlite(path: Path, version: int) -> str:
    connection = sqlite3.connect(path)
    for number in range(1, version + 1):
        for statement in schema.statements(number, schema.SQLITE):
            connection.execute(statement)
    for row in filled() if version else []:
        connection.execute(row)
    connection.execute(f"PRAGMA user_version = {version}")
    connection.execute(f"PRAGMA application_id = {APPLICATION if version else 0}")
    connection.commit()
    connection.close()
    return str(path)


def made_in_postgres(address: str, version: int) -> str:
    import psycopg

    with psycopg.connect(address) as connection:
        connection.execute("CREATE TABLE circuit_schema (version BIGINT NOT NULL)")
        for number in range(1, version + 1):
            for statement in schema.statements(number, schema.POSTGRES):
                connection.execute(statement.encode())
            connection.execute("INSERT INTO circuit_schema VALUES (%s)", (number,))
        for row in filled() if version else []:
            connection.execute(row.encode())
    return address


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def made(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[int], str]:
    """Makes a store as a version of the tables has it, with something in it; its address."""
    if request.param == "sqlite":
        return lambda version: made_in_sqlite(tmp_path / "store.db", version)
    cluster: Cluster = request.getfixturevalue("postgres")
    return lambda version: made_in_postgres(cluster.database(), version)


async def works(store: Store) -> None:
    """Something of everything, as this version of the tables has it."""
    head = await store.put_board("new", "b", content(), expected=NEW, at=at(1))
    assert head is not None
    assert await store.put_board("new", "b", content("2"), expected=head.revision, at=at(2)) is not None
    assert await store.add_run("new", run_of("r", "b"), fired=True) is not None
    assert await store.once("new", "k", now=at(1), until=at(9)) is True
    assert await store.add_grant(Grant("code", "x", {}, family="f")) is True
    await store.revoke_family("f", until=at(9))
    assert (await store.info()).schema == schema.CURRENT


@pytest.mark.parametrize("version", range(1, schema.CURRENT + 1))
def test_every_earlier_version_is_brought_forward(made: Callable[[int], str], version: int) -> None:
    async def question(store: Store) -> None:
        kept = await store.get_board("ws", "a")
        assert kept is not None
        assert (kept.text, kept.head.status, kept.head.revision) == ("second", ARMED, 77)
        assert kept.head.facts.tools == ("G:send",)
        assert kept.head.last_run_at == at(3)
        assert await store.list_versions("ws", "a") == [Version(2, at(2), "second"), Version(1, at(1), "first")]
        assert await store.get_run("ws", "r") == (run_of("r"), 3)
        assert await store.get_binding("ws") == (at(1), (("G:send", ""),))
        assert await store.tally("ws", "k", now=at(1), until=at(9)) == 3
        await works(store)

    address = made(version)
    with_store(address, question)
    with_store(address, lambda store: store.ping())  # and opens again


def test_a_store_from_nothing_works(made: Callable[[int], str]) -> None:
    with_store(made(0), works)


def test_a_later_version_is_left_alone(made: Callable[[int], str]) -> None:
    address = made(schema.CURRENT)
    later(address)
    for _ in range(2):
        with pytest.raises(StoreError, match="made by a later version"):
            with_store(address, lambda store: store.list_boards("ws"))


def later(address: str) -> None:
    number = schema.CURRENT + 1
    if address.startswith("postgres"):
        import psycopg

        with psycopg.connect(address) as postgres:
            postgres.execute("INSERT INTO circuit_schema VALUES (%s)", (number,))
    else:
        connection: Any = sqlite3.connect(address)
        connection.execute(f"PRAGMA user_version = {number}")
        connection.close()


def test_what_was_published_has_not_changed() -> None:
    digests = [hashlib.sha256("\n".join(entry).encode()).hexdigest()[:8] for entry in schema.MIGRATIONS]
    assert digests == PUBLISHED, "add an entry to MIGRATIONS instead of changing one"
