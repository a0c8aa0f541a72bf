"""The board as a graph: where wires lead, what is reached, in which order, and which wires close a cycle."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from circuit_export.formats.steps import catalog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from circuit_export.formats.steps.document import Step, StepsDocument

NOWHERE = -1
PATHS_KEPT = 50_000
"""Steps on the paths of cycles that are kept in all; a cycle found later is named by its two ends alone."""


class Ways(NamedTuple):
    """How a step is left. `groups` exclude each other; the targets of one are walked in turn, each to its end.

    Of a loop's group the first `body` targets are walked once for each item, perhaps never. `ends` says that the way
    may also end here.
    """

    groups: tuple[tuple[int, ...], ...]
    body: int = 0
    ends: bool = False


class Closing(NamedTuple):
    """A wire that closes a cycle: wire number `wire` of `source` leads back to `target`; `path` goes the other way.

    `returns` says that it only leads back into the loop or the branches that it comes from, which ends that path.
    """

    source: int
    wire: int
    target: int
    path: tuple[int, ...]
    returns: bool


class Graph:
    """The wires between the steps of one board, by index."""

    def __init__(self, board: StepsDocument) -> None:
        self.board = board
        self.steps = board.steps
        by_id = board.by_id
        self.targets = [tuple(by_id.get(wire.to, NOWHERE) for wire in step.next) for step in board.steps]
        triggers = [step.index for step in board.steps if step.type.startswith("trigger.")]
        self.roots = list(dict.fromkeys([board.entry, *triggers]))

    @cached_property
    def ways(self) -> list[Ways]:
        """How each step is left."""
        return [_ways(step, targets) for step, targets in zip(self.steps, self.targets, strict=True)]

    @cached_property
    def sources(self) -> list[list[int]]:
        """The steps that lead to each step, once for each wire."""
        found: list[list[int]] = [[] for _ in self.steps]
        for index, targets in enumerate(self.targets):
            for target in targets:
                if target != NOWHERE:
                    found[target].append(index)
        return found

    @cached_property
    def walk(self) -> tuple[list[int], list[Closing]]:
        """The reached steps, each after all that lead to it (closing wires aside), and the wires that close cycles."""
        return walk(self.targets, self.roots, self.returns)

    def returns(self, target: int, wire: int) -> bool:
        """Whether a way that left `target` by its wire number `wire` is inside its loop or branches."""
        entry = catalog.CATALOG.get(self.steps[target].type)
        return entry is not None and entry.scope is not None and self.steps[target].next[wire].port == entry.scope.body

    @property
    def order(self) -> list[int]:
        return self.walk[0]

    @cached_property
    def reached(self) -> bytearray:
        """1 for each step that the entry (or another trigger) reaches."""
        return self.reach(self.roots)

    def reach(self, starts: Iterable[int], passes: Callable[[int, int], bool] | None = None) -> bytearray:
        """1 for each step that is reached from `starts`, these included, by wires (step, number) that `passes`."""
        seen = bytearray(len(self.steps))
        waiting = []
        for start in starts:
            if not seen[start]:
                seen[start] = 1
                waiting.append(start)
        while waiting:
            index = waiting.pop()
            for number, target in enumerate(self.targets[index]):
                if target != NOWHERE and not seen[target] and (passes is None or passes(index, number)):
                    seen[target] = 1
                    waiting.append(target)
        return seen

    @cached_property
    def in_loop(self) -> bytearray:
        """1 for each step that is inside the body of a loop, whichever way it is reached."""
        starts = [
            target
            for index, step in enumerate(self.steps)
            if step.type == "logic.each"
            for wire, target in zip(step.next, self.targets[index], strict=True)
            if target != NOWHERE and wire.port == catalog.OUT
        ]
        return self.reach(starts)

    @cached_property
    def outside_loop(self) -> bytearray:
        """1 for each step that is reached on some way that is inside no loop."""
        steps = self.steps

        def passes(index: int, wire: int) -> bool:
            return not (steps[index].type == "logic.each" and steps[index].next[wire].port == catalog.OUT)

        return self.reach(self.roots, passes)


def _ways(step: Step, targets: tuple[int, ...]) -> Ways:
    wires = step.next
    policy = step.on_error
    ends = step.type == "logic.filter" or (policy is not None and policy.do == "skip")
    if len(wires) == 1 and wires[0].port == catalog.OUT and step.type != "logic.each":
        # One plain `out` is all ways of most steps, and of a classify or branch too.
        group = targets if targets[0] != NOWHERE else ()
        return Ways((group,), 0, ends or not group)
    entry = catalog.CATALOG.get(step.type)
    by_port: dict[str, list[int]] = {}
    ports = catalog.ports(step)
    for wire, target in zip(wires, targets, strict=True):
        if target != NOWHERE and wire.port in ports:  # by a port that there is not no run ever leaves
            by_port.setdefault(wire.port, []).append(target)
    if entry is not None and entry.scope is not None:
        body, after = by_port.pop(entry.scope.body, []), by_port.pop(entry.scope.after, [])
        looped = len(body) if step.type == "logic.each" else 0
        return Ways((tuple(body + after), *map(tuple, by_port.values())), looped, ends)
    ends = ends or any(port not in by_port for port in catalog.own_ports(step))
    return Ways(tuple(map(tuple, by_port.values())), 0, ends)


def walk(
    targets: Sequence[Sequence[int]], roots: Iterable[int], returns: Callable[[int, int], bool]
) -> tuple[list[int], list[Closing]]:
    """Walks a graph depth-first without recursion: its steps in an order that wires follow, and the closing wires."""
    state = bytearray(len(targets))  # 0 not met, 1 on the way, 2 left behind
    place = [0] * len(targets)  # of a step that is on the way, in `way`
    finished: list[int] = []
    closing: list[Closing] = []
    kept = 0
    for root in roots:
        if state[root]:
            continue
        state[root] = 1
        way, taken = [root], [0]
        place[root] = 0
        while way:
            index, number = way[-1], taken[-1]
            if number == len(targets[index]):
                state[index] = 2
                finished.append(index)
                way.pop()
                taken.pop()
                continue
            taken[-1] += 1
            target = targets[index][number]
            if target == NOWHERE or state[target] == 2:
                continue
            if state[target] == 0:
                state[target] = 1
                place[target] = len(way)
                way.append(target)
                taken.append(0)
                continue
            start = place[target]
            path = tuple(way[start:]) if kept < PATHS_KEPT else (target, index)
            kept += len(path)
            closing.append(Closing(index, number, target, path, returns(target, taken[start] - 1)))
    finished.reverse()
    return finished, closing
