"""The steps of a board as the page's template takes them: the chips on the board, and the entries of the list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from circuit_export.board.anchors import carried, slugs
from circuit_export.board.chip_text import chip_text
from circuit_export.board.direction import is_rtl
from circuit_export.board.layout import Layout
from circuit_export.board.markup import RTL, direction, escape, escape_all, lines_all
from circuit_export.board.model import Actor, Board, Chip
from circuit_export.board.routing import Drawing
from circuit_export.board.text_fit import clean

Row = tuple[object, ...]
"""The values of one turn of a loop in the template; every text in it is HTML already."""

DOT: Final = '<i class="w"></i>'

ARROW: Final = '<span class="arrow" aria-hidden="true">&rarr;</span> '

DONE_BY: Final[Mapping[Actor, str]] = {
    Actor.YOU: "you",
    Actor.CLAUDE: "the assistant",
    Actor.CIRCUIT: "by itself",
}


class Listing:
    """The chips of a board as the page names them: by number in the walk, id, anchor and title.

    All lists are parallel to `Board.chips`. `ids` are as a page carries them; `titles` and `summaries` are clean
    texts; `links` are HTML links to the steps' entries.
    """

    def __init__(self, board: Board, layout: Layout) -> None:
        chips = board.chips
        self.board = board
        self.layout = layout
        self.ids = [carried(chip.id) for chip in chips]
        self.anchors = slugs(self.ids)
        self.titles = [clean(chip.title) for chip in chips]
        self.summaries = [clean(chip.summary) for chip in chips]
        self.order = [0] * len(chips)
        for number, index in enumerate(layout.walk, 1):
            self.order[index] = number
        digits = max(2, len(str(len(chips))))
        self.numbers = [f"{number:0{digits}}" for number in self.order]
        named = escape_all([title or name or "untitled" for title, name in zip(self.titles, self.ids, strict=True)])
        self.links = [
            f'<a href="#step-{anchor}"{direction(name)}>{name}</a>'
            for anchor, name in zip(self.anchors, named, strict=True)
        ]

    def chips(self, drawing: Drawing) -> Iterator[Row]:
        """The chips in the order of the walk."""
        walk = self.layout.walk
        chips, places, boxes = self.board.chips, self.layout.places, drawing.boxes
        titles, summaries, numbers = self.titles, self.summaries, self.numbers
        texts = [chip_text(chips[i], titles[i], summaries[i], numbers[i], boxes[i][3]) for i in walk]
        ids = escape_all(self.ids)
        said = escape_all([self._said(index) for index in walk])
        whole = escape_all([self._whole(index) if text.cut else "" for index, text in zip(walk, texts, strict=True)])
        verbs = escape_all([text.verb for text in texts])
        title_lines = lines_all([text.title for text in texts])
        text_lines = lines_all([text.summary for text in texts])
        port_lines = lines_all([text.ports for text in texts])
        for row, index in enumerate(walk):
            chip, text = chips[index], texts[row]
            col, lane = places[index]
            x, y, w, h = boxes[index]
            rtl = is_rtl(titles[index])
            yield (
                _kinds(chip, rtl),
                ids[index],
                self.anchors[index],
                col,
                lane,
                w,
                h,
                x,
                y,
                whole[row],
                said[row],
                self.order[index],
                chip.actor,
                numbers[index],
                verbs[row],
                _words(titles[index], rtl, text.title_room if text.ports else 0),
                title_lines[row],
                DOT if chip.writes else "",
                _words(summaries[index], rtl, text.room if text.ports else 0),
                text_lines[row],
                text.pitch,
                text.top - 1,
                port_lines[row],
            )

    def entries(self) -> Iterator[Row]:
        """The entries of the list in the order of the walk."""
        chips, walk, titles = self.board.chips, self.layout.walk, self.titles
        ids = escape_all(self.ids)
        names = escape_all([title or "(untitled)" for title in titles])
        summaries = escape_all(self.summaries)
        verbs = escape_all([chip.verb for chip in chips])
        settings = iter(escape_all([text for index in walk for pair in chips[index].config for text in pair]))
        ways, lost = self._ways()
        for index in walk:
            chip, title = chips[index], titles[index]
            yield (
                self.anchors[index],
                _bits(self.order[index]),
                RTL if is_rtl(title) else "",
                self.numbers[index],
                direction(title),
                names[index],
                chip.actor,
                verbs[index],
                DONE_BY[chip.actor],
                chip.writes,
                not chip.enabled,
                ids[index],
                direction(summaries[index]),
                summaries[index],
                " many" if chip.labels else "",
                self._leads(index, ways[index], lost),
                [(direction(note), escape(note)) for note in chip.notes] if chip.notes else (),
                [(next(settings), direction(value), next(settings)) for _, value in chip.config],
            )

    def _ways(self) -> tuple[list[dict[str, list[int]]], dict[tuple[int, str], list[str]]]:
        """For each chip the targets by port; and the names that wires to nowhere give, by chip and port."""
        ways: list[dict[str, list[int]]] = [{} for _ in self.board.chips]
        for source, port, target, _ in self.board.wires:
            ways[source].setdefault(port, []).append(target)
        lost: dict[tuple[int, str], list[str]] = {}
        for source, port, to in self.board.loose:
            lost.setdefault((source, port), []).append(to)
        return ways, lost

    def _leads(
        self, index: int, ways: dict[str, list[int]], lost: dict[tuple[int, str], list[str]]
    ) -> list[tuple[str, str]]:
        """Each port of a chip with where it leads to, as HTML; a single port mostly needs no name."""
        chip = self.board.chips[index]
        rows = []
        for port in chip.ports:
            links = [self.links[target] for target in ways.get(port, ())]
            missing = lost.get((index, port)) if lost else None
            if missing:
                links += [f"no step: there is none called “<bdi>{escape(name)}</bdi>”" for name in missing]
            way = f"{ARROW}{', '.join(links)}" if links else "no step follows"
            rows.append((escape(clean(port)) if chip.labels else "", way))
        return rows

    def _said(self, index: int) -> str:
        """What a screen reader says for a chip."""
        chip, summary = self.board.chips[index], self.summaries[index]
        said = f"{self.numbers[index]} {chip.verb}: {self.titles[index] or 'untitled'}. "
        if summary:
            said += f"{summary}. "
        said += "Done by itself" if chip.actor is Actor.CIRCUIT else f"Done by {DONE_BY[chip.actor]}"
        if chip.writes:
            said += ", writes"
        if not chip.enabled:
            said += ", switched off"
        if chip.labels:
            said += f", {'ways' if len(chip.labels) > 1 else 'way'} out: {', '.join(map(clean, chip.labels))}"
        return said

    def _whole(self, index: int) -> str:
        """All that a chip's face says, for the note under the pointer."""
        names = ", ".join(map(clean, self.board.chips[index].labels))
        return "\n".join(filter(None, (self.titles[index], self.summaries[index], names)))


def _kinds(chip: Chip, rtl: bool) -> str:
    """A chip's classes."""
    kinds = f"chip {chip.actor}"
    if chip.writes:
        kinds += " writes"
    if not chip.enabled:
        kinds += " off"
    return f"{kinds} rtl" if rtl else kinds


def _words(text: str, rtl: bool, room: int) -> str:
    """Direction of a chip's title or summary; what may stand at the right keeps clear of ports there, in `room` px."""
    if text.isascii() and not rtl:
        return ""
    return f'{direction(text)} style="width:{room}px"' if room else direction(text)


def _bits(number: int) -> str:
    """The classes that spell a number: b0 for 1, b1 for 2, b2 for 4 …"""
    classes = ""
    bit = 0
    while number:
        if number & 1:
            classes += f" b{bit}"
        number >>= 1
        bit += 1
    return classes
