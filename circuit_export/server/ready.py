"""JSON that was written once and goes out as it is, in however many places of an answer it stands."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


class Ready(dict[str, Any]):
    """An object with its JSON text, which has to say the same; whoever gets one must not change it."""

    __slots__ = ("text",)

    text: str


def ready(value: Mapping[str, Any]) -> Ready:
    """An object with its text; what is ready among its values goes into it as it is.

    Half characters, which no client could be sent, are replaced. Raises ValueError for a number that JSON has not.
    """
    if type(value) is Ready:
        return value
    text = text_of(value, 1)
    try:
        text.encode()
    except UnicodeEncodeError:
        return ready(json.loads(whole(text)))
    made = Ready(value)
    made.text = text
    return made


def text_of(value: Any, depth: int) -> str:
    """A value as JSON; objects are looked into for what is ready, this deep."""
    if type(value) is Ready:
        return value.text
    if depth and value and isinstance(value, Mapping):
        return "{" + ",".join(f"{json.dumps(key)}:{text_of(item, depth - 1)}" for key, item in value.items()) + "}"
    return _compact(value)


_compact = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":")).encode


def whole(text: str) -> str:
    """A text in which halves of surrogate pairs are joined, and those that are alone replaced."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
