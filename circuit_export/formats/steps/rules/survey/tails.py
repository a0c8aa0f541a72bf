"""Steps that one run reaches by several wires of the same fork, found in one pass by sets kept as bits."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey.graph import Graph

BLOCK = 2048
"""Pairs of bits looked at in one pass."""


class Tail(NamedTuple):
    """The first step where ways come together that parted at `fork` and are both taken."""

    step: int
    fork: int


def tails(graph: Graph) -> Iterator[Tail]:
    """The shared tails in the order of the list of steps, each once, with the first fork that leads there twice."""
    pairs = _pairs(graph)
    found: dict[int, int] = {}
    for first in range(0, len(pairs), BLOCK):
        _find(graph, pairs[first : first + BLOCK], found)
    for step in sorted(found):
        yield Tail(step, found[step])


def _pairs(graph: Graph) -> list[tuple[int, int, int]]:
    """(fork, group, digit): two wires of a fork differ in some binary digit of their numbers, and a pair of bits
    tells for one digit which of its two values a step was reached by."""
    pairs = []
    for index in graph.order:
        for number, group in enumerate(graph.ways[index].groups):
            if len(group) > 1:
                pairs += [(index, number, digit) for digit in range((len(group) - 1).bit_length())]
    return pairs


def _find(graph: Graph, block: list[tuple[int, int, int]], found: dict[int, int]) -> None:
    evens = sum(1 << (2 * number) for number in range(len(block)))
    at: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for number, (fork, group, digit) in enumerate(block):
        at.setdefault((fork, group), []).append((number, digit))
    order, closing = graph.walk
    closes = {(wire.source, wire.target) for wire in closing}
    bits = [0] * len(graph.steps)
    both = [0] * len(graph.steps)  # the pairs of which a step that leads here was itself reached by both values
    for index in order:
        here = bits[index]
        double = here & (here >> 1) & evens
        new = double & ~both[index]
        if new and index not in found:
            found[index] = block[(new & -new).bit_length() // 2][0]
        for number, targets in enumerate(graph.ways[index].groups):
            marks = at.get((index, number), ())
            for place, target in enumerate(targets):
                if (index, target) in closes:
                    continue
                mark = here
                for pair, digit in marks:
                    mark |= 1 << (2 * pair + (place >> digit & 1))
                bits[target] |= mark
                both[target] |= double
