"""A program performed for the command line: its trace line by line, and how it ended in words that can be acted on."""

from __future__ import annotations

import posixpath
from os.path import normpath
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.circuitry.blame import forgotten, given, waiting
from circuit_export.formats.circuitry.dataflow import OUT, dataflow
from circuit_export.formats.circuitry.engine.failures import CANCELLED, LIMIT
from circuit_export.formats.circuitry.engine.played import PlayedProgram
from circuit_export.formats.circuitry.engine.state import Limits
from circuit_export.formats.circuitry.engine.trace import encode
from circuit_export.formats.circuitry.patterns import match_all
from circuit_export.formats.circuitry.runner import BadTerms, Cancel, Terms, run
from circuit_export.formats.circuitry.values import ABSENT, NotAValue, canonical
from circuit_export.formats.performing import Ending
from circuit_export.formats.wording import one_line
from circuit_export.runs.scenario import play as play_scenario

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Mapping

    from circuit_export.formats.circuitry.document import ProgramDocument
    from circuit_export.formats.circuitry.engine.state import Record
    from circuit_export.formats.circuitry.program import Call
    from circuit_export.formats.performing import Bounds, Order
    from circuit_export.runs.record import Run
    from circuit_export.runs.scenario import Scenario

_LONGEST = 200
_ADVICE = {
    "process.spawn": "install it, check its spelling, or give the call an error { … } that handles this",
    "process.exit": "mend the command, or give the call an error { … } that handles this",
    "source.read": "programs in programs are looked for in the run's folder, which --cwd names",
    "program.invalid": "mend the program that it runs; `circuit validate` says all that is wrong with a file",
    "match.input": "the in of the call gives another input than the program that it runs takes",
    "run.quiescent": "run the program that it runs by itself: `circuit run` says what its out was waiting for",
    "call.source": "a source is the text of a command, a file or, with (circuitry), a program",
    "process.input": "let the command read all of its input, or give the call an error { … } that handles this",
    "source.cwd": "name the folder of the run with --cwd",
    "match.output": "change its out, or give the call an error { … } that handles this; --trace FILE keeps all it gave",
    "codec.json": "write (text)out if it is plain text, (jsonl)out if every line is JSON",
    "codec.jsonl": "every line is one JSON value and ends with a line feed; write (text)out if it is plain text",
    "codec.utf8": "write (bytes)out if it is no text",
    "output.limit": "--max-output allows more",
    "input.limit": "--max-input allows more",
    "source.limit": "--max-source allows more",
    LIMIT: "--max-seconds, --max-generations and --max-depth set the bounds",
}


def perform(document: ProgramDocument, called: Mapping[str, ProgramDocument], order: Order) -> ProgramRun:
    """A run of a program: its commands are started. Raises CircuitError for an order that no run can have."""
    cancel = Cancel()
    # Paths start where the program's own does, which may be above the folder that it is in; the run's begin in that.
    home = posixpath.dirname(document.definition.path) or "."
    inside = {path if path.startswith("/") else posixpath.relpath(path, home): called[path] for path in called}
    sources = {normpath(PurePath(order.folder, path)): found.definition.text for path, found in inside.items()}
    terms = Terms(
        order.folder,
        _limits(order.bounds),
        seconds=order.bounds.seconds,
        sources=sources if order.bundled else None,
        adopts=order.alone,
    )
    try:
        records = run(
            document.definition.text,
            input=order.input if order.has_input else ABSENT,
            terms=terms,
            cancel=cancel,
            program=document.program,
        )
    except (BadTerms, NotAValue) as error:
        raise CircuitError("The program cannot be run so", found=str(error)) from None
    return ProgramRun(document, records, cancel)


def play(
    document: ProgramDocument, called: Mapping[str, ProgramDocument], order: Order, scenario: Scenario
) -> ProgramRun:
    """A run of a program whose commands have fixed outcomes: nothing is started. Raises CircuitError."""
    if order.has_input:
        scenario = scenario._replace(trigger=order.input, input={})
    engine = PlayedProgram(document, called)
    played = play_scenario(engine, scenario)
    if played.refused:
        raise CircuitError("An answer of the scenario is not taken", found=played.refused)
    return ProgramRun(document, engine._alive(played.run).watch.records, Cancel(), played.run)


def _limits(bounds: Bounds) -> Limits:
    given = {name: getattr(bounds, name) for name in Limits._fields}
    return Limits(**{name: bound for name, bound in given.items() if bound is not None})


class _Called(NamedTuple):
    """A call that is at work or has failed: its name, and the record of the call that runs its program."""

    name: str
    parent: int


