"""What is said about a document: diagnostics, their severities and places, and the error that stops a command."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import StrEnum
from json import JSONDecoder
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Severity(StrEnum):
    """How much a diagnostic matters, most first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Position(NamedTuple):
    """A place in a text: line and column from 1, columns in code points."""

    line: int
    column: int

    @classmethod
    def at(cls, text: str, offset: int) -> Position:
        """The position of the code point at `offset` (from 0) in `text`, whose lines end with line feeds."""
        return cls(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


class Place(NamedTuple):
    """A place in a document by its structure, before anybody looks at the text.

    `pointer` is a JSON Pointer; `key` means the name of that member instead of its value; `part` is a stretch of
    the string there (of its decoded code points, end not included), None for all of it.
    """

    pointer: str = ""
    key: bool = False
    part: tuple[int, int] | None = None


class Spot(NamedTuple):
    """Where something stands in a document: by its structure, or, where that has no pointers, in the text itself."""

    pointer: str = ""
    start: Position | None = None
    end: Position | None = None


class Related(NamedTuple):
    """Another place that explains a diagnostic; `file` is "" for the same file, `start` filled in by who reports.

    What no pointer leads to brings its `start` itself.
    """

    message: str
    place: Place
    file: str = ""
    start: Position | None = None


class Action(StrEnum):
    """What an edit does at its place."""

    REPLACE = "replace"
    """Puts `value` there: a JSON value, or, for a key or a part of a string, a text."""
    REMOVE = "remove"
    """Takes the member or the item away, with its comma."""
    INSERT = "insert"
    """Adds `value` as the member `name` at the end of the object there."""


class Edit(NamedTuple):
    """One change of a document, by its structure."""

    action: Action
    place: Place
    value: Any = None
    name: str = ""


class Fix(NamedTuple):
    """How a finding is mended. A safe one cannot change what the workflow's author meant."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


class Diagnostic(NamedTuple):
    """One thing said about a document.

    `pointer`, `key` and `part` say where, as in `Place` ("" is the whole document); `step` and `wire` name what it
    is about in the workflow's own words. `file` and `start`/`end` are filled in by whoever reports it. `reference` is
    the code that the language of the document itself has for it, "" for none.
    """

    code: str
    name: str
    severity: Severity
    message: str
    pointer: str = ""
    step: str | None = None
    wire: str | None = None
    hint: str = ""
    file: str = ""
    start: Position | None = None
    end: Position | None = None
    key: bool = False
    part: tuple[int, int] | None = None
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    reference: str = ""

    @property
    def place(self) -> Place:
        return Place(self.pointer, self.key, self.part)


# --- where a place of a JSON document is in its text --------------------------------------------------------------

Span = tuple[int, int]
"""A stretch of a text: offsets of its first code point and of the one after its last."""


def escape_pointer(name: object) -> str:
    """A member's name or an item's number as a reference token of a JSON Pointer."""
    return str(name).replace("~", "~0").replace("/", "~1")


def pointer_tokens(pointer: str) -> list[str]:
    """The names and numbers that a JSON Pointer walks through."""
    return [token.replace("~1", "/").replace("~0", "~") for token in pointer.split("/")[1:]]


class Lines:
    """The lines of a text, so that many offsets become positions without reading it again."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def position(self, offset: int) -> Position:
        """Line and column of the code point at `offset`."""
        line = bisect_right(self._starts, offset)
        return Position(line, offset - self._starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The line `number` (from 1), without its line end; empty for one that the text does not have."""
        if not 1 <= number <= len(self._starts):
            return ""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].rstrip("\r")

    def offset(self, position: Position) -> int:
        """The offset of a position, at most the end of the text."""
        start = self._starts[min(position.line, len(self._starts)) - 1]
        return min(start + position.column - 1, len(self.text))


class _Wanted:
    """A value that somebody asked for: the wanted ones inside it, and where its name and itself were found."""

    __slots__ = ("inside", "name", "value")

    def __init__(self) -> None:
        self.inside: dict[str, _Wanted] = {}
        self.name: Span | None = None
        self.value: Span | None = None

    def forget(self) -> None:
        """Drops what was found: the same member stands there once more, and the last one counts."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.name is not None or node.value is not None:
                node.name = node.value = None
                waiting += node.inside.values()


def locate_all(text: str, places: Sequence[Place]) -> list[Span]:
    """Where each place is in the JSON `text`, in one linear pass.

    A place that is not there (a member that is missing, say) is its nearest ancestor that is. Of two members with one
    name the last counts, as for every JSON reader. Never raises: what is not JSON is read as far as it goes.
    """
    root = _Wanted()
    for place in places:
        node = root
        for token in pointer_tokens(place.pointer):
            node = node.inside.setdefault(token, _Wanted())
    _scan(text, root)
    return [_span(text, root, place) for place in places]


def locate(text: str, pointer: str, *, key: bool = False) -> Span:
    """Where the value at a JSON Pointer is in `text`, or with `key` the name of that member."""
    return locate_all(text, [Place(pointer, key)])[0]


def _scan(text: str, root: _Wanted) -> None:
    """Walks the tokens of a JSON text and notes the spans of all that is wanted."""
    tokens = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?|[][{},:]|[^][{},:"\s]+', re.DOTALL)
    open_values: list[tuple[_Wanted | None, int, bool]] = []  # what it is, where it starts, whether it is an object
    counts: list[int] = []  # of the items before the next one, in each open list
    wanted: _Wanted | None = root  # what the next value is
    names_next = False
    for match in tokens.finditer(text):
        start, end = match.span()
        first = text[start]
        if first in "{[":
            open_values.append((wanted, start, first == "{"))
            counts.append(0)
            names_next = first == "{"
            wanted = wanted.inside.get("0") if wanted is not None and not names_next else None
        elif first in "}]":
            if not open_values:
                return
            node, opened, _ = open_values.pop()
            counts.pop()
            if node is not None:
                node.value = (opened, end)
            names_next = False
        elif first == ",":
            if not open_values:
                return
            node, _, names_next = open_values[-1]
            wanted = None
            if not names_next:
                counts[-1] += 1
                wanted = node.inside.get(str(counts[-1])) if node is not None else None
        elif first == ":":
            continue
        elif names_next:
            names_next = False
            node = open_values[-1][0]
            wanted = node.inside.get(_decoded(text, start, end)) if node is not None and node.inside else None
            if wanted is not None:
                wanted.forget()
                wanted.name = (start, end)
        elif wanted is not None:
            wanted.value = (start, end)
            wanted = None


def _decoded(text: str, start: int, end: int) -> str:
    """What the string token of `text[start:end]` says."""
    plain = text[start + 1 : end - 1]
    if "\\" not in plain:
        return plain
    try:
        return str(JSONDecoder(strict=False).decode(text[start:end]))
    except ValueError:
        return plain


def _span(text: str, root: _Wanted, place: Place) -> Span:
    """The span of one place after the scan."""
    found: Span = (0, len(text))
    if root.value is not None:
        found = root.value
    node = root
    for token in pointer_tokens(place.pointer):
        node = node.inside[token]
        if node.value is None:
            return found
        found = node.value
    if place.key:
        return node.name or found
    return found if place.part is None else _part(text, found, place.part)


def _part(text: str, span: Span, part: tuple[int, int]) -> Span:
    """The span of some code points of a string token: escapes are longer in the text than in the value."""
    if text[span[0] : span[0] + 1] != '"':
        return span
    offset, seen, start = span[0] + 1, 0, span[0]
    while offset < span[1] - 1 and seen < part[1]:
        if seen == part[0]:
            start = offset
        offset += _width(text, offset)
        seen += 1
    return (start, offset) if start > span[0] else span


def _width(text: str, offset: int) -> int:
    """How many code points of `text` spell the one code point of a string that starts at `offset`."""
    if text[offset] != "\\":
        return 1
    if text[offset + 1 : offset + 2] != "u":
        return 2
    high = text[offset + 2 : offset + 4].lower() in {"d8", "d9", "da", "db"}
    low = text[offset + 6 : offset + 8] == "\\u" and text[offset + 8 : offset + 10].lower() in {"dc", "dd", "de", "df"}
    return 12 if high and low else 6


def located(diagnostics: Iterable[Diagnostic], text: str, file: str = "") -> list[Diagnostic]:
    """The diagnostics with file, start and end filled in, and those of their related places in the same file."""
    listed = list(diagnostics)
    places = [diagnostic.place for diagnostic in listed if diagnostic.start is None]
    others = (other for diagnostic in listed for other in diagnostic.related if not other.file and other.start is None)
    places += [other.place for other in others]
    if not places and not listed:
        return []
    lines = Lines(text)
    spans = dict(zip(places, locate_all(text, places), strict=True)) if places else {}

    def related(other: Related) -> Related:
        if other.file or other.start is not None:
            return other._replace(file=other.file or file)
        return other._replace(file=file, start=lines.position(spans[other.place][0]))

    return [
        diagnostic._replace(
            file=diagnostic.file or file,
            start=diagnostic.start or lines.position(spans[diagnostic.place][0]),
            end=diagnostic.end or (lines.position(spans[diagnostic.place][1]) if diagnostic.start is None else None),
            related=tuple(map(related, diagnostic.related)),
        )
        for diagnostic in listed
    ]


# --- the error that stops a command -------------------------------------------------------------------------------


class CircuitError(ValueError):
    """Input that cannot be used, said so that its reader can mend it.

    `message` says what is wrong in one sentence; `found` and `expected` what stands there and what should;
    `hint` what to do next. `file` and `position` say where. `code` is that of the finding that it is in a check, ""
    for the one that stands for all that cannot be read.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str = "",
        position: Position | None = None,
        found: str = "",
        expected: str = "",
        hint: str = "",
        code: str = "",
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.position = position
        self.found = found
        self.expected = expected
        self.hint = hint
        self.code = code

    def located(self, file: str) -> CircuitError:
        """This error, about `file` unless it names a file already."""
        if not self.file:
            self.file = file
        return self

    @property
    def where(self) -> str:
        """`file:line:column`, as much of it as is known."""
        place = f"{self.position.line}:{self.position.column}" if self.position else ""
        return ":".join(part for part in (self.file, place) if part)

    def block(self) -> str:
        """The whole error as one readable block of lines, without a trailing line feed."""
        lines = [f"{self.where}: {self.message}" if self.where else self.message]
        lines += [
            f"  {label}: {text}"
            for label, text in (("found", self.found), ("expected", self.expected), ("try", self.hint))
            if text
        ]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.block()


class UsageError(CircuitError):
    """A command or an option that was not meant so: exit code 2."""
