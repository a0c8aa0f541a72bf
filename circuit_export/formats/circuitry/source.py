"""The two forms of a program's text: plain KDL, or Markdown whose front matter is the KDL."""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = re.compile(r"---\r?\n")
_END = re.compile(r"\r?\n---(?:\r?\n|\Z)")


class Source(NamedTuple):
    """A program's text taken apart. `start` is where the KDL begins; `markdown` is None for plain KDL."""

    kdl: str
    start: int = 0
    markdown: str | None = None
    markdown_start: int = 0


def split(text: str) -> Source:
    """Takes a text apart; it is Markdown only when its very first line is exactly `---` and another one ends it."""
    opening = _FENCE.match(text)
    if opening is None:
        return Source(text)
    closing = _END.search(text, opening.end())
    if closing is None:
        return Source(text)
    return Source(text[opening.end() : closing.start()], opening.end(), text[closing.end() :], closing.end())
