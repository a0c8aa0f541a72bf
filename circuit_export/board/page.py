"""The page: a board, all that is to be said about it, and its definition, in one HTML file without scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from markupsafe import Markup, escape

from circuit_export.board.anchors import carried, slug, slugs
from circuit_export.board.chip_text import ChipText, chip_text
from circuit_export.board.direction import is_rtl
from circuit_export.board.layout import Layout
from circuit_export.board.model import Actor, Board, Cell, Chip, Fact, Section
from circuit_export.board.routing import Drawing
from circuit_export.board.svg import wires_svg
from circuit_export.board.template import template
from circuit_export.board.text_fit import clean
from circuit_export.board.theme import Theme
from circuit_export.definition import Bundle, Definition
from circuit_export.diagnostics import CircuitError, Position

LONG: Final = 300
"""From so many steps on, a browser lays the list out only as it is read."""

_AUTO: Final = Markup(' dir="auto"')
_RTL: Final = Markup(' dir="rtl"')
_NOTHING: Final = Markup("")
_BREAK: Final = Markup("<br>")
_DOT: Final = Markup('<i class="w"></i>')
_WHO: Final[Mapping[Actor, str]] = {
    Actor.YOU: "you",
    Actor.CLAUDE: "the assistant",
    Actor.CIRCUIT: "by itself",
}


class Card(NamedTuple):
    """A workflow in the gallery: `link` leads to its page, `picture` is the SVG of `thumbnail_svg`."""

    name: str
    description: str
    kind: str
    link: str
    facts: tuple[Fact, ...] = ()
    picture: str = ""


def render_page(
    board: Board,
    bundle: Bundle,
    theme: Theme,
    *,
    layout: Layout,
    drawing: Drawing,
    links: Mapping[str, str] = {},
) -> str:
    """The page of a workflow.

    `links` leads from the id of a called workflow to the page it has beside this one. Raises CircuitError when the
    definition has a character that HTML cannot carry.
    """
    blocks = [_block(definition) for definition in (bundle.main, *bundle.others)]
    steps = _Steps(board, layout)
    name = clean(board.name) or clean(board.id) or "Untitled"
    return _carried(
        template("page.html.j2").render(
            css=_made(_rules(steps, drawing) + theme.css),
            name=name,
            description=board.description.strip(),
            facts=[(fact.label, clean(fact.value)) for fact in board.facts],
            revision=bundle.main.digest[:7],
            count=len(board.chips),
            findings=layout.findings,
            width=drawing.width,
            height=drawing.height,
            fit=f"{min(1.0, 680 / max(drawing.width, 1)):.4f}",
            tall=f"{min(1.0, 900 / max(drawing.height, 1)):.4f}",
            wires=_made(wires_svg(board, drawing, steps.ids)),
            chips=steps.chips(drawing),
            key=_key(board),
            steps=steps.entries(),
            long=len(board.chips) > LONG,
            sections=[_section(section, steps, links) for section in board.sections],
            block=blocks[0],
            bundled=blocks[1:],
            file=_file(bundle.main, board),
        )
    )


def render_gallery(cards: Sequence[Card], theme: Theme, *, title: str = "Workflows") -> str:
    """The page that leads to the pages of several workflows, one card each, in the order given."""
    return _carried(
        template("gallery.html.j2").render(
            css=_made(theme.css),
            title=clean(title) or "Workflows",
            cards=[
                (
                    clean(card.name) or card.link,
                    clean(card.description),
                    card.kind,
                    card.link,
                    [(fact.label, clean(fact.value)) for fact in card.facts],
                    _made(card.picture),
                )
                for card in cards
            ],
        )
    )


# --- text ----------------------------------------------------------------------------------------------------------


def _carried(page: str) -> str:
    """The page with what HTML would lose or change said in a way that it keeps, and what it cannot keep as U+FFFD.

    A definition has none of these (`_block` has seen to that) but carriage returns, which come back as they were.
    """
    if "\r" in page:
        page = page.replace("\r", "&#13;")
    if "\0" in page:
        page = page.replace("\0", "\ufffd")
    try:
        page.encode()
    except UnicodeEncodeError:
        return carried(page)
    return page


def _block(definition: Definition) -> tuple[str, str, str, Markup]:
    """Path, format, digest and escaped text of a definition. Raises CircuitError for what HTML cannot carry."""
    text = definition.text
    odd = text.find("\0")
    if odd < 0 and not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            odd = error.start
    if odd >= 0:
        what = "the character U+0000" if text[odd] == "\0" else f"half a character, U+{ord(text[odd]):04X}"
        raise CircuitError(
            "A page cannot carry this text, so it would not come back as it was",
            file=definition.path,
            position=Position.at(text, odd),
            found=what,
            expected="text without it",
            hint=f"take it out, or write it as an escape (in JSON: \\u{ord(text[odd]):04x})",
        )
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return definition.path, definition.format, definition.digest, _made(escaped)


def _made(markup: str) -> Markup:
    """Markup that was made here or by a room that escapes what it is given; everything else the template escapes."""
    return Markup(markup)  # noqa: S704


def _dir(*texts: str) -> Markup:
    """The attribute that lets an element find its own direction, where there may be any but left to right."""
    for text in texts:
        if not text.isascii():
            return _AUTO
    return _NOTHING


def _lines(lines: Iterable[str]) -> Markup:
    return _BREAK.join(lines)


# --- the board and the list ------------------------------------------------------------------------------------------


class _Steps:
    """The chips of a board as the page names them: number in the walk, id, anchor, clean title."""

    def __init__(self, board: Board, layout: Layout) -> None:
        self.board = board
        self.layout = layout
        self.ids = [carried(chip.id) for chip in board.chips]
        self.anchors = slugs(self.ids)
        self.titles = [clean(chip.title) for chip in board.chips]
        self.summaries = [clean(chip.summary) for chip in board.chips]
        digits = max(2, len(str(len(board.chips))))
        self.numbers = [""] * len(board.chips)
        self.order = [0] * len(board.chips)
        for number, index in enumerate(layout.walk, 1):
            self.numbers[index] = f"{number:0{digits}}"
            self.order[index] = number

    def link(self, index: int) -> tuple[str, str, Markup]:
        """Anchor, title and direction of a step, for a link to its entry."""
        title = self.titles[index] or self.ids[index] or self.board.chips[index].verb
        return self.anchors[index], title, _dir(title)

    def chips(self, drawing: Drawing) -> list[tuple[Any, ...]]:
        """The chips in the order of the walk, as the template takes them."""
        rows = []
        places = self.layout.places
        for index in self.layout.walk:
            chip = self.board.chips[index]
            x, y, w, h = drawing.boxes[index]
            title, summary = self.titles[index], self.summaries[index]
            text = chip_text(chip, title, summary, self.numbers[index], h)
            col, lane = places[index]
            rows.append(
                (
                    _kinds(chip, title),
                    self.ids[index],
                    self.anchors[index],
                    col,
                    lane,
                    w,
                    h,
                    x,
                    y,
                    _said(chip, title, summary, self.numbers[index]),
                    _whole(chip, title, summary) if text.cut else "",
                    self.order[index],
                    self.numbers[index],
                    text.verb,
                    _words(title, text),
                    _title(chip, text),
                    _words(summary, text),
                    _lines(text.summary),
                    text.top - 1,
                    text.pitch,
                    _lines_of_ports(text.ports),
                    chip.actor,
                )
            )
        return rows

    def entries(self) -> list[tuple[Any, ...]]:
        """The entries of the list in the order of the walk, as the template takes them."""
        leads = self._leads()
        rows = []
        for index in self.layout.walk:
            chip = self.board.chips[index]
            title = self.titles[index] or "(untitled)"
            rows.append(
                (
                    self.anchors[index],
                    _bits(self.order[index]),
                    self.numbers[index],
                    title,
                    _RTL if is_rtl(title) else _NOTHING,
                    _dir(title),
                    chip.actor,
                    chip.verb,
                    _WHO[chip.actor],
                    chip.writes,
                    chip.enabled,
                    self.ids[index],
                    self.summaries[index],
                    _dir(self.summaries[index]),
                    leads(index),
                    chip.notes,
                    [(key, value, _dir(value)) for key, value in chip.config],
                )
            )
        return rows

    def _leads(self) -> Callable[[int], list[tuple[str, list[tuple[str, str, Markup]], str]]]:
        """For a chip: each port (its name when there are several), the steps it leads to, and what it leads to else."""
        board = self.board
        ways: list[dict[str, list[int]]] = [{} for _ in board.chips]
        for source, port, target, _ in board.wires:
            ways[source].setdefault(port, []).append(target)
        lost: dict[tuple[int, str], list[str]] = {}
        for source, port, to in board.loose:
            lost.setdefault((source, port), []).append(carried(to))

        def leads(index: int) -> list[tuple[str, list[tuple[str, str, Markup]], str]]:
            ports = board.chips[index].ports
            several = len(ports) > 1
            rows = []
            for port in ports:
                links = [self.link(target) for target in ways[index].get(port, ())]
                missing = ", ".join(f"“{to}”" for to in lost.get((index, port), ()))
                other = f"to no step: there is none called {missing}" if missing else "" if links else "ends here"
                rows.append((clean(port) if several else "", links, other))
            return rows

        return leads


def _kinds(chip: Chip, title: str) -> str:
    """A chip's classes."""
    writes, off, rtl = chip.writes, not chip.enabled, is_rtl(title)
    return f"chip {chip.actor}{' writes' if writes else ''}{' off' if off else ''}{' rtl' if rtl else ''}"


