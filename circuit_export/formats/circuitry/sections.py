"""The sections of a Markdown program: every heading that is a block of its own names the text below it."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_BLANK_BEFORE = re.compile(r"(?:[ \t]*\n)*")


class Section(NamedTuple):
    """A section: `line` is the line of its heading in the Markdown, from 0, `depth` that of the heading, from 1."""

    name: str
    text: str
    line: int
    depth: int = 1


@cache
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


class _Heading(NamedTuple):
    depth: int
    name: str
    first: int
    after: int


def read(markdown: str) -> list[Section]:
    """The sections of a Markdown text, in order; a name may come twice."""
    text = markdown.replace("\r\n", "\n").replace("\r", "\n")
    headings = _headings(text)
    if not headings:
        return []
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    starts[-1] = len(text)
    ends = _ends(headings)
    return [
        Section(
            heading.name, _body(text[starts[heading.after] : _upto(starts, end, text)]), heading.first, heading.depth
        )
        for heading, end in zip(headings, ends, strict=True)
    ]


def before(markdown: str, sections: tuple[Section, ...]) -> str:
    """The text before the first heading."""
    lines = markdown.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(lines[: sections[0].line] if sections else lines).strip()


def _headings(text: str) -> list[_Heading]:
    """The headings that are in no other block."""
    from markdown_it.token import Token

    tokens: list[Token] = []
    parser = _parser()
    # The blocks alone are wanted: what is inside a line would cost most of the time.
    parser.block.parse(text.replace("\0", "\N{REPLACEMENT CHARACTER}"), parser, {}, tokens)
    found = []
    for at, token in enumerate(tokens):
        if token.type == "heading_open" and token.level == 0 and token.map is not None:
            found.append(_Heading(int(token.tag[1:]), tokens[at + 1].content.strip(), token.map[0], token.map[1]))
    return found


def _ends(headings: list[_Heading]) -> list[int | None]:
    """For each heading the line of the next one that is as deep or less, None for the end of the text."""
    ends: list[int | None] = [None] * len(headings)
    opened: list[int] = []
    for at, heading in enumerate(headings):
        while opened and headings[opened[-1]].depth >= heading.depth:
            ends[opened.pop()] = heading.first
        opened.append(at)
    return ends


def _upto(starts: list[int], line: int | None, text: str) -> int:
    return len(text) if line is None else starts[line]


def _body(text: str) -> str:
    """A section's text without the blank lines around it."""
    start = _BLANK_BEFORE.match(text)
    text = text[start.end() :] if start else text
    if not text.strip(" \t\n"):
        return ""
    lines = text.split("\n")
    while lines and not lines[-1].strip(" \t"):
        lines.pop()
    return "\n".join(lines)
