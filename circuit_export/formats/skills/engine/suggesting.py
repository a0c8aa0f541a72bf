"""Proposes scenarios for a graph: one in which all goes well, over two rounds if it is a loop, reaches what can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from circuit_export.formats.skills.engine.machine import Machine
from circuit_export.formats.skills.words import title
from circuit_export.runs import record
from circuit_export.runs.directives import BLOCKED
from circuit_export.runs.outline import Way, reached
from circuit_export.runs.scenario import Played, Reply, Scenario, play
from circuit_export.runs.targets import Target

if TYPE_CHECKING:
    from collections.abc import Mapping

STEP: Final = "step"
WIRE: Final = "wire"
_WELL: Mapping[str, Any] = {"ok": True}
_DONE: Mapping[str, Any] = {"ok": True, "loopComplete": True}


class GraphProposer:
    """The proposer of one graph."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.document = machine.document
        self.order = machine.order
        self.outline = machine.outline()
        self.in_rounds = bool(machine.plan.cycle) and machine.options.allow_cycles
        self.problem = ""

    def targets(self) -> Sequence[Target]:
        """Edges and nodes, those that run last first."""
        place = {node_id: at for at, node_id in enumerate(self.order)}
        wires = sorted(self.outline.wires, key=lambda wire: -place[wire.to])
        return [
            *(Target(WIRE, wire) for wire in wires),
            *(Target(STEP, node_id) for node_id in reversed(self.order)),
        ]

    def propose(self, target: Target) -> Iterator[Scenario]:  # whatever it is, the same reaches it
        """The scenario in which every node succeeds; a loop is said to be done at the end of its second round."""
        if self.two_rounds is not None:
            yield self.two_rounds
        yield self.plain

    @cached_property
    def plain(self) -> Scenario:
        """The scenario without an answer of its own, named by how it ends."""
        scenario = Scenario(0, "all goes well")
        well = play(self.machine, scenario).status == record.SUCCEEDED
        return scenario if well else scenario._replace(name="as far as it comes")

    @cached_property
    def two_rounds(self) -> Scenario | None:
        """The scenario of a loop; None when no run comes so far that its last node is asked to answer."""
        asking = [node_id for node_id in self.order if node_id in self.outline.asks]
        if not self.in_rounds or not asking:
            return None
        replies = (Reply("result", dict(_WELL)), Reply("result", dict(_DONE)))
        scenario = Scenario(0, "done in the second round", answers={asking[-1]: replies})
        return scenario if asking[-1] in reached(play(self.machine, scenario).run).steps else None

    def keep(self, got: frozenset[Target]) -> None:
        """Nothing is learned from a scenario that is kept: there is no other."""

    def learn(self, target: Target, played: Played) -> None:
        """Keeps why the run did not come far enough."""
        last = played.exchanges[-1].directive
        self.problem = played.refused or (str(last["reason"]) if last["act"] == BLOCKED else "")

    def reached(self, played: Played) -> frozenset[Target]:
        """What a run reached."""
        got = reached(played.run)
        return frozenset((*(Target(STEP, step) for step in got.steps), *(Target(WIRE, wire) for wire in got.wires)))

    def describe(self, target: Target) -> str:
        """How far a scenario for a target comes."""
        node = self.document.node(target.what.to if isinstance(target.what, Way) else str(target.what))
        return f"as far as “{title(node, self.document)}”" if node is not None else "to the end"

    def why_not(self, target: Target) -> str:
        """Why a target is out of reach, in a sentence."""
        return f"The run stops before it. {self.problem}" if self.problem else "No run comes to it."
