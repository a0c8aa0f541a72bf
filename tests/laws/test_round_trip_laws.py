"""The first law, with nothing in between left out: what was exported is restored, text for text, from the real page."""

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support.drawings import VECTORS

from circuit_export import CircuitError, api
from circuit_export.restore import Digest

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted(path for path in (ROOT / "examples").glob("*.json") if ".scenarios" not in path.name)
LAW = settings(max_examples=100, deadline=None)

NASTY = [
    "",
    '"quoted"',
    "it's",
    "</pre>",
    "</PRE >",
    '<pre id="circuit-workflow">',
    '<pre class="circuit-bundled" data-path="x.json">',
    "<!--",
    "-->",
    "]]>",
    "&amp;",
    "&quot;&lt;&gt;&amp;",
    "&#13;",
    "&#x0;",
    "\\u0000",
    "\ud800",
    "\udfff\ud800",
    "\U0001f469\u200d\U0001f52c",
    "\u2028\u2029",
    "\u202eabc",
    "\u00a0\u00a0",
    "\ufeff",
    "\u0085",
    "\r\n",
    "\r",
    "\t",
    "\x7f\x80\x9f",
    "\x01\x1f",
    "\ufdd0\uffff\U0010ffff",
    "{{ item.x }}",
    "{% raw %}",
    "```",
    "data-sha256",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "It needs other.json",
    "0" * 64,
    "x" * 5000,
    "<" * 300,
    "=3D=\n",
    "data:text/html,",
]
texts = st.text(st.characters(codec=None), max_size=12) | st.lists(st.sampled_from(NASTY), max_size=3).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
TYPES = ["trigger.ask", "tool.call", "model.classify", "logic.each", "logic.branches", "flow.call", "note.say", "x.y"]


@st.composite
def boards(draw: st.DrawFn) -> dict[str, Any]:
    ids = draw(st.lists(texts, min_size=1, max_size=5))
    steps = [
        {
            "id": id,
            "type": draw(st.sampled_from(TYPES)),
            "title": draw(texts),
            "config": draw(st.dictionaries(texts, values, max_size=2)),
            "next": [
                {"port": draw(texts), "to": to} for to in draw(st.lists(st.sampled_from(ids) | texts, max_size=3))
            ],
            **draw(st.dictionaries(texts.map("x-{}".format), values, max_size=1)),
        }
        for id in ids
    ]
    more = draw(st.dictionaries(texts.map("x-{}".format), values, max_size=2))
    return {"circuit": 1, "name": draw(texts), "description": draw(texts), "steps": steps, **more}


@st.composite
def sources(draw: st.DrawFn) -> str:
    """A board's text as anybody may have written it: escaped or not, in one line or many, blanks around it."""
    raw = draw(st.booleans())
    text = json.dumps(
        draw(boards()),
        ensure_ascii=not raw,
        indent=draw(st.sampled_from([None, 0, 1, 4, "\t"])),
        separators=draw(st.sampled_from([(",", ":"), (", ", ": ")])),
    )
    if raw:  # only as an escape can half a character stand in a text
        text = "".join(f"\\u{ord(char):04x}" if "\ud800" <= char <= "\udfff" else char for char in text)
    around = st.sampled_from(["", "\n", " ", "\n\n\t "])
    return draw(around) + text + draw(around)


def restored(source: str | bytes) -> tuple[str, Digest]:
    found = api.restore(source)
    return found.bundle.main.text, found.digest


@LAW
@given(sources())
@example('{"circuit": 1, "name": "</pre>", "steps": [{"id": "\\ud800", "type": "x", "title": "\u2028"}]}')
def test_what_was_exported_is_restored_text_for_text(text: str) -> None:
    workflow = api.loads(text)
    assert workflow.definition.text == text
    page = api.export_page(workflow)
    assert restored(page) == (text, Digest.MATCHES)
    assert restored(page.encode()) == (text, Digest.MATCHES)
    assert api.export_page(api.loads(page)) == page
    assert "<script" not in page.lower()


