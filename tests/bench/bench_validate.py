"""The rules against F, reading and writing a board's JSON, and a thousand files at once; prints tables, judges nothing.

Run it with `python tests/bench/bench_validate.py`. The rules may take 10 × F on 10,000 steps with 5,000 diamonds.
"""

import gc
import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from circuit_export.definition import Definition
from circuit_export.formats.steps import document, rules
from circuit_export.validation.report import Request
from circuit_export.validation.run import validate


def diamonds(count: int, together: bool) -> dict[str, Any]:
    """A chain of diamonds: the ways exclude each other, or are `together` all taken. Every step reads others."""
    start = {"id": "t", "type": "trigger.ask", "title": "T", "next": [{"to": "s0"}]}
    steps: list[dict[str, Any]] = [start]
    for index in range(count):
        last = index == count - 1
        side, following = f"x{index}", f"x{index}" if last else f"s{index + 1}"
        if together:
            parting = {"type": "logic.filter", "config": {"all": [{"field": "trigger.x", "op": "exists"}]}}
            ports = ("out", "out")
        else:
            read = f"steps.s{index - 1}" if index else "trigger"
            parting = {"type": "model.classify", "config": {"labels": ["a", "b"], "input": read}}
            ports = ("a", "b")
        wires = [{"port": ports[0], "to": side}, {"port": ports[1], "to": following}]
        steps.append({"id": f"s{index}", "title": f"S {index}", **parting, "next": wires})
        arguments = {"q": f"{{{{steps.x{max(0, index - 1)}.q}}}}", "z": f"{{{{steps.s{index}}}}}"}
        call = {"tool": "Gmail:search_threads", "arguments": arguments}
        leads = [] if last else [{"port": "out", "to": following}]
        steps.append({"id": side, "type": "tool.call", "title": f"X {index}", "config": call, "next": leads})
    return {"circuit": 1, "name": "Diamonds", "steps": steps}


def best(run: Callable[[], object], rounds: int = 3) -> float:
    shortest = float("inf")
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        run()
        shortest = min(shortest, time.process_time() - start)
    return shortest


def bench_rules() -> None:
    print(f"{'board':>10} {'steps':>6} {'F ms':>8} {'rules ms':>9} {'× F':>6} {'findings':>9}")
    for together in (False, True):
        for count in (5, 50, 500, 5_000):
            value = diamonds(count, together)
            text = json.dumps(value, indent=1)
            board = document.load(Definition(text, "steps", "x.json"))
            unit = best(lambda text=text: json.dumps(json.loads(text), indent=1))  # type: ignore[misc]
            took = best(lambda board=board: rules.check(board))  # type: ignore[misc]
            kind = "together" if together else "exclusive"
            size, found = len(board.steps), len(rules.check(board))
            print(f"{kind:>10} {size:>6} {unit * 1e3:>8.1f} {took * 1e3:>9.1f} {took / unit:>6.2f} {found:>9}")


def ten_steps(number: int) -> dict[str, Any]:
    kinds = (
        ("note.say", {"template": f"Did {{{{trigger.x}}}} {number}"}),
        ("tool.call", {"tool": "Gmail:search_threads", "arguments": {"q": "{{trigger.q}}"}}),
        ("model.write", {"instructions": "Say it.", "context": ["trigger"], "maxWords": 100}),
    )
    steps = []
    for index in range(10):
        kind, config = ("trigger.ask", {}) if index == 0 else kinds[index % 3]
        wires = [{"port": "out", "to": f"s{index + 1}"}] if index < 9 else []
        steps.append({"id": f"s{index}", "type": kind, "title": f"Step {index}", "config": config, "next": wires})
    return {"circuit": 1, "name": f"Board {number}", "steps": steps}


def bench_files() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number in range(1_000):
            (folder / f"b{number:04}.json").write_text(json.dumps(ten_steps(number), indent=1), "utf-8")
        print(f"\n{'1,000 files':>14} {'s':>6}")
        print(f"{'without cache':>14} {best(lambda: validate(Request((folder,))), 1):>6.2f}")
        request = Request((folder,), cache=folder / ".cache")
        print(f"{'cold cache':>14} {best(lambda: validate(request), 1):>6.2f}")
        print(f"{'warm cache':>14} {best(lambda: validate(request), 1):>6.2f}")


if __name__ == "__main__":
    bench_rules()
    bench_files()
