"""Patterns: shapes that a value must have, with names for what is captured out of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.formats.circuitry.expressions import MissingSection, Reference, Sections, scan
from circuit_export.formats.circuitry.values import same

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_WHOLE = re.compile("([$?])([A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*)")


class Scalar(NamedTuple):
    """Exactly this value."""

    value: Any


class Capture(NamedTuple):
    """Any value, kept under a name."""

    name: str
    optional: bool


class Items(NamedTuple):
    """A list of just as many items, each with its pattern."""

    items: tuple[Pattern, ...]


class Fields(NamedTuple):
    """An object with these fields; others may be there."""

    fields: tuple[tuple[str, Pattern], ...]


Pattern = Scalar | Capture | Items | Fields
Captured = tuple[str, Any]
EMPTY = Fields(())


class BadPattern(ValueError):
    """A text that no pattern can hold; `code` says why."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


def compile_pattern(value: Any, sections: Sections) -> Pattern:
    """The pattern of a value whose texts may be captures. Raises BadPattern."""
    if isinstance(value, str):
        return _of_text(value, sections)
    if isinstance(value, list):
        return Items(tuple([compile_pattern(item, sections) for item in value]))
    if isinstance(value, dict):
        return Fields(tuple([(key, compile_pattern(item, sections)) for key, item in value.items()]))
    return Scalar(value)


def _of_text(text: str, sections: Sections) -> Pattern:
    if "$" not in text and "?" not in text and "@" not in text:
        return Scalar(text)
    whole = _WHOLE.fullmatch(text)
    if whole is not None:
        return Capture(whole[2], whole[1] == "?")
    known = Sections(sections.texts)  # looking is not using
    try:
        pieces = list(scan(text, known))
    except MissingSection:
        raise BadPattern("program.pattern.section", text) from None
    if any(isinstance(piece, Reference) for piece in pieces):
        raise BadPattern("program.pattern.interpolation", text)
    if known.used or known.optional_missing or (text in ("@", "?@") and "" in sections.texts):
        raise BadPattern("program.pattern.section", text)
    return Scalar(text)


def captures(pattern: Pattern) -> Iterator[Capture]:
    """The captures of a pattern, in order."""
    if isinstance(pattern, Capture):
        yield pattern
    elif isinstance(pattern, Items):
        for item in pattern.items:
            yield from captures(item)
    elif isinstance(pattern, Fields):
        for _, item in pattern.fields:
            yield from captures(item)


def certain(pattern: Pattern) -> frozenset[str]:
    """The names that are captured whenever the shape is matched."""
    if isinstance(pattern, Capture):
        return frozenset((pattern.name,))
    if isinstance(pattern, Items):
        return frozenset().union(*map(certain, pattern.items))
    if isinstance(pattern, Fields):
        return frozenset().union(*(certain(item) for _, item in pattern.fields if not omittable(item)))
    return frozenset()


def omittable(pattern: Pattern) -> bool:
    """Whether a field with this pattern may be missing."""
    if isinstance(pattern, Capture):
        return pattern.optional
    if isinstance(pattern, Items):
        return all(map(omittable, pattern.items))
    return isinstance(pattern, Fields) and all(omittable(item) for _, item in pattern.fields)


def match(pattern: Pattern, value: Any, captured: list[Captured]) -> bool:
    """Whether a value has the shape; what is captured is added to the list, of a failed match too."""
    if isinstance(pattern, Capture):
        captured.append((pattern.name, value))
        return True
    if isinstance(pattern, Scalar):
        return same(pattern.value, value)
    if isinstance(pattern, Items):
        if not isinstance(value, list) or len(value) != len(pattern.items):
            return False
        return all(match(item, part, captured) for item, part in zip(pattern.items, value, strict=True))
    if not isinstance(value, dict):
        return False
    for key, item in pattern.fields:
        if key in value:
            if not match(item, value[key], captured):
                return False
        elif not omittable(item):
            return False
    return True


def match_all(pattern: Pattern, values: Sequence[Any], *, collect: bool = False) -> dict[str, Any] | None:
    """What a pattern captures out of some values, by name; None when none of them has the shape.

    A name captured once has that value, more often the list of them; with `collect` always the list.
    """
    if not values:
        return {} if omittable(pattern) else None
    found: list[Captured] = []
    matched = False
    for value in values:
        captured: list[Captured] = []
        if match(pattern, value, captured):
            matched = True
            found += captured
    return _bound(found, collect) if matched else None


def _bound(captured: Iterable[Captured], collect: bool) -> dict[str, Any]:
    lists: dict[str, list[Any]] = {}
    for name, value in captured:
        lists.setdefault(name, []).append(value)
    return {name: items if collect or len(items) > 1 else items[0] for name, items in lists.items()}
