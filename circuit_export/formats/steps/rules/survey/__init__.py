"""What all rules look at of one board, each thing found once and only when a rule asks for it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from circuit_export.formats.base import Surroundings
from circuit_export.formats.steps import catalog
from circuit_export.formats.steps.rules.survey.graph import Graph
from circuit_export.formats.steps.rules.survey.order import Before, Source, before
from circuit_export.formats.steps.rules.survey.references import Reference, Text, references, texts
from circuit_export.formats.wording import Near, Spelling

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from circuit_export.formats.steps.document import Step, StepsDocument

__all__ = ["Before", "Near", "Reference", "Survey", "Text"]


class Survey:
    """One board with what is around it."""

    def __init__(self, board: StepsDocument, around: Surroundings = Surroundings()) -> None:  # noqa: B008  # immutable
        self.board = board
        self.steps = board.steps
        self.around = around
        self.graph = Graph(board)
        self._spelling = Spelling()
        self._near: dict[tuple[str, int], Near | None] = {}

    @cached_property
    def called(self) -> Mapping[str, StepsDocument]:
        """The boards that can be called, by id, as far as they are known."""
        workflows: Mapping[str, Any] = self.around.workflows or {}
        return workflows

    @cached_property
    def references(self) -> list[Reference]:
        """Every dot path that the board reads."""
        return [reference for step in self.steps if step.config for reference in references(step)]

    @cached_property
    def texts(self) -> list[Text]:
        """Every string with `{{` that is filled in."""
        return [text for step in self.steps if step.config for text in texts(step)]

    @cached_property
    def results(self) -> list[tuple[Reference, int]]:
        """The references to the result of a step that exists, with that step; foreign ones left out."""
        by_id = self.board.by_id
        found = []
        for reference in self.references:
            if reference.path.startswith("steps.") and not reference.foreign:
                source = by_id.get(reference.path.split(".", 2)[1])
                if source is not None:
                    found.append((reference, source))
        return found

    @cached_property
    def before(self) -> Mapping[tuple[Source, int], Before]:
        """For each result that a step reads: whether it is there by then."""
        return before(self.graph, (((source,), reference.step) for reference, source in self.results))

    @cached_property
    def ports(self) -> list[tuple[str, ...]]:
        """The ports of each step, the error port last."""
        return [catalog.ports(step) for step in self.steps]

    def stands_for_all(self, step: Step) -> bool:
        """Whether a step's one plain `out` wire stands for all the ports that follow from its config."""
        entry = catalog.CATALOG.get(step.type)
        return entry is not None and entry.dynamic and len(step.next) == 1 and step.next[0].port == catalog.OUT

    def near(self, word: str, known: Collection[str]) -> Near | None:
        """The known name that `word` most likely means. Bounded for a whole board, so that typos cost no time."""
        place = (word, len(known))
        if place not in self._near:
            self._near[place] = self._spelling.near(word, known)
        return self._near[place]
