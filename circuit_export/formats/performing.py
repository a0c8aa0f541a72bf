"""What a format may offer besides: its workflows are performed right here, by starting the commands that they name.

`formats.get(name)` is a `Performing` or is not; nobody has to ask which format it is. Workflows of the other formats
are driven: somebody else does what a directive says and reports what came of it.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from circuit_export import formats
from circuit_export.formats.base import Document, Format

if TYPE_CHECKING:
    from circuit_export.diagnostics import CircuitError
    from circuit_export.runs.record import Run
    from circuit_export.runs.scenario import Scenario


class Bounds(NamedTuple):
    """What a run may use; None is no bound, and for bytes the format's own.

    `depth` is how deep workflows may call workflows, `seconds` bounds the whole run. The bytes are those of each file
    that is read, each command's input and each command's output.
    """

    generations: int | None = None
    depth: int | None = None
    seconds: float | None = None
    source_bytes: int | None = None
    input_bytes: int | None = None
    output_bytes: int | None = None


class Order(NamedTuple):
    """What a run is given. `input` counts when there is one (`has_input`), for null is an input too.

    `folder` is the absolute folder of relative names. With `bundled` a workflow that is called is the one that came
    with its caller, whatever lies in the folder. With `alone` this process starts nothing but the run's commands, so
    whatever they leave behind can be told from everything else and is ended with the run.
    """

    folder: str
    input: Any = None
    has_input: bool = False
    bounds: Bounds = Bounds()
    bundled: bool = False
    alone: bool = False


class Startable(Protocol):
    """A command that a run could start."""

    @property
    def path(self) -> tuple[str, ...]:
        """The steps that lead to it, itself last."""

    @property
    def command(self) -> str:
        """What is started, as it is written."""

    @property
    def arguments(self) -> str:
        """What it is given, as it is written."""

    @property
    def known(self) -> bool:
        """Is it told by the workflow? Otherwise only a run tells what is started."""


class Ending(NamedTuple):
    """How a run ended: its `output` as one line of JSON, or the `error` that says why there is none.

    `details` is what the command that failed said last, on its own standard error.
    """

    output: str | None = None
    error: CircuitError | None = None
    details: str = ""
    cancelled: bool = False


class Performance(Protocol):
    """A run at work."""

    def lines(self, *, shown: bool = True) -> Generator[str, None, None]:
        """Its trace as it happens, line by line with their line feeds; empty texts when they are not `shown`.

        To close it cancels the run.
        """

    def cancel(self, reason: str) -> None:
        """Cancels it, from wherever: the trace goes on to its end, which comes soon."""

    @property
    def ending(self) -> Ending:
        """How it ended; only when the trace has."""

    @property
    def run(self) -> Run | None:
        """It as a run that a board can show, None when it is none."""


class Performing(Format, Protocol):
    """A format whose workflows are performed here."""

    def can_run(self, document: Any) -> bool:
        """Is nothing wrong with it that keeps it from running?"""

    def input_of(self, text: str) -> Any:
        """The value of a JSON text, as this format reads JSON. Raises ValueError (JSONDecodeError with the place)."""

    def startable(self, document: Any, called: Mapping[str, Any]) -> Sequence[Startable]:
        """All that a run could start, in the order it is written."""

    def perform(self, document: Any, called: Mapping[str, Any], order: Order) -> Performance:
        """A run, which begins when its lines are asked for: it starts commands.

        Raises CircuitError for an order that no run can have.
        """

    def play(self, document: Any, called: Mapping[str, Any], order: Order, scenario: Scenario) -> Performance:
        """A run whose commands have the outcomes that a scenario fixes: it starts nothing. Raises CircuitError."""


def of(name: str) -> Performing | None:
    """The format called `name` when its workflows are performed here, else None."""
    found = formats.get(name)
    return cast("Performing", found) if hasattr(found, "perform") else None


def of_document(document: Document) -> Performing | None:
    """The format of a document when it is performed here, else None."""
    return of(document.definition.format)
