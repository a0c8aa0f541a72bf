"""How fast programs are read and run: `python tests/bench/bench_circuitry.py` prints two tables.

Reading is compared with the KDL parser alone on the same text, running with the same bare subprocesses gathered.
"""

import asyncio
import time
from collections.abc import Callable

from kdlquery.parser import KDL2CSTParser

from circuit_export.formats.circuitry.reading import inspect
from circuit_export.formats.circuitry.runner import run

SIZES = (100, 1_000, 10_000)
COMMANDS = 100


def program(count: int) -> str:
    """A chain of calls with arguments, inputs and errors."""
    lines = ["in { n0 $n0; note ?note }"]
    lines += [
        f'call-{at} source="tool" "--at" {at} "text with $n{at} in it" '
        f"{{ in {{ value $n{at}; note ?note }}; out {{ value $n{at + 1} }}; error {{ code $failed-{at} }} }}"
        for at in range(count)
    ]
    return "\n".join([*lines, f"out $n{count}"])


def best(*works: Callable[[], object], clock: Callable[[], float] = time.process_time, times: int = 3) -> list[float]:
    """The shortest of several runs of each, in turn, in seconds."""
    found: list[list[float]] = [[] for _ in works]
    for _ in range(times):
        for work, took in zip(works, found, strict=True):
            start = clock()
            work()
            took.append(clock() - start)
    return [min(took) for took in found]


async def bare(command: str) -> None:
    """One subprocess without anything around it."""
    pipe = asyncio.subprocess.PIPE
    null = asyncio.subprocess.DEVNULL
    child = await asyncio.create_subprocess_exec(command, stdin=null, stdout=pipe, stderr=pipe)
    await child.communicate()


async def gathered() -> None:
    await asyncio.gather(*[bare("true") for _ in range(COMMANDS)])


def main() -> None:
    print(f"{'calls':>8} {'KDL parser':>12} {'inspect':>12} {'ratio':>6} {'a call':>9}")
    for size in SIZES:
        text = program(size)
        assert not inspect(text).said
        kdl, ours = best(lambda text=text: KDL2CSTParser().parse(text), lambda text=text: inspect(text))
        print(f"{size:>8,} {kdl:>10.4f} s {ours:>10.4f} s {ours / kdl:>6.2f} {ours / size * 1e6:>6.1f} µs")
    text = "\n".join([*(f'c{at} source="true" {at} {{ (text)out $x{at} }}' for at in range(COMMANDS)), "out 1"])
    alone, ours = best(lambda: asyncio.run(gathered()), lambda: list(run(text)), clock=time.perf_counter, times=9)
    print(f"\n{COMMANDS} commands: gathered {alone:.3f} s, a generation {ours:.3f} s, ratio {ours / alone:.2f}")


if __name__ == "__main__":
    main()
