"""The page: its contract with other programs, its links, and that no text ever becomes markup."""

import html
import importlib.util
import re
import sys
from hashlib import sha256
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest
from support.boards import BOARDS, HOSTILE, chain, ordinary, page_of, saying, two_hundred_ports

from circuit_export.board import template as templates
from circuit_export.board.layout import layout
from circuit_export.board.model import Actor, Board, Chip, Fact, Place, Wire
from circuit_export.board.page import Card, render_gallery, render_page
from circuit_export.board.routing import route
from circuit_export.board.theme import load_theme
from circuit_export.definition import Bundle, Definition
from circuit_export.diagnostics import CircuitError

ROOT = Path(__file__).resolve().parents[3]


class Reader(HTMLParser):
    """A page's elements, in order, and the text of its definitions."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.definitions: list[str] = []
        self._inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag == "pre":
            self._inside = True
            self.definitions.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = self._inside and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.definitions[-1] += data

    def having(self, attribute: str) -> list[dict[str, str]]:
        return [attributes for _, attributes in self.elements if attribute in attributes]

    def chips(self) -> list[dict[str, str]]:
        return [a for tag, a in self.elements if tag == "a" and "data-step" in a]

    def wires(self) -> list[dict[str, str]]:
        return [a for tag, a in self.elements if tag == "path" and a.get("class", "").split()[0] == "wire"]


def known_reader(page: str) -> str:
    """The definition as the known public reader takes it out."""
    found = re.search(r'id="circuit-workflow"[^>]*>([\s\S]*?)</pre>', page)
    assert found is not None
    text = found[1]
    for entity, character in (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(entity, character)
    return text


TEXTS = [
    '{"circuit": 1}',
    "\n\n leading and trailing \n\n",
    "\"'<>&&amp;&lt;&quot;</pre></PRE ><!-- --><script>]]>",
    "tabs\tand\u2028separators\u0085\u00a0\ufeff\x0b\x01\ufffe",
    "日本語 עברית 👩‍👩‍👧‍👦",
]


@pytest.mark.parametrize("text", TEXTS)
def test_the_definition_is_the_exact_text_behind_one_line_feed(text: str) -> None:
    page = page_of(chain(1), text=text)
    digest = sha256(text.encode()).hexdigest()
    assert f'<pre id="circuit-workflow" data-format="steps" data-sha256="{digest}">\n' in page
    assert page.count('id="circuit-workflow"') == 1
    assert known_reader(page) == "\n" + text
    assert Reader(page).definitions == ["\n" + text]


def test_a_definition_is_escaped_by_three_entities_and_no_others() -> None:
    page = page_of(chain(1), text="\"quotes\" 'stay' & < >")
    assert "\n\"quotes\" 'stay' &amp; &lt; &gt;</pre>" in page


def test_a_carriage_return_of_a_definition_survives_a_parser() -> None:
    page = page_of(chain(1), text="out\r\nnext\r")
    assert "out&#13;\nnext&#13;</pre>" in page
    assert "\r" not in page


@pytest.mark.parametrize(
    ("text", "found", "hint"),
    [("ab\n c\0d", "U+0000", r"\u0000"), ("x\ud800", "U+D800", r"\ud800")],
)
def test_a_text_that_html_cannot_carry_is_refused(text: str, found: str, hint: str) -> None:
    with pytest.raises(CircuitError) as error:
        page_of(chain(1), text=text)
    assert found in error.value.found
    assert hint in error.value.hint
    assert error.value.where.startswith("board.json:")


def test_documents_that_come_along_follow_in_blocks_of_their_own() -> None:
    others = (Definition("<sub>&</sub>", "steps", "flows/a.json"), Definition("second", "kdl", 'q"uote.kdl'))
    reader = Reader(page_of(chain(2), others=others))
    blocks = [a for tag, a in reader.elements if tag == "pre"]
    assert [b.get("class") for b in blocks] == [None, "circuit-bundled", "circuit-bundled"]
    assert [b.get("data-path") for b in blocks[1:]] == ["flows/a.json", 'q"uote.kdl']
    assert [b["data-format"] for b in blocks[1:]] == ["steps", "kdl"]
    assert [b["data-sha256"] for b in blocks[1:]] == [other.digest for other in others]
    assert reader.definitions[1:] == ["\n<sub>&</sub>", "\nsecond"]


@pytest.mark.parametrize("name", BOARDS)
def test_every_page_is_closed_to_scripts_and_the_network(name: str) -> None:
    page = page_of(BOARDS[name]())
    assert (
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">" in page
    )
    assert "<script" not in page.lower()
    reader = Reader(page)
    for tag, attributes in reader.elements:
        assert tag not in {"script", "img", "iframe", "object", "embed", "link", "base", "form", "textarea"}
        assert tag != "input" or attributes == {"type": "checkbox", "class": "fit"}
        assert not [name for name in attributes if name.startswith("on")]
        assert attributes.get("href", "#").startswith("#")
        assert "src" not in attributes
    style = page[page.index("<style>") : page.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style


@pytest.mark.parametrize("name", BOARDS)
def test_every_link_leads_somewhere_and_every_anchor_is_unique(name: str) -> None:
    reader = Reader(page_of(BOARDS[name]()))
    ids = [a["id"] for a in reader.having("id")]
    assert len(ids) == len(set(ids))
    assert {a["href"][1:] for a in reader.having("href")} <= set(ids)


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_makes_no_element_and_no_attribute(text: str) -> None:
    """The page has the same elements, whatever its texts are; only the lines that they are broken into differ."""

    def skeleton(words: str) -> list[tuple[str, tuple[str, ...]]]:
        loose = {"title", "dir"}
        return [
            (tag, tuple(name for name in attributes if name not in loose))
            for tag, attributes in Reader(page_of(saying(words), text="{}")).elements
            if tag != "br"
        ]

    assert skeleton(text) == skeleton("plain words")


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_makes_no_element_in_the_gallery(text: str) -> None:
    def skeleton(words: str) -> list[tuple[str, tuple[str, ...]]]:
        card = Card(words, words, words, words, (Fact(words, words),), "<svg></svg>")
        page = render_gallery([card, card], load_theme("copper"), title=words)
        return [(tag, tuple(attributes)) for tag, attributes in Reader(page).elements]

    assert skeleton(text) == skeleton("plain words")


ODD_IDS = [
    "",
    " ",
    "a b",
    "q\"u'o<t>e&",
    "line\nfeed",
    "tab\there",
    "return\rhere",
    "é",
    "日本",
    "a" * 300,
    "-",
    "..",
    "x\u2028y",
]


def test_a_chip_and_its_wires_carry_the_exact_ids() -> None:
    chips = tuple(Chip(odd, "do", "Title", "Text", Actor.CLAUDE) for odd in ODD_IDS)
    board = Board("", "", "", chips, tuple(Wire(n, "out", n + 1) for n in range(len(chips) - 1)))
    reader = Reader(page_of(board))
    assert [chip["data-step"] for chip in reader.chips()] == ODD_IDS
    assert [(w["data-from"], w["data-to"]) for w in reader.wires()] == list(pairwise(ODD_IDS))
    assert all(re.fullmatch("#step-[A-Za-z0-9._-]+", chip["href"]) for chip in reader.chips())


def test_a_chip_is_written_as_other_programs_expect() -> None:
    board = ordinary()
    cells = layout(board)
    drawing = route(board, cells)
    page = page_of(board)
    for chip, (col, lane), (x, y, w, h) in zip(board.chips, cells.places, drawing.boxes, strict=True):
        assert re.search(
            rf'<a class="chip [a-z ]+" data-step="{chip.id}" href="#step-{chip.id}" data-col="{col}" '
            rf'data-lane="{lane}" data-w="{w}" data-h="{h}" style="left:{x}px;top:{y}px"',
            page,
        )
    assert f'<div class="board" style="width:{drawing.width}px;height:{drawing.height}px' in page
    assert page.count("<svg") == 1
    wire = '<path class="wire" data-from="start" data-port="out" data-to="sort" d="M'
    assert wire in page


def test_a_wire_to_nowhere_is_listed_and_never_drawn() -> None:
    page = page_of(ordinary())
    assert len(Reader(page).wires()) == len(ordinary().wires)
    assert "no step: there is none called “<bdi>nobody</bdi>”" in page


def test_duplicate_ids_have_anchors_of_their_own() -> None:
    chips = tuple(Chip(name, "do", "T", "", Actor.YOU) for name in ("a", "a", "a-2", "a"))
    reader = Reader(page_of(Board("", "N", "", chips, ())))
    assert len({chip["href"] for chip in reader.chips()}) == 4


def test_a_lone_surrogate_is_a_replacement_character_outside_the_definition() -> None:
    chips = (
        Chip("a\ud800", "do", "T\udfff", "S\ud800", Actor.YOU, ("x\ud800", "y"), config=(("k\ud800", "v\ud800"),)),
    )
    board = Board("\ud800", "N\ud800", "D\ud800", chips, (Wire(0, "x\ud800", 0),))
    page = page_of(board, text='{"name": "\\ud800"}')
    page.encode()
    reader = Reader(page)
    assert reader.chips()[0]["data-step"] == "a\ufffd"
    assert reader.wires()[0]["data-from"] == "a\ufffd"
    assert reader.wires()[0]["data-port"] == "x\ufffd"
    assert reader.definitions == ['\n{"name": "\\ud800"}']


def test_a_nul_in_a_text_is_a_replacement_character() -> None:
    chips = (Chip("a\0b", "do", "T\0", "", Actor.YOU, ("o\0", "p")),)
    page = page_of(Board("", "N\0", "D\0", chips, (Wire(0, "o\0", 0),)))
    assert "\0" not in page
    assert Reader(page).chips()[0]["data-step"] == "a\ufffdb"


@pytest.mark.parametrize("length", [1, 2, 3, 7, 8, 300])
def test_the_bits_of_every_entry_spell_the_number_of_its_chip(length: int) -> None:
    page = page_of(chain(length))
    bits = {f"b{bit}": int(value) for bit, value in re.findall(r"\.b(\d+):target\) \.ring\{--b\d+:(\d+)\}", page)}
    entries = re.findall(r'<li id="(step-[^"]+)" class="step([^"]*)"', page)
    chips = dict(re.findall(r'href="#(step-[^"]+)" data-col[^>]*><i class="ring" style="--n:(\d+)">', page))
    assert len(entries) == length
    for anchor, classes in entries:
        assert sum(bits[name] for name in classes.split()) == int(chips[anchor])
    assert len(set(chips.values())) == length


def test_the_whole_text_is_in_the_title_only_where_it_was_cut() -> None:
    reader = Reader(page_of(ordinary()))
    titles = {chip["data-step"]: chip.get("title") for chip in reader.chips()}
    assert titles["start"] is None
    assert titles["send"] is not None
    assert titles["send"].startswith("Send the answer that was written for them and say when it went out\n")


def test_every_port_is_listed() -> None:
    page = page_of(two_hundred_ports())
    for port in two_hundred_ports().chips[0].ports:
        assert f"<code><bdi>{port}</bdi></code>" in page


def test_an_entry_says_who_acts_what_it_writes_and_that_it_is_off() -> None:
    page = page_of(ordinary())
    entry = {
        name: page[page.index(f'<li id="step-{name}"') :].partition("</li>\n<li id")[0] for name in ("send", "off")
    }
    assert "writes" in entry["send"]
    assert "the assistant" in entry["send"]
    assert "If it fails, the run goes on by the port “error”." in entry["send"]
    assert "switched off" in entry["off"]
    assert "no step follows" in entry["off"]


def test_the_sections_stand_in_their_order() -> None:
    page = page_of(ordinary())
    headings = re.findall(r"<h2[^>]*>([^<]*)</h2>", page)
    assert headings == [
        "The board",
        "What it does",
        "Connectors it needs",
        "What it can change",
        "Workflows it calls",
        "Put it back to work",
    ]
    assert re.findall(r"<h1[^>]*>([^<]*)</h1>", page) == ["Form answers"]


def test_only_a_wide_board_has_a_switch_to_fit_it() -> None:
    assert "Fit it to the window" in page_of(chain(9))
    assert "Fit it to the window" not in page_of(chain(2))


def test_findings_about_given_positions_are_said_beside_the_board() -> None:
    chips = tuple(Chip(name, "do", name, "", Actor.YOU, position=Place(0, 0)) for name in ("a", "b"))
    assert "laid out afresh" in page_of(Board("", "N", "", chips, ()))


def test_a_called_workflow_links_to_its_page_when_there_is_one() -> None:
    board = saying("sub-flow")
    cells = layout(board)
    bundle = Bundle(Definition("{}", "steps"))
    page = render_page(
        board,
        bundle,
        load_theme("copper"),
        layout=cells,
        drawing=route(board, cells),
        links={"sub-flow": "sub&flow.html"},
    )
    assert '<a href="sub&amp;flow.html"><code>sub-flow</code></a>' in page


def test_an_empty_name_still_has_a_heading() -> None:
    for board in (Board("the-id", "", "", chain(1).chips, ()), Board("", " ", "", chain(1).chips, ())):
        heading = re.search(r"<h1[^>]*>([^<]*)</h1>", page_of(board))
        assert heading is not None
        assert heading[1] == "Untitled"


def test_the_same_board_gives_the_same_bytes() -> None:
    assert page_of(ordinary()) == page_of(ordinary())


def test_a_texts_entities_are_what_a_parser_reads_back() -> None:
    page = page_of(saying("a & b < c > d \" e ' f"))
    found = re.search(r"<h1[^>]*>([^<]*)</h1>", page)
    assert found is not None
    assert html.unescape(found[1]) == "a & b < c > d \" e ' f"


# --- templates -----------------------------------------------------------------------------------------------------


def sources() -> dict[str, str]:
    return {name: (templates.FOLDER / name).read_text("utf-8") for name in templates.NAMES}


def module_of(code: str) -> ModuleType:
    module = ModuleType(templates.COMPILED)
    exec(code, module.__dict__)
    return module


def test_compiled_templates_give_the_same_bytes_as_their_source(monkeypatch: pytest.MonkeyPatch) -> None:
    module = module_of(templates.compiled_module(sources()))
    pages = []
    for compiled in (True, False):
        if not compiled:
            module.TEMPLATES.clear()
        monkeypatch.setitem(sys.modules, templates.COMPILED, module)
        templates.template.cache_clear()
        assert (
            templates._compiled("page.html.j2", templates.fingerprint(sources()["page.html.j2"])) is None
        ) != compiled
        card = Card("a", "b", "c", "d.html", (Fact("e", "f"),))
        pages.append((page_of(ordinary()), render_gallery([card], load_theme("copper"))))
    templates.template.cache_clear()
    assert pages[0] == pages[1]


def test_a_compiled_template_of_another_source_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = {name: source + "<!-- of another source -->" for name, source in sources().items()}
    monkeypatch.setitem(sys.modules, templates.COMPILED, module_of(templates.compiled_module(changed)))
    templates.template.cache_clear()
    page = page_of(chain(1))
    templates.template.cache_clear()
    assert "of another source" not in page


def test_the_build_compiles_the_templates_into_wheels_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interface = ModuleType("hatchling.builders.hooks.plugin.interface")
    interface.__dict__["BuildHookInterface"] = object
    for name in ("hatchling", "hatchling.builders", "hatchling.builders.hooks", "hatchling.builders.hooks.plugin"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    spec = importlib.util.spec_from_file_location("precompile", ROOT / ".hatch" / "precompile.py")
    assert spec is not None
    assert spec.loader is not None
    hook_module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hook_module)

    package = tmp_path / "circuit_export" / "board"
    (package / "templates").mkdir(parents=True)
    (package / "template.py").write_bytes((ROOT / "circuit_export" / "board" / "template.py").read_bytes())
    for name, source in sources().items():
        (package / "templates" / name).write_text(source, "utf-8")
    hook = hook_module.Precompile()
    hook.root = str(tmp_path)
    written = package / "templates" / "_compiled.py"
    hook.target_name = "sdist"
    hook.initialize("standard", {})
    assert not written.exists()
    hook.target_name = "wheel"
    hook.initialize("standard", {})
    assert written.read_text("utf-8") == templates.compiled_module(sources())
