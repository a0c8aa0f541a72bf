"""What suggesting scenarios needs of a format: what should be reached, and scenarios that may do it."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple, Protocol

from circuit_export.runs.scenario import Played, Scenario


class Target(NamedTuple):
    """Something a scenario should reach: `kind` is "step", "wire", or another word of the format's own.

    `needed` is false for what is good to see and no gap when it is not, such as a gate that is rejected.
    """

    kind: str
    what: Hashable
    needed: bool = True

    def __str__(self) -> str:
        return str(self.what)


class Proposer(Protocol):
    """What a format knows of a workflow of its own."""

    def targets(self) -> Sequence[Target]:
        """All that should be reached, what lies deepest first."""

    def propose(self, target: Target) -> Iterator[Scenario]:
        """Scenarios that may reach a target, the likeliest first. It is told by `learn` of each that did not."""

    def keep(self, got: frozenset[Target]) -> None:
        """The scenario proposed last is kept, and reaches all this."""

    def learn(self, target: Target, played: Played) -> None:
        """The scenario proposed last did not reach its target."""

    def reached(self, played: Played) -> frozenset[Target]:
        """What a run reached."""

    def describe(self, target: Target) -> str:
        """How far a scenario for a target comes, to tell two of one name apart: "as far as …"."""

    def why_not(self, target: Target) -> str:
        """Why a target is out of reach, in a sentence."""
