"""The protocol that every format fulfils; a format is one folder beside this file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from circuit_export.board.model import Board
from circuit_export.definition import Definition
from circuit_export.diagnostics import Diagnostic, Position, Severity, Spot

if TYPE_CHECKING:
    from pathlib import Path

    from circuit_export.formats.ground import Ground
    from circuit_export.runs.machine import Machine


class Need(NamedTuple):
    """Another document that a workflow calls: by `id` (another workflow's) or by `path` (relative, POSIX)."""

    id: str = ""
    path: str = ""


class Synopsis(NamedTuple):
    """What a workflow is, in a few facts, for the report of `circuit import` and the gallery."""

    kind: str
    name: str
    description: str
    steps: int
    connectors: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()


class Ignored(NamedTuple):
    """A finding to leave out: its code or name, the reason ("" for none), and where that is asked for.

    `step` is the id of the one step that it is about, "" for the whole document.
    """

    word: str
    reason: str
    start: Position
    end: Position
    step: str = ""


class Document(Protocol):
    """A definition read: typed, and lossless (its `definition` is the exact text)."""

    @property
    def definition(self) -> Definition: ...

    @property
    def id(self) -> str:
        """The workflow's id: its `id` key, else its file's stem."""

    @property
    def name(self) -> str: ...

    @property
    def notes(self) -> tuple[Diagnostic, ...]:
        """What the loader has to say: unknown keys carried, an entry that names no step, …"""


class Format(Protocol):
    """One kind of workflow: how it is recognised, read, written and drawn."""

    name: str
    """Its word in `data-format`, such as "steps"."""

    title: str
    """What people call it, such as "Circuit board"."""

    sign: str
    """What shows that a text is one, for who wrote a text that is none."""

    suffixes: tuple[str, ...]
    """The file suffixes that it is written with, the usual one first."""

    reads_around: bool
    """Do its rules read other files of the repository, so that what was right once may be wrong later?"""

    def recognise(self, text: str) -> bool:
        """Does `text` (bounded, whole) look like a definition of this format? Cheap, and never raises."""

    def claims(self, text: str) -> bool:
        """Does `text` carry this format's marker, whole or not, so that its errors are this format's to explain?"""

    def normalise(self, text: str) -> str:
        """The definition's exact text for a text as it was read (JSON: line ends as line feeds)."""

    def suffix(self, text: str) -> str:
        """The suffix of the file that a definition is written to, such as ".json"."""

    def load(self, definition: Definition) -> Document:
        """Reads a definition. Raises CircuitError when it is not one, with the position."""

    def dump(self, value: Any) -> str:
        """A definition's text for a value, as this format is written."""

    def needs(self, document: Any) -> tuple[Need, ...]:
        """The other documents it calls, each once, in the order they are first named."""

    def picture(self, document: Any, called: Mapping[str, Any]) -> Board:
        """The board; `called` holds the documents of `needs` that could be found, by their id or path."""

    def synopsis(self, document: Any) -> Synopsis: ...

    def engine(self, document: Any, called: Mapping[str, Any], directives: int | None = None) -> Machine:
        """The engine bound to a workflow and what it calls; a run may use `directives` (None: the usual bound)."""

    def spots(self, document: Any) -> Callable[[str], Spot]:
        """What tells of a step's id where it stands in the definition; for many steps of one document."""

    def ignored(self, document: Any) -> tuple[Ignored, ...]:
        """Findings that it asks to leave out in ways of its own, beside what any JSON document can say."""


# --- rules -------------------------------------------------------------------------------------------------------


class Surroundings(NamedTuple):
    """What is known around a workflow while its rules look at it; None is not known, which no rule complains of.

    `workflows` holds the documents that can be called, by id; `tools` the names of the connector tools there are;
    `root` is the folder of the repository, `ground` where the workflow's own path starts and how far it may lead.
    `profile` says whose idea of a runnable workflow counts ("" is ours), and `allow_cycles` that a workflow may go
    round.
    """

    workflows: Mapping[str, Document] | None = None
    tools: tuple[str, ...] | None = None
    root: Path | None = None
    profile: str = ""
    allow_cycles: bool = False
    ground: Ground | None = None


class Rule(NamedTuple):
    """One thing that can be wrong with a workflow: how it is found, and the section of documentation about it.

    `bad` and `good` are definitions: the first has exactly this finding, the second none. `around` is what the two
    examples need around them: a binding's tools, and definitions of workflows that are called. `check` is given what
    the format's rules share and yields findings; it is None for a code that somebody else finds (the loader, say).
    `reference` is the code that the format's language itself has for it, such as "program.call.child".
    """

    code: str
    name: str
    severity: Severity
    about: str
    why: str
    bad: str
    good: str
    check: Callable[[Any], Iterable[Diagnostic]] | None = None
    tools: tuple[str, ...] | None = None
    workflows: tuple[str, ...] = ()
    reference: str = ""

    def found(self, message: str, pointer: str, **more: Any) -> Diagnostic:
        """A finding of this rule; `more` are fields of Diagnostic, a severity among them if it differs."""
        severity = more.pop("severity", self.severity)
        return Diagnostic(self.code, self.name, severity, message, pointer, reference=self.reference, **more)
