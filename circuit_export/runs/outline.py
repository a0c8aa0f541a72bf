"""What scenarios and coverage need to know of a workflow, without knowing its format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from circuit_export.runs.record import Run, step_states


class Way(NamedTuple):
    """A wire by the ids of its ends."""

    step: str
    port: str
    to: str

    def __str__(self) -> str:
        return f"{self.step}:{self.port} → {self.to}"


class Outline(NamedTuple):
    """A workflow's steps and wires, each once, in written order; wires to no step are left out.

    `asks` says of the steps that ask for something what: an act, or for `think` the task. `calls` holds, for steps
    that run another workflow, that workflow's outline (None when it is not to be had).
    """

    steps: tuple[str, ...]
    wires: tuple[Way, ...]
    asks: Mapping[str, str]
    calls: Mapping[str, Outline | None] = {}


class Reached(NamedTuple):
    """What runs reached of a workflow."""

    steps: frozenset[str] = frozenset()
    wires: frozenset[Way] = frozenset()

    def __or__(self, other: Reached) -> Reached:
        return Reached(self.steps | other.steps, self.wires | other.wires)


def reached(run: Run) -> Reached:
    """The steps of the workflow itself that left `idle`, and the wires its run took."""
    return Reached(
        frozenset(step_id for step_id, state in step_states(run).items() if state != "idle"),
        frozenset(Way(wire["step"], wire["port"], wire["to"]) for wire in run["taken"] if "path" not in wire),
    )
