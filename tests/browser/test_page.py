"""The page in a real browser: quiet, whole, reachable by keyboard, legible to a screen reader, and whole on paper."""

import itertools
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from support.boards import BOARDS, chain, ordinary, page_of, right_to_left
from support.browsing import CUT, STRAYS, opened, violations

from circuit_export.board.layout import layout
from circuit_export.board.model import Board, Fact
from circuit_export.board.page import Card, render_gallery
from circuit_export.board.routing import route
from circuit_export.board.svg import render_svg, thumbnail_svg
from circuit_export.board.theme import load_theme, theme_names

pytestmark = pytest.mark.browser

SCHEMES = ("light", "dark")


@pytest.mark.parametrize("name", BOARDS)
def test_a_page_is_quiet_and_no_text_of_it_runs(browser: Browser, tmp_path: Path, name: str) -> None:
    board = BOARDS[name]()
    with opened(browser, tmp_path, page_of(board)) as window:
        assert window.locator("script, img, iframe, object, svg svg, [onload], [onerror]").count() == 0
        assert window.title() == (board.name.strip())
        assert window.evaluate("document.compatMode") == "CSS1Compat"


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("width", [320, 1280])
def test_no_text_is_cut_and_none_lies_over_another(browser: Browser, tmp_path: Path, name: str, width: int) -> None:
    page = page_of(BOARDS[name](), text='{"a": "' + "x" * 3000 + '"}')
    with opened(browser, tmp_path, page, viewport={"width": width, "height": 800}) as window:
        assert window.evaluate(STRAYS) == []
        assert window.evaluate(CUT) == []
        assert window.evaluate("document.documentElement.scrollWidth") <= width
        window.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert window.evaluate(CUT) == []
        assert window.evaluate("document.documentElement.scrollWidth") <= width


def test_a_wide_board_scrolls_by_itself(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(chain(12)), viewport={"width": 320, "height": 800}) as window:
        window.evaluate("document.querySelector('.scroll').scrollLeft = 1e6")
        last = window.locator(".chip").last.bounding_box()
        assert last is not None
        assert 0 < last["x"] < 320
        assert window.evaluate("scrollX") == 0


def test_a_wide_board_fits_the_window_when_that_is_wanted(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(chain(20))) as window:
        box = "(b => [b.left, b.right])(document.querySelector('.chip:last-of-type').getBoundingClientRect())"
        assert window.evaluate(box)[1] > 1280
        window.get_by_label("Fit it to the window").check()
        left, right = window.evaluate(box)
        assert 1000 < left < right < 1280
        assert window.evaluate("(s => s.scrollWidth <= s.clientWidth)(document.querySelector('.ground .scroll'))")


@pytest.mark.parametrize("board", [ordinary(), right_to_left()], ids=["ordinary", "right-to-left"])
def test_every_chip_is_reached_by_tab_and_leads_to_its_entry(browser: Browser, tmp_path: Path, board: Board) -> None:
    with opened(browser, tmp_path, page_of(board)) as window:
        order = [board.chips[index].id for index in layout(board).walk]
        window.locator(".ground .scroll").focus()
        for step in order:
            window.keyboard.press("Tab")
            assert window.evaluate("document.activeElement.dataset.step") == step
            assert window.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
            window.keyboard.press("Enter")
            assert window.evaluate("document.querySelector(':target').matches('.step')")
            top = window.evaluate("document.querySelector(':target').getBoundingClientRect().top")
            assert 0 <= top < 900
            assert window.evaluate("document.querySelector(':target .kind code').textContent") == step
            window.locator(f'.chip[data-step="{step}"]').focus()


def lit(window: Page) -> list[str]:
    return window.evaluate(
        "[...document.querySelectorAll('.chip')].filter(c => getComputedStyle(c.querySelector('.ring')).opacity > 0)"
        ".map(c => c.dataset.step)"
    )


