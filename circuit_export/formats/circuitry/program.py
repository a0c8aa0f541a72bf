"""A program as it was compiled: its calls with their expressions and patterns, and what was wrong with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from circuit_export.formats.circuitry.patterns import EMPTY

if TYPE_CHECKING:
    from circuit_export.formats.circuitry.expressions import Expression
    from circuit_export.formats.circuitry.patterns import Pattern

VERSION: Final = "0.12"

JSON: Final = "json"
JSONL: Final = "jsonl"
TEXT: Final = "text"
BYTES: Final = "bytes"
CODECS: Final = (JSON, JSONL, TEXT, BYTES)


class Mark(NamedTuple):
    """A place in the KDL: line and column from 1, offset from 0, columns and offsets in UTF-16 units."""

    line: int
    column: int
    offset: int


class Extent(NamedTuple):
    """A stretch of the KDL in code points from 0, its end not included."""

    start: int
    end: int


class Said(NamedTuple):
    """One thing wrong with a program.

    `start` and `end` are those of the node it is about, None when it is about none; `exact` is the stretch of the
    KDL that is to blame, as near as it is known. `call` names the call, None outside calls.
    """

    code: str
    message: str
    start: Mark | None = None
    end: Mark | None = None
    exact: Extent | None = None
    call: str | None = None

    def value(self) -> dict[str, Any]:
        """As a program gets it to see, when it is another program that is wrong."""
        found: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.start is not None and self.end is not None:
            found["range"] = {"start": self.start._asdict(), "end": self.end._asdict()}
        return found


class Call(NamedTuple):
    """A call. `input` is None when it has no `in`, `error` when it has no `error`.

    `extent` is its node's; `parts` are its source, its arguments and its boundaries, with where their values stand.
    """

    name: str
    source: Expression
    generated: bool
    arguments: tuple[Expression, ...]
    input: Expression | None
    input_codec: str
    output: Pattern
    output_codec: str
    error: Pattern | None
    extent: Extent
    name_extent: Extent
    parts: tuple[tuple[str, Extent], ...] = ()


class Program(NamedTuple):
    """A program that can run. `sections` are its sections' texts, `used` the names of those that it mentions."""

    calls: tuple[Call, ...]
    output: Expression
    input: Pattern = EMPTY
    used: frozenset[str] = frozenset()
    optional_missing: tuple[str, ...] = ()
    output_extent: Extent | None = None
    input_extent: Extent | None = None


class Inspected(NamedTuple):
    """A text inspected: the program when nothing is wrong, and everything that is."""

    program: Program | None
    said: tuple[Said, ...]


class InvalidProgram(ValueError):
    """A text that is no program; `said` is everything that is wrong with it."""

    code: Final = "program.invalid"

    def __init__(self, said: tuple[Said, ...]) -> None:
        super().__init__("\n".join(one.message for one in said))
        self.said = said
