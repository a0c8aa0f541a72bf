"""Boards in a store as workflows: what is put in is checked first, and what one calls is found beside it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from circuit_export import formats
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Diagnostic, Severity
from circuit_export.formats.base import Document, Surroundings
from circuit_export.store.base import (
    ARMED,
    NEW,
    BoardHead,
    Content,
    Facts,
    Schedule,
    Store,
    StoredBoard,
    check_names,
)

if TYPE_CHECKING:
    from circuit_export.formats.steps.engine.schedule import Health

_ONLY_SAID: Final = frozenset(("C401",))
"""Errors that do not keep a board out: a tool that nobody has yet may be there tomorrow."""


def facts_of(document: Document) -> Facts:
    """What a store keeps beside a workflow's text."""
    format = formats.get(document.definition.format)
    synopsis = format.synopsis(document)
    return Facts(synopsis.name, synopsis.description, synopsis.steps, synopsis.connectors, calls_of(document))


def calls_of(document: Document) -> tuple[str, ...]:
    """The ids of the workflows that one calls itself."""
    return tuple(need.id for need in formats.get(document.definition.format).needs(document) if need.id)


def definition_of(board: StoredBoard) -> Definition:
    """The definition of a board, which goes by the name of its id. Raises CircuitError for a format unknown here."""
    if board.head.format not in formats.NAMES:
        raise CircuitError(
            f"“{board.head.id}” is in a format that is not known here",
            found=board.head.format,
            expected=", ".join(formats.NAMES),
            hint="a later version of circuit put it there: update circuit-export",
        )
    format = formats.get(board.head.format)
    path = board.head.id.replace("/", "-") + format.suffix(board.text)
    return Definition(board.text, format.name, path)


def document_of(board: StoredBoard) -> Document:
    """The workflow of a board. Raises CircuitError, with the board's id, when it cannot be read any more."""
    definition = definition_of(board)
    try:
        return formats.get(definition.format).load(definition)
    except CircuitError as error:
        raise error.located(definition.path) from None


async def called_by(
    store: Store, workspace: str, documents: Sequence[Document], beside: Mapping[str, Document] | None = None
) -> dict[str, Document]:
    """All that workflows call, and what those call in turn, by id: from `beside`, else from the store.

    What is not there, is of another format, or cannot be read is left out.
    """
    found: dict[str, Document] = {}
    asked: set[str] = set()
    waiting = deque(documents)
    while waiting:
        caller = waiting.popleft()
        for need in calls_of(caller):
            if need in asked:
                continue
            asked.add(need)
            callee = (beside or {}).get(need) or await _readable(store, workspace, need)
            if callee is not None and callee.definition.format == caller.definition.format:
                found[need] = callee
                waiting.append(callee)
    return found


async def _readable(store: Store, workspace: str, board_id: str) -> Document | None:
    board = await store.get_board(workspace, board_id)
    try:
        return None if board is None else document_of(board)
    except CircuitError:
        return None


async def callers_of(store: Store, workspace: str, board_id: str) -> list[BoardHead]:
    """The boards of a workspace that call a board, itself left out."""
    boards = await store.list_boards(workspace)
    return sorted(head for head in boards if board_id in head.facts.calls and head.id != board_id)


# --- putting in --------------------------------------------------------------------------------------------------


class Outcome(StrEnum):
    """What became of a workflow that was pushed."""

    ADDED = "added"
    CHANGED = "changed"
    SAME = "the same"
    BEHIND = "behind"
    """Its text is an earlier version of what the store has."""
    REFUSED = "refused"
    LOST = "lost"
    """Somebody else changed the board at the same moment."""


class Pushed(NamedTuple):
    """What became of one workflow: the version that the store has now, the one before ("behind": that it is)."""

    board_id: str
    outcome: Outcome
    version: int = 0
    before: int = 0
    findings: tuple[Diagnostic, ...] = ()


async def push(
    store: Store, workspace: str, documents: Sequence[Document], *, at: str, force: bool = False
) -> list[Pushed]:
    """Puts workflows into a workspace, in their order; each that validates, with the others and the store around it.

    An existing board keeps its standing and its task. Unless forced, a text that the store has left behind is not
    put back. Raises CircuitError for two workflows with one id, and for an id that cannot be kept.
    """
    batch: dict[str, Document] = {}
    for document in documents:
        check_names(document.id)
        if document.id in batch:
            raise CircuitError(
                f"Two of these workflows have the id “{document.id}”",
                found=f"{batch[document.id].definition.path} and {document.definition.path}",
                hint="give one of them another id",
            )
        batch[document.id] = document
    found = await _findings(store, workspace, batch)
    pushed = []
    for document in documents:
        said = tuple(found[document.id])
        if _refused(said):
            pushed.append(Pushed(document.id, Outcome.REFUSED, findings=said))
        else:
            pushed.append((await _put(store, workspace, document, at, force))._replace(findings=said))
    return pushed


