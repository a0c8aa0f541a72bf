"""How long a node may take: what its input asks for, kept within bounds, and how people say it."""

from __future__ import annotations

import math
from typing import Any

SHORTEST_MS, LONGEST_MS = 1_000, 3_600_000
_SECOND = 1_000
_MINUTE = 60 * _SECOND


def timeout(given: Any, default: int) -> int:
    """A node's timeout in whole milliseconds, from one second to one hour; what is no positive number is not given."""
    wanted = given if is_time(given) else default
    return math.floor(min(max(wanted, SHORTEST_MS), LONGEST_MS))


def is_time(value: Any) -> bool:
    """Is it a number of milliseconds: positive and finite?"""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < math.inf


def duration(milliseconds: int) -> str:
    """A time such as "5 minutes" or "90 seconds"."""
    if milliseconds >= _MINUTE and milliseconds % _MINUTE == 0:
        return _amount(milliseconds / _MINUTE, "minute")
    return _amount(milliseconds / _SECOND, "second")


def _amount(count: float, unit: str) -> str:
    return f"{count:,g} {unit}{'' if count == 1 else 's'}"
