"""Loading and picturing a board against F, reading and writing its JSON; prints a table, judges nothing.

Run it with `python tests/bench/bench_steps.py`. The share of these two in an export is 2 × F at most.
"""

import gc
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from circuit_export.definition import Definition
from circuit_export.formats import get

EXAMPLE = Path(__file__).parents[2] / "examples" / "month-end-close.json"


def a_board(size: int) -> dict[str, Any]:
    """The largest example again and again, each copy with ids of its own."""
    steps: list[Any] = []
    for copy in range(-(-size // 76)):
        board = json.loads(EXAMPLE.read_text("utf-8"))
        for step in board["steps"]:
            step["id"] += f"-{copy}"
            for wire in step["next"]:
                wire["to"] += f"-{copy}"
        steps += board["steps"]
    return {"circuit": 1, "name": "Bench", "steps": steps[:size]}


def best(run: Callable[[], object], rounds: int = 7) -> float:
    shortest = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.perf_counter()
        run()
        shortest = min(shortest, time.perf_counter() - start)
    return shortest


def main() -> None:
    board = get("steps")
    print(f"{'steps':>7} {'F µs/step':>10} {'recognise':>10} {'load':>10} {'picture':>10} {'all / F':>8}")
    for size in (10, 100, 1_000, 10_000):
        text = json.dumps(a_board(size), indent=1)
        definition = Definition(text, "steps")
        document = board.load(definition)
        f = best(lambda text=text: json.dumps(json.loads(text), indent=1))  # type: ignore[misc]
        times = [
            best(lambda text=text: board.recognise(text)),  # type: ignore[misc]
            best(lambda definition=definition: board.load(definition)),  # type: ignore[misc]
            best(lambda document=document: board.picture(document, {})),  # type: ignore[misc]
        ]
        row = "".join(f" {part * 1e6 / size:10.1f}" for part in (f, *times))
        print(f"{size:7,}{row} {sum(times) / f:8.2f}")


if __name__ == "__main__":
    main()
