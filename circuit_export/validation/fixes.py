"""Applies the fixes of findings to a text, changing only the characters that they must."""

from __future__ import annotations

import difflib
import json
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from circuit_export.diagnostics import Action, Edit, Place, Span, locate_all
from circuit_export.formats.json_text import write

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from circuit_export.diagnostics import Diagnostic

_BLANK = " \t\r\n"


class Change(NamedTuple):
    """Replaces `text[start:end]`."""

    start: int
    end: int
    text: str


class Fixed(NamedTuple):
    """A text with fixes, and the findings that were fixed in it."""

    text: str
    applied: list[Diagnostic]


def apply(text: str, findings: Iterable[Diagnostic], *, unsafe: bool = False, raw: str | None = None) -> Fixed:
    """The text with every fix applied that is safe (or, with `unsafe`, any), the first of two that meet.

    `raw` is the text as the file holds it, whose line ends `text` has as line feeds: then that is what is changed.
    """
    chosen = [found for found in findings if found.fix is not None and (found.fix.safe or unsafe)]
    places = [edit.place for found in chosen for edit in found.fix.edits] if chosen else []  # type: ignore[union-attr]
    spans = dict(zip(places, locate_all(text, places), strict=True))
    names = [Place(place.pointer, key=True) for place in places if place.pointer]
    name_spans = dict(zip(names, locate_all(text, names), strict=True))
    done: list[Change] = []
    applied = []
    for found in chosen:
        assert found.fix is not None
        changes = [_change(text, edit, spans, name_spans) for edit in found.fix.edits]
        if None in changes or any(_meet(one, other) for one in changes for other in done if one is not None):
            continue
        done += [change for change in changes if change is not None]
        applied.append(found)
    return Fixed(_changed(text, done, text if raw is None else raw), applied)


def _changed(text: str, changes: list[Change], raw: str) -> str:
    """The changes of `text` made in `raw`, which differs from it in carriage returns before line feeds alone."""
    returns = [match.start() - number for number, match in enumerate(re.finditer("\r\n", raw))]
    end_of_line = "\r\n" if len(returns) * 2 > text.count("\n") else "\n"
    pieces, at = [], 0
    for change in sorted(changes):
        start = change.start + bisect_left(returns, change.start)
        pieces += [raw[at:start], change.text.replace("\n", end_of_line)]
        at = change.end + bisect_left(returns, change.end)
    return "".join([*pieces, raw[at:]])


def _meet(one: Change | None, other: Change) -> bool:
    """Whether two changes touch: then only the first is made, and the next run sees what is left."""
    return one is not None and one.start <= other.end and other.start <= one.end


def _change(text: str, edit: Edit, spans: dict[Place, Span], names: dict[Place, Span]) -> Change | None:
    start, end = spans[edit.place]
    match edit.action:
        case Action.REPLACE:
            if edit.place.part is not None:
                return Change(start, end, json.dumps(edit.value, ensure_ascii=False)[1:-1])
            return Change(start, end, write(edit.value))
        case Action.REMOVE:
            name = names[Place(edit.place.pointer, key=True)]
            first = min(start, name[0]) if text[name[0] : name[0] + 1] == '"' else start
            return _removed(text, first, end)
        case Action.INSERT:
            return _inserted(text, start, end, edit)


def _removed(text: str, start: int, end: int) -> Change:
    """Takes a member or item away with the comma behind it, or the one before it when it is the last."""
    after = _skip(text, end)
    if text[after : after + 1] == ",":
        following = _skip(text, after + 1)
        return Change(start, following, "")
    before = start
    while before > 0 and text[before - 1] in _BLANK:
        before -= 1
    if text[before - 1 : before] == ",":
        return Change(before - 1, end, "")
    return Change(start, end, "")


def _inserted(text: str, start: int, end: int, edit: Edit) -> Change | None:
    """Adds a member at the end of an object, on a line of its own if the last one is."""
    if text[start : start + 1] != "{":
        return None
    member = f"{json.dumps(edit.name, ensure_ascii=False)}: {_inline(edit.value)}"
    last = end - 1
    while text[last - 1] in _BLANK:
        last -= 1
    if last - 1 == start:
        return Change(last, last, member)
    blank = re.search(r"\n[ \t]*(?=\S[^\n]*\Z)", text[start:last])
    return Change(last, last, f",{blank[0]}{member}" if blank else f", {member}")


def _inline(value: object) -> str:
    """A value on one line, as the settings that are moved usually are; numbers keep their digits."""
    return re.sub(r"\n\s*", "", write(value)) if not isinstance(value, str) else write(value)


def _skip(text: str, offset: int) -> int:
    while offset < len(text) and text[offset] in _BLANK:
        offset += 1
    return offset


def diff(before: str, after: str, file: str) -> str:
    """A unified diff of a file, "" when nothing changed."""
    lines: Sequence[str] = list(
        difflib.unified_diff(
            before.splitlines(keepends=True), after.splitlines(keepends=True), f"a/{file}", f"b/{file}", n=3
        )
    )
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