def _words(text: str, fitted: ChipText) -> Markup:
    """Direction of a chip's title or summary; one that may stand at the right must keep clear of the ports there."""
    if text.isascii():
        return _NOTHING
    return Markup(' dir="auto" style="width:%dpx"') % fitted.room if fitted.ports else _AUTO


def _title(chip: Chip, text: ChipText) -> Markup:
    lines = _lines(text.title)
    return lines + _DOT if chip.writes else lines


def _lines_of_ports(ports: tuple[str, ...]) -> Markup:
    if not ports:
        return _NOTHING
    return _BREAK.join([port if port.isascii() else Markup("<bdi>%s</bdi>") % port for port in ports])


def _whole(chip: Chip, title: str, summary: str) -> str:
    """All that the chip's face says, for the note under the pointer."""
    ports = ", ".join(map(clean, chip.ports)) if len(chip.ports) > 1 else ""
    return "\n".join(filter(None, (title, summary, ports)))


def _said(chip: Chip, title: str, summary: str, number: str) -> str:
    """What a screen reader says for a chip."""
    said = f"{number} {chip.verb}: {title or 'untitled'}. "
    if summary:
        said += f"{summary}. "
    said += f"Done by {_WHO[chip.actor]}" if chip.actor is not Actor.CIRCUIT else "Done by itself"
    if chip.writes:
        said += ", writes"
    if not chip.enabled:
        said += ", switched off"
    if len(chip.ports) > 1:
        said += f", ways out: {', '.join(map(clean, chip.ports))}"
    return said


