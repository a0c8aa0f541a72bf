"""Boards for the tests of layout and routing, and the least page of a drawing that the geometry checker reads."""

import html
import json
import sys
import warnings
from pathlib import Path
from typing import Any

from circuit_export.board.layout import Layout, layout
from circuit_export.board.model import Actor, Board, Chip, Place, Scope, Wire
from circuit_export.board.routing import Drawing, path_data, route

TESTS = Path(__file__).resolve().parent.parent
VECTORS: list[dict[str, Any]] = json.loads((TESTS / "conformance" / "boards.json").read_text("utf-8"))
SCOPES = {"logic.each": Scope("out", "done"), "logic.branches": Scope("out", "join")}


def make(
    ports: list[int],
    wires: list[tuple[int, int, int]],
    positions: dict[int, tuple[int, int]] | None = None,
    scopes: dict[int, Scope] | None = None,
    entry: int = 0,
) -> Board:
    """A board of chips s0, s1, … with so many ports p0, p1, … each, and wires (source, port, target)."""
    chips = tuple(
        Chip(
            f"s{i}",
            "do",
            "",
            "",
            Actor.CIRCUIT,
            tuple(f"p{k}" for k in range(count)),
            position=Place(*positions[i]) if positions and i in positions else None,
            scope=scopes.get(i) if scopes else None,
        )
        for i, count in enumerate(ports)
    )
    return Board("b", "b", "", chips, tuple(Wire(s, f"p{p}", t) for s, p, t in wires), entry)


def ports_of(step: dict[str, Any]) -> tuple[str, ...]:
    """The ports of a step by its type, and the error port when there is one."""
    config = step.get("config", {})
    match step["type"]:
        case "model.classify":
            ports = list(config["labels"])
        case "logic.branch":
            ports = [case["port"] for case in config["cases"]] + [config.get("fallback", "else")]
        case "logic.each":
            ports = ["out", "done"]
        case "logic.branches":
            ports = ["out", "join"]
        case _:
            ports = ["out"]
    if step.get("onError", {}).get("do") == "route":
        ports.append(step["onError"].get("port", "error"))
    ports += [wire.get("port", "out") for wire in step.get("next", [])]
    return tuple(dict.fromkeys(ports))


def board_of(definition: dict[str, Any]) -> Board:
    """The bare board of a definition in the steps format: ids, ports, positions, wires and scopes."""
    steps = definition["steps"]
    index = {step["id"]: i for i, step in reversed(list(enumerate(steps)))}
    triggers = (i for i, step in enumerate(steps) if step["type"].startswith("trigger."))
    chips = tuple(
        Chip(
            step["id"],
            "do",
            step.get("title", ""),
            "",
            Actor.CIRCUIT,
            ports_of(step),
            position=Place(**step["position"]) if "position" in step else None,
            scope=SCOPES.get(step["type"]),
        )
        for step in steps
    )
    wires = tuple(
        Wire(i, wire.get("port", "out"), index[wire["to"]])
        for i, step in enumerate(steps)
        for wire in step.get("next", [])
        if wire["to"] in index
    )
    entry = index.get(definition.get("entry", ""), next(triggers, 0))
    return Board("b", definition["name"], "", chips, wires, entry)


def page_of(board: Board, placed: Layout, drawing: Drawing) -> str:
    """The least page that the geometry checker can read."""
    ids = [html.escape(chip.id) for chip in board.chips]
    lines = [f'<div class="board" style="width:{drawing.width}px;height:{drawing.height}px"><svg>']
    for wire, points in zip(board.wires, drawing.paths, strict=True):
        port = html.escape(wire.port)
        ends = f'data-from="{ids[wire.source]}" data-port="{port}" data-to="{ids[wire.target]}"'
        lines.append(f'<path class="wire" {ends} d="{path_data(points)}"/>')
    lines.append("</svg>")
    for name, place, (x, y, w, h) in zip(ids, placed.places, drawing.boxes, strict=True):
        cell = f'data-col="{place.col}" data-lane="{place.lane}" data-w="{w}" data-h="{h}"'
        lines.append(f'<a class="chip" data-step="{name}" {cell} style="left:{x}px;top:{y}px"></a>')
    following: list[list[dict[str, str]]] = [[] for _ in board.chips]
    for wire in board.wires:
        following[wire.source].append({"port": wire.port, "to": board.chips[wire.target].id})
    steps = [{"id": chip.id, "next": wires} for chip, wires in zip(board.chips, following, strict=True)]
    lines.append(f'</div><pre id="circuit-workflow">{html.escape(json.dumps({"steps": steps}))}</pre>')
    return "\n".join(lines)


def geometry(board: Board, folder: Path) -> dict[str, int]:
    """What the geometry checker counts on the board's drawing; `folder` is where the page may lie meanwhile."""
    placed = layout(board)
    return counted(page_of(board, placed, route(board, placed)), folder)


def counted(text: str, folder: Path) -> dict[str, int]:
    """What the geometry checker counts on a page; `folder` is where it may lie meanwhile."""
    sys.path.insert(0, str(TESTS / "tools"))
    try:
        import check_geometry
    finally:
        sys.path.remove(str(TESTS / "tools"))
    page = folder / "page.html"
    page.write_text(text, "utf-8")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ResourceWarning)  # the checker leaves closing its page to the interpreter
        return dict(check_geometry.check(str(page)))


def faults(counts: dict[str, int]) -> dict[str, int]:
    """The error counts that are not zero."""
    return {name: n for name, n in counts.items() if n and name not in ("chips", "wires", "crossings")}
