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
    """An object with its text, into which the texts of what is ready in it go as they are.

    Half characters, which no client could be sent, are replaced. Raises ValueError for a number that JSON has not.
    """
    if type(value) is Ready:
        return value
    text = text_of(dict(value))
    try:
        text.encode()
    except UnicodeEncodeError:
        return ready(json.loads(whole(text)))
    made = Ready(value)
    made.text = text
    return made


def text_of(value: Any) -> str:
    """A value as JSON. Only objects are looked into for what is ready."""
    if type(value) is Ready:
        return value.text
    if type(value) is not dict or not value:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return "{" + ",".join(f"{json.dumps(key)}:{text_of(item)}" for key, item in value.items()) + "}"


def whole(text: str) -> str:
    """A text in which halves of surrogate pairs are joined, and those that are alone replaced."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
