"""Reads a step's settings for a run: templates first, then what converts exactly, and a clear word on the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from circuit_export.formats.json_text import kind_of
from circuit_export.formats.steps.catalog import setting
from circuit_export.formats.steps.document import Step
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.numbers import whole_of
from circuit_export.runs.templates import fill, fill_all, path_of, text_of

Data = Mapping[str, Any]


class Unfit(Exception):
    """A setting that a step cannot work with; the message is a whole sentence without its full stop."""


def unfit(name: str, found: Any, expected: str) -> NoReturn:
    """Raises the error about the setting `name`."""
    raise Unfit(f"its “{name}” is {kind_of(found)}, and {expected} is needed")


def filled(name: str, written: Any, data: Data) -> Any:
    """A setting of any kind, filled in."""
    try:
        return fill_all(written, data)
    except OverflowError as error:
        raise Unfit(f"its “{name}” cannot be used: {error}") from None


def text(step: Step, name: str, data: Data) -> str:
    """A text setting, filled in; whatever a template brings is put as text."""
    written = setting(step, name)
    if isinstance(written, str):
        return text_of(fill(written, data))
    if written is None:
        if name in step.config:
            return ""
        raise Unfit(f"it has no “{name}”")
    if isinstance(written, int | float) and not isinstance(written, bool):
        return text_of(written)
    unfit(name, written, "a text")


def path(step: Step, name: str, data: Data) -> str:
    """A path setting, with `{{p}}` meaning p; "" when it is not given and has no default."""
    written = setting(step, name)
    if isinstance(written, str):
        return path_of(written, data)
    if written is None:
        return ""
    unfit(name, written, "a path")


def needed_path(step: Step, name: str, data: Data) -> str:
    """Like `path`, for a setting that must be there."""
    found = path(step, name, data)
    if not found:
        raise Unfit(f"it has no “{name}”")
    return found


def whole(step: Step, name: str, data: Data, least: int | None = None) -> int:
    """A whole number: 5, 5.0 and "5" are all 5; what a template leaves missing is the default.

    With `least`, a smaller number is refused.
    """
    written = setting(step, name)
    value = fill(written, data) if isinstance(written, str) else written
    if value is None or value is MISSING:
        value = setting(step._replace(config={}), name)
    number = whole_of(value)
    if number is None:
        unfit(name, value, "a whole number")
    if least is not None and number < least:
        unfit(name, value, f"at least {least}")
    return number


def yes_no(step: Step, name: str, data: Data) -> bool | None:
    """True or false, said as such or as the text of it; None when it is not given."""
    written = setting(step, name)
    value = fill(written, data) if isinstance(written, str) else written
    if value is None or value is MISSING:
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip().lower() in ("true", "false"):
        return value.strip().lower() == "true"
    unfit(name, value, "true or false")


def object_of(step: Step, name: str, data: Data) -> dict[str, Any]:
    """An object, filled in; an empty one when it is not given."""
    value = filled(name, setting(step, name), data)
    if value is None:
        return {}
    if not isinstance(value, dict):
        unfit(name, value, "an object")
    return value


def list_of(step: Step, name: str, least: int) -> list[Any]:
    """A list as written, with at least so many items."""
    written = setting(step, name)
    if written is None:
        raise Unfit(f"it has no “{name}”")
    if not isinstance(written, list):
        unfit(name, written, "a list")
    if len(written) < least:
        raise Unfit(f"its “{name}” has {len(written)} of the at least {least} items that it needs")
    return written


def paths(step: Step, name: str, data: Data) -> tuple[str, ...]:
    """A list of paths."""
    found = []
    for item in list_of(step, name, 0):
        if not isinstance(item, str):
            unfit(name, item, "a list of paths")
        found.append(path_of(item, data))
    return tuple(path for path in found if path)


def names(step: Step, name: str, least: int) -> list[str]:
    """A list of names, as written."""
    items = list_of(step, name, least)
    for item in items:
        if not isinstance(item, str):
            unfit(name, item, "a list of texts")
    return items


def fields(step: Step, data: Data) -> list[dict[str, Any]]:
    """The fields to extract: at least one, each with a name."""
    items: list[Any] = filled("fields", list_of(step, "fields", 1), data)
    for item in items:
        if not isinstance(item, dict) or not isinstance(item.get("name"), str):
            unfit("fields", item, "a list of fields, each an object with a text as “name”,")
    return items
