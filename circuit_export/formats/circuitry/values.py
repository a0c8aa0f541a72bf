"""Values that programs compute with: canonical JSON, texts of values, and JSON read into values.

A value is null, a boolean, a finite double, a text, bytes, a list or an object with text keys. Whole numbers up to
2⁵³ are kept as `int`, which nothing can tell from the same double.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from math import inf, isfinite
from typing import Any, Final

from circuit_export.runs.numbers import number_text


class _Absent:
    """Stands for no value at all, which null is not."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = _Absent()
SAFE: Final = 2**53
BYTES: Final = "$bytes"
DEEPEST: Final = 500
"""How deep a value may be nested."""
_LONGEST_INT = 17  # digits, sign included, of a whole number that can be safe
_INDEX = re.compile("0|[1-9][0-9]{0,9}")
_SURROGATE = re.compile("[\ud800-\udfff]")
_encode = json.JSONEncoder(ensure_ascii=False).encode


class NotAValue(ValueError):
    """Something that is no value; the message says what. `code` is `value.invalid` or `value.number`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def number(value: int | float) -> int | float:
    """A number as a double holds it; infinite when it is too large for one."""
    if isinstance(value, int):
        if -SAFE <= value <= SAFE:
            return value
        try:
            return float(value)
        except OverflowError:
            return inf if value > 0 else -inf
    return value if value else 0


def value_of(item: Any) -> Any:
    """A Python object as a value: a new one, so that nobody else can change it. Raises NotAValue."""
    try:
        found = _value_of(item)
        check_depth(found)
    except RecursionError:
        raise NotAValue("value.invalid", "A value is nested too deep") from None
    return found


def _value_of(item: Any) -> Any:
    if item is None or isinstance(item, bool | str | bytes):
        return item
    if isinstance(item, int | float):
        return _finite(item)
    if isinstance(item, list | tuple):
        return [_value_of(part) for part in item]
    if isinstance(item, dict):
        _check_keys(item)
        return {key: _value_of(part) for key, part in item.items()}
    raise NotAValue("value.invalid", f"This is no value: {type(item).__name__}")


def _check_keys(value: dict[Any, Any]) -> None:
    for key in value:
        if not isinstance(key, str):
            raise NotAValue("value.invalid", "An object has a key that is no text")


def check_depth(value: Any) -> None:
    """Raises RecursionError for a value that is nested deeper than can be gone through with ease."""
    level = [value]
    for _ in range(DEEPEST):
        level = [
            part
            for item in level
            if isinstance(item, dict | list)
            for part in (item.values() if isinstance(item, dict) else item)
            if isinstance(part, dict | list)
        ]
        if not level:
            return
    raise RecursionError


def same(one: Any, other: Any) -> bool:
    """Whether two scalars are the same value: of one kind and equal. True is not 1."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, int | float):
        return isinstance(other, int | float) and one == other
    return type(one) is type(other) and bool(one == other)


# --- writing -----------------------------------------------------------------------------------------------------


def canonical(value: Any) -> str:
    """A value as canonical JSON: no blanks, keys in order, numbers in their shortest form. Raises NotAValue."""
    parts: list[str] = []
    _write(value, parts.append)
    return "".join(parts)


def _write(value: Any, put: Any) -> None:
    if isinstance(value, str):
        put(_quoted(value))
    elif value is None:
        put("null")
    elif value is True or value is False:
        put("true" if value else "false")
    elif isinstance(value, int | float):
        put(number_text(_finite(value)))
    elif isinstance(value, bytes):
        put(f'{{"{BYTES}":"{b64encode(value).decode("ascii")}"}}')
    elif isinstance(value, dict):
        between = "{"
        _check_keys(value)
        for key in ordered(value):
            put(f"{between}{_quoted(key)}:")
            _write(value[key], put)
            between = ","
        put("}" if value else "{}")
    elif isinstance(value, list | tuple):
        between = "["
        for item in value:
            put(between)
            _write(item, put)
            between = ","
        put("]" if value else "[]")
    else:
        raise NotAValue("value.invalid", f"This is no value: {type(value).__name__}")


def _finite(value: int | float) -> int | float:
    found = number(value)
    if not isfinite(found):
        raise NotAValue("value.number", "A number is not finite")
    return found


def _quoted(text: str) -> str:
    found = _encode(text)
    if found.isascii():
        return found
    return _SURROGATE.sub(lambda half: f"\\u{ord(half[0]):04x}", found)


def is_index(key: str) -> bool:
    """Whether a key looks like a place in a list, such as “0” or “10”; those come first in every object."""
    return key[:1].isdigit() and _INDEX.fullmatch(key) is not None and int(key) < 2**32 - 1


def ordered(value: dict[str, Any]) -> list[str]:
    """An object's keys as canonical JSON has them: those that look like places first, then by UTF-16 code units."""
    keys = sorted(value)
    if not all(map(str.isascii, keys)):
        keys.sort(key=lambda key: key.encode("utf-16-be", "surrogatepass"))
    places = [key for key in keys if is_index(key)]
    if places:
        rest = [key for key in keys if not is_index(key)]
        keys = [*sorted(places, key=int), *rest]
    return keys


def text_of(value: Any) -> str:
    """A value inside a text: a text as it is, everything else as canonical JSON."""
    return value if isinstance(value, str) else canonical(value)


def well_formed(text: str) -> str:
    """A text that can leave as UTF-8: halves of surrogate pairs become U+FFFD."""
    return text if text.isascii() else _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", text)


# --- reading -----------------------------------------------------------------------------------------------------


def read_json(text: str) -> Any:
    """The value of a JSON text; an object whose only key is `$bytes`, with a text, becomes bytes.

    Raises ValueError for what is no JSON, a number that is not finite, or bytes that are no base64.
    """
    try:
        found = _decoder.decode(text)
        if text.count("[") + text.count("{") > DEEPEST:
            check_depth(found)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return found


def _whole(digits: str) -> int | float:
    if len(digits) <= _LONGEST_INT:
        return number(int(digits))
    return _real(digits)


def _real(digits: str) -> float:
    found = float(digits)
    if not isfinite(found):
        raise ValueError(f"the number {digits[:40]} is too large")
    return found or 0


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


def _object(pairs: list[tuple[str, Any]]) -> Any:
    found = dict(pairs)
    if len(found) == 1 and isinstance(found.get(BYTES), str):
        return unpacked(found[BYTES])
    return found


def unpacked(text: str) -> bytes:
    """The bytes of a base64 text, padded or not. Raises ValueError when it is none."""
    try:
        return b64decode(text.rstrip("=") + "=" * (-len(text.rstrip("=")) % 4), validate=True)
    except (Base64Error, ValueError):
        raise ValueError(f"“{text[:40]}” is no base64") from None


_decoder = json.JSONDecoder(object_pairs_hook=_object, parse_int=_whole, parse_float=_real, parse_constant=_no_constant)
