"""`circuit health`: which armed boards have quietly stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from circuit_export.cli.console import Console, console_options, printable
from circuit_export.cli.files import write_stdout
from circuit_export.cli.results import Result, exit_code
from circuit_export.cli.stores import Shelf, as_json, now, store_options

if TYPE_CHECKING:
    from circuit_export.store.shelf import Checkup

EPILOG = """\b
Examples:
  circuit health
  circuit health --format json           for programs

Exit codes: 0 all that are armed are fine, 1 some need attention, 2 usage, 3 nothing is armed."""


@click.command("health", epilog=EPILOG)
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
)
@store_options
@console_options
def command(format_: str, shelf: Shelf, console: Console) -> None:
    """Say how the armed boards of a store are: whether each ran when its schedule says.

    Only runs that a schedule could have started count.
    """
    from circuit_export.store.shelf import checkups

    found = shelf.ask(lambda store: checkups(store, shelf.workspace, now()))
    write_stdout(as_json([as_value(one) for one in found]) if format_ == "json" else "".join(map(line, found)))
    if not found:
        console.say(f"nothing is armed in the workspace “{shelf.workspace}”")
    click.get_current_context().exit(exit_code(Result.FINE if one.is_fine else Result.WRONG for one in found))


def line(one: Checkup) -> str:
    mark = "ok" if one.is_fine else "✕ "
    return printable(f"{mark} {one.head.id}  {one.head.facts.name}: {one.health.state}. {one.health.detail}") + "\n"


def as_value(one: Checkup) -> dict[str, Any]:
    return {
        "id": one.head.id,
        "name": one.head.facts.name,
        "state": one.health.state.value,
        "detail": one.health.detail,
        "cron": one.head.schedule.cron if one.head.schedule else None,
        "lastRunAt": one.head.last_run_at or None,
    }
