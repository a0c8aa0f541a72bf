"""Expressions: values with references to state in them, compiled once and evaluated against a state."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from circuit_export.formats.circuitry.values import ABSENT, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_NAME = "[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*"
_WHOLE = re.compile(rf"([$?])({_NAME})")
_PIECE = re.compile(rf"(\??)(?:\$({_NAME})|(@))")
_FALLBACK = re.compile("[A-Za-z0-9 _./:-]+")


class _NotReady:
    """Stands for a value that needs state which does not exist yet."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOT_READY"


NOT_READY: Final = _NotReady()


class Literal(NamedTuple):
    """A value that is always the same; ABSENT for what is left out."""

    value: Any


class Reference(NamedTuple):
    """The value of a state name, with its kind."""

    name: str
    optional: bool


class Interpolation(NamedTuple):
    """A text with the texts of state names in it; always a text."""

    pieces: tuple[str | Reference, ...]


class ArrayOf(NamedTuple):
    """A list; items that are absent are left out."""

    items: tuple[Expression, ...]


class ObjectOf(NamedTuple):
    """An object; fields that are absent are left out."""

    fields: tuple[tuple[str, Expression], ...]


Expression = Literal | Reference | Interpolation | ArrayOf | ObjectOf


class MissingSection(ValueError):
    """A section that is needed and not there; `name` is what it was called."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


class Sections:
    """The sections of a program by name, and which of them were used."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts
        self.used: set[str] = set()
        self.optional_missing: list[str] = []

    @cached_property
    def _names(self) -> list[str]:
        return sorted(name for name in self.texts if name)

    @cached_property
    def _shorter(self) -> list[int]:
        """For each name the place of the longest other one that it begins with, -1 when there is none."""
        found: list[int] = []
        for at, name in enumerate(self._names):
            before = at - 1
            while before >= 0 and not name.startswith(self._names[before]):
                before = found[before]
            found.append(before)
        return found

    def text(self, name: str) -> str:
        self.used.add(name)
        return self.texts[name]

    def longest(self, text: str, start: int) -> str | None:
        """The longest known name that stands in `text` at `start`."""
        names = self._names
        if not names:
            return None
        at = bisect_right(names, text[start : start + self._longest]) - 1
        while at >= 0 and not text.startswith(names[at], start):
            at = self._shorter[at]
        return names[at] if at >= 0 else None

    @cached_property
    def _longest(self) -> int:
        return max(map(len, self._names), default=0)


def compile_value(value: Any, sections: Sections) -> Expression:
    """The expression of a value whose texts may hold references. Raises MissingSection."""
    if isinstance(value, str):
        return compile_text(value, sections)
    if isinstance(value, list):
        return ArrayOf(tuple([compile_value(item, sections) for item in value]))
    if isinstance(value, dict):
        return ObjectOf(tuple([(key, compile_value(item, sections)) for key, item in value.items()]))
    return Literal(value)


def compile_text(text: str, sections: Sections) -> Expression:
    """The expression of one text. Raises MissingSection."""
    if "$" not in text and "?" not in text and "@" not in text:
        return Literal(text)
    whole = _WHOLE.fullmatch(text)
    if whole is not None:
        return Reference(whole[2], whole[1] == "?")
    optional = text.startswith("?@")
    if optional or text.startswith("@"):
        name = text[2 if optional else 1 :]
        if name in sections.texts:
            return Literal(sections.text(name))
        if _FALLBACK.fullmatch(name):
            if not optional:
                raise MissingSection(name)
            sections.optional_missing.append(name)
            return Literal(ABSENT)
    pieces = list(scan(text, sections))
    if not any(isinstance(piece, Reference) for piece in pieces):
        return Literal("".join([piece for piece in pieces if isinstance(piece, str)]))
    return Interpolation(tuple(_joined(pieces)))


def scan(text: str, sections: Sections) -> Iterator[str | Reference]:
    """The pieces of a text: literals, texts of sections and references. Raises MissingSection."""
    done = at = 0
    while (found := _PIECE.search(text, at)) is not None:
        optional = bool(found[1])
        at = found.end()
        piece: str | Reference
        if found[2] is not None:
            piece = Reference(found[2], optional)
        else:
            name = sections.longest(text, at)
            if name is not None:
                piece = sections.text(name)
                at += len(name)
            elif (fallback := _FALLBACK.match(text, at)) is not None:
                if not optional:
                    raise MissingSection(fallback[0])
                sections.optional_missing.append(fallback[0])
                piece = ""
                at = fallback.end()
            else:
                continue  # an @ that names nothing is a character like any other
        yield text[done : found.start()]
        yield piece
        done = at
    yield text[done:]


def _joined(pieces: list[str | Reference]) -> Iterator[str | Reference]:
    """The pieces with literals that touch made one, and empty ones left out."""
    literal: list[str] = []
    for piece in pieces:
        if isinstance(piece, str):
            literal.append(piece)
            continue
        if joined := "".join(literal):
            yield joined
        literal.clear()
        yield piece
    if joined := "".join(literal):
        yield joined


def is_nothing(expression: Expression | None) -> bool:
    """Whether an expression is never there: it is the text of a section that is missing, and no more."""
    return isinstance(expression, Literal) and expression.value is ABSENT


def references(expression: Expression) -> Iterator[Reference]:
    """The references of an expression, in order."""
    if isinstance(expression, Reference):
        yield expression
    elif isinstance(expression, Interpolation):
        yield from (piece for piece in expression.pieces if isinstance(piece, Reference))
    elif isinstance(expression, ArrayOf):
        for item in expression.items:
            yield from references(item)
    elif isinstance(expression, ObjectOf):
        for _, item in expression.fields:
            yield from references(item)


def evaluate(expression: Expression, state: Mapping[str, Any]) -> Any:
    """The value of an expression; ABSENT when it is left out, NOT_READY when it needs what is not there."""
    if isinstance(expression, Literal):
        return expression.value
    if isinstance(expression, Reference):
        return state.get(expression.name, ABSENT if expression.optional else NOT_READY)
    if isinstance(expression, Interpolation):
        return _text(expression, state)
    if isinstance(expression, ArrayOf):
        items = []
        for item in expression.items:
            value = evaluate(item, state)
            if value is NOT_READY:
                return NOT_READY
            if value is not ABSENT:
                items.append(value)
        return items
    fields = {}
    for key, item in expression.fields:
        value = evaluate(item, state)
        if value is NOT_READY:
            return NOT_READY
        if value is not ABSENT:
            fields[key] = value
    return fields


def _text(expression: Interpolation, state: Mapping[str, Any]) -> Any:
    parts = []
    for piece in expression.pieces:
        if isinstance(piece, str):
            parts.append(piece)
        elif piece.name in state:
            parts.append(text_of(state[piece.name]))
        elif not piece.optional:
            return NOT_READY
    return "".join(parts)
