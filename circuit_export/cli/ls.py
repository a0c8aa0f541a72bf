"""`circuit ls`: which boards a store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from circuit_export.cli.console import Console, console_options, printable
from circuit_export.cli.files import write_stdout
from circuit_export.cli.stores import Shelf, as_json, as_table, store_options

if TYPE_CHECKING:
    from circuit_export.store.base import BoardHead

EPILOG = """\b
Examples:
  circuit ls                            your own store
  circuit ls --store team.db            another one
  circuit ls --format json              for programs"""

HEADS = ("Id", "Status", "Version", "Steps", "Changed", "Name")


@click.command("ls", epilog=EPILOG)
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
)
@store_options
@console_options
def command(format_: str, shelf: Shelf, console: Console) -> None:
    """List the boards of a store, the last changed first."""
    heads = shelf.ask(lambda store: store.list_boards(shelf.workspace))
    write_stdout(as_json([as_value(head) for head in heads]) if format_ == "json" else as_table(HEADS, rows(heads)))
    if not heads:
        console.say(f"there is no board in the workspace “{shelf.workspace}”; circuit push FILE puts one there")


def rows(heads: list[BoardHead]) -> list[tuple[str, ...]]:
    return [
        tuple(
            printable(cell).replace("\n", " ")
            for cell in (
                head.id,
                head.status,
                str(head.version),
                str(head.facts.steps),
                head.updated_at[:16].replace("T", " "),
                head.facts.name,
            )
        )
        for head in heads
    ]


def as_value(head: BoardHead) -> dict[str, Any]:
    """A board as programs read it."""
    schedule = head.schedule
    return {
        "id": head.id,
        "name": head.facts.name,
        "description": head.facts.description,
        "format": head.format,
        "status": head.status,
        "version": head.version,
        "steps": head.facts.steps,
        "tools": list(head.facts.tools),
        "calls": list(head.facts.calls),
        "schedule": None
        if schedule is None
        else {
            "cron": schedule.cron,
            "note": schedule.note,
            "taskId": schedule.task_id or None,
            "confirmedAt": schedule.confirmed_at or None,
        },
        "createdAt": head.created_at,
        "updatedAt": head.updated_at,
        "lastRunAt": head.last_run_at or None,
    }
