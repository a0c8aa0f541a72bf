"""Whether calls that only hand on values make larger ones each time: what a name is made of, name by name."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from circuit_export.formats.circuitry.expressions import (
    ArrayOf,
    Expression,
    Interpolation,
    Literal,
    ObjectOf,
    Reference,
    references,
)
from circuit_export.formats.circuitry.patterns import Capture, Fields, Items, captures
from circuit_export.formats.circuitry.program import JSONL
from circuit_export.formats.circuitry.rules.circles import circles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from circuit_export.formats.circuitry.patterns import Pattern
    from circuit_export.formats.circuitry.program import Call

NOTHING = Literal({})


class _Made(NamedTuple):
    """A name is made of another one; `larger` when it holds that and more, `part` when it may hold less."""

    name: str
    of: str
    larger: bool
    part: bool


def grows(calls: Iterable[Call], *, surely: bool) -> bool:
    """Whether a name becomes a part of itself, by way of others or at once; `surely` when nothing takes it apart again.

    Where none does, calls only move values about, of which there are no more than at the beginning.
    """
    made = [one for call in calls for one in _made(call) if not (surely and one.part)]
    places = {name: at for at, name in enumerate(dict.fromkeys(name for one in made for name in (one.name, one.of)))}
    links: list[list[int]] = [[] for _ in places]
    for one in made:
        links[places[one.of]].append(places[one.name])
    circle = {node: at for at, nodes in enumerate(circles(links)) for node in nodes}
    return any(one.larger and circle.get(places[one.name], -1) == circle.get(places[one.of], -2) for one in made)


def _made(call: Call) -> Iterator[_Made]:
    """What the names that a call binds are made of, when it hands on what it is given."""
    found = list(_pairs(call.output, NOTHING if call.input is None else call.input))
    times = Counter(name for name, _, _ in found)
    for name, expression, whole in found:
        larger = call.output_codec == JSONL or times[name] > 1 or (whole and _is_more(expression))
        for reference in references(expression):
            yield _Made(name, reference.name, larger, not whole)


def _pairs(pattern: Pattern, expression: Expression) -> Iterator[tuple[str, Expression, bool]]:
    """The captures of a pattern with the expression of what they hold, or else of what that is a part of."""
    if isinstance(pattern, Capture):
        yield pattern.name, expression, True
    elif isinstance(pattern, Fields) and isinstance(expression, ObjectOf):
        fields = dict(expression.fields)
        for key, item in pattern.fields:
            if key in fields:
                yield from _pairs(item, fields[key])
    elif isinstance(pattern, Items) and isinstance(expression, ArrayOf) and not _may_shift(expression):
        for item, part in zip(pattern.items, expression.items, strict=False):
            yield from _pairs(item, part)
    else:
        yield from ((capture.name, expression, False) for capture in captures(pattern))


def _may_shift(expression: ArrayOf) -> bool:
    """Whether an item may be missing, so that others take its place."""
    return any(isinstance(item, Reference) and item.optional for item in expression.items)


def _is_more(expression: Expression) -> bool:
    """Whether a value holds more than one that is referred to; the text of a text is that text again."""
    if isinstance(expression, Interpolation):
        return len(expression.pieces) > 1
    return not isinstance(expression, Reference)