class ProgramRun:
    """A run of a program; see `formats.performing.Performance`."""

    def __init__(
        self, document: ProgramDocument, records: Iterable[Record], cancel: Cancel, run: Run | None = None
    ) -> None:
        self.run = run
        self._document = document
        self._records = records
        self._cancel = cancel
        self._last: Record = {}
        self._at = -1
        self._calls: dict[int, _Called] = {}  # those at work, and those whose failure nobody handled
        self._failed: dict[int, dict[int, dict[str, Any]]] = {}  # by the record of what runs them, in order
        self._bound: set[str] = set()
        self._ran: set[str] = set()

    def lines(self, *, shown: bool = True) -> Generator[str, None, None]:
        try:
            for record in self._records:
                self._see(record)
                yield encode(record) if shown else ""
        finally:
            close = getattr(self._records, "close", None)
            if close is not None:
                close()

    def cancel(self, reason: str) -> None:
        self._cancel(reason)

    @property
    def ending(self) -> Ending:
        if "output" in self._last:
            return Ending(canonical(self._last["output"]))
        failure = self._last["error"]
        if failure["code"] == CANCELLED:
            return Ending(error=CircuitError("The run was stopped", found=failure["message"]), cancelled=True)
        error, data = self._explained(failure), failure.get("data")
        said = data.get("stderr") if failure["code"] == "process.exit" and isinstance(data, dict) else None
        return Ending(error=error, details=said if isinstance(said, str) else "")

    # --- what happens ----------------------------------------------------------------------------------------------

    def _see(self, record: Record) -> None:
        """Follows the run as far as is needed to say why it failed: what is over and well is forgotten."""
        self._at += 1
        self._last = record
        if not self._at:
            program = self._document.program
            self._bound.update(match_all(program.input, [record.get("input", {})]) or ())
        elif "call" in record:
            self._calls[self._at] = _Called(record["call"], record.get("parent", 0))
        elif record.get("result"):
            ordinal = record["result"]
            if "bindings" not in record:
                self._failed.setdefault(self._calls[ordinal].parent, {})[ordinal] = record["error"]
                return
            called = self._calls.pop(ordinal)
            for inner in self._failed.pop(ordinal, ()):
                self._forget(inner)
            if not called.parent:
                self._bound.update(record["bindings"])
                self._ran.add(called.name)

    def _forget(self, ordinal: int) -> None:
        waiting = [ordinal]
        while waiting:
            one = waiting.pop()
            self._calls.pop(one, None)
            waiting += self._failed.pop(one, {})

    # --- why it failed ---------------------------------------------------------------------------------------------

    def _explained(self, failure: dict[str, Any]) -> CircuitError:
        code, message = failure["code"], failure["message"]
        found, hint = f"{code}: {message}", _ADVICE.get(code, "--trace FILE keeps all that happened")
        path = self._path(failure)
        if code == LIMIT:
            return CircuitError("The run was ended at one of its bounds", found=found, hint=hint)
        if path:
            call = next(call for call in self._document.calls if call.name == path[0])
            wrong = code == "match.output"
            return CircuitError(
                f"The program failed at {' → '.join(path)}",
                position=self._document.place(call.name_extent)[0],
                found=f"{code}: {given(path[-1], failure.get('data'))}" if wrong else found,
                expected=self._written(call, OUT) if wrong and len(path) == 1 else "",
                hint=(forgotten(call) if wrong and len(path) == 1 else "") or hint,
            )
        if code == "match.input":
            return self._of_input(message)
        return self._quiescent(found)

    def _path(self, failure: dict[str, Any]) -> list[str]:
        """The calls whose failure is the run's, the outermost first: in each program the first one declared."""
        path: list[str] = []
        inside = 0
        while failures := self._failed.get(inside):
            ordinal = next((at for at in sorted(failures) if failures[at] == failure), None)
            if ordinal is None:
                break
            path.append(self._calls[ordinal].name)
            inside = ordinal
        return path

    def _written(self, call: Call, part: str) -> str:
        """A part of a call as its author wrote it, on one line."""
        extent = dict(call.parts).get(part)
        return one_line(f"{part} {self._document.kdl(extent)}", _LONGEST) if extent is not None else ""

    def _of_input(self, message: str) -> CircuitError:
        extent = self._document.program.input_extent
        shape = " ".join(self._document.kdl(extent).split()) if extent is not None else ""
        position = self._document.place(extent)[0] if extent is not None else None
        return CircuitError(message, position=position, expected=shape, hint="give it with --input")

    def _quiescent(self, found: str) -> CircuitError:
        document = self._document
        flow = dataflow(document.program)
        wanted = flow.needs[flow.ids.index(OUT, len(flow.ids) - 1)]
        missing = [name for name, optional in wanted.items() if not optional and name not in self._bound]
        named = ", ".join(f"${name}" for name in missing)
        if missing:
            found = f"run.quiescent: {waiting(flow, missing[0], self._bound, self._ran)}"
        extent = document.program.output_extent
        return CircuitError(
            f"The program's out needs {named}, which nothing has bound" if named else "The program has no output",
            position=document.place(extent)[0] if extent is not None else None,
            found=found,
            hint="--trace FILE shows which calls ran and what they bound",
        )
