"""What a store costs: python tests/bench/bench_store.py prints microseconds for each thing that it is asked."""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from support.postgres import binaries, running
from support.stores import asked, at, content, run_of

from circuit_export.store import open_store
from circuit_export.store.base import NEW

TIMES = 300
HISTORY = [{"stepId": f"step-{n}", "state": "done", "at": at(n), "output": "x" * 80} for n in range(100)]


async def measured(what: Callable[[int], Awaitable[object]]) -> float:
    """The median of many, in microseconds."""
    took = []
    for number in range(TIMES):
        start = time.perf_counter()
        await what(number)
        took.append(time.perf_counter() - start)
    return statistics.median(took) * 1e6


async def bench(name: str, address: str) -> None:
    store = open_store(address)
    await store.open()
    run = run_of("r", history=HISTORY)
    await store.put_board("ws", "a", content("x" * 5000), expected=NEW, at=at(1))
    await store.add_run("ws", run)

    async def step(number: int) -> None:
        """What a report costs: the run, its board, and the run saved."""
        kept = await store.get_run("ws", "r")
        assert kept is not None
        await store.get_board("ws", "a")
        assert await store.save_run("ws", kept.run, expected=kept.revision)

    async def change(number: int) -> None:
        kept = await store.get_board("ws", "a")
        assert kept is not None
        text = content(f"{number} " + "x" * 5000)
        assert await store.put_board("ws", "a", text, expected=kept.head.revision, at=at(number))

    figures = [
        await measured(step),
        await measured(change),
        await measured(lambda number: store.add_run("ws", {**run, "id": str(number)}, fired=True)),
        await measured(lambda number: store.once("ws", str(number), now=at(1), until=at(2))),
        await measured(lambda number: store.list_runs("ws")),
    ]
    start = time.perf_counter()
    await asyncio.gather(*[store.add_run("ws", {**run, "id": f"at once {number}"}) for number in range(TIMES)])
    together = (time.perf_counter() - start) / TIMES * 1e6
    print(name.ljust(10), *(f"{figure:10,.0f}" for figure in (*figures, together)))
    await store.close()


def main() -> None:
    columns = ("a step", "an edit", "a start", "a key", "20 runs", "many")
    print(" " * 10, *(column.rjust(10) for column in columns), " (median µs)")
    asked(bench("memory", "memory"))
    with tempfile.TemporaryDirectory() as folder:
        asked(bench("sqlite", str(Path(folder) / "store.db")))
    if binaries() is not None:
        with running() as cluster:
            asked(bench("postgres", cluster.database()))


if __name__ == "__main__":
    main()
