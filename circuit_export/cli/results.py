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


_CODES = {Result.FINE: 0, Result.WRONG: 1, Result.USAGE: 2, Result.NOTHING: 3}


def result_of(error: CircuitError) -> Result:
    """The result that an error stands for."""
    return Result.USAGE if isinstance(error, UsageError) else Result.WRONG


def exit_code(results: Iterable[Result]) -> int:
    """The exit code of a whole command: the worst of its results, 3 when there was nothing to do."""
    codes = [_CODES[result] for result in results]
    return max(codes, default=_CODES[Result.NOTHING])
