"""What is said about a document: diagnostics, their severities and places, and the error that stops a command."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a diagnostic matters, most first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Position:
    """A place in a text: line and column from 1, columns in code points."""

    line: int
    column: int

    @classmethod
    def at(cls, text: str, offset: int) -> Position:
        """The position of the code point at `offset` (from 0) in `text`, whose lines end with line feeds."""
        return cls(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing said about a document.

    `pointer` is the JSON Pointer of the value it is about ("" is the whole document); `step` and `wire` name what
    it is about in the workflow's own words. `file` and `start`/`end` are filled in by whoever reports it.
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


class CircuitError(ValueError):
    """Input that cannot be used, said so that its reader can mend it.

    `message` says what is wrong in one sentence; `found` and `expected` what stands there and what should;
    `hint` what to do next. `file` and `position` say where.
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
    ) -> None:
        super().__init__(message)
        self.message = message
        self.file = file
        self.position = position
        self.found = found
        self.expected = expected
        self.hint = hint

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
