"""What the view paints of a board: its chips with their fitted lines and its wires, laid out as an exported page is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.server.desk import Opened, loaded, picture
from circuit_export.server.ready import Ready, ready

if TYPE_CHECKING:
    from circuit_export.board.chip_text import ChipText
    from circuit_export.board.model import Board, Chip
    from circuit_export.definition import Definition
    from circuit_export.runs.record import Run

VIEW_META = "circuit/view"
"""The key of a result's `_meta` under which the view finds what it paints: no model has to read that."""

LARGE = 1_000
"""From so many steps on a drawing is megabytes, and only one such is kept."""

_DIGITS = 16

Callees = tuple[tuple[str, "Definition"], ...]


class _Drawn(NamedTuple):
    """A board's drawing as JSON, and where each of its wires is in it, by step, port and target."""

    value: Ready
    wires: Mapping[tuple[str, str, str], int]


def digest_of(opened: Opened) -> str:
    """What a board's drawing is known by: equal for boards that are drawn alike, made without drawing it."""
    return _digest(opened.document.definition, _callees(opened))


def drawing_of(opened: Opened) -> Ready:
    """The drawing of a board.

    `digest`, `width`, `height`; `chips` in the order of the board's steps, `wires` as [source, target, path data]
    with a fourth item where they are optional, `pads` as [x, y]; all in px from the board's upper left corner.
    A chip says `x`, `y`, `w`, `h`, its number `no`, `verb`, `actor`, the lines of `title`, `text` and `ports`, and
    what is not usual about it.
    """
    return _drawn_of(opened).value


def taken_of(opened: Opened, run: Run) -> list[int]:
    """The wires of a board's drawing that a run took."""
    wires = _drawn_of(opened).wires
    keys = [(wire["step"], wire["port"], wire["to"]) for wire in run["taken"] if "path" not in wire]
    return sorted({wires[key] for key in keys if key in wires})


def _drawn_of(opened: Opened) -> _Drawn:
    """A board's drawing, from before where it is still known: a run shows the same one again and again."""
    remembered = _large if len(opened.document.steps) > LARGE else _usual
    return remembered(opened.document.definition, _callees(opened))


def _callees(opened: Opened) -> Callees:
    return tuple((name, document.definition) for name, document in sorted(opened.called.items()))


def _digest(definition: Definition, callees: Callees) -> str:
    digest = definition.digest
    if callees:
        more = "".join(name + callee.digest for name, callee in callees)
        digest = sha256((digest + more).encode("utf-8", "surrogatepass")).hexdigest()
    return digest[:_DIGITS]


def _drawn(definition: Definition, callees: Callees) -> _Drawn:
    from circuit_export.board.layout import layout
    from circuit_export.board.routing import path_data, route

    document = loaded(definition)
    board = picture(document, {name: loaded(callee) for name, callee in callees})
    placed = layout(board)
    drawing = route(board, placed)
    value = {
        "digest": _digest(definition, callees),
        "width": drawing.width,
        "height": drawing.height,
        "chips": _chips(board, placed.walk, drawing.boxes),
        "wires": [
            [wire.source, wire.target, path_data(points), *([1] if wire.optional else [])]
            for wire, points in zip(board.wires, drawing.paths, strict=True)
        ],
        "pads": [[x, y] for x, y in drawing.pads],
    }
    ids = [step.id for step in document.steps]
    return _Drawn(
        ready(value), {(ids[w.source], w.port, ids[w.target]): number for number, w in enumerate(board.wires)}
    )


_usual = lru_cache(maxsize=32)(_drawn)
_large = lru_cache(maxsize=1)(_drawn)


def _chips(board: Board, walk: tuple[int, ...], boxes: tuple[tuple[int, int, int, int], ...]) -> list[dict[str, Any]]:
    from circuit_export.board.chip_text import chip_text
    from circuit_export.board.text_fit import clean

    digits = max(2, len(str(len(walk))))
    numbers = {index: f"{number:0{digits}}" for number, index in enumerate(walk, 1)}
    chips = []
    for index, (chip, box) in enumerate(zip(board.chips, boxes, strict=True)):
        title = clean(chip.title)
        text = chip_text(chip, title, clean(chip.summary), numbers[index], box[3])
        chips.append(_chip(chip, text, title, numbers[index], box))
    return chips


def _chip(chip: Chip, text: ChipText, title: str, number: str, box: tuple[int, int, int, int]) -> dict[str, Any]:
    from circuit_export.board.direction import is_rtl

    x, y, w, h = box
    value: dict[str, Any] = {"x": x, "y": y, "w": w, "h": h, "no": number, "verb": text.verb, "actor": str(chip.actor)}
    value |= {key: list(lines) for key, lines in (("title", text.title), ("text", text.summary)) if lines}
    if text.ports:
        value |= {"ports": list(text.ports), "top": text.top - 1, "pitch": text.pitch}
        if not (title.isascii() and chip.summary.isascii()):  # what may stand at the right keeps clear of the ports
            value["rooms"] = [text.title_room, text.room]
    said = (("rtl", is_rtl(title)), ("writes", chip.writes), ("off", not chip.enabled), ("cut", text.cut))
    return value | {key: True for key, it_is in said if it_is}
