"""Finds texts within a text: objects of JSON, long strings of JSON, Markdown's fences. Linear, without recursion."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from itertools import islice
from json import loads
from typing import NamedTuple

from circuit_export.restore.budget import Budget

# An object of JSON begins with a brace and a string; `{}` holds nothing and is passed over.
_OPEN = re.compile(r'\{(?=\s*+")')
# Inside one: everything up to the next brace that counts. Strings end with their line at the latest.
_INSIDE = re.compile(r'(?:[^{}"]++|"(?:[^"\\\n]++|\\[^\n])*+"?+|\{\s*+\})*+([{}])')
_MOST_OBJECTS = 1_000_000
_DEEPEST = 5_000
# Short strings are passed over; then follows a longer one, or one that does not end on its line.
_STRING = re.compile(r'(?:[^"]++|"[^"\\\n]{0,15}+")*+("(?:[^"\\\n]++|\\[^\n])*+)("?+)')
_MOST_STRINGS = 1_000_000
_FENCE = re.compile(r"(?m)^([ \t]*+)(`{3,}+|~{3,}+)([^\n]*)$")
_MOST_FENCES = 200_000


class Span(NamedTuple):
    """A part of a text by its offsets."""

    start: int
    end: int


class Fence(NamedTuple):
    """A fenced block: where it lies with its fences, and its content with the fence's indentation taken off."""

    span: Span
    content: str


def objects(text: str, within: Span, budget: Budget) -> list[Span]:
    """The balanced `{…}` of `text` within a part of it, in order of their start: outer ones before those they hold.

    Braces in strings do not count. An opening brace that is never closed costs nothing: those inside it are found
    all the same.
    """
    found: list[Span] = []
    opened: deque[int] = deque(maxlen=_DEEPEST)
    position, end = within
    count = 0
    while True:
        if count >= _MOST_OBJECTS:
            budget.give_up(f"It holds more than {_MOST_OBJECTS:,} objects of JSON; those after them were not looked at")
            break
        if not opened:
            start = _OPEN.search(text, position, end)
            if start is None:
                break
            opened.append(start.start())
            position = start.end()
            count += 1
            continue
        brace = _INSIDE.match(text, position, end)
        if brace is None:
            break
        position = brace.end()
        if brace.group(1) == "{":
            opened.append(position - 1)
            count += 1
        else:
            found.append(Span(opened.pop(), position))
    found.sort()
    return found


def long_strings(text: str, start: int = 0) -> Iterator[str]:
    """The values of JSON strings of sixteen characters or more in `text`, escapes decoded."""
    position = start
    for _ in range(_MOST_STRINGS):
        found = _STRING.match(text, position)
        if found is None:
            return
        position = found.end()
        if not found.group(2):
            continue
        token = found.group(1) + '"'
        if "\\" not in token:
            yield token[1:-1]
            continue
        try:
            yield loads(token, strict=False)
        except ValueError:
            continue


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks of a Markdown text; one that is not closed goes to the end."""
    if "```" not in text and "~~~" not in text:
        return
    opened: re.Match[str] | None = None
    for line in islice(_FENCE.finditer(text), _MOST_FENCES):
        marks = line.group(2)
        if opened is None:
            if marks[0] != "`" or "`" not in line.group(3):
                opened = line
        elif marks[0] == opened.group(2)[0] and len(marks) >= len(opened.group(2)) and not line.group(3).strip():
            yield _fence(text, opened, line.start(), line.end())
            opened = None
    if opened is not None:
        yield _fence(text, opened, len(text), len(text))


def _fence(text: str, opened: re.Match[str], content_end: int, end: int) -> Fence:
    content = text[min(opened.end() + 1, content_end) : content_end]
    indent = len(opened.group(1))
    if indent:
        content = re.sub(rf"(?m)^[ \t]{{1,{min(indent, 1000)}}}", "", content)
    return Fence(Span(opened.start(), end), content)
