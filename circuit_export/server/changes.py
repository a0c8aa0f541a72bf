"""What changed between two definitions by their meaning: steps by their id, wires as a set, positions left out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from circuit_export.formats.wording import one_line

SHOWN = 160
_LEFT_OUT = frozenset(("position", "positions", "$schema"))


def changes(before: Any, after: Any) -> list[str]:
    """One line for each thing that was added, removed or changed; empty when nothing was."""
    return list(_changed("", before, after))


def _changed(where: str, before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _members(where, before, after)
    elif isinstance(before, list) and isinstance(after, list) and (key := _key(before, after)):
        yield from _items(where, _by(before, key), _by(after, key))
    elif before != after or isinstance(before, bool) is not isinstance(after, bool):
        yield f"{where or 'the whole'}: {_shown(before)} → {_shown(after)}"


def _members(where: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in {**before, **after}:
        if name in _LEFT_OUT:
            continue
        place = f"{where}.{name}" if where else name
        if name not in after:
            yield f"{place} removed: {_shown(before[name])}"
        elif name not in before:
            yield f"{place} added: {_shown(after[name])}"
        else:
            yield from _changed(place, before[name], after[name])


def _items(where: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in {**before, **after}:
        place = f"{where}[{name}]"
        if name not in after:
            yield f"{place} removed"
        elif name not in before:
            yield f"{place} added: {_shown(after[name])}"
        else:
            yield from _changed(place, before[name], after[name])


def _key(before: list[Any], after: list[Any]) -> str:
    """What tells the items of two lists apart: their id or name, of a wire its port and end; "" when nothing does."""
    both = [*before, *after]
    if not both or not all(isinstance(item, dict) for item in both):
        return ""
    for key in ("id", "name"):
        if all(isinstance(item.get(key), str) for item in both) and all(
            len({item[key] for item in items}) == len(items) for items in (before, after)
        ):
            return key
    return "to" if all(isinstance(item.get("to"), str) for item in both) else ""


def _by(items: list[Any], key: str) -> dict[str, Any]:
    if key == "to":
        return {
            f"{item.get('port', 'out')} → {item['to']}": {**item, "port": item.get("port", "out")} for item in items
        }
    return {item[key]: item for item in items}


def _shown(value: Any) -> str:
    return one_line(json.dumps(value, ensure_ascii=False), SHOWN)
