"""`circuit store`: what a store holds, a copy of it, and what it may forget."""

from __future__ import annotations

import re
from datetime import timedelta

import click

from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import write_stdout
from circuit_export.cli.results import Result, exit_code
from circuit_export.cli.stores import Shelf, as_json, now, store_options
from circuit_export.diagnostics import UsageError
from circuit_export.formats.wording import counted

EPILOG = """\b
Examples:
  circuit store info
  circuit store backup circuit-backup.db
  circuit store prune --older-than 90d --dry-run"""

INFO_EXAMPLES = """\b
Examples:
  circuit store info
  circuit store info --format json"""
BACKUP_EXAMPLES = """\b
Examples:
  circuit store backup circuit-backup.db"""
PRUNE_EXAMPLES = """\b
Examples:
  circuit store prune --older-than 90d --dry-run
  circuit store prune --older-than 30d --unfinished"""
_UNITS = {"h": "hours", "d": "days", "w": "weeks"}


@click.group("store", epilog=EPILOG)
def command() -> None:
    """Look after a store: what it holds, a copy of it, and what it may forget."""


@command.command("info", epilog=INFO_EXAMPLES)
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
)
@store_options
@console_options
def info(format_: str, shelf: Shelf, console: Console) -> None:
    """Say where a store is and how much it holds, of all workspaces."""
    held = shelf.ask(lambda store: store.info())
    if format_ == "json":
        write_stdout(as_json(held._asdict()))
        return
    lines = [
        f"{held.kind} at {held.place}, tables of version {held.schema}",
        f"{counted(held.boards, 'board')} in {counted(held.versions, 'version')}, {counted(held.runs, 'run')}, "
        f"{counted(held.workspaces, 'workspace')}",
        f"{held.size / 1024 / 1024:,.1f} MiB",
    ]
    write_stdout("".join(line + "\n" for line in lines))


@command.command("backup", epilog=BACKUP_EXAMPLES)
@click.argument("target", type=PLACE, metavar="FILE")
@store_options
@console_options
def backup(target: str, shelf: Shelf, console: Console) -> None:
    """Write a copy of a SQLite store to a new FILE, while it is in use.

    The copy is a store itself: --store FILE opens it. A Postgres is copied with its own tools.
    """
    shelf.ask(lambda store: store.backup(target))
    console.say(f"wrote {target}")


@command.command("prune", epilog=PRUNE_EXAMPLES)
@click.option(
    "--older-than", default="90d", show_default=True, metavar="AGE", help="Such as 12h, 30d or 8w: how long ago."
)
@click.option("--unfinished", is_flag=True, help="Runs that never ended, too.")
@click.option("--dry-run", is_flag=True, help="Only say how much there is.")
@store_options
@console_options
def prune(older_than: str, unfinished: bool, dry_run: bool, shelf: Shelf, console: Console) -> None:
    """Forget runs that ended long ago, and what has expired, in all workspaces.

    Boards and their versions stay. Exit code 3 when there was nothing to forget.
    """
    from circuit_export.store.base import stamp

    moment = now()
    before = stamp(moment - age(older_than))
    gone = shelf.ask(lambda store: store.prune(before=before, now=stamp(moment), unfinished=unfinished, dry=dry_run))
    parts = [counted(gone.runs, "run"), counted(gone.keys, "expired key"), counted(gone.grants, "expired grant")]
    console.say(("would forget " if dry_run else "forgot ") + ", ".join(parts))
    click.get_current_context().exit(exit_code([Result.FINE] if any(gone) else []))


def age(text: str) -> timedelta:
    """A stretch of time such as 90d. Raises UsageError for what is none."""
    match = re.fullmatch(r"(\d{1,5})([hdw])", text.strip().lower())
    if match is None:
        raise UsageError("--older-than is no age", found=text, expected="a number with h, d or w, such as 30d")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})
