"""Keeps what a timeline shows small: long texts, lists and objects are clipped and say how much is left out."""

from __future__ import annotations

from typing import Any, Final

LONGEST_TEXT: Final = 400
HEAD, TAIL = 340, 40
LIST_ITEMS: Final = 5
OBJECT_KEYS: Final = 20
DEPTH: Final = 4


def clip(value: Any, depth: int = DEPTH) -> Any:
    """A value cut to size: texts of over 400 characters, lists of over 5 items, objects of over 20 keys, depth 4."""
    if isinstance(value, str):
        return clip_text(value)
    if isinstance(value, dict):
        return _clip_object(value, depth)
    if isinstance(value, list):
        return _clip_list(value, depth)
    return value


def clip_text(text: str) -> str:
    """The first 340 and last 40 characters of a text of over 400, with the number of those between."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:HEAD]}… {len(text) - HEAD - TAIL} more characters …{text[-TAIL:]}"


def _clip_list(items: list[Any], depth: int) -> Any:
    if depth <= 0 and items:
        return f"… {len(items)} more of {len(items)}"
    clipped = [clip(item, depth - 1) for item in items[:LIST_ITEMS]]
    if len(items) > LIST_ITEMS:
        clipped.append(f"… {len(items) - LIST_ITEMS} more of {len(items)}")
    return clipped


def _clip_object(value: dict[str, Any], depth: int) -> Any:
    if depth <= 0 and value:
        return f"… {len(value)} more of {len(value)}"
    clipped: dict[str, Any] = {}
    for key, item in value.items():
        if len(clipped) == OBJECT_KEYS:
            clipped["…"] = f"… {len(value) - OBJECT_KEYS} more of {len(value)}"
            break
        # Most of what is clipped is small and flat: a look at its type is all it costs.
        if isinstance(item, str | dict | list):
            item = clip(item, depth - 1) if type(item) is not str or len(item) > LONGEST_TEXT else item
        clipped[key if len(key) <= LONGEST_TEXT else clip_text(key)] = item
    return clipped


def redact(value: Any) -> Any:
    """The shape of a value without what it says: `text of 12`, `number`, a list's first shape and its length.

    For runs that are shown or kept where others read them. Keys of objects stay: they are the shape.
    """
    if isinstance(value, str):
        return f"text of {len(value)}"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, list):
        return [redact(value[0]), f"{len(value)} in all"] if value else []
    if isinstance(value, dict):
        return {key: redact(item) for key, item in value.items()}
    return None
