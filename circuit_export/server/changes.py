"""What changed between two definitions by their meaning: steps by their id, wires by port and end, positions left out,
and what a board means that leaves something out said or not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from circuit_export.formats.wording import one_line

SHOWN = 160
_LEFT_OUT = frozenset(("position", "positions", "$schema"))

_MEANT: tuple[tuple[re.Pattern[str], Mapping[str, Any]], ...] = (
    (re.compile(""), {"description": "", "inputs": []}),
    (re.compile(r"steps\[(?:(?!\]\.).)*\]", re.DOTALL), {"enabled": True, "config": {}, "next": []}),
    (re.compile(r"inputs\[(?:(?!\]\.).)*\]", re.DOTALL), {"description": "", "required": True}),
)
"""What is meant by leaving out a key of a board, of its steps and of its inputs."""


def changes(before: Any, after: Any) -> list[str]:
    """One line for each thing that was added, removed or changed; empty when nothing was."""
    return list(_changed("", before, after))


def _changed(where: str, before: Any, after: Any) -> Iterator[str]:
    if isinstance(before, dict) and isinstance(after, dict):
        yield from _members(where, before, after)
    elif isinstance(before, list) and isinstance(after, list) and (key := _key(before, after)):
        yield from _items(where, _by(before, key), _by(after, key))
        if key == "to":
            yield from _order(where, list(_by(before, key)), list(_by(after, key)))
    elif before != after or isinstance(before, bool) is not isinstance(after, bool):
        yield f"{where or 'the whole'}: {_shown(before)} → {_shown(after)}"


def _members(where: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    meant = next((keys for place, keys in _MEANT if place.fullmatch(where)), {})
    for name in {**before, **after}:
        same = name in meant and before.get(name, meant[name]) == after.get(name, meant[name])
        if same or name in _LEFT_OUT:
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


def _order(where: str, before: list[str], after: list[str]) -> Iterator[str]:
    """Of the wires of a port, the first is walked first."""
    both = set(before) & set(after)
    ordered = [wire for wire in after if wire in both]
    if sorted(ordered, key=_port) != sorted((wire for wire in before if wire in both), key=_port):
        yield f"{where} is in another order: {one_line(', '.join(ordered), SHOWN)}"


def _port(wire: str) -> str:
    return wire.partition(" → ")[0]


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
