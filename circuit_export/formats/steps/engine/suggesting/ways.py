"""The ways through a board: by which wires each step can be left, and the shortest way to one of them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import NamedTuple

from circuit_export.formats.steps.catalog import (
    CATALOG,
    DONE,
    JOIN,
    OUT,
    error_port,
    leaving,
    own_ports,
    passing_port,
    setting,
)
from circuit_export.formats.steps.document import Step, StepsDocument
from circuit_export.formats.steps.engine.asking import asks
from circuit_export.formats.steps.engine.batches import heads_together
from circuit_export.runs.templates import text_of


class Move(NamedTuple):
    """A step left by a port, along the wire with that index in its `next`; `port` is the one the choice is made by.

    A wire that is plain `out` and stands for all of a step's ports can be taken by any of them.
    """

    step: str
    port: str
    wire: int
    to: str


class Ways:
    """All moves that a board allows, by the step they leave."""

    def __init__(self, workflow: StepsDocument) -> None:
        self.workflow = workflow
        self.moves: dict[str, list[Move]] = {
            workflow.steps[index].id: list(_moves(workflow, workflow.steps[index])) for index in workflow.by_id.values()
        }
        self.parents = self._search(frozenset(), self.moves)
        # The same moves, those that were not taken yet first: of two ways of one length the newer one is gone.
        self.fresh: dict[str, list[Move]] = dict(self.moves)
        self._fresh_parents: dict[str, Move | None] | None = self.parents

    def took(self, taken: Callable[[Move], bool]) -> None:
        """Says which moves were taken by now."""
        self.fresh = {step_id: sorted(moves, key=taken) for step_id, moves in self.moves.items()}
        self._fresh_parents = None

    def _search(self, banned: frozenset[Move], moves: dict[str, list[Move]]) -> dict[str, Move | None]:
        """Breadth first from the start: the move by which each step is reached first."""
        start = self.workflow.start.id
        parents: dict[str, Move | None] = {start: None}
        waiting = deque([start])
        while waiting:
            for move in moves[waiting.popleft()]:
                if move.to not in parents and move not in banned:
                    parents[move.to] = move
                    waiting.append(move.to)
        return parents

    def to_step(self, step_id: str, banned: frozenset[Move] = frozenset()) -> list[Move] | None:
        """The shortest way from the start to a step, None when no way leads there."""
        parents = self._search(banned, self.moves) if banned else self.parents
        if step_id not in parents:
            return None
        return _back(parents, step_id)

    def newest_to_step(self, step_id: str) -> list[Move] | None:
        """The shortest way to a step that takes, where it has the choice, moves not taken before."""
        if self._fresh_parents is None:
            self._fresh_parents = self._search(frozenset(), self.fresh)
        return _back(self._fresh_parents, step_id) if step_id in self._fresh_parents else None

    def to_end(self, step_id: str, open_steps: Iterable[str]) -> tuple[list[Move], str | None]:
        """The shortest way on from a step to where a way may end, and the port that leads nowhere there.

        Reaching an open loop again ends a way, too: then there is no port. A way that never ends is not followed.
        """
        ends = set(open_steps)
        before: dict[str, Move | None] = {step_id: None}
        waiting = deque([step_id])
        while waiting:
            here = waiting.popleft()
            port = None if here in ends else self.ending_port(here)
            if here in ends or port is not None:
                return _back(before, here), port
            for move in self.fresh[here]:
                if move.to not in before:
                    before[move.to] = move
                    waiting.append(move.to)
        return [], None

    def ending_port(self, step_id: str) -> str | None:
        """A port of a step that leads nowhere; None when there is none. An error that leads nowhere ends no way."""
        step = self.workflow.step(step_id)
        if step is None:
            return None
        routed = error_port(step)
        ports = (port for port in choices(self.workflow, step) if port != routed)
        return next((port for port in ports if not leaving(step, port)), None)


def _back(parents: dict[str, Move | None], step_id: str) -> list[Move]:
    """The way by which a search came to a step."""
    way = []
    at = parents[step_id]
    while at is not None:
        way.append(at)
        at = parents[at.step]
    return way[::-1]


def choices(workflow: StepsDocument, step: Step) -> tuple[str, ...]:
    """The ports by which a step can be left."""
    if not step.enabled:
        return (passing_port(step),)
    if step.type not in CATALOG:
        return ()
    if step.type == "logic.branch":
        return _case_ports(step)
    if step.type == "logic.each":
        return (OUT, DONE)
    if step.type == "logic.branches":
        return (OUT, JOIN)
    routed = error_port(step) if asks(step) or in_batch(workflow, step) else None
    own = own_ports(step)
    return own if routed is None or routed in own else (*own, routed)


def in_batch(workflow: StepsDocument, step: Step) -> bool:
    """Are they branches whose calls go out at once?"""
    together = step.type == "logic.branches" and step.enabled and setting(step, "together") is True
    return together and heads_together(workflow, step) is not None


def _case_ports(step: Step) -> tuple[str, ...]:
    """The ports of a branch's cases, without those that an earlier case always wins over, and the fallback."""
    seen: set[str] = set()
    ports: dict[str, None] = {}
    cases = step.config.get("cases")
    for case in cases if isinstance(cases, list) else []:
        if not isinstance(case, dict) or not isinstance(case.get("port"), str):
            continue
        text = text_of(case.get("equals")).casefold()
        if text not in seen:
            seen.add(text)
            ports[case["port"]] = None
    fallback = setting(step, "fallback")
    if isinstance(fallback, str):
        ports[fallback] = None
    return tuple(ports)


def _moves(workflow: StepsDocument, step: Step) -> Iterable[Move]:
    taken: set[int] = set()
    for port in choices(workflow, step):
        for index in leaving(step, port):
            if step.next[index].to in workflow.by_id and index not in taken:
                taken.add(index)
                yield Move(step.id, port, index, step.next[index].to)
