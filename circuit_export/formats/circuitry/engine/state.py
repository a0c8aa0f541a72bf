"""What a run is made of: its terms, the invocations of programs, their running calls, and what it asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from circuit_export.formats.circuitry.values import ABSENT

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.formats.circuitry.engine.commands import Command
    from circuit_export.formats.circuitry.engine.failures import Failure
    from circuit_export.formats.circuitry.program import Call, Program

Record = dict[str, Any]
"""A record of a trace."""

MEBIBYTE: Final = 1024 * 1024


class Limits(NamedTuple):
    """What a run may use: bytes of each nested file, each input and each output.

    `generations` bounds the generations of the whole run, `depth` how deep programs call programs; None for no bound.
    """

    source_bytes: int = MEBIBYTE
    input_bytes: int = 16 * MEBIBYTE
    output_bytes: int = 16 * MEBIBYTE
    generations: int | None = None
    depth: int | None = None


class Emit(NamedTuple):
    """A record happened."""

    record: Record


class Load(NamedTuple):
    """The text of a file is wanted: at most `limit` bytes of UTF-8."""

    path: str
    limit: int


class Start(NamedTuple):
    """A command is to be started; it goes by the ordinal of its call. `input` is the value that it is given."""

    id: int
    command: Command
    call: str
    input: Any = ABSENT


class Stop(NamedTuple):
    """A command is to be ended."""

    id: int


Effect = Emit | Load | Start | Stop


class Invocation:
    """A program at work: the root's, or a nested or generated one's, which `parent` waits for."""

    __slots__ = (
        "depth",
        "folder",
        "fresh",
        "input",
        "looked",
        "open",
        "parent",
        "program",
        "running",
        "seen",
        "started",
        "state",
    )

    def __init__(self, program: Program, folder: str | None, input: Any, parent: Running | None) -> None:
        self.program = program
        self.folder = folder
        self.input = input
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.owner.depth + 1
        self.state: dict[str, Any] = {}
        self.seen: set[str] = set()
        self.running: list[Running] = []
        self.open = 0  # calls of the generation that have not settled, or files it still waits for
        self.started = False
        self.looked = False  # whether its calls were looked at once
        self.fresh: set[str] = set()  # the names that the last generation bound


class Running:
    """A call at work. `text` is the program it runs, `path` the file that holds it; `ordinal` that of its record."""

    __slots__ = (
        "arguments",
        "bindings",
        "call",
        "failure",
        "folder",
        "input",
        "ordinal",
        "owner",
        "path",
        "problem",
        "settled",
        "source",
        "text",
        "values",
    )

    def __init__(self, owner: Invocation, call: Call, source: Any, arguments: list[Any], input: Any) -> None:
        self.owner = owner
        self.call = call
        self.source = source
        self.arguments = arguments
        self.input = input
        self.ordinal = 0
        self.path: str | None = None
        self.folder: str | None = owner.folder
        self.text: str | None = None
        self.problem: Failure | None = None  # why it cannot even begin
        self.values: list[Any] = []
        self.bindings: Mapping[str, Any] = {}
        self.failure: Failure | None = None  # one that nobody handled
        self.settled = False


_EXTENSION = re.compile(r"[^/\\](\.[^./\\]*)[/\\]*\Z")


def names_program(source: str) -> bool:
    """Whether a source is a file that holds a program: its name ends with `.kdl` or `.md`, in any case."""
    found = _EXTENSION.search(source)
    return found is not None and found[1].lower() in (".kdl", ".md")
