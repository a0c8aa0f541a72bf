"""A skill graph becomes a page and comes back whole, as boards do."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.skills import graph, node

from circuit_export import api, formats
from circuit_export.formats.skills import FORMAT

ROOT = Path(__file__).parent.parent.parent
WORKFLOWS = ROOT / "examples" / "handbook" / ".circuit" / "workflows"
GRAPHS = [path for path in sorted(WORKFLOWS.glob("*.json")) if ".scenarios" not in path.name]


@pytest.fixture(autouse=True, scope="module")
def registered() -> Iterator[None]:
    """The format counts among those there are, whether it is offered to people yet or not."""
    before = formats.NAMES
    formats.NAMES = tuple(dict.fromkeys((*before, "skills")))
    yield
    formats.NAMES = before


MARKUP = ["</pre>", "<!--", "]]>", "\u2028", "\ud800", "&amp;", "<img src=x onerror=1>"]
texts = st.text(max_size=12) | st.sampled_from(MARKUP)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    count = draw(st.integers(1, 5))
    items = [
        node(f"n{at}", label=draw(texts), description=draw(texts), input={draw(texts): draw(texts)})
        for at in range(count)
    ]
    ends = st.integers(0, count - 1).map("n{}".format)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=6))
    return graph(items, edges, name=draw(texts), description=draw(texts))


@settings(max_examples=40, deadline=None)
@given(documents())
def test_what_is_restored_is_what_was_exported(value: dict[str, Any]) -> None:
    text = FORMAT.dump(value)
    page = api.export_page(api.loads(text))
    found = api.restore(page)
    assert (found.bundle.main.text, found.bundle.main.format) == (text, "skills")
    assert "<script" not in page.lower()
    assert "<img" not in page.lower()


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_an_example_is_drawn_in_every_way(path: Path) -> None:
    workflow = api.load(path)
    page = api.export_page(workflow)
    assert 'data-format="skills"' in page
    assert api.restore(page).bundle.main.text == path.read_text("utf-8")
    assert api.export_svg(workflow).startswith("<")
    assert "flowchart" in api.export_mermaid(workflow)
    for theme in ("blueprint", "paper"):
        assert api.restore(api.export_page(workflow, theme=theme)).bundle.main.text == path.read_text("utf-8")


def test_the_same_bytes_in_another_process() -> None:
    code = (
        "import sys; from circuit_export import api, formats; formats.NAMES = (*formats.NAMES, 'skills'); "
        "sys.stdout.buffer.write(api.export_page(api.load(sys.argv[1])).encode())"
    )
    for path in GRAPHS:
        ended = subprocess.run(
            [sys.executable, "-c", code, str(path)],
            capture_output=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": "7"},
        )
        assert ended.stdout.decode("utf-8") == api.export_page(api.load(path))
