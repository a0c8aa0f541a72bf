"""Laws of the page, for arbitrary boards: it carries its definition and its ids, and nothing in it becomes markup."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import page_of

from circuit_export.board.anchors import carried, slug, slugs
from circuit_export.board.layout import layout
from circuit_export.board.markup import escape, escape_all
from circuit_export.board.model import Actor, Board, Chip, Fact, LooseWire, Section, Span, Wire
from circuit_export.board.routing import route
from circuit_export.board.svg import render_svg, thumbnail_svg
from circuit_export.board.theme import load_theme

NASTY = [
    "<script>",
    "</pre>",
    "</style>",
    "-->",
    "<!--",
    "]]>",
    "&lt;",
    "\"'>",
    "{{x}}",
    "{%",
    "\0",
    "\r\n",
    "\ud800",
    "\u202e",
]
texts = st.one_of(st.text(max_size=30), st.lists(st.sampled_from(NASTY), max_size=4).map("".join))
carried_texts = texts.filter(lambda text: "\0" not in text and carried(text) == text)


@st.composite
def chips(draw: st.DrawFn) -> Chip:
    ports = draw(st.lists(texts, min_size=1, max_size=9, unique=True))
    return Chip(
        draw(texts),
        draw(texts),
        draw(texts),
        draw(texts),
        draw(st.sampled_from(Actor)),
        tuple(ports),
        draw(st.booleans()),
        draw(st.booleans()),
        config=tuple(draw(st.lists(st.tuples(texts, texts), max_size=2))),
        notes=tuple(draw(st.lists(texts, max_size=2))),
    )


@st.composite
def boards(draw: st.DrawFn) -> Board:
    members = draw(st.lists(chips(), min_size=1, max_size=6))
    indices = st.integers(0, len(members) - 1)
    wires, loose = [], []
    for _ in range(draw(st.integers(0, 8))):
        source = draw(indices)
        port = draw(st.sampled_from(members[source].ports))
        if draw(st.booleans()):
            wires.append(Wire(source, port, draw(indices), draw(st.booleans())))
        else:
            loose.append(LooseWire(source, port, draw(texts)))
    spans = st.builds(Span, texts, st.sampled_from(["text", "strong", "code"]))
    cells = st.lists(spans, max_size=3).map(tuple)
    rows = st.lists(st.lists(cells, max_size=3).map(tuple), max_size=2).map(tuple)
    columns = st.lists(texts, max_size=3).map(tuple)
    section = st.builds(Section, st.just("one"), texts, texts, columns, rows, texts)
    return Board(
        draw(texts),
        draw(texts),
        draw(texts),
        tuple(members),
        tuple(wires),
        draw(indices),
        tuple(loose),
        tuple(draw(st.lists(st.builds(Fact, texts, texts), max_size=2))),
        tuple(draw(st.lists(section, max_size=1))),
    )


class Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.steps: list[str] = []
        self.wires: list[tuple[str, str, str]] = []
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.definition = ""
        self._inside = False
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.tags.add(tag)
        self.names |= set(values)
        if "data-step" in values:
            self.steps.append(values["data-step"])
        if values.get("class", "").startswith("wire") and tag == "path":
            self.wires.append((values["data-from"], values["data-port"], values["data-to"]))
        self._inside = tag == "pre" or (self._inside and tag != "pre")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.definition += data


TAGS = {
    "label", "input",
    "html", "head", "meta", "title", "style", "body", "a", "header", "div", "h1", "p",
    "dl", "dt", "dd", "nav", "ul", "ol", "li", "main", "section", "h2", "h3",
    "figure", "svg", "g", "path", "i", "span", "b", "br", "figcaption", "bdi", "code",
    "details", "summary", "table", "thead", "tbody", "tr", "th", "td", "strong", "pre", "footer",
}  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(boards(), carried_texts)
def test_a_page_carries_its_definition_and_its_ids_and_nothing_else(board: Board, definition: str) -> None:
    page = page_of(board, text=definition or "{}")
    page.encode()
    assert "\r" not in page
    assert "\0" not in page
    assert "<script" not in page.lower()
    reader = Reader(page)
    assert reader.tags <= TAGS
    assert not {name for name in reader.names if name.startswith("on") or name in {"src", "srcset", "action"}}
    assert reader.definition == "\n" + (definition or "{}")
    walk = layout(board).walk
    assert reader.steps == [carried(board.chips[index].id) for index in walk]
    expected = [(board.chips[w.source].id, w.port, board.chips[w.target].id) for w in board.wires]
    assert reader.wires == [tuple(carried(part) for part in wire) for wire in expected]
    assert page == page_of(board, text=definition or "{}")


@settings(max_examples=80, deadline=None)
@given(boards())
def test_an_svg_file_is_xml(board: Board) -> None:
    cells = layout(board)
    drawing = route(board, cells)
    root = ElementTree.fromstring(render_svg(board, cells, drawing, load_theme("paper")).encode())
    groups = [g for g in root.iter("{http://www.w3.org/2000/svg}g") if (g.get("class") or "").startswith("chip")]
    assert len(groups) == len(board.chips)
    ElementTree.fromstring(thumbnail_svg(drawing))


@settings(max_examples=200, deadline=None)
@given(st.lists(texts, max_size=20))
def test_texts_escaped_together_are_as_escaped_alone(some: list[str]) -> None:
    assert escape_all(some) == [escape(text) for text in some]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(texts, st.sampled_from(["a", "a-2", "a b", "a-b", "A"])), max_size=20))
def test_anchors_are_plain_and_unique(ids: list[str]) -> None:
    names = slugs(ids)
    assert len(set(names)) == len(ids)
    for name, text in zip(names, ids, strict=True):
        assert re.fullmatch("[A-Za-z0-9._-]+", name)
        assert name.startswith(slug(text))
