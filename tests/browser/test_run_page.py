"""A run on the page in a real browser: each moment shows how things stood, by keyboard too, in all themes, on paper."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from support.boards import ordinary
from support.browsing import opened, violations

from circuit_export.board.layout import layout
from circuit_export.board.model import Board, Chip, Fact, Moment, RunView
from circuit_export.board.page import render_page
from circuit_export.board.routing import route
from circuit_export.board.run_view import STATES
from circuit_export.board.theme import load_theme, theme_names
from circuit_export.definition import Bundle, Definition

pytestmark = pytest.mark.browser

BOARD = ordinary()
STEPS = [chip.id for chip in BOARD.chips]
RUN = RunView(
    "The scenario “one of each”",
    ("done", "done", "running", "failed", "idle", "held"),
    ("", "sales", "", "the property “notes” does not exist", "", ""),
    (0, 1, 3, 5),
    (
        Moment(0, "done", at="10:00:00", port="out", summary="started"),
        Moment(
            1, "done", at="10:00:01", port="sales", summary="sales", given="a mail", answer='{\n  "label": "sales"\n}'
        ),
        Moment(2, "running", at="10:00:02", summary="2 items"),
        Moment(5, "skipped", at="10:00:03", port="out", summary="rejected", item='{\n  "from": "ada@example.org"\n}'),
        Moment(3, "retrying", at="10:00:04", summary="try 1 of 3 failed", error="timeout"),
        Moment(3, "running", inner="write", at="10:00:05"),
        Moment(3, "failed", at="10:00:06", error="the property “notes” does not exist", given="x" * 380),
        Moment(5, "held", at="10:00:07"),
    ),
    earlier=12,
    facts=(Fact("run", "waits for a decision"), Fact("moments", "8")),
)

# The word that each chip shows, and the chips that are lit.
SHOWN = """() => Object.fromEntries([...document.querySelectorAll('.chip')].map(chip => [chip.dataset.step,
  [...chip.querySelectorAll('.st')].filter(m => getComputedStyle(m).opacity > 0).map(m => m.innerText)]))"""
LIT = """() => [...document.querySelectorAll('.chip')].filter(chip => [...chip.querySelectorAll('.st.own')].some(m =>
  getComputedStyle(m).opacity > 0 && getComputedStyle(m, '::before').opacity > 0)).map(chip => chip.dataset.step)"""
TAKEN = """() => [...document.querySelectorAll('.wire')].filter(w => parseFloat(getComputedStyle(w).strokeWidth) > 2)
  .map(w => w.dataset.from + ':' + w.dataset.port)"""
ROWS = (
    "() => [...document.querySelectorAll('.moments tbody tr')].filter(row => row.checkVisibility()).map(row => row.id)"
)


def page_of(run: RunView, theme: str = "copper", board: Board = BOARD) -> str:
    cells = layout(board)
    bundle = Bundle(Definition('{"circuit": 1}', "steps", "a.json"))
    return render_page(board, bundle, load_theme(theme), layout=cells, drawing=route(board, cells), run=run)


def choose(window: Page, number: int) -> None:
    window.locator(f"#m{number}").check(force=True)


def test_each_moment_shows_how_things_stood(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(RUN._replace(earlier=0))) as window:
        choose(window, 2)
        words = window.evaluate(SHOWN)
        assert words == {
            "start": ["done · started"],
            "sort": ["done · sales"],
            "each": ["idle"],
            "send": ["idle"],
            "off": ["idle"],
            "gate": ["idle"],
        }
        assert window.evaluate(LIT) == ["sort"]
        assert window.evaluate(TAKEN) == ["start:out", "sort:sales"]
        assert window.evaluate(ROWS) == ["w2"]
        assert "a mail" in window.locator("#w2").inner_text()
        choose(window, 7)
        assert window.evaluate(SHOWN)["send"] == ["failed"]
        assert window.evaluate(LIT) == ["send"]
        assert "does not exist" in window.locator("#w7").inner_text()


def test_at_every_moment_of_a_long_run_each_chip_shows_one_word(browser: Browser, tmp_path: Path) -> None:
    states = sorted(STATES)
    moments = tuple(Moment(number * 7 % 6, states[number % 7]) for number in range(240))
    run = RUN._replace(moments=moments)
    with opened(browser, tmp_path, page_of(run)) as window:
        for number in (1, 2, 63, 64, 127, 128, 200, 239, 240):
            choose(window, number)
            assert {len(words) for words in window.evaluate(SHOWN).values()} == {1}, number
            assert window.evaluate(LIT) == [STEPS[moments[number - 1].chip]]
            assert window.evaluate(ROWS) == [f"w{number}"]
        assert {step: [state] for step, state in zip(STEPS, RUN.states, strict=True)} == window.evaluate(SHOWN)


def test_it_begins_at_the_end(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(RUN)) as window:
        assert {step: words[0].split(" · ")[0] for step, words in window.evaluate(SHOWN).items()} == dict(
            zip(STEPS, RUN.states, strict=True)
        )
        assert window.evaluate(LIT) == ["gate"]
        assert sorted(window.evaluate(TAKEN)) == ["each:out", "gate:out", "sort:sales", "start:out"]


def test_arrow_keys_move_along_and_focus_is_seen(browser: Browser, tmp_path: Path) -> None:
    moments = tuple(Moment(number % 6, "done") for number in range(120))
    with opened(browser, tmp_path, page_of(RUN._replace(moments=moments))) as window:
        window.locator("#m120").focus()
        for number in range(119, 80, -1):
            window.keyboard.press("ArrowLeft")
            assert window.evaluate("document.activeElement.id") == f"m{number}"
        assert window.evaluate(LIT) == [STEPS[80 % 6]]
        assert window.evaluate("getComputedStyle(document.activeElement.parentElement).outlineStyle") == "solid"
        inside = """() => { const a = document.activeElement.getBoundingClientRect(),
          b = document.querySelector('.strip').getBoundingClientRect();
          return a.left >= b.left - 1 && a.right <= b.right + 1 }"""
        assert window.evaluate(inside)
        window.keyboard.press("ArrowRight")
        assert window.evaluate("document.activeElement.id") == "m82"
        window.keyboard.press("Tab")
        assert window.evaluate("document.activeElement.closest('.moments tr').id") == "w82"


def test_a_tape_longer_than_its_window_begins_at_its_end(browser: Browser, tmp_path: Path) -> None:
    moments = tuple(Moment(number % 6, "done") for number in range(240))
    inside = """number => { const a = document.getElementById('m' + number).getBoundingClientRect(),
      b = document.querySelector('.strip').getBoundingClientRect(); return a.left >= b.left && a.right <= b.right }"""
    with opened(browser, tmp_path, page_of(RUN._replace(moments=moments))) as window:
        assert window.evaluate(inside, 240)
        assert not window.evaluate(inside, 1)
        window.evaluate("document.getElementById('m1').focus()")
        assert window.evaluate(inside, 1)
    with opened(browser, tmp_path, page_of(RUN)) as window:
        left = window.evaluate("document.getElementById('m1').getBoundingClientRect().left")
        assert left < window.evaluate("document.querySelector('.strip').getBoundingClientRect().left") + 20


def test_a_label_says_moment_step_and_state(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(RUN)) as window:
        group = window.get_by_role("group", name="Moment by moment")
        assert group.get_by_role("radio").count() == 8
        assert group.get_by_role("radio", name="2 of 8 02 What do they want? done", exact=False).count() == 1
        assert group.get_by_role("radio", name=re.compile(r"^6 of 8 \d\d Send the answer .* › write")).count() == 1
        chip = window.get_by_role("link", name="In this run: failed, the property “notes” does not exist", exact=False)
        assert chip.get_attribute("data-step") == "send"


def test_all_moments_are_a_table_when_they_are_wanted(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(RUN)) as window:
        assert window.evaluate(ROWS) == ["w8"]
        window.get_by_label("Show every moment").check()
        assert window.evaluate(ROWS) == [f"w{number}" for number in range(1, 9)]
        assert window.get_by_role("columnheader", name="What came back").is_visible()
        assert not window.locator("#w2 .lab").first.is_visible()


@pytest.mark.parametrize("theme", theme_names())
@pytest.mark.parametrize("scheme", ("light", "dark"))
def test_axe_finds_nothing(browser: Browser, tmp_path: Path, theme: str, scheme: Any) -> None:
    with opened(browser, tmp_path, page_of(RUN, theme), color_scheme=scheme) as window:
        for number in (3, 4, 5, 7, 8):
            choose(window, number)
            assert violations(window) == [], number
        window.get_by_label("Show every moment").check()
        assert violations(window) == []


@pytest.mark.parametrize("width", [320, 400, 1280])
@pytest.mark.parametrize("every", [False, True])
def test_it_fits_every_width(browser: Browser, tmp_path: Path, width: int, every: bool) -> None:
    long = "Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik" * 3
    first = BOARD.chips[0]
    board = BOARD._replace(chips=(Chip(first.id, "do", long, long, first.actor), *BOARD.chips[1:]))
    moments = (Moment(0, "done", summary=long, given=long, answer=long, item=long, inner=long), *RUN.moments)
    run = RUN._replace(about=long, moments=moments, facts=(Fact("run", long),), notes=(long, *RUN.notes[1:]))
    with opened(browser, tmp_path, page_of(run, board=board), viewport={"width": width, "height": 800}) as window:
        choose(window, 1)
        if every:
            window.locator(".every").check()
        assert window.evaluate("document.documentElement.scrollWidth") <= width
        spilt = """() => [...document.querySelectorAll('#run, .dock, .moments, .moments :is(td, pre)')].filter(node =>
          node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1).map(node => node.className)"""
        assert window.evaluate(spilt) == []
        caption = window.evaluate(
            "(() => { const s = document.querySelector('.tick:has(:checked)>span').getBoundingClientRect(),"
            " r = document.querySelector('.strip').getBoundingClientRect(); return s.bottom <= r.top + 1 })()"
        )
        assert caption


def test_the_tape_stays_in_sight_beside_a_tall_board_and_not_on_a_small_screen(
    browser: Browser, tmp_path: Path
) -> None:
    seen = "(b => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector('.tape').getBoundingClientRect())"
    with opened(browser, tmp_path, page_of(RUN)) as window:
        window.evaluate("document.querySelector('#board').scrollIntoView()")
        assert window.evaluate(seen)
    with opened(browser, tmp_path, page_of(RUN), viewport={"width": 1280, "height": 400}) as window:
        window.evaluate("document.querySelector('#board').scrollIntoView()")
        assert not window.evaluate(seen)


def test_on_paper_it_is_a_table_and_the_board_shows_the_end(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(RUN), viewport={"width": 688, "height": 970}) as window:
        choose(window, 2)
        window.emulate_media(media="print")
        assert window.evaluate(ROWS) == [f"w{number}" for number in range(1, 9)]
        assert not window.locator(".tape").is_visible()
        assert not window.locator(".every").is_visible()
        assert {step: words[0].split(" · ")[0] for step, words in window.evaluate(SHOWN).items()} == dict(
            zip(STEPS, RUN.states, strict=True)
        )
        assert window.evaluate("document.querySelector('.moments').scrollWidth") <= 688
        assert window.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.parametrize("width", [320, 688, 1280])
def test_the_time_of_a_moment_breaks_between_day_and_hour_alone(browser: Browser, tmp_path: Path, width: int) -> None:
    timed = RUN._replace(moments=tuple(moment._replace(at=f"2026-11-30 {moment.at}Z") for moment in RUN.moments))
    lines = """() => [...document.querySelectorAll('.moments time')].map(
      time => Math.round(time.getBoundingClientRect().height / parseFloat(getComputedStyle(time).lineHeight)))"""
    with opened(browser, tmp_path, page_of(timed), viewport={"width": width, "height": 970}) as window:
        window.locator(".every").check(force=True)
        for media in ("screen", "print"):
            window.emulate_media(media=media)
            assert max(window.evaluate(lines)) <= 2


def test_with_forced_colours_states_are_still_words(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, page_of(RUN), forced_colors="active") as window:
        word = window.locator(".chip[data-step=send] .st.failed b")
        colours = word.evaluate("b => [getComputedStyle(b).color, getComputedStyle(b).backgroundColor]")
        assert colours[0] != colours[1]
        assert violations(window) == []
