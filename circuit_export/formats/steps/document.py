"""A Circuit board as a typed document that keeps its exact text, and what there is to say about it on loading."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats import json_text
from circuit_export.formats.steps.catalog import ERROR

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.board.model import Place
    from circuit_export.diagnostics import Diagnostic

FORMAT_NAME = "steps"
VERSION = 1


class Next(NamedTuple):
    """A wire: from a port of its step to the step with the id `to`, whether that exists or not."""

    port: str
    to: str


class OnError(NamedTuple):
    """What happens when a step fails: `attempts` counts all tries of a retry, `port` is where a route leaves."""

    do: str
    attempts: int = 2
    port: str = ERROR


class Input(NamedTuple):
    """Something the workflow asks for before it runs."""

    name: str
    description: str = ""
    required: bool = True
    default: Any = None
    has_default: bool = False

    @property
    def must_be_given(self) -> bool:
        """Whether a run cannot start without it."""
        return self.required and not self.has_default


class Schedule(NamedTuple):
    """The schedule that a board was armed with."""

    cron: str
    note: str = ""


class Step(NamedTuple):
    """A step as written; `config` without the defaults of its type. `index` is its place in the list, from 0."""

    index: int  # type: ignore[assignment]  # tuple.index is never wanted here
    id: str
    type: str
    title: str
    config: Mapping[str, Any]
    next: tuple[Next, ...] = ()
    enabled: bool = True
    on_error: OnError | None = None
    position: Place | None = None


class StepsDocument(NamedTuple):
    """A board read. `value` is the parsed JSON, untouched; `entry` the index of the step where a run starts.

    Of steps with one id the first is the one that wires and paths mean (`by_id`).
    """

    definition: Definition
    value: dict[str, Any]
    id: str
    name: str
    description: str
    entry: int
    inputs: tuple[Input, ...]
    steps: tuple[Step, ...]
    schedule: Schedule | None = None
    by_id: Mapping[str, int] = MappingProxyType({})
    notes: tuple[Diagnostic, ...] = ()

    @property
    def start(self) -> Step:
        """The step where a run starts."""
        return self.steps[self.entry]

    def step(self, id: str) -> Step | None:
        """The step with that id, None when there is none."""
        index = self.by_id.get(id)
        return None if index is None else self.steps[index]


def load(definition: Definition) -> StepsDocument:
    """Reads a board.

    Raises CircuitError, with the position, for what is no JSON, no board, or has a step or wire that cannot be
    drawn. Everything else that is odd is carried and said in `notes`.
    """
    from circuit_export.formats.steps.notes import Notes
    from circuit_export.formats.steps.reading import Reader

    parsed = json_text.parse(definition.text)
    notes = Notes()
    for repeated in parsed.repeated:
        notes.repeated(repeated.pointer, repeated.name)
    return Reader(definition, notes).read(parsed.value)


def load_value(value: Any, path: str = "") -> StepsDocument:
    """Reads a board from a parsed JSON value; its text is the value as this format is written."""
    from circuit_export.formats.steps.notes import Notes
    from circuit_export.formats.steps.reading import Reader

    definition = Definition(dump(value), FORMAT_NAME, path)
    return Reader(definition, Notes()).read(value)


def dump(value: Any) -> str:
    """The text of a board: indented by one space, keys in their order, non-ASCII kept.

    Raises CircuitError for a value that JSON cannot hold.
    """
    try:
        return json_text.write(value)
    except (TypeError, ValueError) as error:
        raise CircuitError("This value cannot be written as JSON", found=str(error)) from None


def recognise(text: str) -> bool:
    """Whether a text is a board: a JSON object with a whole number as `circuit` and a list as `steps`."""
    if ('"circuit"' not in text and "\\u" not in text) or not text.lstrip(" \t\r\n").startswith("{"):
        return False
    try:
        value = json_text.parse(text).value
    except CircuitError:
        return False
    return isinstance(value, dict) and is_whole(value.get("circuit")) and isinstance(value.get("steps"), list)


def is_whole(value: Any) -> bool:
    """Whether a JSON number is a whole one; 1.0 is, as JSON does not tell it from 1, and true is not."""
    return type(value) is int or (isinstance(value, float) and value.is_integer())
