"""`circuit rm`: boards out of a store, for good."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from circuit_export.cli.completing import offering
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.results import Result, exit_code
from circuit_export.cli.stores import Shelf, board_ids, store_options
from circuit_export.diagnostics import CircuitError

if TYPE_CHECKING:
    from circuit_export.store.base import Store

EPILOG = """\b
Examples:
  circuit rm lead-intake
  circuit rm lead-intake --force         though it is armed, or another calls it"""

Removed = tuple[str, CircuitError | None]
"""A board's id, and why it stays; None when it is gone."""


@click.command("rm", epilog=EPILOG)
@click.argument("ids", nargs=-1, required=True, metavar="ID...", shell_complete=offering(board_ids))
@click.option("--force", is_flag=True, help="Remove what is armed, or what another board calls.")
@store_options
@console_options
def command(ids: tuple[str, ...], force: bool, shelf: Shelf, console: Console) -> None:
    """Remove boards from a store, with all their versions. Their runs stay.

    A board that is armed, or that another one calls, stays until you say --force.
    """
    outcomes = shelf.ask(lambda store: remove_all(shelf, store, ids, force))
    for board_id, error in outcomes:
        if error is None:
            console.say(f"removed {board_id}")
        else:
            console.error(error)
    click.get_current_context().exit(exit_code(Result.FINE if error is None else Result.WRONG for _, error in outcomes))


async def remove_all(
    shelf: Shelf, store: Store, ids: tuple[str, ...], force: bool
) -> list[tuple[str, CircuitError | None]]:
    from circuit_export.store.base import StoreError
    from circuit_export.store.shelf import remove

    outcomes: list[Removed] = []
    for board_id in dict.fromkeys(ids):
        try:
            await remove(store, shelf.workspace, board_id, force=force)
        except StoreError:
            raise
        except CircuitError as error:
            outcomes.append((board_id, error))
        else:
            outcomes.append((board_id, None))
    return outcomes
