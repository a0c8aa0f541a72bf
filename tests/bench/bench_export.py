"""Prints what exporting costs, as multiples of reading and writing the same JSON: python tests/bench/bench_export.py

F(n) is json.loads + json.dumps(indent=1) of the same document, measured in the same run. Targets: at most 10 × F(n)
at 10, 100 and 1,000 steps and 12 × at 10,000; at most 250 MB at 10,000 steps; a cold `circuit export one.json` at
most 1.3 × importing click, jinja2 and svgwrite; 1,000 ten-step boards from a folder on all cores.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from circuit_export import api

BOARDS = json.loads((Path(__file__).parents[1] / "conformance" / "boards.json").read_text("utf-8"))
TARGETS = {10: 10.0, 100: 10.0, 1_000: 10.0, 10_000: 12.0}


def board_of(size: int) -> dict[str, Any]:
    """A board of `size` steps: generated boards of the conformance vectors, chained one behind the other."""
    steps: list[dict[str, Any]] = []
    number = 0
    while len(steps) < size:
        source = BOARDS[number % len(BOARDS)]["board"]
        rename = {step["id"]: f"{step['id']}_{number}" for step in source["steps"]}
        text = json.dumps(source["steps"])
        for old, new in rename.items():  # what a step reads is renamed with it
            text = re.sub(rf"\bsteps\.{re.escape(old)}\b", f"steps.{new}", text)
        block = json.loads(text)
        for step in block:
            step["id"] = rename[step["id"]]
            for wire in step["next"]:
                wire["to"] = rename[wire["to"]]
        if steps:
            last = steps[-1]
            last["next"].append({"port": "out", "to": block[0]["id"]})
        steps += block
        number += 1
    kept = {step["id"] for step in steps[:size]}
    for step in steps[:size]:
        step["next"] = [wire for wire in step["next"] if wire["to"] in kept]
    return {"circuit": 1, "name": f"{size} steps", "description": "", "entry": steps[0]["id"], "steps": steps[:size]}


def typical(action: Callable[[], object], seconds: float = 1.0) -> float:
    """The median time of a call, in seconds, over about `seconds` of them (five at least)."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 5 or time.perf_counter() < end:
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def in_process() -> None:
    print(f"{'steps':>8} {'F(n) ms':>10} {'export ms':>10} {'× F':>7} {'target':>7}")
    for size, target in TARGETS.items():
        text = json.dumps(board_of(size), ensure_ascii=False, indent=1)

        def export(text: str = text) -> None:
            api.export_page(api.loads(text, path="board.json"))

        export()
        measure = typical(lambda text=text: json.dumps(json.loads(text), indent=1))  # type: ignore[misc]
        taken = typical(export)
        print(f"{size:>8,} {measure * 1e3:>10.3f} {taken * 1e3:>10.3f} {taken / measure:>7.2f} {target:>7.1f}")


def peak_memory() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.json"
        file.write_text(json.dumps(board_of(10_000), ensure_ascii=False, indent=1), "utf-8")
        program = (
            "import resource, sys; from circuit_export import api\n"
            "api.export_page(api.load(sys.argv[1]))\n"
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        peak = subprocess.run([sys.executable, "-c", program, str(file)], capture_output=True, text=True, check=True)
        print(f"peak memory at 10,000 steps: {int(peak.stdout) / 1024:.0f} MB (target 250)")


def cold_start() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "one.json"
        file.write_text(json.dumps(board_of(10)), "utf-8")
        base_line = [sys.executable, "-c", "import click, jinja2, svgwrite"]
        circuit = str(Path(sys.executable).with_name("circuit"))
        command = [circuit, "export", str(file), "-o", f"{folder}/x.html", "--force", "-q"]

        # As it is installed for people: with compiled bytecode, which an editable checkout may not write.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

        def run(arguments: list[str]) -> None:
            subprocess.run(arguments, check=True, capture_output=True, env=environment)

        run(command)
        ratios, bases = [], []
        for _ in range(25):  # in pairs, so that a busy machine is busy for both
            start = time.perf_counter()
            run(base_line)
            middle = time.perf_counter()
            run(command)
            bases.append(middle - start)
            ratios.append((time.perf_counter() - middle) / (middle - start))
        ratio, base = statistics.median(ratios), statistics.median(bases) * 1e3
        print(f"cold export: {ratio:.2f} × the imports of {base:.0f} ms (target 1.3)")


def folder_of_boards() -> None:
    with tempfile.TemporaryDirectory() as folder:
        boards = Path(folder) / "boards"
        boards.mkdir()
        text = json.dumps(board_of(10))
        for number in range(1_000):
            (boards / f"board-{number}.json").write_text(text, "utf-8")
        start = time.perf_counter()
        command = [sys.executable, "-m", "circuit_export", "export", str(boards), "-o", f"{folder}/site", "-q"]
        subprocess.run(command, check=True)
        print(f"1,000 boards from a folder: {time.perf_counter() - start:.2f} s on {os.cpu_count()} cores")


if __name__ == "__main__":
    in_process()
    peak_memory()
    cold_start()
    folder_of_boards()
