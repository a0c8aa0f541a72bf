"""The pages of programs in a real browser: quiet, whole at every width, legible, and with wires told apart."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from support.browsing import CUT, STRAYS, opened, violations
from support.circuitry import vector

from circuit_export import api, formats

pytestmark = pytest.mark.browser

FOLDER = Path(__file__).parents[2] / "examples" / "programs"
PROGRAMS = [path for path in sorted(FOLDER.iterdir()) if formats.recognise(path.read_text("utf-8"))]
each_program = pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
SCREENS: list[dict[str, Any]] = [{"color_scheme": "light"}, {"color_scheme": "dark"}]


@each_program
def test_axe_finds_nothing_in_a_program(browser: Browser, tmp_path: Path, path: Path) -> None:
    page = api.export_page(api.load(path))
    for screen in SCREENS:
        with opened(browser, tmp_path, page, **screen) as window:
            window.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert violations(window) == []


@each_program
def test_no_text_of_a_program_is_cut(browser: Browser, tmp_path: Path, path: Path) -> None:
    page = api.export_page(api.load(path))
    for width in (320, 700, 1280):
        with opened(browser, tmp_path, page, viewport={"width": width, "height": 800}) as window:
            window.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert window.evaluate(STRAYS) == []
            assert window.evaluate(CUT) == []
            assert window.evaluate("document.documentElement.scrollWidth") <= width


def test_a_short_word_in_a_table_is_not_broken(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, api.export_page(api.load(FOLDER / "support-reply.md"))) as window:
        heads = window.locator("#sections th, #sections td:first-child")
        assert heads.count() > 3
        for head in heads.all():
            assert (
                head.evaluate(
                    "(node => { const r = document.createRange(); r.selectNodeContents(node);"
                    " return new Set([...r.getClientRects()].map(b => Math.round(b.top))).size })"
                )
                == 1
            )


def test_what_is_needed_and_what_is_taken_when_there_are_told_apart_by_more_than_colour(
    browser: Browser, tmp_path: Path
) -> None:
    with opened(browser, tmp_path, api.export_page(api.load(FOLDER / "essay.kdl"))) as window:
        dashes = "nodes => nodes.map(node => getComputedStyle(node).strokeDasharray)"
        assert set(window.locator(".wire.opt").evaluate_all(dashes)) == {"5px, 4px"}
        assert set(window.locator(".wire:not(.opt)").evaluate_all(dashes)) == {"none"}
        key = window.locator(".key")
        assert "needed" in key.inner_text()
        assert "taken when there" in key.inner_text()
        lines = "nodes => nodes.map(node => getComputedStyle(node).borderTopStyle)"
        assert key.locator(".way").evaluate_all(lines) == ["solid", "dashed"]


def test_a_wire_has_the_name_that_it_carries_even_where_it_is_the_only_one(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, api.export_page(api.load(FOLDER / "essay.kdl"))) as window:
        assert window.locator('.chip[data-step="draft"] .ports').inner_text() == "text"
        assert "way out: text" in str(window.locator('.chip[data-step="draft"]').get_attribute("aria-label"))


def test_a_program_is_whole_on_paper(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, tmp_path, api.export_page(api.load(FOLDER / "self-repair.kdl"))) as window:
        window.emulate_media(media="print")
        assert window.evaluate(STRAYS) == []
        assert window.locator("#circuit-workflow").evaluate(
            "node => node.parentElement.scrollHeight"
        ) <= window.locator("#circuit-workflow").evaluate("node => node.parentElement.clientHeight + 1")


@pytest.mark.parametrize("name", ["bad-call-child", "flow-pingpong", "md-heading-forms", "expr-strings"])
def test_any_program_makes_a_quiet_page(browser: Browser, tmp_path: Path, name: str) -> None:
    page = api.export_page(api.loads(vector(name).text, path="p.kdl"))
    with opened(browser, tmp_path, page, viewport={"width": 320, "height": 800}) as window:
        assert window.evaluate(STRAYS) == []
        assert window.evaluate("document.documentElement.scrollWidth") <= 320


@each_program
def test_the_words_of_a_page_copied_out_of_it_give_the_program_back(
    browser: Browser, tmp_path: Path, path: Path
) -> None:
    workflow = api.load(path)
    with opened(browser, tmp_path, api.export_page(workflow)) as window:
        copied = window.evaluate("getSelection().selectAllChildren(document.body) || getSelection().toString()")
    found = api.restore(copied)
    assert found.bundle.main.text == path.read_bytes().decode()
    assert [other.path for other in found.bundle.others] == [other.path for other in workflow.bundle.others]
    assert found.digest.value == "matches"
