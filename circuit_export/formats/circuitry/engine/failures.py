"""Failures of calls and of whole runs, as data."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from circuit_export.formats.circuitry.values import ABSENT

CANCELLED: Final = "run.cancelled"
LIMIT: Final = "run.limit"
"""The run needed more generations, nesting or time than it was given; the language itself sets no such bound."""

FINAL: Final = frozenset((CANCELLED, LIMIT))
"""The failures that no call can handle: they end the run."""


class Failure(NamedTuple):
    """What went wrong, in one of the codes of the language; `data` is ABSENT when there is nothing more to know."""

    code: str
    message: str
    data: Any = ABSENT

    def value(self) -> dict[str, Any]:
        """As programs and traces hold it."""
        found: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not ABSENT:
            found["data"] = self.data
        return found


class Failed(Exception):
    """Carries a failure to where it is taken up."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


def failed(code: str, message: str, data: Any = ABSENT) -> Failed:
    """A failure to be raised."""
    return Failed(Failure(code, message, data))
