"""Which writes a person approves before they happen, and which nobody does: a walk that is linear in the board."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from circuit_export.formats.steps.calls import called_id
from circuit_export.formats.steps.catalog import error_port, leaving, passing_port
from circuit_export.formats.steps.connectors import Effect, effect, writes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from circuit_export.formats.steps.document import Step, StepsDocument

GATE = "gate.approve"
MANY = -1
"""Stands for several gates: which one is passed depends on the way taken."""


class Write(NamedTuple):
    """A step that changes something outside, or is not known to only read.

    `document` is the workflow it is in: the board itself, or one that it calls; `called_at` holds the calls that
    lead there, the outermost first. `reached` says whether any way from the entry leads to it, `unguarded` whether
    one does so without an approval. Else `gate` is the id of the gate that every way passes last inside the
    workflow; None when there are several, or (`gated_inside` is false) when the approval comes before the call.
    """

    document: StepsDocument
    step: Step
    effect: Effect
    called_at: tuple[Step, ...]
    reached: bool
    unguarded: bool
    gate: str | None
    gated_inside: bool
    before: Sequence[int | None]

    @property
    def guarded(self) -> bool:
        """Whether every way that leads to it passes an approval."""
        return self.reached and not self.unguarded

    @property
    def way(self) -> tuple[str, ...]:
        """For an unguarded write a shortest way without an approval: step ids from its workflow's entry to itself."""
        index = self.step.index
        found = [self.step.id]
        while self.unguarded and index != self.document.entry:
            index = self.before[index] or 0
            found.append(self.document.steps[index].id)
        return tuple(reversed(found))


class _Ways(NamedTuple):
    """One board walked: for each step the step before it on a shortest unguarded way (None: no such way; the entry
    is before itself), and the gate that stands last in front of it on every guarded way (absent: none)."""

    before: list[int | None]
    gate: dict[int, int]
    reached: list[bool]


def targets(document: StepsDocument, step: Step) -> Iterator[tuple[int, str]]:
    """The steps (by index) that a step's wires lead to, each with its port; a muted step is only passed through."""
    wires = step.next if step.enabled else tuple(step.next[index] for index in leaving(step, passing_port(step)))
    for wire in wires:
        target = document.by_id.get(wire.to)
        if target is not None:
            yield target, wire.port


def _approves(step: Step, port: str) -> bool:
    """Whether somebody approved when the step is left by `port`: not by a muted gate, nor by one that failed."""
    return step.type == GATE and step.enabled and port != error_port(step)


def _ways(document: StepsDocument) -> _Ways:
    steps = document.steps
    before: list[int | None] = [None] * len(steps)
    reached = [False] * len(steps)
    before[document.entry], reached[document.entry] = document.entry, True
    waiting = deque([document.entry])
    opened: list[tuple[int, int]] = []  # where each gate leads
    while waiting:
        at = waiting.popleft()
        for target, port in targets(document, steps[at]):
            if _approves(steps[at], port):
                opened.append((target, at))
            elif before[target] is None:
                before[target], reached[target] = at, True
                waiting.append(target)
    return _Ways(before, _last_gates(document, opened, reached), reached)


def _last_gates(document: StepsDocument, opened: list[tuple[int, int]], reached: list[bool]) -> dict[int, int]:
    """The gate passed last on the guarded ways to each step, MANY when that depends on the way.

    A step's answer changes at most twice (to a gate, to MANY), so this is linear. Marks what it meets as reached.
    """
    gate: dict[int, int] = {}
    waiting = deque(opened)
    while waiting:
        at, through = waiting.popleft()
        known = gate.get(at)
        if known in (through, MANY):
            continue
        gate[at] = now = through if known is None else MANY
        reached[at] = True
        step = document.steps[at]
        for target, port in targets(document, step):
            waiting.append((target, at if _approves(step, port) else now))
    return gate


def all_writes(document: StepsDocument, called: Mapping[str, StepsDocument]) -> tuple[Write, ...]:
    """Every enabled write of a board, in its order, then those of the workflows it calls, each workflow once.

    `called` holds the documents that could be found, by the id that they are called by. A workflow that is called
    several times counts as unguarded when one of the calls is.
    """
    found: dict[str, tuple[Write, ...]] = {}
    open_ = {"": True}
    waiting: deque[tuple[str, StepsDocument, tuple[Step, ...], bool]] = deque([("", document, (), True)])
    ways: dict[str, _Ways] = {}
    while waiting:
        key, callee, called_at, unguarded = waiting.popleft()
        if key not in ways:
            ways[key] = _ways(callee)
        walked = ways[key]
        found[key] = tuple(_writes_of(callee, walked, called_at, unguarded))
        for step in callee.steps:
            id = called_id(step) if step.enabled and walked.reached[step.index] else ""
            if id in called:
                state = unguarded and walked.before[step.index] is not None
                if open_.get(id) is None or (state and not open_[id]):
                    open_[id] = state
                    waiting.append((id, called[id], (*called_at, step), state))
    return tuple(write for writes_ in found.values() for write in writes_)


def _writes_of(document: StepsDocument, ways: _Ways, called_at: tuple[Step, ...], unguarded: bool) -> Iterator[Write]:
    for step in document.steps:
        if step.enabled and writes(step):
            index = step.index
            open_inside = ways.before[index] is not None
            gate = ways.gate.get(index, MANY) if not open_inside else MANY
            yield Write(
                document,
                step,
                effect(step),
                called_at,
                ways.reached[index],
                unguarded and open_inside,
                None if gate == MANY else document.steps[gate].id,
                not open_inside and index in ways.gate,
                ways.before,
            )


def unguarded_writes(document: StepsDocument, called: Mapping[str, StepsDocument]) -> tuple[Write, ...]:
    """The enabled writes that some way from the entry reaches without anybody's approval."""
    return tuple(write for write in all_writes(document, called) if write.unguarded)


def muted_gates(document: StepsDocument, way: Iterable[str]) -> tuple[str, ...]:
    """The gates on a way that are switched off, so that they ask nobody."""
    found = (document.step(id) for id in way)
    return tuple(step.id for step in found if step is not None and step.type == GATE and not step.enabled)
