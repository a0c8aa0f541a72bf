"""Numbers as JSON and JavaScript write and read them: in texts, in comparisons and in settings."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from typing import Any

_NUMERIC = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*", re.ASCII)
_WHOLE_BELOW = 1e21  # from here on JavaScript writes an exponent
_DIGITS_AT_ONCE = 4000  # Python refuses to read longer whole numbers


def number_text(value: int | float) -> str:
    """A number's shortest text: `5` for 5.0 and `1e-7` for 0.0000001, whole numbers exactly however long."""
    if isinstance(value, int):
        return str(value)
    if value.is_integer() and abs(value) < _WHOLE_BELOW:
        # Python writes an exponent from 1e16 on; its digits are the shortest, and the rest are noughts.
        return str(int(value)) if abs(value) < 1e16 else f"{Decimal(repr(float(value))):f}"
    mantissa, e, exponent = repr(float(value)).partition("e")
    if not e:
        return mantissa
    power = int(exponent)
    if -7 < power < 0:  # Python writes an exponent two places sooner
        return f"{Decimal(repr(float(value))):f}"
    return f"{mantissa.removesuffix('.0')}e{'+' if power > 0 else '-'}{abs(power)}"


def number_of(value: Any) -> int | float | None:
    """The number that a value is or that its whole text says; None for everything else, booleans too."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if not isinstance(value, str) or not _NUMERIC.fullmatch(value):
        return None
    text = value.strip()
    if text.lstrip("+-").isdigit() and len(text) < _DIGITS_AT_ONCE:
        return int(text)
    return float(text)


def whole_of(value: Any) -> int | None:
    """The whole number that a value says exactly (5, 5.0, "5"), None when it does not."""
    number = number_of(value)
    if isinstance(number, float):
        return int(number) if math.isfinite(number) and number.is_integer() else None
    return number
