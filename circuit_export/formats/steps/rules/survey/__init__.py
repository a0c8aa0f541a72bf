"""What all rules look at of one board, each thing found once and only when a rule asks for it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.diagnostics import Action, Edit, Fix, Place
from circuit_export.formats.base import Surroundings
from circuit_export.formats.likeness import nearest
from circuit_export.formats.steps import catalog
from circuit_export.formats.steps.rules.survey.graph import Graph
from circuit_export.formats.steps.rules.survey.order import Before, Source, before
from circuit_export.formats.steps.rules.survey.references import Reference, Text, references, texts

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from circuit_export.formats.steps.document import Step, StepsDocument

__all__ = ["Before", "Near", "Reference", "Survey", "Text", "listed", "shown"]

COMPARISONS = 40_000
"""Names compared for suggestions on one board at most; findings beyond that come without one."""
SHOWN = 60
"""Characters of a name that a message shows."""


class Near(NamedTuple):
    """A known name near a misspelt one; `only` says that no other one is near too."""

    name: str
    only: bool


class Survey:
    """One board with what is around it."""

    def __init__(self, board: StepsDocument, around: Surroundings = Surroundings()) -> None:  # noqa: B008  # immutable
        self.board = board
        self.steps = board.steps
        self.around = around
        self.graph = Graph(board)
        self._compared = 0
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
            self._near[place] = None
            if self._compared + len(known) <= COMPARISONS:
                self._compared += len(known)
                self._near[place] = find_near(word, known)
        return self._near[place]


def find_near(word: str, known: Collection[str]) -> Near | None:
    """The known name nearest to `word`, None when none is near."""
    name = nearest(word, known)
    if name is None or name == word:
        return None
    return Near(name, nearest(word, [other for other in known if other != name]) is None)


def respelled(near: Near | None, place: Place) -> Fix | None:
    """The fix that writes the near name at a place, if it is the only one; even so another may have been meant."""
    if near is None or not near.only:
        return None
    return Fix(f"write “{near.name}”", (Edit(Action.REPLACE, place, near.name),))


def did_you_mean(near: Near | None, otherwise: str = "") -> str:
    """The hint that a near name gives."""
    return f"did you mean “{near.name}”?" if near is not None else otherwise


def shown(name: str) -> str:
    """A name in quotes, cut when it is very long."""
    return f"“{name if len(name) <= SHOWN else name[: SHOWN - 1] + '…'}”"


def listed(names: Collection[str], most: int = 8, word: str = "and") -> str:
    """Names in quotes as a list in a sentence, at most so many of them."""
    quoted = [shown(name) for name in list(names)[:most]]
    if len(names) > most:
        quoted.append(f"{len(names) - most} more")
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} {word} {quoted[-1]}" if quoted else "nothing"