def test_a_target_lights_its_entry_and_its_chip_and_no_other(browser: Browser, tmp_path: Path) -> None:
    board = chain(37)
    with opened(browser, tmp_path, page_of(board), reduced_motion="reduce") as window:
        assert lit(window) == []
        plain = window.evaluate("getComputedStyle(document.querySelector('.step')).backgroundColor")
        for chip in board.chips:
            window.evaluate(f"location.hash = 'step-{chip.id}'")
            assert lit(window) == [chip.id]
            assert window.evaluate("getComputedStyle(document.querySelector(':target')).backgroundColor") != plain
        window.evaluate("location.hash = 'chip-s5'")
        assert lit(window) == ["s5"]
        window.evaluate("location.hash = 'does'")
        assert lit(window) == []


@pytest.mark.parametrize("theme", theme_names())
@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing(browser: Browser, tmp_path: Path, theme: str, scheme: Any) -> None:
    for name in ("ordinary", "right-to-left", "long-words"):
        with opened(browser, tmp_path, page_of(BOARDS[name](), theme), color_scheme=scheme) as window:
            window.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            window.evaluate("location.hash = document.querySelector('.step').id")
            assert violations(window) == [], name


@pytest.mark.parametrize("scheme", SCHEMES)
def test_axe_finds_nothing_in_the_gallery(browser: Browser, tmp_path: Path, scheme: Any) -> None:
    cards = []
    for name, board in ((name, make()) for name, make in BOARDS.items()):
        picture = thumbnail_svg(route(board, layout(board)))
        cards.append(Card(board.name, board.description, "Circuit board", f"{name}.html", board.facts, picture))
    for theme, width in itertools.product(theme_names(), (320, 1280)):
        page = render_gallery(cards, load_theme(theme))
        options = {"color_scheme": scheme, "viewport": {"width": width, "height": 800}}
        with opened(browser, tmp_path, page, **options) as window:
            assert violations(window) == []
            assert window.evaluate(CUT) == []
            assert window.evaluate("document.documentElement.scrollWidth") <= width


# What an A4 and a Letter sheet have between margins of 14 mm, in px.
SHEETS = {"A4": 688, "Letter": 710}


@pytest.mark.parametrize("sheet", SHEETS)
@pytest.mark.parametrize("length", [1, 3, 30])
def test_on_paper_the_whole_board_and_every_list_are_there(
    browser: Browser, tmp_path: Path, sheet: str, length: int
) -> None:
    board = chain(length) if length > 1 else ordinary()
    page = page_of(board, text="\n".join(["a line"] * 300))
    with opened(browser, tmp_path, page, viewport={"width": SHEETS[sheet], "height": 970}) as window:
        window.emulate_media(media="print")
        width = SHEETS[sheet]
        right = window.evaluate(
            "Math.max(...[...document.querySelectorAll('.chip')].map(c => c.getBoundingClientRect().right))"
        )
        assert 0 < right <= width
        assert window.evaluate("document.documentElement.scrollWidth") <= width
        if length == 30:
            assert right > 0.9 * width
        hidden = "[...document.querySelectorAll('.step, dd, td, pre')].filter(n => !n.checkVisibility()).length"
        assert window.evaluate(hidden) == 0
        assert window.evaluate("[...document.querySelectorAll('dd')].every(d => d.getBoundingClientRect().height > 5)")
        # The definition is not cut to a window.
        assert window.evaluate(
            "document.querySelector('.sheet').scrollHeight <= document.querySelector('.sheet').clientHeight + 1"
        )
        window.emulate_media(media="screen")
        assert window.pdf(format=sheet).count(b"/Type /Page\n") >= 2


def test_on_paper_the_signs_of_who_acts_are_filled_although_grounds_are_not(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(ordinary()), viewport={"width": 688, "height": 970}) as window:
        window.emulate_media(media="print")
        for sign in (".key .pin.you", ".key .pin.circuit", ".key .w", ".step .pin.you"):
            style = f"getComputedStyle(document.querySelector('{sign}'))"
            assert window.evaluate(f"{style}.printColorAdjust") == "exact", sign
            assert window.evaluate(f"{style}.backgroundColor") not in {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}, sign
        assert window.evaluate("getComputedStyle(document.querySelector('.intro')).breakAfter") == "avoid"
        assert window.evaluate("getComputedStyle(document.querySelector('.ways > li')).breakInside") == "avoid"


