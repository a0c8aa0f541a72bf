"""Of all who try the same change at once exactly one wins: as tasks, as threads, as processes."""

import asyncio
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
from support.stores import RACES, asked, at, content, run_of, with_store

from circuit_export.store import open_store
from circuit_export.store.base import KEPT_VERSIONS, NEW, Grant, Store
from circuit_export.store.memory import MemoryStore

WORKER = Path(__file__).resolve().parents[2] / "support" / "store_worker.py"
RACERS = 8
ROUNDS = 5


class Worker:
    """A process that uses a store; it waits until it is told to go."""

    def __init__(self, address: str, *args: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, WORKER, address, *map(str, args)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def line(self) -> object:
        """The next thing that it says; None when it has ended."""
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        return json.loads(said) if said else None

    def go(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write("go\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        self.process.kill()

    def end(self) -> int:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        self.process.stdout.close()
        return self.process.wait(timeout=60)


def set_going(workers: list[Worker]) -> None:
    for worker in workers:
        assert worker.line() == "ready"
    for worker in workers:
        worker.go()


async def prepare(store: Store) -> None:
    for name, race in RACES.items():
        for turn in range(ROUNDS):
            await race.prepare(store, f"{name} {turn}")


@pytest.mark.parametrize("name", RACES)
def test_tasks_race(address: str, name: str) -> None:
    async def question(store: Store) -> None:
        for turn in range(ROUNDS):
            await RACES[name].prepare(store, f"{name} {turn}")
            racers = [RACES[name].run(store, f"{name} {turn}", number) for number in range(RACERS)]
            assert sum(await asyncio.gather(*racers)) == 1

    with_store(address, question)


@pytest.mark.parametrize("name", RACES)
def test_threads_race(address: str, name: str) -> None:
    shared = MemoryStore()
    start = Barrier(RACERS)

    def racer(number: int) -> list[bool]:
        async def run() -> list[bool]:
            store: Store = shared if address == "memory" else open_store(address)
            await store.open()
            won = []
            for turn in range(ROUNDS):
                start.wait(60)
                won.append(await RACES[name].run(store, f"{name} {turn}", number))
            await store.close()
            return won

        try:
            result: list[bool] = asked(run())
        except BaseException:
            start.abort()
            raise
        return result

    async def make_ready(store: Store) -> None:
        for turn in range(ROUNDS):
            await RACES[name].prepare(shared if address == "memory" else store, f"{name} {turn}")

    with_store(address, make_ready)
    with ThreadPoolExecutor(RACERS) as pool:
        results = list(pool.map(racer, range(RACERS)))
    assert [sum(won) for won in zip(*results, strict=True)] == [1] * ROUNDS


def test_threads_share_one_sqlite_store(tmp_path: Path) -> None:
    store = open_store(str(tmp_path / "store.db"))
    with ThreadPoolExecutor(RACERS) as pool:
        told = list(pool.map(lambda _: asked(store.tally("ws", "k", now=at(1), until=at(9))), range(RACERS * ROUNDS)))
    assert sorted(told) == list(range(1, RACERS * ROUNDS + 1))
    asked(store.close())


def test_processes_race(shared_address: str) -> None:
    with_store(shared_address, prepare)
    workers = [Worker(shared_address, "race", ROUNDS, number) for number in range(RACERS)]
    set_going(workers)
    won = [tuple(race) for worker in workers for race in worker.line()]  # type: ignore[attr-defined]
    assert [worker.end() for worker in workers] == [0] * RACERS
    assert sorted(won) == sorted((name, turn) for name in RACES for turn in range(ROUNDS))


def test_the_winner_is_what_is_kept(address: str) -> None:
    async def question(store: Store) -> None:
        await RACES["change a board"].prepare(store, "a")
        racers = [RACES["change a board"].run(store, "a", number) for number in range(RACERS)]
        won = (await asyncio.gather(*racers)).index(True)
        versions = await store.list_versions("ws", "a")
        assert [(version.version, version.text) for version in versions] == [(2, str(won)), (1, "before")]

    with_store(address, question)


def test_a_family_that_is_revoked_while_it_grows_is_dead(address: str) -> None:
    """A stolen token is found out while its thief is being handed the next one."""

    async def question(store: Store) -> None:
        async def grow(number: int) -> None:
            await store.add_grant(Grant("refresh", str(number), {}, family="f"))

        await asyncio.gather(*map(grow, range(5)), store.revoke_family("f", until=at(9)), *map(grow, range(5, 10)))
        for number in range(10):
            assert await store.use_grant("refresh", str(number), now=at(1)) is None

    with_store(address, question)


def test_many_who_change_one_board_lose_no_version(address: str) -> None:
    async def question(store: Store) -> None:
        await RACES["change a board"].prepare(store, "a")

        async def change(number: int) -> None:
            while True:
                kept = await store.get_board("ws", "a")
                assert kept is not None
                text = f"{kept.text} {number}"
                if await store.put_board(
                    "ws", "a", kept.content._replace(text=text), expected=kept.head.revision, at=at(2)
                ):
                    return

        await asyncio.gather(*map(change, range(12)))
        kept = await store.get_board("ws", "a")
        assert kept is not None
        assert sorted(kept.text.split()[1:], key=int) == [str(number) for number in range(12)]
        assert kept.head.version == 13 <= KEPT_VERSIONS
        assert [version.version for version in await store.list_versions("ws", "a")] == list(range(13, 0, -1))

    with_store(address, question)


# --- several servers on one store, and their sudden end

UPTO = 200


def start_run(address: str) -> None:
    with_store(address, lambda store: store.add_run("ws", run_of("r", data={"reports": []})))


def reports(address: str) -> list[int]:
    kept = with_store(address, lambda store: store.get_run("ws", "r"))
    assert kept is not None
    found: list[int] = kept.run["data"]["reports"]
    return found


def test_several_processes_report_as_one(shared_address: str) -> None:
    start_run(shared_address)
    count = 4 if shared_address.startswith("postgres") else 2
    workers = [Worker(shared_address, "report", "r", UPTO) for _ in range(count)]
    set_going(workers)
    acknowledged = [number for worker in workers for number in iter(worker.line, None)]
    assert [worker.end() for worker in workers] == [0] * count
    assert sorted(acknowledged) == list(range(UPTO))  # type: ignore[type-var]
    assert reports(shared_address) == list(range(UPTO))


@pytest.mark.skipif(sys.platform == "win32", reason="what kill -9 is elsewhere")
@pytest.mark.parametrize("after", [1, 97])
def test_a_process_killed_in_the_middle_loses_nothing(shared_address: str, after: int) -> None:
    start_run(shared_address)
    worker = Worker(shared_address, "report", "r", UPTO)
    set_going([worker])
    acknowledged = [worker.line() for _ in range(after)]
    worker.kill()
    acknowledged += iter(worker.line, None)
    assert worker.end() != 0
    kept = reports(shared_address)
    assert acknowledged == list(range(len(acknowledged)))
    assert kept in (acknowledged, [*acknowledged, len(acknowledged)])  # the last one may have been on its way

    second = Worker(shared_address, "report", "r", UPTO)
    set_going([second])
    assert list(iter(second.line, None)) == list(range(len(kept), UPTO))
    assert second.end() == 0
    assert reports(shared_address) == list(range(UPTO))


def test_processes_open_a_new_store_at_once(shared_address: str) -> None:
    workers = [Worker(shared_address, "first_use", number) for number in range(4)]
    set_going(workers)
    assert [worker.line() for worker in workers] == ["done"] * 4
    assert [worker.end() for worker in workers] == [0] * 4
    assert len(with_store(shared_address, lambda store: store.list_boards("ws"))) == 4


def test_tasks_open_a_new_store_at_once(address: str) -> None:
    async def question(store: Store) -> None:
        boards = [store.put_board("ws", str(n), content(), expected=NEW, at=at(n)) for n in range(20)]
        assert all(await asyncio.gather(*boards))

    with_store(address, question)
