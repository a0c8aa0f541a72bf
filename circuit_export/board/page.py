"""The page: a board, all that is to be said about it, and its definition, in one HTML file without scripts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from circuit_export.board.anchors import slug
from circuit_export.board.layout import Layout
from circuit_export.board.listing import DONE_BY, Listing, Row
from circuit_export.board.markup import direction, escape, preformatted
from circuit_export.board.model import Board, Cell, Fact, RunView, Section, Span
from circuit_export.board.routing import Drawing
from circuit_export.board.svg import wires_svg
from circuit_export.board.template import template
from circuit_export.board.text_fit import clean
from circuit_export.board.theme import Theme
from circuit_export.definition import Bundle, Definition

if TYPE_CHECKING:
    from circuit_export.board.run_view import RunParts

LONG: Final = 300
"""From so many steps on, a browser lays the list out only as it is read."""

WIDE: Final = 900
"""A board wider than so many px may not fit a window, and gets a switch that makes it."""

PAPER_WIDTH, PAPER_HEIGHT = 680, 900
"""What an A4 or Letter sheet holds between its margins at least, in px."""


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
    run: RunView | None = None,
) -> str:
    """The page of a workflow, with a `run` of it on the board if one is given.

    `links` leads from the id of a called workflow to the page it has beside this one. Raises CircuitError when a
    definition has a character that HTML cannot carry.
    """
    blocks = [_block(definition) for definition in (bundle.main, *bundle.others)]
    listing = Listing(board, layout)
    count = len(board.chips)
    parts = _run_parts(board, run, listing) if run is not None else None
    # The template escapes nothing: every text is escaped on its way in, here and in the listing.
    return template("page.html.j2").render(
        css=_rules(count, drawing) + (parts.css if parts else "") + theme.css,
        name=escape(clean(board.name) or "Untitled"),
        description=escape(board.description.strip()),
        facts=_facts(board.facts),
        revision=bundle.main.digest[:7],
        steps=f"{count} step" if count == 1 else f"{count} steps",
        findings=[escape(finding) for finding in layout.findings],
        wide=drawing.width > WIDE,
        width=drawing.width,
        height=drawing.height,
        fit=f"{min(1.0, PAPER_WIDTH / max(drawing.width, 1)):.4f}",
        tall=f"{min(1.0, PAPER_HEIGHT / max(drawing.height, 1)):.4f}",
        wires=wires_svg(board, drawing, listing.ids, parts.since if parts else {}),
        run=parts,
        chips=listing.chips(drawing),
        key=_key(board),
        long=" long" if count > LONG else "",
        entries=listing.entries(),
        sections=[_section(section, listing, links) for section in board.sections],
        block=blocks[0],
        bundled=blocks[1:],
    )


def render_gallery(cards: Sequence[Card], theme: Theme, *, title: str = "Workflows") -> str:
    """The page that leads to the pages of several workflows, one card each, in the order given."""
    return template("gallery.html.j2").render(
        css=theme.css,
        title=escape(clean(title) or "Workflows"),
        count="1 workflow" if len(cards) == 1 else f"{len(cards)} workflows",
        cards=[
            (
                escape(clean(card.name) or card.link),
                escape(clean(card.description)),
                escape(card.kind),
                escape(card.link),
                _facts(card.facts),
                card.picture,
            )
            for card in cards
        ],
    )


def _run_parts(board: Board, run: RunView, listing: Listing) -> RunParts:
    from circuit_export.board.run_view import run_parts  # most pages have no run

    return run_parts(board, run, listing)


def _facts(facts: Sequence[Fact]) -> list[tuple[str, str]]:
    return [(escape(fact.label), escape(clean(fact.value))) for fact in facts]


def _rules(count: int, drawing: Drawing) -> str:
    """The rules that only this page needs: the heights of its chips, and the bits of the entry that is linked to.

    They come first, so that a theme's rules cannot swallow them.
    """
    bits = range(count.bit_length())
    rules = [f'.chip[data-h="{height}"]{{height:{height}px}}' for height in sorted({box[3] for box in drawing.boxes})]
    # The rings alone are told, not the whole document: on a board of 10,000 steps that is seconds at every link.
    rules += [f"main:has(.b{bit}:target) .ring{{--b{bit}:{1 << bit}}}" for bit in bits]
    rules.append(f".ring{{--at:calc({' + '.join(f'var(--b{bit},0)' for bit in bits) or 0})}}")
    return "\n".join(rules) + "\n"


def _key(board: Board) -> list[tuple[str, str]]:
    """The signs that the board's chips bear, each with its meaning."""
    actors = {chip.actor for chip in board.chips}
    signs = [(f"pin {actor}", words) for actor, words in DONE_BY.items() if actor in actors]
    if any(chip.writes for chip in board.chips):
        signs.append(("w", "writes"))
    if not all(chip.enabled for chip in board.chips):
        signs.append(("dash", "switched off"))
    if any(wire.optional for wire in board.wires):
        signs += [("way", "needed"), ("way opt", "taken when there")]
    return signs


def _section(section: Section, listing: Listing, links: Mapping[str, str]) -> Row:
    columns = [escape(column) for column in section.columns]
    labels = columns or [""] * max(map(len, section.rows), default=0)
    rows = [
        [(label, _cell_direction(cell), _cell(cell, listing, links)) for label, cell in zip(labels, row, strict=False)]
        for row in section.rows
    ]
    return slug(section.slug), escape(section.heading), escape(section.intro), columns, rows, escape(section.empty)


def _cell_direction(cell: Cell) -> str:
    """A cell's direction is that of its own words; what it names finds its own."""
    return direction(cell[0].text) if len(cell) == 1 and cell[0].kind == "text" else ""


def _cell(cell: Cell, listing: Listing, links: Mapping[str, str]) -> str:
    return "".join([_span(span, listing, links) for span in cell])


def _span(span: Span, listing: Listing, links: Mapping[str, str]) -> str:
    text, kind, chip = span
    if kind == "step":
        return listing.links[chip]
    if kind == "code":
        code = f"<code{direction(text)}>{escape(text)}</code>"
        return f'<a href="{escape(links[text])}">{code}</a>' if text in links else code
    if kind == "strong":
        return f"<strong>{escape(text)}</strong>"
    return escape(text)


def _block(definition: Definition) -> tuple[str, str, str, str]:
    """Path, format, digest and text of a definition."""
    text = preformatted(definition)
    return escape(definition.path), escape(definition.format), definition.digest, text