async def _findings(store: Store, workspace: str, batch: Mapping[str, Document]) -> dict[str, list[Diagnostic]]:
    """What is found in each; again while one is refused that others may count on."""
    binding = await store.get_binding(workspace)
    tools = None if binding is None else tuple(tool.name for tool in binding.tools)
    good = dict(batch)
    while True:
        around = Surroundings({**await called_by(store, workspace, list(batch.values()), good), **good}, tools)
        found = {name: _findings_of(document, around) for name, document in batch.items()}
        still = {name: document for name, document in good.items() if not _refused(found[name])}
        if len(still) == len(good):
            return found
        good = still


def _findings_of(document: Document, around: Surroundings) -> list[Diagnostic]:
    """All that `circuit validate` would say of it."""
    from circuit_export.validation.check import findings
    from circuit_export.validation.reading import Read
    from circuit_export.validation.suppress import unsuppressed

    definition, value = document.definition, getattr(document, "value", None)
    read = Read(definition.path or document.id, definition.text, definition.format, value, document)
    return unsuppressed(findings(read, around), document)


def _refused(found: Sequence[Diagnostic]) -> bool:
    return any(one.severity is Severity.ERROR and one.code not in _ONLY_SAID for one in found)


async def _put(store: Store, workspace: str, document: Document, at: str, force: bool) -> Pushed:
    kept = await store.get_board(workspace, document.id)
    text = document.definition.text
    content = Content(text, document.definition.format, facts_of(document), schedule=_schedule(document))
    if kept is None:
        head = await store.put_board(workspace, document.id, content, expected=NEW, at=at)
        return Pushed(document.id, Outcome.LOST) if head is None else Pushed(head.id, Outcome.ADDED, head.version)
    present = kept.head.version
    if kept.text == text:
        return Pushed(document.id, Outcome.SAME, present, present)
    if not force:
        earlier = next((one for one in await store.list_versions(workspace, document.id) if one.text == text), None)
        if earlier is not None:
            return Pushed(document.id, Outcome.BEHIND, present, earlier.version)
    content = content._replace(status=kept.head.status, schedule=kept.head.schedule or content.schedule)
    head = await store.put_board(workspace, document.id, content, expected=kept.head.revision, at=at)
    if head is None:
        return Pushed(document.id, Outcome.LOST)
    return Pushed(head.id, Outcome.CHANGED, head.version, present)


def _schedule(document: Any) -> Schedule | None:
    """The schedule that a saved workflow was armed with; nobody has confirmed a task for it here."""
    saved = getattr(document, "schedule", None)
    return Schedule(saved.cron, saved.note) if saved is not None else None


# --- taking out --------------------------------------------------------------------------------------------------


class NotRemoved(CircuitError):
    """A board that stays, because something would stop working without it."""


async def remove(store: Store, workspace: str, board_id: str, *, force: bool = False) -> BoardHead:
    """Deletes a board and its versions; what it was. Its runs stay.

    Raises CircuitError when there is none, and, unless forced, NotRemoved while it is armed or another calls it.
    """
    board = await store.get_board(workspace, board_id)
    if board is None:
        raise await unknown(store, workspace, board_id)
    if not force and board.head.status == ARMED:
        raise NotRemoved(f"“{board_id}” is armed: it runs by the clock", hint="disarm it first, or --force")
    if not force and (callers := await callers_of(store, workspace, board_id)):
        names = ", ".join(f"“{head.id}”" for head in callers)
        raise NotRemoved(f"“{board_id}” is called by {names}", hint="remove the caller first, or --force")
    if not await store.delete_board(workspace, board_id, expected=board.head.revision):
        raise NotRemoved(f"“{board_id}” was changed by somebody else just now", hint="look at it, and try again")
    return board.head


async def unknown(store: Store, workspace: str, board_id: str) -> CircuitError:
    """The error that there is no such board, with the one that was probably meant."""
    from difflib import get_close_matches

    ids = [head.id for head in await store.list_boards(workspace)]
    near = get_close_matches(board_id, ids, n=1)
    hint = f"did you mean “{near[0]}”?" if near else "`circuit ls` lists those there are"
    return CircuitError(f"There is no workflow “{board_id}” in the workspace “{workspace}”", hint=hint)


# --- health ------------------------------------------------------------------------------------------------------


class Checkup(NamedTuple):
    """An armed board and how it is."""

    head: BoardHead
    health: Health

    @property
    def is_fine(self) -> bool:
        from circuit_export.formats.steps.engine.schedule import State

        return self.health.state is State.FINE


async def checkups(store: Store, workspace: str, now: datetime) -> list[Checkup]:
    """How the armed boards of a workspace are, those that need attention first, then by id."""
    armed = [head for head in await store.list_boards(workspace) if head.status == ARMED]
    found = [Checkup(head, health_of(head, now)) for head in armed]
    return sorted(found, key=lambda checkup: (checkup.is_fine, checkup.head.id))


def health_of(head: BoardHead, now: datetime) -> Health:
    """How a board is at a time."""
    from circuit_export.formats.steps.engine.schedule import Armed, health

    schedule = head.schedule or Schedule("")
    last = datetime.fromisoformat(head.last_run_at) if head.last_run_at else None
    return health(Armed(head.status == ARMED, schedule.cron, schedule.task_id, last), now)
