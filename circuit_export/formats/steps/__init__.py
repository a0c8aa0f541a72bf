"""Circuit boards: workflows of steps, as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Spot
from circuit_export.formats.base import Need, Synopsis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from circuit_export.board.model import Board
    from circuit_export.definition import Definition
    from circuit_export.formats.base import Ignored
    from circuit_export.formats.steps.document import StepsDocument
    from circuit_export.runs.machine import Machine


class Steps:
    """The format of Circuit boards; what is heavy is imported when it is used."""

    name = "steps"
    title = "Circuit board"
    sign = 'a board has "circuit": 1 at its top'
    suffixes = (".json",)
    reads_around = False

    def recognise(self, text: str) -> bool:
        """Is it a JSON object with a whole number as `circuit` and a list as `steps`? Never raises."""
        from circuit_export.formats.steps.document import recognise

        return recognise(text)

    def claims(self, text: str) -> bool:
        """Does the text hold the format's marker, so that not being one is worth saying?"""
        from re import search

        return text.lstrip("\ufeff \t\r\n").startswith("{") and search(r'"circuit"\s*:\s*[-\dtf"]', text) is not None

    def normalise(self, text: str) -> str:
        """Line ends are line feeds: JSON does not tell them apart."""
        return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text

    def suffix(self, text: str) -> str:  # the same for every text
        return ".json"

    def load(self, definition: Definition) -> StepsDocument:
        """Reads a board. Raises CircuitError, with the position."""
        from circuit_export.formats.steps.document import load

        return load(definition)

    def dump(self, value: Any) -> str:
        """A board's text. Raises CircuitError for a value that JSON cannot hold."""
        from circuit_export.formats.steps.document import dump

        return dump(value)

    def needs(self, document: StepsDocument) -> tuple[Need, ...]:
        """The workflows it calls, each once, in the order they are first named."""
        from circuit_export.formats.steps.calls import called_ids

        return tuple(Need(id=id) for id in called_ids(document))

    def picture(self, document: StepsDocument, called: Mapping[str, StepsDocument]) -> Board:
        from circuit_export.formats.steps.picture import picture

        return picture(document, called)

    def synopsis(self, document: StepsDocument) -> Synopsis:
        from circuit_export.formats.steps.connectors import uses

        return Synopsis(
            kind=self.title,
            name=document.name,
            description=document.description,
            steps=len(document.steps),
            connectors=tuple(use.tool for use in uses(step for step in document.steps if step.enabled)),
            inputs=tuple(item.name for item in document.inputs),
        )

    def engine(
        self, document: StepsDocument, called: Mapping[str, StepsDocument], directives: int | None = None
    ) -> Machine:
        """The engine bound to a board; a run of it may use `directives`, 10,000 if that is None."""
        from circuit_export.formats.steps.engine import Machine as BoardMachine
        from circuit_export.runs.record import Limits

        return BoardMachine(document, called, Limits() if directives is None else Limits(directives=directives))

    def spots(self, document: StepsDocument) -> Callable[[str], Spot]:
        """What tells where a step stands in the board."""
        return lambda step_id: Spot(f"/steps/{document.by_id[step_id]}")

    def ignored(self, document: StepsDocument) -> tuple[Ignored, ...]:  # a board says it as any JSON document does
        return ()


FORMAT = Steps()
