"""Members that only people or an editor read, and what is wrong with them: they count as if they were not there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.formats.skills.rules.survey import Survey

_TEXTS = ("name", "description", "createdAt", "updatedAt", "$schema")
_NODE_TEXTS = ("label", "description")
_SETTINGS = {"allowCycles": (bool, "true or false", False), "ignore": (dict, "an object", False)}


class Unread(NamedTuple):
    """A member that does not count: of which node (its place, None for the document), where, and what it should be."""

    node: int | None
    path: tuple[str, ...]
    found: Any
    expected: str


def unread(survey: Survey) -> Iterator[Unread]:
    """The members for display that have another kind of value than they should, in document order of the nodes."""
    yield from _texts(survey.members, _TEXTS, None)
    yield from _object(survey.members, "x-circuit", None, _SETTINGS)
    for item in survey.items:
        value = item.value
        yield from _texts(value, _NODE_TEXTS, item.index)
        yield from _object(value, "x-circuit", item.index, {})
        yield from _object(value, "execution", item.index, {"model": (str, "a text", False)})
        yield from _object(value, "position", item.index, dict.fromkeys("xy", (float, "a number", True)))


def _texts(item: Mapping[str, Any], keys: tuple[str, ...], node: int | None) -> Iterator[Unread]:
    for key in keys:
        if key in item and not isinstance(item[key], str):
            yield Unread(node, (key,), item[key], "a text")


def _object(
    item: Mapping[str, Any], key: str, node: int | None, parts: Mapping[str, tuple[type, str, bool]]
) -> Iterator[Unread]:
    """What is wrong with a member that is an object; each part has a kind, its words, and whether it must be there."""
    if key not in item:
        return
    value = item[key]
    if not isinstance(value, dict):
        yield Unread(node, (key,), value, "an object")
        return
    for part, (kind, expected, must) in parts.items():
        if must and part not in value:
            yield Unread(node, (key, part), None, expected)
        elif part in value and not _is(value[part], kind):
            yield Unread(node, (key, part), value[part], expected)


def _is(value: Any, kind: type) -> bool:
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind)
