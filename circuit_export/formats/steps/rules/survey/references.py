"""What a board's settings refer to: every dot path in a template or a path setting, with its exact place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.diagnostics import escape_pointer
from circuit_export.formats.steps.catalog import CATALOG, PARTS, Value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step

ROOTS = ("trigger", "steps", "input", "item")
READ_AS_WRITTEN = frozenset((Value.NAME, Value.NAMES))
TEMPLATE = re.compile(r"\{\{([^{}]*)\}\}")

_PATHS: dict[str, frozenset[str]] = {name: frozenset(entry.path_keys) for name, entry in CATALOG.items()}
_WRITTEN: dict[str, frozenset[str]] = {
    name: frozenset(key.name for key in entry.keys if key.value in READ_AS_WRITTEN) for name, entry in CATALOG.items()
}
_CONDITIONS = frozenset(("all", "any"))


class Reference(NamedTuple):
    """A dot path that a step reads.

    `key` is the setting it is in. `part` is the stretch of the string that is the path itself. `bare` says that it
    stands in a path setting, `whole` that the string is nothing else. `foreign` paths are about the data of a called
    workflow, `tolerant` ones are made for what may be missing.
    """

    step: int
    key: str
    path: str
    pointer: str
    part: tuple[int, int]
    bare: bool = False
    whole: bool = True
    foreign: bool = False
    tolerant: bool = False

    @property
    def segments(self) -> list[str]:
        return self.path.split(".")

    def segment(self, number: int) -> tuple[int, int]:
        """The part of the string that is the segment of that number."""
        start = self.part[0] + sum(len(segment) + 1 for segment in self.segments[:number])
        return start, start + len(self.segments[number])


class Text(NamedTuple):
    """A string of a step's settings in which templates are filled in, and its place."""

    step: int
    key: str
    text: str
    pointer: str


def references(step: Step) -> Iterator[Reference]:
    """The dot paths that a step reads, in the order they are written."""
    paths = _PATHS.get(step.type, frozenset())
    written = _WRITTEN.get(step.type, frozenset())
    for key, value in step.config.items():
        if key in written:
            continue
        if key in paths:
            yield from _in_path_setting(step, key, value)
        elif step.type == "logic.filter" and key in _CONDITIONS:
            yield from _in_conditions(step, key, value)
        elif isinstance(value, str):
            if "{{" in value:
                yield from _in_text(step.index, key, value, f"/steps/{step.index}/config/{escape_pointer(key)}")
        elif isinstance(value, dict | list):
            for text in _texts(step, key, value):
                yield from _in_text(*text)


def _in_path_setting(step: Step, key: str, value: Any) -> Iterator[Reference]:
    pointer = f"/steps/{step.index}/config/{escape_pointer(key)}"
    foreign = key == "returns"
    if isinstance(value, str):
        yield from _path(step.index, key, value, pointer, foreign=foreign)
    elif isinstance(value, list):
        for number, item in enumerate(value):
            if isinstance(item, str):
                yield from _path(step.index, key, item, f"{pointer}/{number}", foreign=foreign, tolerant=True)


def _in_conditions(step: Step, key: str, value: Any) -> Iterator[Reference]:
    if not isinstance(value, list):
        return
    for number, condition in enumerate(value):
        if isinstance(condition, dict):
            pointer = f"/steps/{step.index}/config/{key}/{number}"
            tolerant = condition.get("op") in ("exists", "missing")
            if isinstance(field := condition.get("field"), str):
                yield from _path(step.index, "field", field, f"{pointer}/field", tolerant=tolerant)
            if isinstance(text := condition.get("value"), str) and "{{" in text:
                yield from _in_text(step.index, "value", text, f"{pointer}/value")


def _path(
    step: int, key: str, text: str, pointer: str, *, foreign: bool = False, tolerant: bool = False
) -> Iterator[Reference]:
    """The path of a path setting: as written, or a template that is all of it."""
    found = TEMPLATE.fullmatch(text)
    start, end = found.span(1) if found else (0, len(text))
    path = text[start:end].strip()
    if path and (found or "{{" not in text):
        start += len(text[start:end]) - len(text[start:end].lstrip())
        part = (start, start + len(path))
        yield Reference(step, key, path, pointer, part, bare=True, foreign=foreign, tolerant=tolerant)
    elif "{{" in text:
        yield from _in_text(step, key, text, pointer)


def _in_text(step: int, key: str, text: str, pointer: str) -> Iterator[Reference]:
    for found in TEMPLATE.finditer(text):
        path = found[1].strip()
        if path:
            start = found.start(1) + len(found[1]) - len(found[1].lstrip())
            whole = found.end() - found.start() == len(text)
            yield Reference(step, key, path, pointer, (start, start + len(path)), whole=whole)


def _texts(step: Step, key: str, value: Any) -> Iterator[Text]:
    """The strings with a brace inside a setting, in order, however deep; names of members are never filled in.

    Of a list's objects the members that are read as written (a case's port, a field's name) are left out.
    """
    entry = CATALOG.get(step.type)
    setting = entry.key(key) if entry is not None else None
    parts = PARTS.get(setting.value, ()) if setting is not None else ()
    names = {part.name for part in parts if part.value in READ_AS_WRITTEN}
    waiting = [(value, f"/steps/{step.index}/config/{escape_pointer(key)}")]
    while waiting:
        item, place = waiting.pop()
        if isinstance(item, str):
            if "{{" in item:
                yield Text(step.index, key, item, place)
        elif isinstance(item, dict):
            inner = [(member, f"{place}/{escape_pointer(name)}") for name, member in item.items() if name not in names]
            waiting += reversed(inner)
        elif isinstance(item, list):
            waiting += [(item[number], f"{place}/{number}") for number in range(len(item) - 1, -1, -1)]


def texts(step: Step) -> Iterator[Text]:
    """Every string of a step's settings that holds `{{`, those that are read as written left out."""
    written = _WRITTEN.get(step.type, frozenset())
    for key, value in step.config.items():
        if isinstance(value, str):
            if "{{" in value and key not in written:
                yield Text(step.index, key, value, f"/steps/{step.index}/config/{escape_pointer(key)}")
        elif isinstance(value, dict | list) and key not in written:
            yield from _texts(step, key, value)
