"""The board as SVG: the wires inside a page, the whole board as a file of its own, and the gallery's small pictures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any, Final
from xml.etree import ElementTree

import svgwrite
from svgwrite.base import BaseElement
from svgwrite.container import Group, Style

from circuit_export.board.anchors import carried
from circuit_export.board.chip_text import (
    GAP,
    INSET,
    TEXT_LINE,
    TITLE_LINE,
    TITLE_TOP,
    VERB_TOP,
    ChipText,
    chip_text,
)
from circuit_export.board.direction import is_rtl
from circuit_export.board.layout import Layout
from circuit_export.board.model import Actor, Board, Chip
from circuit_export.board.routing import Drawing, path_data
from circuit_export.board.text_fit import clean
from circuit_export.board.theme import COLOURS, Theme

PAD_RADIUS: Final = 3.5
SMALL_WIDTH, SMALL_HEIGHT = 288, 144
"""The most that a small picture measures, in px."""

_NONE: Final[Mapping[int, int]] = {}

_SANS: Final = (
    '"Instrument Sans",system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,"Noto Sans",sans-serif'
)
_MONO: Final = (
    '"Spline Sans Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace'
)


class _Element(BaseElement):  # type: ignore[misc]
    """An SVG element with plain attributes: svgwrite's own leave out what is empty, and an id may well be."""

    def __init__(self, name: str, attributes: Mapping[str, str], text: str = "") -> None:
        super().__init__(debug=False)
        self.elementname = name
        self.given = attributes
        self.text = text

    def get_xml(self) -> Any:
        element = ElementTree.Element(self.elementname, dict(self.given))
        element.text = self.text or None
        element.extend([child.get_xml() for child in self.elements])
        return element


class _Wires(BaseElement):  # type: ignore[misc]
    """All wires of a board in one group, one path each: 10,000 of them are made at once."""

    elementname = "g"

    def __init__(self, board: Board, drawing: Drawing, names: Sequence[str], since: Mapping[int, int] = _NONE) -> None:
        super().__init__(debug=False)
        self.board, self.drawing, self.names, self.since = board, drawing, names, since

    def get_xml(self) -> Any:
        group = ElementTree.Element("g")
        names = self.names
        for (source, port, target, optional), points in zip(self.board.wires, self.drawing.paths, strict=True):
            ElementTree.SubElement(
                group,
                "path",
                {
                    "class": "wire opt" if optional else "wire",
                    "data-from": names[source],
                    "data-port": carried(port),
                    "data-to": names[target],
                    "d": path_data(points),
                },
            )
        for index, moment in self.since.items():
            wire = group[index]
            wire.set("class", f"{wire.get('class')} at took")
            wire.set("style", f"--a:{moment}")
        return group


def wires_svg(board: Board, drawing: Drawing, names: Sequence[str], since: Mapping[int, int] = _NONE) -> str:
    """The `<svg>` inside a page: a path for every wire, and one path for all pads.

    `names` are the chips' ids as the page carries them, parallel to `Board.chips`. `since` leads from a wire that a
    run took to the moment it was first taken.
    """
    svg = svgwrite.Drawing(size=(drawing.width, drawing.height), debug=False)
    svg.attribs = {"class": "wires", "width": drawing.width, "height": drawing.height, "aria-hidden": "true"}
    svg.elements = [_Wires(board, drawing, names, since), _pads(drawing)]
    # The namespaces that svgwrite writes are for a file of its own; in a page they are the parser's.
    return ElementTree.tostring(_bare(svg), encoding="unicode")


