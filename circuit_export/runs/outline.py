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


class Branch(NamedTuple):
    """One of several things that can happen at a step and that no wire tells: `what` is said in a few words."""

    step: str
    what: str

    def __str__(self) -> str:
        return f"{self.step} {self.what}"


class Outline(NamedTuple):
    """A workflow's steps and wires, each once, in written order; wires to no step are left out.

    `asks` says of the steps that ask for something what: an act, or for `think` the task. `calls` holds, for steps
    that run another workflow, that workflow's outline (None when it is not to be had). `branches` are what should be
    seen to happen beside that.
    """

    steps: tuple[str, ...]
    wires: tuple[Way, ...]
    asks: Mapping[str, str]
    calls: Mapping[str, Outline | None] = {}
    branches: tuple[Branch, ...] = ()


class Reached(NamedTuple):
    """What runs reached of a workflow."""

    steps: frozenset[str] = frozenset()
    wires: frozenset[Way] = frozenset()
    branches: frozenset[Branch] = frozenset()

    def __or__(self, other: Reached) -> Reached:
        return Reached(self.steps | other.steps, self.wires | other.wires, self.branches | other.branches)


def reached(run: Run) -> Reached:
    """The steps of the workflow itself that left `idle`, the wires its run took and the branches it came by."""
    return Reached(
        frozenset(step_id for step_id, state in step_states(run).items() if state != "idle"),
        frozenset(Way(wire["step"], wire["port"], wire["to"]) for wire in run["taken"] if "path" not in wire),
        frozenset(Branch(one["step"], one["what"]) for one in run.get("branches", ())),
    )
