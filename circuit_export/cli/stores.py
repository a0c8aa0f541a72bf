"""What the commands that use a store have in common: which store, whose workspace, and how it is asked."""

from __future__ import annotations

import asyncio
import functools
import json
import sys
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from circuit_export.cli.completing import PLACE
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.store import MEMORY, default_address, default_workspace, is_made, open_store

if TYPE_CHECKING:
    from circuit_export.store.base import Store

T = TypeVar("T")
Command = TypeVar("Command", bound=Callable[..., Any])


class Shelf(NamedTuple):
    """A store's address, and a workspace in it."""

    address: str
    workspace: str

    def ask(self, question: Callable[[Store], Awaitable[T]], *, make: bool = False) -> T:
        """Asks the store something, and closes it whatever happens. Unless told to `make` one, it must be there."""
        if not make and not is_made(self.address):
            raise CircuitError(
                "There is no store here yet",
                file=self.address,
                hint="circuit push FILE makes one; --store names another",
            )

        async def asked() -> T:
            store = open_store(self.address)
            try:
                return await question(store)
            finally:
                await store.close()

        # What Windows gives by default is not enough for Postgres.
        factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
        with asyncio.Runner(loop_factory=factory) as runner:
            return runner.run(asked())


def store_options(command: Command) -> Command:
    """Adds --store and --workspace, handed to the command as one `shelf`."""

    @functools.wraps(command)
    def with_shelf(*args: Any, store: str | None, workspace: str | None, **kwargs: Any) -> Any:
        address = store or default_address()
        if address == MEMORY:
            raise UsageError(
                "A store in memory is gone when this command ends", hint="name a file: --store FILE, or CIRCUIT_STORE"
            )
        return command(*args, shelf=Shelf(address, workspace or default_workspace()), **kwargs)

    for option in (
        click.option("--workspace", metavar="NAME", help="Whose boards.  [default: CIRCUIT_WORKSPACE, else local]"),
        click.option(
            "--store",
            type=PLACE,
            metavar="FILE|URL",
            help="Which store: a SQLite file, or postgresql://…  [default: CIRCUIT_STORE, else DATABASE_URL, else a "
            "file of yours]",
        ),
    ):
        with_shelf = option(with_shelf)
    return with_shelf  # type: ignore[return-value]


def board_ids() -> list[str]:
    """The ids that a shell may offer: those of the store that is used when nobody says which. Never raises.

    A database is not asked: a shell should not wait for a network.
    """
    try:
        address = default_address()
        if "://" in address or address == MEMORY or not is_made(address):
            return []
        shelf = Shelf(address, default_workspace())
        return sorted(head.id for head in shelf.ask(lambda store: store.list_boards(shelf.workspace)))
    except CircuitError:
        return []


def now() -> datetime:
    return datetime.now(UTC)


def as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def as_table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Rows in columns as wide as they need be; nothing when there are none."""
    if not rows:
        return ""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in (heads, *rows)]
    return "".join(line.rstrip() + "\n" for line in lines)
