"""A source without a definition is called by its name, with what to do."""

import json

import pytest

from circuit_export.board.page import Card, render_gallery
from circuit_export.board.theme import load_theme
from circuit_export.restore import find

SHELL = '<script src="/a.js"></script></head><body><div id="root"></div></body></html>'
BOARD = '{"circuit": 1,\n "steps": [%s]}'
BLOCK = '<pre id="circuit-workflow" data-format="steps" data-sha256="' + "0" * 64 + '">'


def nothing(text: str) -> str | None:
    return None


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("", "an empty text"),
        (b"\n \n", "an empty text"),
        ("hello", "text without a workflow"),
        ("https://example.org/page", "a link"),
        (f"<html><head><title>App</title>{SHELL}", "an application's shell (“App”)"),
        (f"<html><head><link href='https://claude.ai/x'>{SHELL}", "around a published artifact"),
        ("<html><title>Sign in</title><p>Hello", "a sign-in page"),
        ("<html><title>Wiki</title><input type='password'>", "a sign-in page"),
        ("<html><title>404 Not Found</title>", "an error page"),
        ("<html><title>Hm</title><h1>Page not found</h1>", "an error page"),
        ("<html><title>Just a moment...</title>", "a check by Cloudflare"),
        ("<html><title>Recipes</title><p>Bread", "a page (“Recipes”) without a workflow's block"),
        (json.dumps({"nodes": [], "connections": {}}), "an n8n workflow"),
        (json.dumps([{"id": "1", "type": "inject", "wires": [[]]}]), "a Node-RED flow"),
        (json.dumps({"name": "x", "flow": []}), "a Make"),
        (json.dumps({"zaps": []}), "a Zapier export"),
        (json.dumps({"StartAt": "a", "States": {}}), "Step Functions"),
        (json.dumps({"a": 1, "b": 2}), "(its keys: “a”, “b”)"),
        (json.dumps([1]), "a list in JSON"),
        ("<html><title>Directory listing for /pages/</title>", "the list of a folder's files"),
        ("<html><title>Index of /pages</title>", "the list of a folder's files"),
        ("flowchart LR\n a --> b", "a Mermaid flowchart"),
        ("<svg xmlns='http://www.w3.org/2000/svg'><title>A lead</title></svg>", "an SVG picture"),
        ("<?xml version='1.0'?><!-- x -->\n<!DOCTYPE svg PUBLIC 'a' 'b'><svg><title>A</title></svg>", "an SVG picture"),
        ("<svg xmlns='http://www.w3.org/2000/svg'/>", "an SVG picture"),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"%PDF-1.7", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"RIFF\0\0\0\0WEBP", "a WebP picture"),
        (bytes(range(256)) * 20, "binary data"),
        (BLOCK + '\n{\n "circuit": 1,', "cut off inside its workflow (after 3 lines"),
        (BLOCK + "\n</pre>", "whose workflow is empty"),
        ('<pre id="circuit-workflow">…</pre>', "holds something else"),
        (json.dumps({"circuit": 2, "steps": []}), '"circuit": 2'),
        (json.dumps({"circuit": 1}), 'without a list of "steps"'),
        ('"circuit": 1, "steps": []}', "the middle of a workflow"),
        ('{"circuit": 1, "steps": [{"id"', "ends too early"),
    ],
)  # fmt: skip
def test_what_it_looks_like(source: str | bytes, what: str) -> None:
    findings = find(source, nothing)
    assert what in findings.looks_like
    assert findings.hint


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        (BOARD % ",", 2, 12),
        ("Here:\n\n```json\n" + BOARD % "," + "\n```\n", 5, 12),
        ("It is " + BOARD % "1 2" + " I think", 2, 14),
        (BOARD % '{"a": 01}', 2, 19),
    ],
)
def test_a_broken_definition_is_said_with_its_place(source: str, line: int, column: int) -> None:
    findings = find(source, nothing)
    assert findings.position is not None
    assert (findings.position.line, findings.position.column) == (line, column)
    assert "broken" in findings.looks_like


def test_a_place_in_what_was_unwrapped_is_not_one_in_the_source() -> None:
    assert find(json.dumps({"text": BOARD % ","}), nothing).position is None


def test_our_own_index_says_which_pages_it_leads_to() -> None:
    cards = [Card(f"Board {n}", "", "Circuit board", f"b{n}.html", (), "<svg></svg>") for n in range(7)]
    findings = find(render_gallery(cards, load_theme("copper")), nothing)
    assert findings.looks_like == "the index of exported pages (“Workflows”)"
    assert findings.hint.endswith("leads to: b0.html, b1.html, b2.html, b3.html, b4.html, …")
