"""The two forms of a program's text: plain KDL, or Markdown whose front matter is the KDL."""

from __future__ import annotations

import re
from typing import NamedTuple

_FENCE = re.compile(r"---\r?\n")
_NEARLY = re.compile(r"\s*---[ \t]*\r?\n")
_NEARLY_END = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_END = re.compile(r"\r?\n---(?:\r?\n|\Z)")


class Source(NamedTuple):
    """A program's text taken apart. `start` is where the KDL begins; `markdown` is None for plain KDL."""

    kdl: str
    start: int = 0
    markdown: str | None = None
    markdown_start: int = 0


def is_nearly_fenced(text: str) -> bool:
    """Whether a text looks like Markdown with front matter and is not, for a blank or a line too many at its fences."""
    opening = _NEARLY.match(text)
    return opening is not None and split(text).markdown is None and _NEARLY_END.search(text, opening.end()) is not None


def split(text: str) -> Source:
    """Takes a text apart; it is Markdown only when its very first line is exactly `---` and another one ends it."""
    opening = _FENCE.match(text)
    if opening is None:
        return Source(text)
    closing = _END.search(text, opening.end())
    if closing is None:
        return Source(text)
    return Source(text[opening.end() : closing.start()], opening.end(), text[closing.end() :], closing.end())
