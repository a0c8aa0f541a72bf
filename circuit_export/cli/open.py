"""`circuit open`: what a board in a store is, and how its newest run stands."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from circuit_export.cli.completing import offering
from circuit_export.cli.console import Console, console_options, printable
from circuit_export.cli.files import write_stdout
from circuit_export.cli.stores import Shelf, as_table, board_ids, store_options
from circuit_export.formats.wording import counted

if TYPE_CHECKING:
    from circuit_export.board.model import Board
    from circuit_export.store.base import RunHead, Store, StoredBoard, Version

EPILOG = """\b
Examples:
  circuit open lead-intake
  circuit open lead-intake --versions    which texts of it are kept
  circuit pull lead-intake -o -          its definition"""


class Opened(NamedTuple):
    """A board as it is shown."""

    board: StoredBoard
    drawn: Board
    newest: RunHead | None
    versions: list[Version]


@click.command("open", epilog=EPILOG)
@click.argument("board_id", metavar="ID", shell_complete=offering(board_ids))
@click.option("--versions", is_flag=True, help="List the versions that are kept, instead.")
@store_options
@console_options
def command(board_id: str, versions: bool, shelf: Shelf, console: Console) -> None:
    """Show a board of a store: its steps, where each leads, and its newest run."""
    opened = shelf.ask(lambda store: fetch(store, shelf.workspace, board_id))
    write_stdout(version_table(opened.versions) if versions else description(opened))


async def fetch(store: Store, workspace: str, board_id: str) -> Opened:
    from circuit_export import formats
    from circuit_export.store.shelf import called_by, document_of, unknown

    board = await store.get_board(workspace, board_id)
    if board is None:
        raise await unknown(store, workspace, board_id)
    document = document_of(board)
    drawn = formats.get(board.head.format).picture(document, await called_by(store, workspace, [document]))
    runs = await store.list_runs(workspace, board_id, limit=1)
    return Opened(board, drawn, next(iter(runs), None), await store.list_versions(workspace, board_id))


def description(opened: Opened) -> str:
    """A board in lines of text: its head, its steps, its newest run."""
    head, drawn = opened.board.head, opened.drawn
    said = [
        f"{head.facts.name} ({head.id})",
        f"{head.status}, version {head.version}, {counted(head.facts.steps, 'step')}",
    ]
    if head.facts.description:
        said.append(head.facts.description)
    if head.schedule is not None:
        task = f"task {head.schedule.task_id}" if head.schedule.task_id else "no task was confirmed"
        said.append(f"every {head.schedule.note or head.schedule.cron} ({head.schedule.cron}); {task}")
    said += ["", *step_lines(drawn), "", run_line(opened.newest)]
    return "".join(printable(line).replace("\n", " ") + "\n" for line in said)


def step_lines(drawn: Board) -> list[str]:
    """A line a step: what it does, and where it leads."""
    ways: list[list[str]] = [[] for _ in drawn.chips]
    for wire in drawn.wires:
        ways[wire.source].append(_way(wire.port, drawn.chips[wire.target].id))
    for loose in drawn.loose:
        ways[loose.source].append(_way(loose.port, f"{loose.to} (no such step)"))
    width = max((len(chip.id) for chip in drawn.chips), default=0)
    verbs = max((len(chip.verb) for chip in drawn.chips), default=0)
    return [
        f"  {chip.id.ljust(width)}  {chip.verb.ljust(verbs)}  “{chip.title}”"
        + (" (muted)" if not chip.enabled else "")
        + (f" → {', '.join(way)}" if way else "")
        for chip, way in zip(drawn.chips, ways, strict=True)
    ]


def _way(port: str, to: str) -> str:
    return to if port == "out" else f"{port}→{to}"


def run_line(newest: RunHead | None) -> str:
    if newest is None:
        return "It has not been run."
    where = f", at {newest.awaiting}" if newest.awaiting else ""
    return f"Newest run: {newest.id}, {newest.mode}, {newest.status}{where}, started {newest.started_at}"


def version_table(versions: list[Version]) -> str:
    rows: list[tuple[str, ...]] = [(str(one.version), one.saved_at, f"{len(one.text.encode()):,}") for one in versions]
    return as_table(("Version", "Saved", "Bytes"), rows)
