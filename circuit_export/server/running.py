"""Runs moved on in a store: of two reports at once exactly one counts, and what was answered is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.wording import find_near, shown
from circuit_export.runs.directives import BLOCKED, Directive
from circuit_export.runs.record import ENDED, Run
from circuit_export.server.desk import Desk, Opened, open_board
from circuit_export.server.held import LARGEST, held_of, text_of_run
from circuit_export.store.base import NEW, StoredRun

if TYPE_CHECKING:
    from circuit_export.runs.machine import Machine

T = TypeVar("T")

FEW = 200
"""Steps of a board that are walked so quickly that nobody else notices, if it is not again and again."""

PATTERN = "matches"
LOOP = "logic.each"

Move = Callable[["Machine", Run, str], Directive]


class Moved(NamedTuple):
    """A run after a move: its board, the run, what to do next, and whether somebody else was quicker."""

    opened: Opened
    run: Run
    directive: Directive
    late: bool = False


async def run_of(desk: Desk, run_id: str) -> StoredRun:
    """A run. Raises CircuitError, with the one that was probably meant, when there is none."""
    held = held_of(desk.store).take(desk.workspace, run_id)
    stored = await desk.store.get_run(desk.workspace, run_id, known=held.revision if held else NEW)
    if stored is not None:
        return held if held is not None and held.revision == stored.revision else stored
    near = find_near(run_id, [head.id for head in await desk.store.list_runs(desk.workspace, limit=40)])
    hint = f"did you mean {shown(near.name)}? " if near else ""
    raise CircuitError(f"No run {shown(run_id)}", hint=hint + "circuit_runs lists the recent ones")


async def board_of_run(desk: Desk, run: Run) -> Opened:
    """The board of a run. Raises CircuitError when it is gone."""
    try:
        return await open_board(desk, run["workflowId"])
    except CircuitError as error:
        raise CircuitError(
            f"The workflow of this run cannot be opened any more: {error.message}",
            hint="circuit_list names those there are; what a page of it holds comes back with circuit_import",
        ) from None


async def move(desk: Desk, stored: StoredRun, by: Move) -> Moved:
    """Moves a run on and keeps it; what changes nothing is not kept. A move that somebody else forestalled is not
    made again: the run's present directive is handed out instead."""
    run = stored.run
    opened = await board_of_run(desk, run)
    handed_out, status = run["directives"], run["status"]
    directive = await moving(opened, lambda: by(opened.machine, run, desk.stamp()))
    if directive["act"] == BLOCKED and (run["directives"], run["status"]) == (handed_out, status):
        return Moved(opened, run, directive)
    if await _saved(desk, stored):
        return Moved(opened, run, directive)
    present = (await run_of(desk, run["id"])).run
    return Moved(opened, present, opened.machine.advance(present, desk.stamp()), late=True)


async def moving(opened: Opened, move: Callable[[], T]) -> T:
    """Makes a move of a run of a board: beside the event loop if what the board has in it may take long."""
    texts = (opened.board.text, *(callee.definition.text for callee in opened.called.values()))
    if len(opened.document.steps) <= FEW and _quick(texts):
        return move()
    return await asyncio.to_thread(move)


def _quick(texts: Iterable[str]) -> bool:
    """Has none of them a pattern, and not more than one of them a loop? All else takes time by its steps only."""
    joined = "".join(texts)
    return PATTERN not in joined and joined.count(LOOP) <= 1


async def _saved(desk: Desk, stored: StoredRun) -> bool:
    """Saves a run that was moved on, and holds it for the next report; false when somebody else was quicker."""
    run, held = stored.run, held_of(desk.store)
    text, texts = text_of_run(run, held.texts(desk.workspace, run["id"]))
    revision = await desk.store.save_run(desk.workspace, run, expected=stored.revision, text=text)
    if revision is None or len(text) > LARGEST or run["status"] in ENDED:
        held.drop(desk.workspace, run["id"])
    else:
        held.put(desk.workspace, StoredRun(run, revision), texts)
    return revision is not None
