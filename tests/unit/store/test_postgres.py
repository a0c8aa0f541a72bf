"""The store in a database: how it says what is wrong, and what it does when connections are lost."""

import asyncio

import pytest
from support.postgres import Cluster, running
from support.stores import asked, at, content, run_of, with_store

from circuit_export.store import open_store
from circuit_export.store.base import NEW, Store, StoreError
from circuit_export.store.operations import Operation, put_board
from circuit_export.store.postgres import PostgresStore

NEEDS_ONE = pytest.mark.postgres


def test_a_database_that_does_not_answer_is_said_without_the_password() -> None:
    async def question() -> None:
        store = PostgresStore("postgresql://me:s3cret@127.0.0.1:1/db", patience=1)
        with pytest.raises(StoreError, match="does not answer") as raised:
            await store.ping()
        said = str(raised.value)
        assert "s3cret" not in said
        assert "postgresql://127.0.0.1:1/db" in said
        await store.close()

    asked(question())


def test_what_is_no_address_is_said_without_quoting_it() -> None:
    with pytest.raises(StoreError, match="not the address") as raised:
        open_store("postgresql://me:s3cret@host:port:port/%zz?wrong=1")
    assert "s3cret" not in str(raised.value)


def kill_connections(cluster: Cluster) -> None:
    """As a restart of the database does."""
    import psycopg

    with psycopg.connect(cluster.address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' "
            "AND pid <> pg_backend_pid()"
        )


@NEEDS_ONE
def test_lost_connections_are_replaced(postgres: Cluster) -> None:
    async def question(store: Store) -> None:
        async def read() -> None:
            assert await store.list_boards("nobody") == []

        head = await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        assert head is not None
        await asyncio.gather(*[read() for _ in range(40)])  # several connections
        await asyncio.to_thread(kill_connections, postgres)
        changed = await store.put_board("ws", "a", content("2"), expected=head.revision, at=at(2))
        assert changed is not None
        await asyncio.to_thread(kill_connections, postgres)
        assert await store.add_run("ws", run_of("r"), fired=True) is not None
        await asyncio.to_thread(kill_connections, postgres)
        kept = await store.get_board("ws", "a")
        assert kept is not None
        assert kept.text == "2"
        await asyncio.to_thread(kill_connections, postgres)
        assert await store.once("ws", "k", now=at(1), until=at(2)) is True

    with_store(postgres.database(), question)


@NEEDS_ONE
def test_a_database_that_stops_and_comes_back(postgres: Cluster) -> None:
    """A sudden stop: what was acknowledged is there, and a store that was open goes on by itself."""

    async def question(cluster: Cluster) -> None:
        store = PostgresStore(cluster.database(), patience=2)
        assert await store.add_run("ws", run_of("r")) == 1
        await asyncio.to_thread(cluster.stop)
        with pytest.raises(StoreError, match="does not answer"):
            await store.get_run("ws", "r")
        with pytest.raises(StoreError, match="does not answer"):
            await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        await asyncio.to_thread(cluster.start)
        assert await store.get_run("ws", "r") == (run_of("r"), 1)
        assert await store.put_board("ws", "a", content(), expected=NEW, at=at(1)) is not None
        await store.close()

    with running() as cluster:  # the one that all share is not for stopping
        asked(question(cluster))


@NEEDS_ONE
def test_more_at_once_than_there_are_connections(postgres: Cluster) -> None:
    async def question() -> None:
        store = PostgresStore(postgres.database(), connections=2)
        boards = [store.put_board("ws", str(n), content(), expected=NEW, at=at(n)) for n in range(50)]
        assert all(await asyncio.gather(*boards))
        await store.close()

    asked(question())


@NEEDS_ONE
def test_tables_of_others_are_left_alone(postgres: Cluster) -> None:
    """The known public server's tables may stand in the same database: none of ours has the name of one of them."""
    import psycopg

    names = ("circuit_workflows", "circuit_runs", "circuit_credentials", "circuit_tools", "circuit_seen")
    address = postgres.database()
    with psycopg.connect(address) as connection:
        for name in names:
            connection.execute(f"CREATE TABLE {name} (theirs int)".encode())
            connection.execute(f"INSERT INTO {name} VALUES (1)".encode())
    with_store(address, lambda store: store.put_board("ws", "a", content(), expected=NEW, at=at(1)))
    with psycopg.connect(address) as connection:
        for name in names:
            assert connection.execute(f"SELECT * FROM {name}".encode()).fetchall() == [(1,)]


@NEEDS_ONE
def test_what_fails_in_the_middle_leaves_nothing(postgres: Cluster) -> None:
    def broken(revision: int) -> Operation[None]:
        put = put_board("ws", "a", content("2"), expected=revision, at=at(2), minor=False)
        rows = yield next(put)  # claimed
        yield put.send(rows)  # kept as a version
        raise RuntimeError("the power is gone")

    async def question(store: Store) -> None:
        assert isinstance(store, PostgresStore)
        head = await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        assert head is not None
        with pytest.raises(RuntimeError):
            await store._do(broken(head.revision))
        assert await store.list_versions("ws", "a") == [(1, at(1), "{}")]
        assert await store.put_board("ws", "a", content("2"), expected=head.revision, at=at(2)) is not None

    with_store(postgres.database(), question)


@NEEDS_ONE
def test_a_backup_is_made_with_the_databases_own_tools(postgres: Cluster) -> None:
    with pytest.raises(StoreError, match="pg_dump"):
        with_store(postgres.database(), lambda store: store.backup("copy"))
