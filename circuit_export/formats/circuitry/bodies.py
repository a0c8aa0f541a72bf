"""JSON written as KDL: the value of a node by its arguments, properties and children."""

from __future__ import annotations

from functools import cache
from math import isfinite
from typing import TYPE_CHECKING, Any

from kdlquery.types import CSTPropEntry

from circuit_export.formats.circuitry.values import is_index, number

if TYPE_CHECKING:
    from kdlquery.types import CSTIdentifier, CSTNode, CSTTypeAnnotation, CSTValue

ARRAY = "array"
OBJECT = "object"


class BadBody(ValueError):
    """A node that has no value; `node` is it."""

    def __init__(self, message: str, node: CSTNode) -> None:
        super().__init__(message)
        self.node = node


def tag(annotation: CSTTypeAnnotation | None) -> str | None:
    """What stands between the parentheses in front of a node or a value, None when there are none."""
    return None if annotation is None else _inside(annotation.raw)


@cache
def _inside(raw: str) -> str:
    inner = raw[1:-1].strip()
    if not inner.startswith(('"', "#")):
        return inner
    from kdlquery.parser import KDL2CSTParser

    return KDL2CSTParser().parse(inner).nodes[0].name.value


def scalar(value: CSTValue | CSTIdentifier) -> Any:
    """The value of an argument or of a property; a number may be infinite or none."""
    found = value.value
    if isinstance(found, bool) or not isinstance(found, int | float):
        return found
    return number(found)


def boundary(node: CSTNode) -> Any:
    """The value of an `in`, `out` or `error`; nothing at all is the empty object. Raises BadBody."""
    if not node.entries and not node.children:
        return {}
    return _by_content(node)


def _value(node: CSTNode) -> Any:
    kind = tag(node.type_annotation)
    if kind == ARRAY:
        return _array(node)
    if kind == OBJECT:
        return _object(node)
    if not node.entries and not node.children:
        raise BadBody(f"“{node.name.value}” has no value; an empty one is written as (object) or (array)", node)
    return _by_content(node)


def _by_content(node: CSTNode) -> Any:
    has_fields = any(isinstance(entry, CSTPropEntry) for entry in node.entries)
    if has_fields or any(child.name.value != "-" for child in node.children):
        return _object(node)
    if node.children or len(node.entries) > 1:
        return _array(node)
    return scalar(node.entries[0].value)


def _array(node: CSTNode) -> list[Any]:
    items = []
    for entry in node.entries:
        if isinstance(entry, CSTPropEntry):
            raise BadBody(f"A list has a field, “{entry.key.value}”; its items have no names", node)
        items.append(scalar(entry.value))
    for child in node.children:
        if child.name.value != "-":
            raise BadBody(f"A list has a field, “{child.name.value}”; its items are all called “-”", child)
        items.append(_value(child))
    return items


def _object(node: CSTNode) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for entry in node.entries:
        if not isinstance(entry, CSTPropEntry):
            raise BadBody("An object has a value without a name; name it, or take the names away for a list", node)
        fields[entry.key.value] = scalar(entry.value)
    for child in node.children:
        name = child.name.value
        if name in fields:
            raise BadBody(f"The field “{name}” is there twice", child)
        fields[name] = _value(child)
    places = [name for name in fields if is_index(name)]
    if places:
        rest = [name for name in fields if not is_index(name)]
        fields = {name: fields[name] for name in (*sorted(places, key=int), *rest)}
    return fields


def is_finite(value: Any) -> bool:
    """Whether every number in a value is finite."""
    if isinstance(value, float):
        return isfinite(value)
    if isinstance(value, dict):
        return all(is_finite(item) for item in value.values())
    if isinstance(value, list):
        return all(is_finite(item) for item in value)
    return True
