"""How fast skill graphs are read, checked, drawn and run: `python tests/bench/bench_skills.py` prints two tables.

F is `json.loads` and `json.dumps(indent=1)` of the same document in the same run.
"""

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from support.skills import graph, node

from circuit_export.definition import Definition
from circuit_export.formats.skills import FORMAT
from circuit_export.formats.skills.engine import Machine, Options
from circuit_export.formats.skills.rules import check

SIZES = (10, 100, 1_000, 10_000)


def chain(count: int, **more: Any) -> dict[str, Any]:
    """A chain in which each node takes the output of the one before."""
    nodes = [
        node(f"n{at}", label=f"Step {at}", input={"prompt": f"${{steps.n{at - 1}.output}}" if at else "begin"})
        for at in range(count)
    ]
    return graph(nodes, [(f"n{at}", f"n{at + 1}") for at in range(count - 1)], **more)


def best(work: Callable[[], object], times: int = 5) -> float:
    """The shortest of several runs, in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found)


def drive(engine: Machine, most: int) -> tuple[int, float]:
    """Directives handed out, and seconds."""
    run = engine.start("bench", "now")
    start = time.perf_counter()
    asked = engine.advance(run, "now")
    while asked["act"] == "run_skill" and run["directives"] < most:
        asked = engine.report(run, "now", asked["stepId"], "done", asked["turn"])
    return run["directives"], time.perf_counter() - start


def main() -> None:
    print(f"{'nodes':>7} {'F ms':>8} {'load':>6} {'rules':>6} {'picture':>8}   as multiples of F")
    for count in SIZES:
        text = json.dumps(chain(count), indent=2)
        base = best(lambda text=text: json.dumps(json.loads(text), indent=1))  # type: ignore[misc]
        definition = Definition(text, "skills")
        document = FORMAT.load(definition)
        multiples = [
            best(work) / base
            for work in (
                lambda definition=definition: FORMAT.load(definition),
                lambda document=document: check(document),
                lambda document=document: FORMAT.picture(document, {}),
            )
        ]
        print(f"{count:>7} {base * 1e3:>8.2f} {multiples[0]:>6.2f} {multiples[1]:>6.2f} {multiples[2]:>8.2f}")
    print(f"\n{'run':<28} {'directives':>10} {'a second':>10}")
    loop = chain(10, **{"x-circuit": {"allowCycles": True}})
    loop["edges"].append({"id": "back", "source": "n9", "target": "n0", "kind": "dependency"})
    for name, value, most in (("a loop of ten nodes", loop, 20_000), ("a chain of 10,000 nodes", chain(10_000), 10**9)):
        engine = Machine(FORMAT.load(Definition(json.dumps(value), "skills")), Options(rounds=10**6, directives=10**9))
        count, seconds = drive(engine, most)
        print(f"{name:<28} {count:>10,} {count / seconds:>10,.0f}")


if __name__ == "__main__":
    main()
