"""Proposes scenarios for a board's targets, learns from those that failed, and says why a target is out of reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from circuit_export.formats.steps.catalog import DONE, OUT, error_port, passing_port
from circuit_export.formats.steps.document import Step, StepsDocument
from circuit_export.formats.steps.engine.asking import asks
from circuit_export.formats.steps.engine.outlining import outline
from circuit_export.formats.steps.engine.state import Flows
from circuit_export.formats.steps.engine.suggesting.draft import Draft
from circuit_export.formats.steps.engine.suggesting.planting import Unsolvable
from circuit_export.formats.steps.engine.suggesting.ways import Move, Ways, choices, in_batch
from circuit_export.runs.directives import BLOCKED
from circuit_export.runs.outline import Way, reached
from circuit_export.runs.scenario import Played, Scenario
from circuit_export.runs.targets import Target

WAYS_TRIED = 16

STEP, WIRE, REJECTED, EMPTY = "step", "wire", "rejected", "empty"


class BoardProposer:
    """The proposer of a board."""

    def __init__(self, workflow: StepsDocument, flows: Flows) -> None:
        self.workflow = workflow
        self.flows = flows
        self.ways = Ways(workflow)
        self.outline = outline(workflow, flows)
        self.by_wire: dict[Way, Move] = {}
        for moves in self.ways.moves.values():
            for move in moves:
                self.by_wire.setdefault(self._wire(move), move)
        self.problems: dict[Target, str] = {}
        self.banned: frozenset[Move] = frozenset()
        self.way: list[Move] = []
        self.first = True
        self.taken: set[Way] = set()

    def step(self, step_id: str) -> Step:
        """The step with that id, which is there."""
        return self.workflow.steps[self.workflow.by_id[step_id]]

    # --- targets -----------------------------------------------------------------------------------------------

    def targets(self) -> Sequence[Target]:
        """Wires and steps, the farthest from the start first; then gates that reject and loops over nothing."""
        depth = {step_id: len(self.ways.to_step(step_id) or ()) for step_id in self.ways.parents}
        wires = [Target(WIRE, wire) for wire in self.outline.wires]
        wires.sort(key=lambda target: -depth.get(target.what.step, 0))  # type: ignore[attr-defined]
        steps = [Target(STEP, step_id) for step_id in self.outline.steps]
        steps.sort(key=lambda target: -depth.get(str(target.what), 0))
        live = [step for step in self.workflow.steps if step.enabled and self.workflow.step(step.id) is step]
        gates = [Target(REJECTED, step.id, False) for step in live if step.type == "gate.approve"]
        loops = [Target(EMPTY, step.id, False) for step in live if step.type == "logic.each"]
        return [*wires, *steps, *gates, *loops]

    def reached(self, played: Played) -> frozenset[Target]:
        """What a run reached."""
        got = reached(played.run)
        targets = {Target(STEP, step) for step in got.steps} | {Target(WIRE, wire) for wire in got.wires}
        for moment in played.run["history"]:
            if "path" not in moment and moment.get("summary") == "rejected":
                targets.add(Target(REJECTED, moment["stepId"], False))
            elif "path" not in moment and moment.get("summary") == "0 items":
                targets.add(Target(EMPTY, moment["stepId"], False))
        return frozenset(targets)

    # --- proposing ---------------------------------------------------------------------------------------------

    def propose(self, target: Target) -> Iterator[Scenario]:
        """Scenarios along the shortest way, and then along others, each without a move that did not work."""
        self.banned = frozenset()
        tried: set[frozenset[Move]] = set()
        newest = True
        while newest or (len(tried) < WAYS_TRIED and self.banned not in tried):
            way = self._way_to(target, newest)
            if way is None:
                return
            if newest:
                newest = False
            else:
                tried.add(self.banned)
            self.way = way
            draft = Draft(self.workflow, self.flows)
            at = 0
            try:
                for move in way:
                    draft.follow(move)
                    at += 1
                self._arrive(draft, target)
            except Unsolvable as error:
                self.problems.setdefault(target, f"{error}.")
                if tried:
                    self._ban(way, min(at, len(way) - 1), target)
                continue
            self.first = not tried
            yield draft.finish()

    def _way_to(self, target: Target, newest: bool) -> list[Move] | None:
        """A way to a target; the newest one leaves nothing out."""

        def to_step(step_id: str) -> list[Move] | None:
            return self.ways.newest_to_step(step_id) if newest else self.ways.to_step(step_id, self.banned)

        if target.kind != WIRE:
            return to_step(str(target.what))
        move = self._own_move(target)
        before = to_step(move.step) if move is not None else None
        return [*before, move] if before is not None and move is not None else None

    def _own_move(self, target: Target) -> Move | None:
        """The move that takes a target's wire, None for other targets."""
        return self.by_wire.get(target.what) if isinstance(target.what, Way) else None

    def _arrive(self, draft: Draft, target: Target) -> None:
        """Goes on from a target to where a way may end. Raises Unsolvable."""
        if target.kind == REJECTED:
            draft.reject(self.step(str(target.what)))
            return
        here = str(target.what)
        if target.kind == WIRE:
            here = target.what.to  # type: ignore[attr-defined]
        if target.kind == EMPTY:
            draft.empty(self.step(here))
        way, port = self.ways.to_end(here, [loop for loop, _items in draft.loops])
        try:
            for move in way:
                if target.kind == EMPTY and move.step == here and move.port == OUT:
                    return
                draft.follow(move)
            if port is not None:
                draft.choose(self.step(way[-1].to if way else here), port)
        except Unsolvable:  # the target is behind by then: a way that ends at a closed filter has ended, too
            return

    def keep(self, got: frozenset[Target]) -> None:
        """A scenario that reaches all this is kept: ways that were not gone before are preferred from here on."""
        self.taken.update(target.what for target in got if isinstance(target.what, Way))
        self.ways.took(lambda move: self._wire(move) in self.taken)

    def _wire(self, move: Move) -> Way:
        wire = self.step(move.step).next[move.wire]
        return Way(move.step, wire.port, wire.to)

    def learn(self, target: Target, played: Played) -> None:
        """Leaves out, for this target, the first move of the way that was not taken."""
        last = played.exchanges[-1].directive
        if played.refused:
            self.problems.setdefault(target, played.refused)
        elif last["act"] == BLOCKED:
            self.problems.setdefault(target, f"The run stops before it: {last['reason']}")
        if self.first:
            return  # the plain shortest way comes next, with nothing left out
        taken = reached(played.run).wires
        for at, move in enumerate(self.way):
            if self._wire(move) not in taken:
                title = self.step(move.step).title
                self.problems.setdefault(
                    target, f"“{title}” is not left by “{move.port}”, with all data that was tried."
                )
                self._ban(self.way, at, target)
                return
        self._ban(self.way, len(self.way) - 1, target)

    def _ban(self, way: list[Move], at: int, target: Target) -> None:
        """Bans a move of the way, or, where it is the target itself, the one before that is not banned yet."""
        own = self._own_move(target)
        for move in reversed(way[: at + 1]):
            if move != own and move not in self.banned:
                self.banned |= {move}
                return

    def describe(self, target: Target) -> str:
        """How far a scenario for a target comes."""
        step_id = target.what.to if isinstance(target.what, Way) else str(target.what)
        return f"as far as “{self.step(step_id).title}”"

    # --- why not -----------------------------------------------------------------------------------------------

    def why_not(self, target: Target) -> str:
        """Why a target is out of reach, in a sentence."""
        if target.kind == STEP:
            return self._why_no_step(self.step(str(target.what)), target)
        wire = target.what
        assert isinstance(wire, Way)
        step = self.step(wire.step)
        if step.id not in self.ways.parents:
            return f"“{step.title}” is not reached."
        if wire not in self.by_wire:
            return self._why_no_port(step, wire.port)
        return self.problems.get(target, f"No way was found that leaves “{step.title}” by “{wire.port}”.")

    def _why_no_step(self, step: Step, target: Target) -> str:
        if step.id in self.ways.parents:
            return self.problems.get(target, "No way was found that leads to it.")
        sources = list(dict.fromkeys(wire.step for wire in self.outline.wires if wire.to == step.id))
        if not sources:
            return "No wire leads to it."
        names = ", ".join(f"“{self.step(source).title}”" for source in sources)
        open_ones = [source for source in sources if source in self.ways.parents]
        if open_ones:
            return f"Only {names} leads to it, by a port that it is never left by."
        return f"Only {names} leads to it, which is not reached either."

    def _why_no_port(self, step: Step, port: str) -> str:
        title = f"“{step.title}”"
        if not step.enabled:
            return f"{title} is muted, and then left by “{passing_port(step)}” alone."
        if port == error_port(step) and not asks(step):
            return f"{title} is settled without anybody's doing and never fails."
        ports = choices(self.workflow, step)
        if port in ports:
            return f"Something else is always taken before “{port}” of {title}."
        if in_batch(self.workflow, step) and port == DONE:
            return f"{title} are branches: they are left by “join”."
        return f"{title} is never left by “{port}”: its ports are {', '.join(ports) or 'none'}."
