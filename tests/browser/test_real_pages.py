"""The pages of real definitions, the examples among them, in a real browser."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser
from support.boards import HOSTILE
from support.browsing import CUT, STRAYS, opened, violations
from support.drawings import TESTS, VECTORS

from circuit_export import api
from circuit_export.formats.steps.catalog import CATALOG, PARTS, Value

pytestmark = pytest.mark.browser

EXAMPLES = sorted(path for path in (TESTS.parent / "examples").glob("*.json") if ".scenarios" not in path.name)
each_example = pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)


@each_example
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_an_example(browser: Browser, tmp_path: Path, path: Path, scheme: Any) -> None:
    with opened(browser, tmp_path, api.export_page(api.load(path)), color_scheme=scheme) as window:
        window.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
        assert violations(window) == []


@each_example
@pytest.mark.parametrize("theme", api.theme_names())
def test_no_text_of_an_example_is_cut(browser: Browser, tmp_path: Path, path: Path, theme: str) -> None:
    page = api.export_page(api.load(path), theme=theme)
    for width in (320, 1280):
        with opened(browser, tmp_path, page, viewport={"width": width, "height": 800}) as window:
            window.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert window.evaluate(STRAYS) == []
            assert window.evaluate(CUT) == []
            assert window.evaluate("document.documentElement.scrollWidth") <= width


@each_example
def test_every_chip_of_an_example_is_reached_by_tab_and_leads_to_its_entry(
    browser: Browser, tmp_path: Path, path: Path
) -> None:
    workflow = api.load(path)
    steps = {chip.id for chip in api.picture(workflow).board.chips}
    with opened(browser, tmp_path, api.export_page(workflow)) as window:
        window.locator(".ground .scroll").focus()
        reached = []
        for _ in steps:
            window.keyboard.press("Tab")
            reached.append(window.evaluate("document.activeElement.dataset.step"))
        assert len(reached) == len(set(reached))
        assert set(reached) == steps
        for step in reached:
            window.locator(f'.chip[data-step="{step}"]').press("Enter")
            assert window.evaluate("document.querySelector(':target .kind code').textContent") == step
            lit = window.evaluate(
                "getComputedStyle(document.querySelector(':target')).backgroundColor != "
                "getComputedStyle(document.querySelector('.step:not(:target)')).backgroundColor"
            )
            assert lit


@each_example
def test_an_example_is_whole_on_paper(browser: Browser, tmp_path: Path, path: Path) -> None:
    with opened(browser, tmp_path, api.export_page(api.load(path)), viewport={"width": 688, "height": 970}) as window:
        window.emulate_media(media="print")
        right = "Math.max(...[...document.querySelectorAll('.chip')].map(c => c.getBoundingClientRect().right))"
        assert 0 < window.evaluate(right) <= 688
        assert window.evaluate("document.documentElement.scrollWidth") <= 688
        shown = "[...document.querySelectorAll('.step, dd, td, pre')].every(n => n.getBoundingClientRect().height > 5)"
        assert window.evaluate(shown)


def test_the_vectors_cut_no_text(browser: Browser, tmp_path: Path) -> None:
    for vector in VECTORS[::5]:
        with opened(browser, tmp_path, api.export_page(api.loads(json.dumps(vector["board"])))) as window:
            assert window.evaluate(STRAYS) == [], vector["name"]
            assert window.evaluate(CUT) == [], vector["name"]


def hostile(text: str) -> str:
    """A definition that says `text` wherever a string may stand."""
    steps: list[dict[str, Any]] = []
    for number, (type, kind) in enumerate(CATALOG.items()):
        config: dict[str, Any] = {text: {text: [text]}}
        for key in kind.keys:
            if key.value in PARTS:
                config[key.name] = [{part.name: text for part in PARTS[key.value]}]
            else:
                config[key.name] = [text, text + "2"] if key.value in (Value.PATHS, Value.NAMES) else text
        wires = [{"port": port, "to": to} for port in ("out", text) for to in (f"{text}{number + 1}", text)]
        more = {"onError": {"do": "route", "port": text}, text: text}
        steps.append({"id": f"{text}{number}", "type": type, "title": text, "config": config, "next": wires, **more})
    steps.append({"id": text, "type": text, "title": text})
    head = {"circuit": 1, "name": text, "description": text, "id": text, "entry": text}
    inputs = [{"name": text, "description": text, "default": text}]
    schedule = {"cron": text, "note": text}
    return json.dumps({**head, "inputs": inputs, "schedule": schedule, "steps": steps, text: text})


@pytest.mark.parametrize("text", [*HOSTILE, " ".join(HOSTILE)])
def test_hostile_strings_in_every_field_execute_nothing(browser: Browser, tmp_path: Path, text: str) -> None:
    workflow = api.loads(hostile(text))
    page = api.export_page(workflow)
    with opened(browser, tmp_path, page) as window:
        assert window.locator("script, img, iframe, object, svg svg, [onload], [onerror]").count() == 0
        links = window.evaluate("[...document.querySelectorAll('[href]')].map(n => n.getAttribute('href'))")
        assert all(link.startswith("#") for link in links)
        assert window.evaluate(STRAYS) == []
        assert window.evaluate("document.documentElement.scrollWidth") <= 1280
        assert violations(window) == []
    assert api.restore(page).bundle.main.text == workflow.definition.text
