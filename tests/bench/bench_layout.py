"""Prints what layout and routing take beside reading and writing the same document; run it by hand."""

import json
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from support.drawings import VECTORS, board_of

from circuit_export.board.layout import layout
from circuit_export.board.routing import route


def _copy(definition: dict[str, Any], prefix: str) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = json.loads(json.dumps(definition["steps"]))
    for step in steps:
        step["id"] = prefix + step["id"]
        for wire in step["next"]:
            wire["to"] = prefix + wire["to"]
    return steps


def chained(count: int) -> dict[str, Any]:
    """The conformance boards one after another, each wired to the next."""
    steps: list[dict[str, Any]] = []
    while len(steps) < count:
        for vector in VECTORS:
            following = _copy(vector["board"], f"{len(steps)}-")
            if steps:
                steps[-1]["next"].append({"port": "out", "to": following[0]["id"]})
            steps += following
    return {"circuit": 1, "name": "chained", "steps": steps[:count]}


def ladder(count: int) -> dict[str, Any]:
    """A ladder of diamonds: a branch, a step on one side, and both lead on."""
    steps = []
    for i in range((count + 1) // 2):
        config = {"field": "x", "cases": [{"equals": "a", "port": "a"}], "fallback": "else"}
        ways = [{"port": "a", "to": f"b{i}"}, {"port": "else", "to": f"a{i + 1}"}]
        steps.append({"id": f"a{i}", "type": "logic.branch", "title": "Which way", "config": config, "next": ways})
        on = [{"port": "out", "to": f"a{i + 1}"}]
        steps.append({"id": f"b{i}", "type": "tool.call", "title": "Do", "config": {"tool": "A:b"}, "next": on})
    return {"circuit": 1, "name": "ladder", "steps": steps[:count]}


def copies(count: int) -> dict[str, Any]:
    """Copies of one ten-step board that do not touch."""
    ten = next(vector["board"] for vector in VECTORS if len(vector["board"]["steps"]) == 10)
    steps = [step for i in range(count // 10) for step in _copy(ten, f"{i}-")]
    return {"circuit": 1, "name": "copies", "steps": steps}


def best(work: Callable[[], object], rounds: int) -> float:
    """The shortest of so many rounds, in seconds."""
    times = []
    for _ in range(rounds):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return min(times)


def main() -> None:
    """Prints one line for each shape and size."""
    print(f"{'shape':8} {'steps':>6} {'wires':>6} {'F µs':>6} {'layout':>7} {'routing':>8} {'× F':>6} {'peak MB':>8}")
    for shape in (chained, ladder, copies):
        for count in (10, 100, 1_000, 10_000):
            definition = shape(count)
            board = board_of(definition)
            text = json.dumps(definition, indent=1)
            rounds = max(3, 2_000 // count)
            base = best(lambda text=text: json.dumps(json.loads(text), indent=1), rounds) / count  # type: ignore[misc]
            placed = layout(board)
            lay = best(lambda board=board: layout(board), rounds) / count  # type: ignore[misc]
            draw = best(lambda board=board, placed=placed: route(board, placed), rounds) / count  # type: ignore[misc]
            tracemalloc.start()
            route(board, layout(board))
            peak = tracemalloc.get_traced_memory()[1] / 1e6
            tracemalloc.stop()
            line = f"{shape.__name__:8} {count:6} {len(board.wires):6} {base * 1e6:6.1f} {lay * 1e6:7.1f}"
            print(f"{line} {draw * 1e6:8.1f} {(lay + draw) / base:6.2f} {peak:8.1f}")


if __name__ == "__main__":
    main()
