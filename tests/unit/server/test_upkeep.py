"""A server over HTTP forgets what has expired, while it serves."""

import asyncio
from datetime import UTC, datetime

import pytest
from support.stores import run_of

from circuit_export.server.desk import Desk
from circuit_export.server.http import UPKEEP, keep_house
from circuit_export.store.base import Grant, Pruned, StoreError, stamp
from circuit_export.store.memory import MemoryStore

NOW = datetime(2026, 1, 5, tzinfo=UTC)


class Over(Exception):
    """The test has seen enough."""


def kept(store: MemoryStore, rounds: int = 1) -> list[float]:
    """Lets a house be kept for some rounds; for how long it paused."""
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        if len(pauses) == rounds:
            raise Over
        pauses.append(seconds)

    async def scene() -> None:
        for name, until in (("old", "2026-01-04"), ("new", "2026-01-06"), ("ever", "")):
            await store.add_grant(Grant("access", name, {}, until and stamp(datetime.fromisoformat(until))))
        await keep_house(Desk(store, "local", now=lambda: NOW), pause)

    with pytest.raises(Over):
        asyncio.run(scene())
    return pauses


def test_what_has_expired_goes_and_nothing_else() -> None:
    store = MemoryStore()
    assert kept(store) == [UPKEEP]
    assert {name for _, name in store._grants} == {"new", "ever"}


def test_runs_stay_however_long_ago_they_ended() -> None:
    store = MemoryStore()
    ended = run_of("r", started="2020-01-01T00:00:00.000Z", status="succeeded", endedAt="2020-01-01T00:00:01.000Z")
    asyncio.run(store.add_run("local", ended))
    kept(store)
    assert asyncio.run(store.get_run("local", "r")) is not None


def test_a_store_that_does_not_answer_is_asked_again() -> None:
    class Gone(MemoryStore):
        asked = 0

        async def prune(self, *, before: str, now: str, unfinished: bool = False, dry: bool = False) -> Pruned:
            self.asked += 1
            raise StoreError("The database is gone")

    store = Gone()
    kept(store, 3)
    assert store.asked == 3
