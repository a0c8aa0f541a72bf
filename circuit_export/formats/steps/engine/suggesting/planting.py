"""Puts made-up values where a run will find them, and makes up items for loops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from circuit_export.formats.steps.catalog import OUT
from circuit_export.formats.steps.document import Step, StepsDocument
from circuit_export.runs.dot_paths import MISSING, is_index, look_up
from circuit_export.runs.numbers import whole_of
from circuit_export.runs.templates import paths_in, text_of

ITEMS = 2
"""How many items a loop gets."""


class Unsolvable(Exception):
    """A way that no data opens, as far as can be told; the message says why, as a sentence."""


class Place(NamedTuple):
    """Where a value of a run comes from: a container that the draft owns, and the way to it from there."""

    holder: Any
    segments: tuple[str, ...]


def value_at(place: Place) -> Any:
    return look_up(place.holder, ".".join(place.segments)) if place.segments else place.holder


def plant(holder: Any, segments: tuple[str, ...], value: Any) -> None:
    """Puts a value into a container, making what is missing on the way. Raises Unsolvable where it does not fit."""
    for at, segment in enumerate(segments[:-1]):
        child = holder.get(segment, MISSING) if isinstance(holder, dict) else _item(holder, segment)
        follow = segments[at + 1]
        if not isinstance(child, dict | list):
            if follow == "length" and at + 2 == len(segments):
                value, segments, follow = _of_length(value), segments[: at + 1], ""
                break
            child = [] if is_index(follow) else {}
            _put(holder, segment, child)
        elif follow == "length" and isinstance(child, list):
            value, segments = _of_length(value), segments[: at + 1]
            break
        holder = child
    _put(holder, segments[-1], value)


def _of_length(value: Any) -> list[Any]:
    count = whole_of(value)
    if count is None or not 0 <= count <= 1000:
        raise Unsolvable(f"No list has {text_of(value)} items")
    return [{"id": str(number)} for number in range(1, count + 1)]


def _item(holder: Any, segment: str) -> Any:
    if isinstance(holder, list) and is_index(segment):
        return holder[int(segment)] if int(segment) < len(holder) else MISSING
    raise Unsolvable(f"“{segment}” is asked of something that is no object")


def _put(holder: Any, segment: str, value: Any) -> None:
    if isinstance(holder, dict):
        holder[segment] = value
    elif isinstance(holder, list) and is_index(segment) and int(segment) < 1000:
        while len(holder) <= int(segment):
            holder.append({})
        holder[int(segment)] = value
    else:
        raise Unsolvable(f"“{segment}” is asked of something that is no object")


def items_for(workflow: StepsDocument, loop: Step) -> list[Any]:
    """Items for a loop, with what its body's templates and paths ask of them, so that they look like what they are."""
    items: list[Any] = [{"id": str(number)} for number in range(1, ITEMS + 1)]
    for path in _item_paths(workflow, loop):
        for number, item in enumerate(items, 1):
            try:
                plant(item, path, f"{path[-1]} {number}")
            except Unsolvable:  # an item cannot be both a text and an object
                continue
    return items


def _item_paths(workflow: StepsDocument, loop: Step) -> list[tuple[str, ...]]:
    """The paths below `item` that the body of a loop names, the shortest first, without those of inner loops."""
    found: dict[tuple[str, ...], None] = {}
    seen = {loop.id}
    waiting = [wire.to for wire in loop.next if wire.port == OUT]
    while waiting:
        step = workflow.step(waiting.pop())
        if step is None or step.id in seen:
            continue
        seen.add(step.id)
        inner = step.type == "logic.each"
        waiting.extend(wire.to for wire in step.next if not (inner and wire.port == OUT))
        for text in _texts(step.config):
            for path in (text, *paths_in(text)):
                root, *rest = path.split(".")
                # A list that an inner loop walks is made by it, and a length is not a text.
                if root == "item" and rest and all(rest) and rest[-1] != "length" and not (inner and text == path):
                    found[tuple(rest)] = None
    return sorted(found, key=len)


def _texts(value: Any) -> Iterator[str]:
    """All strings in a value, keys left out."""
    work: list[Any] = [value]
    while work:
        value = work.pop()
        if isinstance(value, dict):
            work.extend(reversed(value.values()))
        elif isinstance(value, list):
            work.extend(reversed(value))
        elif isinstance(value, str):
            yield value
