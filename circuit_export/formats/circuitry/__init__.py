"""Circuitry programs: calls that run when the state they need is there, as KDL or Markdown with KDL front matter."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Spot
from circuit_export.formats.base import Need, Synopsis

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from circuit_export.board.model import Board
    from circuit_export.definition import Definition
    from circuit_export.formats.base import Ignored
    from circuit_export.formats.circuitry.commands import Startable
    from circuit_export.formats.circuitry.document import ProgramDocument
    from circuit_export.formats.circuitry.performing import ProgramRun
    from circuit_export.formats.performing import Order
    from circuit_export.runs.machine import Machine
    from circuit_export.runs.scenario import Scenario


class Circuitry:
    """The format of Circuitry programs; what is heavy is imported when it is used."""

    name = "circuitry"
    title = "Circuitry program"
    sign = "a program says what its out is; in Markdown it does so at the top, between two lines that are exactly ---"
    suffixes = (".kdl", ".md")
    reads_around = True

    def recognise(self, text: str) -> bool:
        """Is it KDL, or Markdown with KDL front matter, that says what its `out` is? Never raises."""
        if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") or "out" not in text:
            return False
        from circuit_export.formats.circuitry.document import recognise

        return recognise(text)

    def claims(self, text: str) -> bool:
        """Does the text carry a program's marks, so that what is wrong with it is worth saying?"""
        if text.lstrip("\ufeff \t\r\n")[:1] in ("{", "[") or "out" not in text:
            return False
        from circuit_export.formats.circuitry.document import claims

        return claims(text)

    def normalise(self, text: str) -> str:
        """Byte for byte as it is: line ends count."""
        return text

    def suffix(self, text: str) -> str:
        """`.md` for Markdown with KDL front matter, else `.kdl`."""
        from circuit_export.formats.circuitry.document import suffix

        return suffix(text)

    def load(self, definition: Definition) -> ProgramDocument:
        """Reads a program. Raises CircuitError, with the position, for what is no KDL."""
        from circuit_export.formats.circuitry.document import load

        return load(definition)

    def dump(self, value: Any) -> str:
        """A program's text for a value, which is its text: programs are laid out by their authors."""
        from circuit_export.diagnostics import CircuitError

        if not isinstance(value, str):
            raise CircuitError("A program is a text", found=type(value).__name__)
        return value

    def needs(self, document: ProgramDocument) -> tuple[Need, ...]:
        """The files of the programs it runs, each once, relative to the main program's folder."""
        from circuit_export.formats.circuitry.words import nested_path

        paths = dict.fromkeys(nested_path(call, document) for call in document.calls)
        return tuple(Need(path=path) for path in paths if path is not None and path != document.definition.path)

    def picture(self, document: ProgramDocument, called: Mapping[str, ProgramDocument]) -> Board:
        from circuit_export.formats.circuitry.picture import picture

        return picture(document, called)

    def synopsis(self, document: ProgramDocument) -> Synopsis:
        from circuit_export.formats.circuitry.dataflow import dataflow
        from circuit_export.formats.circuitry.words import Kind, kind, literal

        commands = (literal(call) for call in document.calls if kind(call) is Kind.COMMAND)
        return Synopsis(
            kind=self.title,
            name=document.name,
            description=document.description,
            steps=len(document.calls),
            connectors=tuple(dict.fromkeys(command for command in commands if command)),
            inputs=tuple(port.name for port in dataflow(document.program).ports[0]),
        )

    def engine(
        self, document: ProgramDocument, called: Mapping[str, ProgramDocument], directives: int | None = None
    ) -> Machine:
        """The engine bound to a program and those it calls: it starts nothing, its answers are given to it."""
        from circuit_export.formats.circuitry.engine.played import PlayedProgram

        return PlayedProgram(document, called, directives or 10_000)

    def spots(self, document: ProgramDocument) -> Callable[[str], Spot]:
        """What tells where a call stands in the text, or the program's `in` or `out`."""
        from circuit_export.diagnostics import Lines

        lines, extents = Lines(document.definition.text), document.extents()

        def spot(step_id: str) -> Spot:
            extent = extents.get(step_id)
            return Spot() if extent is None else Spot("", *document.place(extent, lines))

        return spot

    def ignored(self, document: ProgramDocument) -> tuple[Ignored, ...]:
        """What its comments ask to leave out."""
        from circuit_export.formats.circuitry.ignoring import ignored

        return ignored(document)

    # --- performed here: see `formats.performing.Performing` ---------------------------------------------------------

    def can_run(self, document: ProgramDocument) -> bool:
        """Whether nothing is wrong with it."""
        return document.is_valid

    def input_of(self, text: str) -> Any:
        """The value of a JSON text; an object whose only key is `$bytes`, with base64, is bytes. Raises ValueError."""
        from circuit_export.formats.circuitry.values import read_json

        return read_json(text)

    def startable(self, document: ProgramDocument, called: Mapping[str, ProgramDocument]) -> tuple[Startable, ...]:
        """The commands that a run could start."""
        from circuit_export.formats.circuitry.commands import startable

        return startable(document, called)

    def perform(self, document: ProgramDocument, called: Mapping[str, ProgramDocument], order: Order) -> ProgramRun:
        """A run that starts the program's commands. Raises CircuitError for an order that no run can have."""
        from circuit_export.formats.circuitry.performing import perform

        return perform(document, called, order)

    def play(
        self,
        document: ProgramDocument,
        called: Mapping[str, ProgramDocument],
        order: Order,
        scenario: Scenario,
    ) -> ProgramRun:
        """A run whose commands have the outcomes that a scenario fixes. Raises CircuitError."""
        from circuit_export.formats.circuitry.performing import play

        return play(document, called, order, scenario)


FORMAT = Circuitry()