def render_svg(board: Board, layout: Layout, drawing: Drawing, theme: Theme) -> str:
    """The board as an SVG file of its own, light and dark by the reader's preference. Valid XML for any text."""
    width, height = drawing.width, drawing.height
    svg = svgwrite.Drawing(size=(width, height), debug=False)
    svg.attribs = {
        "xmlns": "http://www.w3.org/2000/svg",
        "viewBox": f"0 0 {width} {height}",
        "width": width,
        "height": height,
        "role": "img",
        "aria-labelledby": "board-title board-desc",
    }
    svg.elements = [
        _Element("title", {"id": "board-title"}, clean(board.name) or "A board"),
        _Element("desc", {"id": "board-desc"}, _description(board)),
        Style(_style(theme)),
        _Element("rect", {"class": "ground", "width": str(width), "height": str(height), "rx": "6"}),
        _chips(board, layout, drawing),
        _Wires(board, drawing, [xml_text(chip.id) for chip in board.chips]),
        _pads(drawing),
    ]
    return xml_text(ElementTree.tostring(_bare(svg), encoding="unicode")) + "\n"


def thumbnail_svg(drawing: Drawing) -> str:
    """A small picture for the gallery: boxes and wires only, at most SMALL_WIDTH × SMALL_HEIGHT px.

    Whatever the board's size, there is no more in it than its pixels can show.
    """
    scale = min(1 / 3, SMALL_WIDTH / max(drawing.width, 1), SMALL_HEIGHT / max(drawing.height, 1))
    width, height = max(1, round(drawing.width * scale)), max(1, round(drawing.height * scale))

    def small(value: int) -> int:
        return round(value * scale)

    boxes = dict.fromkeys((small(x), small(y), max(2, small(w)), max(2, small(h))) for x, y, w, h in drawing.boxes)
    wires = dict.fromkeys(
        segment
        for path in drawing.paths
        for start, end in pairwise(path)
        if (segment := ((small(start[0]), small(start[1])), (small(end[0]), small(end[1]))))[0] != segment[1]
    )
    svg = svgwrite.Drawing(size=(width, height), debug=False)
    svg.attribs = {"width": width, "height": height, "viewBox": f"0 0 {width} {height}", "aria-hidden": "true"}
    traces = "".join(f"M{x} {y}L{to_x} {to_y}" for (x, y), (to_x, to_y) in wires)
    chips = "".join(f"M{x} {y}h{w}v{h}h-{w}z" for x, y, w, h in boxes)
    svg.elements = [
        _Element("path", {"class": name, "d": data})
        for name, data in (("mini-wire", traces), ("mini-chip", chips))
        if data
    ]
    return ElementTree.tostring(_bare(svg), encoding="unicode")


def xml_text(text: str) -> str:
    """`text` with U+FFFD for every character that XML cannot carry."""
    return _not_xml().sub("\ufffd", text)


@cache
def _not_xml() -> re.Pattern[str]:
    return re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def _bare(svg: Any) -> Any:
    """The XML of an svgwrite drawing without its empty `<defs>`, which nothing here needs."""
    root = ElementTree.Element("svg", {key: str(value) for key, value in svg.attribs.items()})
    root.extend([element.get_xml() for element in svg.elements])
    return root


def _pads(drawing: Drawing) -> _Element:
    r = PAD_RADIUS
    ring = f"a{r} {r} 0 1 0 {2 * r:g} 0a{r} {r} 0 1 0 {-2 * r:g} 0z"
    return _Element("path", {"class": "pads", "d": "".join([f"M{x - r} {y}{ring}" for x, y in drawing.pads])})


def _description(board: Board) -> str:
    count = len(board.chips)
    steps = f"{count} step" if count == 1 else f"{count} steps"
    return f"{steps}. {clean(board.description)}".strip()


def _chips(board: Board, layout: Layout, drawing: Drawing) -> Any:
    group = Group(debug=False)
    digits = max(2, len(str(len(board.chips))))
    for number, index in enumerate(layout.walk, 1):
        group.add(_chip(board.chips[index], drawing.boxes[index], f"{number:0{digits}}"))
    return group


