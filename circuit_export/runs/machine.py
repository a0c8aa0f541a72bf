"""The whole of an engine bound to one workflow, as the commands that run workflows use it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from circuit_export.runs.directives import Directive
from circuit_export.runs.record import Run
from circuit_export.runs.scenario import Engine
from circuit_export.runs.targets import Proposer


class Machine(Engine, Protocol):
    """An engine that can also take up a run that stopped, and suggest scenarios."""

    def resume(self, run: Run, now: str, skip: bool = False, input: Mapping[str, Any] | None = None) -> Directive:
        """Takes up a run that stopped, or with `skip` passes over the step it stopped at; the next directive."""

    def proposer(self) -> Proposer:
        """What suggests scenarios for the workflow."""
