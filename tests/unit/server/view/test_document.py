"""The view's page: whole in itself, the same bytes each time, and with nothing in it that could run what is data."""

import base64
import hashlib
import re
from pathlib import Path

import pytest

from circuit_export import api
from circuit_export.board.theme import load_theme
from circuit_export.diagnostics import CircuitError
from circuit_export.server import view
from circuit_export.server.view.document import SCRIPTS, SHARED, picked, view_html

FOLDER = Path(view.__file__).parent
PAGE = view_html()


def part(name: str) -> str:
    (found,) = re.findall(f"<{name}>(.*?)</{name}>", PAGE, re.DOTALL)
    return str(found)


def test_its_policy_lets_in_its_own_script_and_style_alone() -> None:
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', PAGE)
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    for name, directive in (("script", "script-src"), ("style", "style-src")):
        digest = base64.b64encode(hashlib.sha256(part(name).encode()).digest()).decode()
        assert rules.pop(directive) == f"'sha256-{digest}'"
    assert rules == {}


def test_it_asks_for_nothing() -> None:
    addresses = set(re.findall(r"https?://[^\"'\s)]+", PAGE))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"url\(|@import|\bsrc=|<link|fetch\(|XMLHttpRequest|WebSocket|sendBeacon", PAGE)


@pytest.mark.parametrize("file", SCRIPTS)
def test_no_text_becomes_markup_or_script(file: str) -> None:
    script = (FOLDER / file).read_text("utf-8")
    ways = r"innerHTML|outerHTML|insertAdjacent|document\.write|\beval\b|new Function|srcdoc|\.href|createContextual"
    assert not re.search(ways, script)
    assert not re.search(r"setAttribute\(\s*[\"']on|\.on[a-z]+ =", script)


def test_every_script_of_the_folder_is_in_it() -> None:
    assert {path.name for path in FOLDER.glob("*.js")} == set(SCRIPTS)


def test_it_is_small_and_the_same_each_time() -> None:
    view_html.cache_clear()
    assert view_html() == PAGE
    assert len(PAGE.encode()) < 64 * 1024
    assert not re.search(r"@(policy|style|script)@", PAGE)


@pytest.mark.parametrize("name", api.theme_names())
def test_it_has_the_colours_of_a_theme_in_both_schemes(name: str) -> None:
    page, theme = view_html(name), load_theme(name)
    light = ";".join(f"--{token}:{value}" for token, value in theme.light.items())
    dark = ";".join(f"--{token}:{value}" for token, value in theme.dark.items())
    assert f":root{{color-scheme:light;{light};" in page
    assert f":root[data-theme=dark]{{color-scheme:dark;{dark}}}" in page
    assert f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{color-scheme:dark;{dark}}}}}" in page


def test_a_theme_that_is_none_is_refused() -> None:
    with pytest.raises(CircuitError, match="no theme"):
        view_html("no-such-theme")


def test_a_host_that_is_light_stays_light_for_a_reader_who_prefers_dark() -> None:
    assert "prefers-color-scheme:dark){:root:not([data-theme])" in PAGE


def test_what_it_shares_with_exported_pages_is_picked_by_the_comments_above_it() -> None:
    css = "/* First\n   of all. */\na{b:c}\n\n/* --- second --- */\nd{e:f}\n/* Third. */\ng{h:i}\n"
    assert picked(css, ("First", "Third")) == "a{b:c}\ng{h:i}"
    assert picked(css, ("second",)) == "d{e:f}"
    with pytest.raises(KeyError, match="Fourth"):
        picked(css, ("Fourth",))


def test_chips_have_the_rules_of_exported_pages() -> None:
    style = part("style")
    assert ".chip .title{font:600 14px/18px var(--sans)" in style
    assert ".ran .wire.took" in style
    assert "/*" not in style
    assert set(SHARED) == {"page.css", "run.css"}