def _bits(number: int) -> str:
    """The classes that spell a number: b0 for 1, b1 for 2, b2 for 4 …"""
    classes = []
    bit = 0
    while number:
        if number & 1:
            classes.append(f" b{bit}")
        number >>= 1
        bit += 1
    return "".join(classes)


def _rules(steps: _Steps, drawing: Drawing) -> str:
    """The rules that only this page needs: the heights of its chips, and the bits of the entry that is linked to."""
    heights = sorted({box[3] for box in drawing.boxes})
    bits = range(len(steps.order).bit_length())
    rules = [f'.chip[data-h="{height}"]{{height:{height}px}}' for height in heights]
    rules += [f":root:has(.b{bit}:target){{--b{bit}:{1 << bit}}}" for bit in bits]
    rules.append(f".board{{--at:calc({' + '.join(f'var(--b{bit},0)' for bit in bits)})}}")
    return "\n".join(rules) + "\n"


def _key(board: Board) -> list[tuple[str, str]]:
    """The signs that the board's chips bear, each with its meaning."""
    actors = {chip.actor for chip in board.chips}
    signs = [(f"pin {actor}", words) for actor, words in _WHO.items() if actor in actors]
    if any(chip.writes for chip in board.chips):
        signs.append(("w", "writes"))
    if not all(chip.enabled for chip in board.chips):
        signs.append(("dash", "switched off"))
    return signs


# --- the other sections ----------------------------------------------------------------------------------------------


def _section(section: Section, steps: _Steps, links: Mapping[str, str]) -> tuple[Any, ...]:
    rows = [[(_dir(*[span.text for span in cell]), _cell(cell, steps, links)) for cell in row] for row in section.rows]
    return slug(section.slug), section.heading, section.intro, section.columns, rows, section.empty


def _cell(cell: Cell, steps: _Steps, links: Mapping[str, str]) -> Markup:
    return Markup("").join([_span(span.text, span.kind, span.chip, steps, links) for span in cell])


def _span(text: str, kind: str, chip: int, steps: _Steps, links: Mapping[str, str]) -> Markup:
    if kind == "step":
        anchor, title, direction = steps.link(chip)
        return Markup('<a href="#step-%s"%s>%s</a>') % (anchor, direction, text or title)
    if kind == "code":
        code = Markup("<code%s>%s</code>") % (_dir(text), text)
        return Markup('<a href="%s">%s</a>') % (links[text], code) if text in links else code
    if kind == "strong":
        return Markup("<strong>%s</strong>") % text
    return escape(text)


def _file(main: Definition, board: Board) -> str:
    """A name for the file that the definition goes back into."""
    name = main.path.rpartition("/")[2]
    stem, dot, suffix = name.rpartition(".")
    if not dot:
        stem, suffix = name or board.name, "json"
    return f"{slug(carried(stem)).strip('.') or 'workflow'}.{slug(carried(suffix))}"
