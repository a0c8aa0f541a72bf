"""The engine bound to one board and what it calls, as drivers that know no format use it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from circuit_export.formats.steps.document import StepsDocument
from circuit_export.formats.steps.engine import outlining, reports, state
from circuit_export.runs.directives import Directive
from circuit_export.runs.outline import Outline
from circuit_export.runs.record import LIVE, Limits, Run
from circuit_export.runs.targets import Proposer


class Machine(NamedTuple):
    """A board, the boards that its `flow.call` steps mean (by the id they name), and what a run may use."""

    workflow: StepsDocument
    flows: state.Flows = MappingProxyType({})
    limits: Limits = Limits()

    def start(
        self, run_id: str, now: str, mode: str = LIVE, trigger: Any = None, input: Mapping[str, Any] | None = None
    ) -> Run:
        """A new run. Raises CircuitError."""
        return state.start(self.workflow, run_id, now, mode, trigger, input)

    def advance(self, run: Run, now: str) -> Directive:
        """The next directive."""
        return reports.advance(self.workflow, run, self.flows, now, limits=self.limits)

    def report(self, run: Run, now: str, step_id: str, result: Any, turn: int | None = None) -> Directive:
        """Takes a result; returns the next directive."""
        return reports.report(self.workflow, run, self.flows, now, step_id, result, turn=turn, limits=self.limits)

    def report_many(
        self,
        run: Run,
        now: str,
        step_id: str,
        results: Mapping[str, Any],
        errors: Mapping[str, Any] | None = None,
        turn: int | None = None,
    ) -> Directive:
        """Takes the results of a batch; returns the next directive."""
        return reports.report_many(
            self.workflow, run, self.flows, now, step_id, results, errors, turn=turn, limits=self.limits
        )

    def fail(self, run: Run, now: str, step_id: str, error: Any, turn: int | None = None) -> Directive:
        """Takes a failure; returns the next directive."""
        return reports.fail(self.workflow, run, self.flows, now, step_id, error, turn=turn, limits=self.limits)

    def resume(self, run: Run, now: str, skip: bool = False, input: Mapping[str, Any] | None = None) -> Directive:
        """Takes up a run that stopped; returns the next directive."""
        return reports.resume(self.workflow, run, self.flows, now, skip, input, limits=self.limits)

    def path(self, run: Run) -> tuple[str, ...]:
        """The ids of the calling steps that lead to where the run is, the outermost first."""
        return tuple(call["stepId"] for call in run["calls"])

    def outline(self) -> Outline:
        """The board's steps and wires, and what each step asks for."""
        return outlining.outline(self.workflow, self.flows)

    def proposer(self) -> Proposer:
        """What suggests scenarios for the board."""
        from circuit_export.formats.steps.engine.suggesting.proposer import BoardProposer

        return BoardProposer(self.workflow, self.flows)