@LAW
@given(sources(), st.sampled_from(["\r\n", "\r"]), st.booleans())
def test_only_line_ends_and_the_mark_are_not_the_texts(text: str, end: str, marked: bool) -> None:
    source = ("\ufeff" if marked else "") + text.replace("\n", end)
    assert restored(api.export_page(api.loads(source))) == (text, Digest.MATCHES)


@LAW
@given(sources())
def test_a_definition_is_restored_from_itself(text: str) -> None:
    assert restored(text)[0] == text
    assert restored(gzip.compress(text.encode(), mtime=0))[0] == text


@LAW
@given(boards(), values, st.data())
def test_any_mutated_board_ends_in_a_page_or_a_clean_error(
    value: dict[str, Any], odd: Any, data: st.DataObject
) -> None:
    places: list[tuple[Any, Any]] = []
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        keys = range(len(item)) if isinstance(item, list) else list(item)
        places += [(item, key) for key in keys]
        waiting += [item[key] for key in keys if isinstance(item[key], dict | list)]
    for holder, key in data.draw(st.lists(st.sampled_from(places), min_size=1, max_size=3)):
        holder[key] = odd
    try:
        workflow = api.loads(json.dumps(value))
    except (CircuitError, ValueError) as error:
        assert isinstance(error, CircuitError)
        assert error.block()
        return
    assert restored(api.export_page(workflow))[0] == workflow.definition.text
    assert api.export_svg(workflow)
    assert api.export_mermaid(workflow)


@LAW
@given(sources(), st.binary(max_size=3), st.data())
def test_any_damaged_text_ends_in_a_page_or_a_clean_error(text: str, piece: bytes, data: st.DataObject) -> None:
    whole = text.encode()
    at = data.draw(st.integers(0, len(whole)))
    damaged = whole[:at] + piece + whole[at + data.draw(st.integers(0, 3)) :]
    try:
        page = api.export_page(api.loads(damaged))
    except CircuitError as error:
        assert error.block()
    else:
        assert api.restore(page).digest is Digest.MATCHES


PROGRAM = """
import json, sys
from circuit_export import api
for line in sys.stdin:
    source, theme = json.loads(line)
    workflow = api.loads(source)
    for text in (api.export_page(workflow, theme=theme), api.export_svg(workflow), api.export_mermaid(workflow)):
        sys.stdout.buffer.write(text.encode())
"""


def test_the_same_bytes_twice_and_in_other_processes() -> None:
    """Hash seed, locale, time zone and folder are others."""
    texts = [path.read_text("utf-8") for path in EXAMPLES] + [json.dumps(vector["board"]) for vector in VECTORS[::4]]
    odd = {"id": "".join(NASTY), "type": "x", "title": "".join(NASTY), "next": [{"to": name} for name in NASTY]}
    texts.append(json.dumps({"circuit": 1, "name": "".join(NASTY), "steps": [odd], "".join(NASTY): NASTY}))
    lines = "\n".join(json.dumps([text, theme]) for text, theme in zip(texts, api.theme_names() * 99, strict=False))
    outputs = set()
    for seed, zone, locale, folder in (("0", "UTC", "C.UTF-8", ROOT), ("4711", "Asia/Kathmandu", "C", ROOT.parent)):
        environment = {"PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": locale, "PYTHONPATH": str(ROOT)}
        for _ in "12":
            ended = subprocess.run(
                [sys.executable, "-c", PROGRAM],
                input=lines.encode(),
                capture_output=True,
                cwd=folder,
                env=os.environ | environment,
                check=True,
                timeout=120,
            )
            outputs.add(ended.stdout)
    assert len(outputs) == 1
    assert str(ROOT).encode() not in outputs.pop()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("theme", api.theme_names())
def test_every_example_comes_back_from_every_theme_with_what_it_calls(path: Path, theme: str) -> None:
    workflow = api.load(path)
    found = api.restore(api.export_page(workflow, theme=theme), strict=True)
    assert found.digest is Digest.MATCHES
    assert found.bundle.main.text == path.read_text("utf-8")
    assert [(other.path, other.text) for other in found.bundle.others] == [
        (other.path, (path.parent / other.path).read_text("utf-8")) for other in workflow.bundle.others
    ]