def test_on_paper_the_gallery_fills_its_sheets(browser: Browser, tmp_path: Path) -> None:
    board = ordinary()
    picture = thumbnail_svg(route(board, layout(board)))
    about = "Closes a month: gathers the figures, clears unmatched bank lines, books them, and locks the period."
    facts = (Fact("steps", "14"), Fact("connectors", "Gmail and Notion"), Fact("asks for", "voice"))
    cards = [Card(f"Board {n}", about, "Circuit board", f"b{n}.html", facts, picture) for n in range(8)]
    with opened(browser, tmp_path, render_gallery(cards, load_theme("copper"))) as window:
        assert window.pdf(format="A4").count(b"/Type /Page\n") == 2


def test_latin_text_in_an_entry_from_right_to_left_keeps_its_full_stop_at_its_end(
    browser: Browser, tmp_path: Path
) -> None:
    board = right_to_left()
    chips = tuple(chip._replace(notes=("If it fails, the run stops.",)) for chip in board.chips)
    ends = """[...document.querySelectorAll('.step[dir] .notes')].map(note => {
      const range = document.createRange(), text = note.firstChild;
      range.setStart(text, 0); range.setEnd(text, 1);
      const first = range.getBoundingClientRect();
      range.setStart(text, text.length - 1); range.setEnd(text, text.length);
      return range.getBoundingClientRect().left > first.left;
    })"""
    with opened(
        browser, tmp_path, page_of(board._replace(chips=chips)), viewport={"width": 1000, "height": 800}
    ) as window:
        found = window.evaluate(ends)
        assert found and all(found)


def test_paper_is_white_in_every_theme(browser: Browser, tmp_path: Path) -> None:
    for theme in theme_names():
        with opened(browser, tmp_path, page_of(ordinary(), theme), color_scheme="dark") as window:
            window.emulate_media(media="print", color_scheme="dark")
            for selector in ("body", ".ground", ".chip", ".sheet"):
                colour = window.evaluate(f"getComputedStyle(document.querySelector('{selector}')).backgroundColor")
                assert colour in {"rgb(255, 255, 255)", "rgba(0, 0, 0, 0)"}, (theme, selector)
            assert violations(window) == []


def test_forced_colours_leave_the_signs(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(ordinary()), forced_colors="active", reduced_motion="reduce") as window:
        window.evaluate("location.hash = 'step-sort'")
        assert lit(window) == ["sort"]
        marks = window.evaluate(
            "[...document.querySelectorAll('.chip .pin')].map(p => getComputedStyle(p))"
            ".map(style => style.backgroundColor + style.borderRadius)"
        )
        assert len(set(marks)) == 3
        assert window.evaluate("getComputedStyle(document.querySelector('.wire')).stroke") != "none"


def test_nothing_moves_when_motion_is_not_wanted(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(ordinary()), reduced_motion="reduce") as window:
        moving = (
            "[...document.querySelectorAll('*')].filter(n => getComputedStyle(n).transitionDuration !== '0s').length"
        )
        assert window.evaluate(moving) == 0


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("name", BOARDS)
def test_the_svg_file_holds_its_texts(browser: Browser, tmp_path: Path, name: str, scheme: Any) -> None:
    board = BOARDS[name]()
    cells = layout(board)
    file = tmp_path / "board.svg"
    file.write_text(render_svg(board, cells, route(board, cells), load_theme("copper")), encoding="utf-8")
    context = browser.new_context(color_scheme=scheme)
    window = context.new_page()
    said: list[str] = []
    window.on("console", lambda message: said.append(message.text))
    window.goto(file.as_uri())
    stray = window.evaluate(
        """() => [...document.querySelectorAll('g.chip')].flatMap(chip => {
          const box = chip.querySelector('.face').getBoundingClientRect();
          return [...chip.querySelectorAll('text')].filter(t => { const r = t.getBoundingClientRect();
            const across = r.left < box.left || r.right > box.right + .5;
            return r.width && (across || r.top < box.top - .5 || r.bottom > box.bottom + .5);
          }).map(t => t.textContent); })"""
    )
    context.close()
    assert stray == []
    assert said == []