def _chip(chip: Chip, box: tuple[int, int, int, int], number: str) -> _Element:
    x, y, w, h = box
    text = chip_text(chip, clean(chip.title), clean(chip.summary), number, h)
    kinds = " ".join(
        ["chip", str(chip.actor), *(["writes"] if chip.writes else []), *([] if chip.enabled else ["off"])]
    )
    group = _Element("g", {"class": kinds, "transform": f"translate({x} {y})"})
    group.add(
        _Element("rect", {"class": "face", "x": ".5", "y": ".5", "width": str(w - 1), "height": str(h - 1), "rx": "3"})
    )
    group.add(_Element("path", {"class": "corner", "d": "M1 1h8l-8 8z"}))
    group.add(_pin(chip.actor))
    group.add(_Element("text", {"class": "no", "x": str(INSET + 14), "y": str(VERB_TOP + 9)}, number))
    verb = _Element("text", {"class": "verb", "x": f"{INSET + 20 + 6.1 * len(number):g}", "y": str(VERB_TOP + 9)})
    verb.text = text.verb.upper()
    group.add(verb)
    for line in _lines(text, w, chip.writes):
        group.add(line)
    return group


def _lines(text: ChipText, width: int, writes: bool) -> list[_Element]:
    """The title, the summary and the ports, a `<text>` for each line."""
    lines = []
    rtl = bool(text.title) and is_rtl(text.title[0])
    top = TITLE_TOP + 14
    for line in text.title:
        lines.append(_text(line, "title", top, INSET + text.title_room, rtl))
        top += TITLE_LINE
    if writes and lines:
        lines[-1].add(_Element("tspan", {"class": "dot", "dy": "-1"}, " ●"))
    top += GAP - 14 + 11
    for line in text.summary:
        lines.append(_text(line, "text", top, INSET + text.room, rtl))
        top += TEXT_LINE
    for number, port in enumerate(text.ports):
        middle = text.top + number * text.pitch + text.pitch // 2
        lines.append(
            _Element("text", {"class": "port", "x": str(width - 10), "y": str(middle + 3), "text-anchor": "end"}, port)
        )
    return lines


def _text(line: str, kind: str, y: int, right: int, rtl: bool) -> _Element:
    """A line of text, which ends at `right` in a chip whose title runs from right to left."""
    place = {"class": kind, "x": str(INSET), "y": str(y)}
    if is_rtl(line):
        place |= {"direction": "rtl", "x": str(right if rtl else INSET), "text-anchor": "start" if rtl else "end"}
    elif rtl:
        place |= {"x": str(right), "text-anchor": "end"}
    return _Element("text", place, line)


def _pin(actor: Actor) -> _Element:
    if actor is Actor.CIRCUIT:
        return _Element("rect", {"class": "pin", "x": str(INSET), "y": str(VERB_TOP + 2), "width": "7", "height": "7"})
    return _Element("circle", {"class": "pin", "cx": str(INSET + 4), "cy": str(VERB_TOP + 6), "r": "3.25"})


@cache
def _style_rules() -> str:
    return (
        f"text{{font:400 12px {_SANS};fill:var(--hint);white-space:pre;text-rendering:geometricPrecision}}"
        ".ground{fill:var(--ground)}"
        ".wire{fill:none;stroke:var(--trace);stroke-width:1.75;stroke-linejoin:round;stroke-linecap:round}"
        ".opt{stroke-dasharray:5 4}"
        ".pads{fill:var(--pad);stroke:var(--trace);stroke-width:1.75}"
        ".face{fill:var(--chip);stroke:var(--edge)}"
        ".corner{fill:var(--edge)}"
        ".pin{fill:var(--hint);stroke:var(--hint);stroke-width:1.5}"
        ".claude .pin{fill:none}"
        ".you .pin{fill:var(--mark);stroke:var(--mark)}"
        ".title{font-weight:600;font-size:14px;fill:var(--label)}"
        ".verb{font-weight:600;font-size:9.5px;letter-spacing:1.2px}"
        f".no,.port{{font:400 10px {_MONO}}}"
        ".off .face{fill:var(--ground);stroke-dasharray:4 3}"
        ".off text{fill:var(--silk)}"
        ".off .title{font-weight:400}"
        ".dot{fill:var(--mark);font-size:10px}"
    )


def _style(theme: Theme) -> str:
    wanted = [token for token in COLOURS if f"var(--{token})" in _style_rules()]
    light, dark = (";".join(f"--{token}:{colours[token]}" for token in wanted) for colours in (theme.light, theme.dark))
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{_style_rules()}"
