"""Which steps have run before a step: on every way to it, on some, or never. Linear, by sets kept as bits."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from circuit_export.formats.steps.rules.survey.graph import Graph

BLOCK = 4096
"""Sources looked at in one pass: the sets are whole numbers of that many bits."""

Source = tuple[int, ...]
"""Steps of which one is enough, usually a single one."""


class Before(StrEnum):
    """Whether a step has run before another one starts."""

    ALWAYS = "always"
    SOMETIMES = "sometimes"
    NEVER = "never"


def before(graph: Graph, pairs: Iterable[tuple[Source, int]]) -> Mapping[tuple[Source, int], Before]:
    """For each pair of a source and a step: whether the source has run when the step starts.

    A way is walked depth-first, as the engine does: of several wires of one port the first is walked to its end
    before the second, a loop's body before what is on `done`, the branches before the join. A step that is not
    reached is not judged.
    """
    listed = list(dict.fromkeys(pairs))
    sources = list(dict.fromkeys(source for source, _ in listed))
    found: dict[tuple[Source, int], Before] = {}
    for first in range(0, len(sources), BLOCK):
        block = sources[first : first + BLOCK]
        sets = _Sets(graph, block)
        places = {source: 1 << number for number, source in enumerate(block)}
        for source, step in listed:
            bit = places.get(source)
            if bit is None or not graph.reached[step]:
                continue
            if sets.surely[step] & bit:
                found[source, step] = Before.ALWAYS
            else:
                found[source, step] = Before.SOMETIMES if sets.perhaps[step] & bit else Before.NEVER
    return found


class _Sets:
    """The sets of one block of sources, by step: `perhaps` and `surely` have run before it."""

    def __init__(self, graph: Graph, block: list[Source]) -> None:
        count = len(graph.steps)
        self.graph = graph
        self.bits = [0] * count
        for number, source in enumerate(block):
            for step in source:
                self.bits[step] |= 1 << number
        order, closing = graph.walk
        self.order = order
        self.closing = {(wire.source, wire.target): wire.returns for wire in closing}
        self.below = self._below()
        self.done = self._done()
        self.perhaps = self._perhaps()
        self.surely = self._surely()

    def _below(self) -> list[int]:
        """The sources that a step reaches, itself included."""
        below, targets = list(self.bits), self.graph.targets
        while True:
            changed = False
            for index in reversed(self.order):
                reached = below[index]
                for target in targets[index]:
                    if target >= 0:
                        reached |= below[target]
                if reached != below[index]:
                    below[index] = reached
                    changed = True
            if not changed or not self.closing:
                return below

    def _done(self) -> list[int]:
        """The sources that have surely run when the way that starts at a step has ended."""
        done = [0] * len(self.bits)
        ways, steps, bits, closing = self.graph.ways, self.graph.steps, self.bits, self.closing
        for index in reversed(self.order):
            groups, body, ends = ways[index]
            policy = steps[index].on_error
            if policy is not None and policy.do == "skip":
                continue
            surely = -1
            if ends or not groups:
                surely = 0
            else:
                for number, group in enumerate(groups):
                    in_group = 0
                    for target in group[body if number == 0 else 0 :]:
                        if closing and (index, target) in closing:
                            # A way back into an open loop ends here; any other goes on until it ends elsewhere.
                            in_group |= 0 if closing[index, target] else -1
                        else:
                            in_group |= done[target]
                    surely &= in_group
            done[index] = bits[index] | (surely if surely != -1 else 0)
        return done

    def _perhaps(self) -> list[int]:
        perhaps = [0] * len(self.bits)
        ways, bits, below = self.graph.ways, self.bits, self.below
        while True:
            changed = False
            for index in self.order:
                groups, body, _ = ways[index]
                here = perhaps[index] | bits[index]
                for number, group in enumerate(groups):
                    earlier = here
                    if body and number == 0:
                        # What ran for one item has run when the next one starts.
                        for target in group[:body]:
                            earlier |= below[target]
                    for target in group:
                        if earlier & ~perhaps[target]:
                            perhaps[target] |= earlier
                            changed = True
                        earlier |= below[target]
            if not changed or not self.closing:
                return perhaps

    def _surely(self) -> list[int]:
        unknown = -1
        surely = [unknown] * len(self.bits)
        # A second trigger starts no run, so a way from it is none that a result could be missing on.
        surely[self.graph.board.entry] = 0
        ways, bits, done, closing = self.graph.ways, self.bits, self.done, self.closing
        for index in self.order:
            groups, body, _ = ways[index]
            here = surely[index] | bits[index]
            for number, group in enumerate(groups):
                earlier = here
                for place, target in enumerate(group):
                    if body and number == 0 and place == body:
                        earlier = here  # the list may have been empty
                    if closing and (index, target) in closing:
                        continue
                    surely[target] &= earlier
                    earlier |= done[target]
        return surely
