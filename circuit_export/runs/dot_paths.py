"""Dot paths: reading a value of a run's data by `a.b.0.c`, and writing one without touching what others share."""

from __future__ import annotations

from typing import Any, Final


class _Missing:
    """The type of MISSING."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "MISSING"

    def __bool__(self) -> bool:
        return False


MISSING: Final = _Missing()
"""What a path finds where there is nothing; null is something else."""


class Unwritable(ValueError):
    """A path that a value cannot be written to; the message says why, as the end of a sentence."""


def is_index(segment: str) -> bool:
    """Is a segment a list index as JSON Pointers and JavaScript write one: `0`, `17`, never `-1` or `01`?"""
    return segment.isdecimal() and segment.isascii() and (segment == "0" or segment[0] != "0") and len(segment) < 16


def text_length(text: str) -> int:
    """The length of a text in UTF-16 units, as in the known implementation, so that conditions agree with it."""
    return len(text) if text.isascii() else len(text) + sum(1 for char in text if char > "\uffff")


def look_up(data: Any, path: str) -> Any:
    """The value at `path` in `data`, MISSING when there is none.

    Objects are walked by key, lists by index; `length` of a list or a string is its length.
    """
    for segment in path.split("."):
        if isinstance(data, dict):
            data = data.get(segment, MISSING)
        elif isinstance(data, list):
            if segment == "length":
                data = len(data)
            elif is_index(segment) and int(segment) < len(data):
                data = data[int(segment)]
            else:
                return MISSING
        elif isinstance(data, str) and segment == "length":
            data = text_length(data)
        else:
            return MISSING
        if data is MISSING:
            return MISSING
    return data


def write(data: dict[str, Any], path: str, value: Any) -> dict[str, Any]:
    """`data` with `value` at `path`, everything else shared with the original, which stays as it is.

    Objects that are missing on the way are made. Raises Unwritable where the path leads through something that
    is neither an object nor a list, or out of a list.
    """
    *ancestors, last = path.split(".")
    root = dict(data)
    here: Any = root
    for depth, segment in enumerate(ancestors):
        child = _child(here, segment, ancestors, depth)
        copy: Any = {} if child is MISSING or child is None else _copied(child, segment)
        _put(here, segment, copy)
        here = copy
    if isinstance(here, list) and not (is_index(last) and int(last) < len(here)):
        raise Unwritable(f"the list “{ancestors[-1]}” has no item “{last}”")
    _put(here, last, value)
    return root


def _child(here: Any, segment: str, ancestors: list[str], depth: int) -> Any:
    if isinstance(here, dict):
        return here.get(segment, MISSING)
    if is_index(segment) and int(segment) < len(here):
        return here[int(segment)]
    raise Unwritable(f"the list “{ancestors[depth - 1]}” has no item “{segment}”")


def _copied(value: Any, segment: str) -> Any:
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, list):
        return list(value)
    kind = "a text" if isinstance(value, str) else "a single value"
    raise Unwritable(f"“{segment}” is {kind}, not an object")


def _put(container: Any, segment: str, value: Any) -> None:
    container[segment if isinstance(container, dict) else int(segment)] = value
