"""How a command ended, and the one place that turns that into an exit code."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from circuit_export.diagnostics import CircuitError, UsageError


class Result(Enum):
    """How one input went."""

    FINE = "fine"
    WRONG = "wrong"
    USAGE = "usage"
    NOTHING = "nothing"


_CODES = {Result.NOTHING: 3, Result.FINE: 0, Result.WRONG: 1, Result.USAGE: 2}
_WORST = list(_CODES)


def result_of(error: CircuitError) -> Result:
    """The result that an error stands for."""
    return Result.USAGE if isinstance(error, UsageError) else Result.WRONG


def exit_code(results: Iterable[Result]) -> int:
    """The exit code of a whole command: that of its worst result; 3 only when there was nothing to do at all."""
    return _CODES[max(results, key=_WORST.index, default=Result.NOTHING)]
