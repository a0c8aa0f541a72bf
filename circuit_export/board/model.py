"""The neutral picture: chips, wires and page sections, with nothing in it that knows a format."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Actor(StrEnum):
    """Who acts in a step: a person, the assistant that drives, or the engine itself."""

    YOU = "you"
    CLAUDE = "claude"
    CIRCUIT = "circuit"


class Place(NamedTuple):
    """A cell of the grid, both numbers from 0."""

    col: int
    lane: int


class Scope(NamedTuple):
    """The ports of a chip that encloses others: `body` leads into what it encloses, `after` to what follows it."""

    body: str
    after: str


class Chip(NamedTuple):
    """A step as it is drawn and listed.

    `ports` are all named ways out in the order they leave the chip, wired or not. `position` is given only when
    the definition gives one. `config` is what the list shows of its settings, a text for each key; `notes` are
    whole sentences about it (what happens on an error, that it is switched off). `named` says that the name of a port
    matters even when it is the only one.
    """

    id: str
    verb: str
    title: str
    summary: str
    actor: Actor
    ports: tuple[str, ...] = ("out",)
    writes: bool = False
    enabled: bool = True
    position: Place | None = None
    scope: Scope | None = None
    config: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    named: bool = False

    @property
    def labels(self) -> tuple[str, ...]:
        """The ports' names where they are shown: that of a single one mostly goes without saying."""
        return self.ports if len(self.ports) > 1 or self.named else ()


class Wire(NamedTuple):
    """A way from a port of one chip to another chip; both chips are indices into `Board.chips`.

    `port` is one of the source chip's `ports`.
    """

    source: int
    port: str
    target: int
    optional: bool = False


class LooseWire(NamedTuple):
    """A wire that leads to no chip: `to` is the id that it names. It is listed, never drawn."""

    source: int
    port: str
    to: str


class Span(NamedTuple):
    """A run of text in a section: `kind` is "text", "strong", "code" or "step" (then `chip` is its index)."""

    text: str
    kind: str = "text"
    chip: int = -1


Cell = tuple[Span, ...]


class Fact(NamedTuple):
    """One fact of the page's head, such as "steps" → "7" or "asks for" → "channel"."""

    label: str
    value: str


class Section(NamedTuple):
    """A section of the page below the board: a table when it has columns, a list of single cells when not.

    `slug` is its anchor. `empty` is the sentence shown when there are no rows.
    """

    slug: str
    heading: str
    intro: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Cell, ...], ...] = ()
    empty: str = ""


class Board(NamedTuple):
    """A workflow drawn. `entry` is the index of the chip where it starts.

    `order` holds the chips in the order in which they are numbered and listed, where the workflow runs in one that is
    known; empty, they are numbered along the wires.
    """

    id: str
    name: str
    description: str
    chips: tuple[Chip, ...]
    wires: tuple[Wire, ...]
    entry: int = 0
    loose: tuple[LooseWire, ...] = ()
    facts: tuple[Fact, ...] = ()
    sections: tuple[Section, ...] = ()
    order: tuple[int, ...] = ()


class Moment(NamedTuple):
    """One thing that happened in a run. `chip` is an index into `Board.chips`, `state` a word such as "done".

    `inner` names the step of a called workflow that it happened to, then `chip` is the step that calls. `given`,
    `answer` and `item` (of the loop around it) are texts as they are shown; None is nothing.
    """

    chip: int
    state: str
    inner: str = ""
    at: str = ""
    port: str = ""
    summary: str = ""
    error: str = ""
    given: str | None = None
    answer: str | None = None
    item: str | None = None


class RunView(NamedTuple):
    """A run as it is drawn on a board.

    `states` and `notes` (what it came to, "2 threads") are parallel to `Board.chips`; `taken` are indices into
    `Board.wires`; `earlier` is how many moments before the first of `moments` were not kept. `about` and `facts` say
    what run it is and how it went, `reason` why it stands still; `redacted`, that values are replaced by their shapes.
    """

    about: str
    states: tuple[str, ...]
    notes: tuple[str, ...]
    taken: tuple[int, ...]
    moments: tuple[Moment, ...]
    earlier: int = 0
    facts: tuple[Fact, ...] = ()
    redacted: bool = False
    reason: str = ""
