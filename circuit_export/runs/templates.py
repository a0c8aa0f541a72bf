"""Templates: `{{ path }}` in the strings of a step's settings, replaced by a run's values in one literal pass."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from circuit_export.runs.dot_paths import MISSING, look_up
from circuit_export.runs.numbers import number_text

# Braces end a path, so a text of nothing but "{{" is read once, not once for each of them.
_TEMPLATE = re.compile(r"\{\{([^{}]*)\}\}")
_COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?', re.DOTALL)
_FLOAT = re.compile(r"[0-9](?:\.0(?![0-9])|e[+-])")
_SURROGATE = re.compile("[\ud800-\udfff]")


def compact(value: Any) -> str:
    """A value as compact JSON: non-ASCII kept, numbers in their shortest form, lone surrogates as escapes."""
    text = _COMPACT(value)
    if _FLOAT.search(text):
        text = _TOKEN.sub(_shortest, text)
    if not text.isascii():
        text = _SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
    return text


def _shortest(token: re.Match[str]) -> str:
    text = token[0]
    if text[0] == '"' or text.lstrip("-").isdigit():
        return text
    return number_text(float(text))


def text_of(value: Any) -> str:
    """A value inside a longer text: strings as they are, null and MISSING as nothing, the rest as compact JSON."""
    if isinstance(value, str):
        return value
    if value is None or value is MISSING:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return number_text(value) if isinstance(value, int | float) else compact(value)


def template_path(text: str) -> str | None:
    """The path of a text that is exactly one template, else None."""
    found = _TEMPLATE.fullmatch(text)
    return found[1].strip() or None if found else None


def paths_in(text: str) -> tuple[str, ...]:
    """The paths of all templates in a text, in order."""
    return tuple(path for found in _TEMPLATE.findall(text) if (path := found.strip()))


def fill(text: str, data: Mapping[str, Any]) -> Any:
    """A text with its templates replaced: the value itself (or MISSING) when it is exactly one, else a text."""
    if "{{" not in text:
        return text
    path = template_path(text)
    if path is not None:
        return look_up(data, path)
    return _TEMPLATE.sub(lambda found: text_of(look_up(data, found[1].strip())) if found[1].strip() else found[0], text)


def fill_text(text: str, data: Mapping[str, Any]) -> str:
    """Like `fill`, and always a text."""
    return text_of(fill(text, data))


def path_of(text: str, data: Mapping[str, Any]) -> str:
    """The path that a path setting means: `{{p}}` is p itself, and templates inside a longer one are filled in."""
    path = template_path(text)
    return path if path is not None else fill_text(text, data).strip()


def fill_all(value: Any, data: Mapping[str, Any]) -> Any:
    """A JSON value with the templates in all its strings replaced, keys never; the value itself stays as it is.

    A key whose whole value is a template with a missing path is left out of its object; in a list, and at the top,
    it becomes null. Raises OverflowError for a number that a run cannot hold (1e400).

    Walks with a list of its own: a deep value is no reason to run out of stack.
    """
    holder: list[Any] = [None]
    work: list[tuple[Any, Any]] = [([value], holder)]
    while work:
        source, target = work.pop()
        if isinstance(source, dict):
            for key, item in source.items():
                filled = _filled(item, data, work)
                if filled is not MISSING:
                    target[key] = filled
        else:
            target[:] = [None if (filled := _filled(item, data, work)) is MISSING else filled for item in source]
    return holder[0]


def _filled(item: Any, data: Mapping[str, Any], work: list[tuple[Any, Any]]) -> Any:
    if isinstance(item, str):
        return fill(item, data) if "{{" in item else item
    if isinstance(item, float) and not isfinite(item):
        raise OverflowError("it holds a number that is too large")
    if isinstance(item, dict | list) and item:
        copy: Any = {} if isinstance(item, dict) else []
        work.append((item, copy))
        return copy
    return item
