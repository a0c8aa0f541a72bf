"""A process of its own that uses a store: python store_worker.py ADDRESS race ROUNDS NUMBER | report RUN UPTO."""

import asyncio
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from circuit_export.store import open_store
from circuit_export.store.base import Store
from support.stores import RACES, asked, content


def say(value: object) -> None:
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


async def race(store: Store, rounds: int, number: int) -> None:
    """Runs every race some times against others who do the same; says which it won."""
    await store.open()
    say("ready")
    sys.stdin.readline()
    rows = [(name, turn) for name in RACES for turn in range(rounds)]
    say([[name, turn] for name, turn in rows if await RACES[name].run(store, f"{name} {turn}", number)])


async def report(store: Store, run_id: str, upto: int) -> None:
    """Adds numbers to a run's reports until there are `upto`; says each that was acknowledged as its own."""
    await store.open()
    say("ready")
    sys.stdin.readline()
    while True:
        kept = await store.get_run("ws", run_id)
        assert kept is not None
        reports = kept.run["data"]["reports"]
        if len(reports) >= upto:
            return
        number = len(reports)
        reports.append(number)
        if await store.save_run("ws", kept.run, expected=kept.revision) is not None:
            say(number)


async def first_use(store: Store, number: int) -> None:
    """Opens a store that nobody has opened, at the same moment as others do."""
    say("ready")
    sys.stdin.readline()
    await store.put_board("ws", f"board {number}", content(), expected=0, at="2026-01-01T00:00:00.000Z")
    say("done")


async def work(address: str, what: str, *more: str) -> None:
    store = open_store(address)
    if what == "race":
        await race(store, int(more[0]), int(more[1]))
    elif what == "report":
        await report(store, more[0], int(more[1]))
    else:
        await first_use(store, int(more[0]))
    await store.close()
    await asyncio.sleep(0)


if __name__ == "__main__":
    asked(work(*sys.argv[1:]))
