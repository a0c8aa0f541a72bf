"""What a tool works with: the store, whose workspace it is, the clock and new ids; and what a workspace holds."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from circuit_export import formats
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.steps.document import FORMAT_NAME
from circuit_export.store.base import BoardHead, Content, Store, StoredBoard, stamp
from circuit_export.store.shelf import called_by, definition_of

if TYPE_CHECKING:
    from circuit_export.board.layout import Layout
    from circuit_export.board.model import Board, Place
    from circuit_export.definition import Definition
    from circuit_export.formats.base import Document
    from circuit_export.formats.steps.document import StepsDocument
    from circuit_export.runs.machine import Machine

ANY = "any"
BOARD = "board"

ATTEMPTS = 16
"""How often a change is made anew when somebody else was quicker."""


def _now() -> datetime:
    return datetime.now(UTC)


class Rules(NamedTuple):
    """What whoever runs the server decides: may links be fetched, and from where may a gate be answered."""

    allow_fetch: bool = False
    gate_answers: str = ANY


class Desk(NamedTuple):
    """One workspace of a store, as tools work on it. Time and ids are handed in, so that tests can fix them."""

    store: Store
    workspace: str
    rules: Rules = Rules()
    now: Callable[[], datetime] = _now
    token: Callable[[], str] = lambda: secrets.token_hex(6)

    def stamp(self) -> str:
        return stamp(self.now())

    def new_id(self, prefix: str) -> str:
        return f"{prefix}_{self.token()}"


class Opened(NamedTuple):
    """A stored board that was read, with what it calls by id."""

    board: StoredBoard
    document: StepsDocument
    called: Mapping[str, StepsDocument]

    @property
    def machine(self) -> Machine:
        return formats.get(FORMAT_NAME).engine(self.document, self.called)


async def board_of(desk: Desk, board_id: str) -> StoredBoard:
    """A board of any format. Raises CircuitError, with the one that was probably meant, when there is none."""
    board = await desk.store.get_board(desk.workspace, board_id)
    if board is None:
        raise await no_board(desk, board_id)
    return board


async def no_board(desk: Desk, board_id: str) -> CircuitError:
    """The error that there is no such board."""
    from circuit_export.formats.wording import find_near, shown

    ids = [head.id for head in await desk.store.list_boards(desk.workspace)]
    near = find_near(board_id, ids)
    hint = f"did you mean {shown(near.name)}? " if near else ""
    return CircuitError(f"No workflow {shown(board_id)}", hint=hint + "circuit_list names those there are")


async def open_board(desk: Desk, board_id: str) -> Opened:
    """A circuit board with what it calls. Raises CircuitError for one that is not there, or of another format."""
    return await read_board(desk, await board_of(desk, board_id))


async def read_board(desk: Desk, board: StoredBoard) -> Opened:
    """A stored board read, with what it calls. Raises CircuitError for one of another format."""
    return Opened(board, document := steps_of(board), await callees(desk, document))


def steps_of(board: StoredBoard) -> StepsDocument:
    """The document of a circuit board. Raises CircuitError for another format, or a text that cannot be read."""
    if board.head.format != FORMAT_NAME:
        title = formats.get(board.head.format).title if board.head.format in formats.NAMES else board.head.format
        raise CircuitError(
            f"“{board.head.id}” is a {title.lower()}, and only circuit boards are edited and run here",
            hint="circuit_export, circuit_validate and circuit_diff take it",
        )
    return loaded(definition_of(board))


@lru_cache(maxsize=32)
def loaded(definition: Definition) -> StepsDocument:
    """The document of a definition: a run reads the same one again and again."""
    from circuit_export.formats.steps.document import load

    return load(definition)


@lru_cache(maxsize=32)
def laid_out(definition: Definition) -> Layout:
    """Where each chip of a board stands, and what is wrong with the places that it gives."""
    from circuit_export.board.layout import layout

    return layout(picture(loaded(definition), {}))


def places(definition: Definition) -> tuple[Place, ...]:
    """Where each chip of a board stands."""
    return laid_out(definition).places


def picture(document: StepsDocument, called: Mapping[str, StepsDocument]) -> Board:
    return formats.get(FORMAT_NAME).picture(document, called)


async def callees(
    desk: Desk, document: Document, beside: Mapping[str, Document] | None = None
) -> dict[str, StepsDocument]:
    """The circuit boards that one calls, and those call in turn, by id: from `beside`, else from the store."""
    found = await called_by(desk.store, desk.workspace, [document], beside)
    return {name: callee for name, callee in found.items() if callee.definition.format == FORMAT_NAME}  # type: ignore[misc]


Edit = Callable[[StoredBoard], Awaitable[Content]]


async def change(desk: Desk, board_id: str, edit: Edit, *, minor: bool = False) -> tuple[BoardHead, StoredBoard]:
    """Changes a board, anew if somebody else was quicker; its new head, and the board that was changed.

    Raises CircuitError when there is no such board, when `edit` does, and when others keep being quicker.
    """
    for _ in range(ATTEMPTS):
        board = await board_of(desk, board_id)
        content = await edit(board)
        head = await desk.store.put_board(
            desk.workspace, board_id, content, expected=board.head.revision, at=desk.stamp(), minor=minor
        )
        if head is not None:
            return head, board
    raise CircuitError(f"“{board_id}” is being changed by somebody else all the time", hint="try again in a moment")
