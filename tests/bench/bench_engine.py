"""How fast the engine is: directives a second, early against late, long loops and large boards. Prints a table.

Run it by hand: python tests/bench/bench_engine.py
"""

import json
import resource
import time
import tracemalloc

from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.runs.record import Limits

NOW = "2030-01-01T00:00:00Z"
FREELY = Limits(directives=10**9, moves=10**9)


def step(id, type, config, *next):
    wires = [{"port": port, "to": to} for port, to in next]
    return {"id": id, "type": type, "title": f"Step {id}", "config": config, "next": wires}


def loop_board(steps, items, directives=True):
    """A loop whose body is a chain of calls (or of filters, which ask for nothing)."""
    body = []
    for n in range(steps):
        after = [("out", f"s{n + 1}")] if n + 1 < steps else []
        arguments = {"id": "{{item.id}}", "text": "about {{item.name}} today", "before": "{{steps.s0.ok}}"}
        if directives:
            body.append(step(f"s{n}", "tool.call", {"tool": "Desk:get_thing", "arguments": arguments}, *after))
        else:
            body.append(step(f"s{n}", "logic.filter", {"all": [{"field": "item.id", "op": "exists"}]}, *after))
    each = step("each", "logic.each", {"list": "trigger", "limit": items}, ("out", "s0"))
    return load_value(
        {"circuit": 1, "name": "b", "steps": [step("ask", "trigger.ask", {}, ("out", "each")), each, *body]}
    )


def chain_board(steps):
    items = [step("ask", "trigger.ask", {}, ("out", "s0"))]
    for n in range(steps):
        after = [("out", f"s{n + 1}")] if n + 1 < steps else []
        items.append(step(f"s{n}", "note.say", {"template": "Step {{trigger.n}}"}, *after))
    return load_value({"circuit": 1, "name": "b", "steps": items})


def drive(board, trigger, answer):
    """Runs to the end; returns the run and the processor time at every thousandth directive."""
    machine = Machine(board, {}, FREELY)
    run = machine.start("run", NOW, trigger=trigger)
    marks = [time.process_time()]
    directive = machine.advance(run, NOW)
    count = 0
    while directive["act"] not in ("done", "blocked"):
        directive = machine.report(run, NOW, directive["stepId"], answer, directive["turn"])
        count += 1
        if count % 1000 == 0:
            marks.append(time.process_time())
    assert directive["act"] == "done", directive
    marks.append(time.process_time())
    return run, count, marks


def items(count):
    return [{"id": n, "name": f"thing {n}"} for n in range(count)]


def row(name, value):
    print(f"{name:<58} {value}")


def main():
    _run, count, marks = drive(loop_board(10, 5000), items(5000), {"ok": True})
    seconds = marks[-1] - marks[0]
    row("ten-step loop, directives a second", f"{count / seconds:,.0f}")
    first, last = marks[1] - marks[0], marks[-2] - marks[-3]
    row("  last 1,000 directives against the first 1,000", f"{last / first:.2f}")
    began = time.process_time()
    run, count, _marks = drive(loop_board(1, 100_000), items(100_000), {"ok": True})
    row("loop over 100,000 items, one call each", f"{time.process_time() - began:.2f} s, {count:,} directives")
    row("  its run as JSON at the end", f"{len(json.dumps(run)) / 1e6:.2f} MB")
    began = time.process_time()
    drive(loop_board(5, 100_000, directives=False), items(100_000), None)
    row("loop over 100,000 items, five filters each", f"{time.process_time() - began:.2f} s")
    board = chain_board(10_000)
    began = time.process_time()
    run, count, _marks = drive(board, {"n": 1}, {"ok": True})
    row("board of 10,000 steps, all of them directives", f"{time.process_time() - began:.2f} s, {count:,} directives")
    row("  its run as JSON at the end", f"{len(json.dumps(run)) / 1e6:.2f} MB")
    board = loop_board(10_000, 10, directives=False)
    began = time.process_time()
    drive(board, items(10), None)
    row("board of 10,000 filters, ten times over", f"{time.process_time() - began:.2f} s")
    tracemalloc.start()
    drive(loop_board(1, 20_000), items(20_000), {"ok": True})
    row("loop over 20,000 items, peak of what Python holds", f"{tracemalloc.get_traced_memory()[1] / 1e6:.1f} MB")
    row("peak of the process", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
