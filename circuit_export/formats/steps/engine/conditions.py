"""Conditions of filters and cases of branches, decided on a run's data."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.engine.settings import Unfit, filled, list_of, needed_path, unfit
from circuit_export.runs.dot_paths import MISSING, look_up
from circuit_export.runs.numbers import number_of
from circuit_export.runs.templates import path_of, text_of

Data = Mapping[str, Any]


def holds(step: Step, data: Data) -> bool:
    """Does a filter let through? All of `all` must hold, and one of `any` if there are some.

    Raises Unfit when a condition is none.
    """
    every = list_of(step, "all", 0)
    some = list_of(step, "any", 0)
    return all(condition_holds(item, data) for item in every) and (
        not some or any(condition_holds(item, data) for item in some)
    )


def condition_holds(condition: Any, data: Data) -> bool:
    """Does one condition hold? Raises Unfit when it is none."""
    if not isinstance(condition, dict) or not isinstance(condition.get("field"), str):
        unfit("conditions", condition, "an object with a path as “field”")
    op = condition.get("op")
    compare = _OPS.get(op) if isinstance(op, str) else None
    if compare is None:
        raise Unfit(f"it compares by “{text_of(op)}”, which is none of {', '.join(_OPS)}")
    path = path_of(condition["field"], data)
    return compare(look_up(data, path) if path else MISSING, filled("value", condition.get("value"), data))


def same_text(one: Any, other: Any) -> bool:
    """Are two values the same as texts, in any case of letters?"""
    return text_of(one).casefold() == text_of(other).casefold()


def case_port(step: Step, data: Data) -> tuple[str, Any]:
    """The port that a branch is left by, and the value it was chosen on. Raises Unfit."""
    path = needed_path(step, "field", data)
    value = look_up(data, path)
    text = text_of(value).casefold()
    chosen = None
    for case in list_of(step, "cases", 1):
        if not isinstance(case, dict) or not isinstance(case.get("port"), str):
            unfit("cases", case, "an object with a text as “port”")
        if chosen is None and text_of(filled("cases", case.get("equals"), data)).casefold() == text:
            chosen = case["port"]
    fallback = step.config.get("fallback", "else")
    if not isinstance(fallback, str):
        unfit("fallback", fallback, "a text")
    return chosen if chosen is not None else fallback, None if value is MISSING else value


def _contains(value: Any, wanted: Any) -> bool:
    if isinstance(value, list):
        text = text_of(wanted).casefold()
        return any(text_of(item).casefold() == text for item in value)
    return text_of(wanted).casefold() in text_of(value).casefold()


def _matches(value: Any, pattern: Any) -> bool:
    compiled = _pattern(text_of(pattern))
    return compiled is not None and compiled.search(_encodable(text_of(value))) is not None


def _exists(value: Any, _wanted: Any = None) -> bool:
    return not (value is MISSING or value is None or value == "")


def _missing(value: Any, _wanted: Any = None) -> bool:
    return not _exists(value)


def _more(value: Any, wanted: Any) -> bool:
    one, other = number_of(value), number_of(wanted)
    return one is not None and other is not None and one > other


def _less(value: Any, wanted: Any) -> bool:
    one, other = number_of(value), number_of(wanted)
    return one is not None and other is not None and one < other


_OPS = {
    "equals": same_text,
    "contains": _contains,
    "matches": _matches,
    "exists": _exists,
    "missing": _missing,
    "gt": _more,
    "lt": _less,
}


@lru_cache(maxsize=256)
def _pattern(text: str) -> Any:
    """A compiled pattern, None for one that RE2 refuses. RE2 runs in linear time: a stranger wrote the pattern."""
    import re2  # only boards with a `matches` pay for it

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    try:
        return re2.compile(_encodable(text), options)
    except re2.error:
        return None


def _encodable(text: str) -> str:
    """A text without lone surrogates, which UTF-8 has no place for."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
