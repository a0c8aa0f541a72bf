"""Laws of a run on a page, for arbitrary runs: always one state a chip, no markup of its own, the same definition."""

import re
from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st
from support.boards import HOSTILE, ordinary

from circuit_export.board.layout import layout
from circuit_export.board.model import Fact, Moment, RunView
from circuit_export.board.page import render_page
from circuit_export.board.routing import route
from circuit_export.board.run_view import STATES, _marks
from circuit_export.board.theme import load_theme
from circuit_export.definition import Bundle, Definition
from circuit_export.restore import find, single

BOARD = ordinary()
CELLS = layout(BOARD)
DRAWING = route(BOARD, CELLS)
DEFINITION = Definition('{"circuit": 1}', "steps", "a.json")

texts = st.one_of(st.text(max_size=12), st.sampled_from(HOSTILE), st.just('{"circuit": 2}'), st.just("\0\r\ud800"))
words = st.one_of(st.sampled_from(sorted(STATES)), texts)
values = st.none() | texts
chips = st.integers(0, len(BOARD.chips) - 1)
moments = st.builds(Moment, chips, words, texts, texts, texts, texts, texts, values, values, values)
runs = st.builds(
    RunView,
    texts,
    st.tuples(*[words] * len(BOARD.chips)),
    st.tuples(*[texts] * len(BOARD.chips)),
    st.sets(st.integers(0, len(BOARD.wires) - 1)).map(lambda taken: tuple(sorted(taken))),
    st.lists(moments, max_size=20).map(tuple),
    st.integers(0, 3),
    st.builds(Fact, texts, texts).map(lambda fact: (fact,)),
    st.booleans(),
    texts,
)


class Elements(HTMLParser):
    """The elements of a page outside its texts: names, and names of attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: list[str] = []
        self.ids: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.attributes |= {name for name, _ in attrs}
        self.ids += [value or "" for name, value in attrs if name == "id"]


def page_of(run: RunView | None) -> str:
    bundle = Bundle(DEFINITION)
    return render_page(BOARD, bundle, load_theme("copper"), layout=CELLS, drawing=DRAWING, run=run)


@given(run=runs)
@settings(max_examples=60, deadline=None)
def test_at_every_moment_each_chip_has_one_state(run: RunView) -> None:
    count = len(run.moments)
    for chip, marks in enumerate(_marks(run)):
        for now in range(1, count + 1):
            shown = [mark for mark in marks if mark.since <= now < mark.until]
            assert len(shown) == 1
            lit = shown[0].lit and shown[0].since == now
            assert lit == (run.moments[now - 1].chip == chip)
        assert marks[-1].state == run.states[chip]


@given(run=runs)
@settings(max_examples=40, deadline=None)
def test_nothing_in_a_run_becomes_markup(run: RunView) -> None:
    page = page_of(run)
    found, plain = Elements(page), Elements(page_of(None))
    own = {
        "label",
        "input",
        "fieldset",
        "legend",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "time",
        "pre",
    }
    assert set(found.names) <= set(plain.names) | own | {"bdi", "p"}
    assert found.attributes <= plain.attributes | {"type", "name", "checked", "scope", "dir", "tabindex"}
    assert len(found.ids) == len(set(found.ids))
    assert found.names.count("tr") - plain.names.count("tr") == len(run.moments) + bool(run.moments)
    assert page.count("<style>") == page.count("</style>") == 1
    assert not re.search("[\0\ud800]", page)


@given(run=runs)
@settings(max_examples=40, deadline=None)
def test_the_definition_comes_back_whatever_the_run_holds(run: RunView) -> None:
    page = page_of(run)
    assert page == page_of(run)
    found = find(page, lambda text: "steps" if text.lstrip().startswith('{"circuit"') else None)
    assert single(found, None).bundle.main.text == DEFINITION.text
