"""Puts the view's page together: its own files, the rules that it shares with exported pages, and a theme's colours."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Final

from circuit_export import api, board
from circuit_export.board.theme import SIZES, Theme, compact
from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.server.view.drawing import VIEW_META

SCRIPTS: Final = (
    "link.js",
    "reading.js",
    "sketch.js",
    "paint.js",
    "look.js",
    "gate.js",
    "run.js",
    "size.js",
    "view.js",
)
"""The parts of the script, in the order in which one builds on another."""

SHARED: Final[Mapping[str, tuple[str, ...]]] = {
    "page.css": ("The style of every page", "Lettering as on a board", "the board", "a chip", "Pin 1 says"),
    "run.css": ("The style of a run", "Each state has a sign", "On a chip", "Wires"),
}
"""Of the style sheets of exported pages the stretches that a view needs, each by the comment it begins with."""

_FOLDER: Final = Path(__file__).parent
_TEMPLATES: Final = Path(board.__file__).parent / "templates"


@cache
def view_html(theme: str = api.DEFAULT_THEME) -> str:
    """The view as one page, the same bytes whenever it is made. Raises CircuitError for a theme that is none.

    Its own policy lets nothing run or be styled but what is in it, and nothing be fetched, whatever a host allows.
    """
    style = "\n".join([_tokens(api.theme(theme)), *map(_shared, SHARED), _own("view.css")])
    script = f'(() => {{\n"use strict";\n{_constants()}\n' + "\n".join(map(_source, SCRIPTS)) + "\n})();"
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    page = _source("view.html")
    for mark, text in (("policy", policy), ("style", style), ("script", script)):
        before, after = page.split(f"@{mark}@")
        page = before + text + after
    return page


def picked(css: str, beginnings: Iterable[str]) -> str:
    """The stretches of a style sheet that begin with a comment of so many words. Raises KeyError when one is gone."""
    stretches: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in css.splitlines():
        if line.startswith("/*"):
            lines = stretches.setdefault(line.strip("/* -"), [])
        lines.append(line)
    found = []
    for beginning in beginnings:
        name = next((name for name in stretches if name.startswith(beginning)), None)
        if name is None:
            raise KeyError(beginning)
        found += stretches[name]
    return compact("\n".join(found))


def _shared(file: str) -> str:
    return picked((_TEMPLATES / file).read_text("utf-8"), SHARED[file])


def _own(file: str) -> str:
    return compact(_source(file))


def _source(file: str) -> str:
    return (_FOLDER / file).read_text("utf-8").rstrip("\n")


def _tokens(theme: Theme) -> str:
    """The theme's colours: those of the host's scheme where it says one, else those of the reader's."""
    light, dark = (";".join(f"--{name}:{value}" for name, value in colours.items()) for colours in theme[2:])
    sizes = ";".join(f"--{name}:{value}" for name, value in SIZES.items())
    return "\n".join(
        (
            f":root{{color-scheme:light;{light};{sizes}}}",
            f"@media (prefers-color-scheme:dark){{:root:not([data-theme]){{color-scheme:dark;{dark}}}}}",
            f":root[data-theme=dark]{{color-scheme:dark;{dark}}}",
        )
    )


def _constants() -> str:
    """What the script knows of the server: where it finds drawings, its version, and how each type of step is drawn."""
    kit = {name: [entry.verb, entry.actor.value] for name, entry in CATALOG.items()}
    known = {"META": VIEW_META, "VERSION": version("circuit-export"), "KIT": kit}
    return "\n".join(f"const {name} = {json.dumps(value)};" for name, value in known.items())


def _hash(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"
