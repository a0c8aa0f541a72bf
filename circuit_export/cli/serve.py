"""`circuit serve`: a store served to assistants over MCP."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import NamedTuple

import click

from circuit_export.cli.completing import PLACE
from circuit_export.cli.files import write_stdout
from circuit_export.cli.stores import as_json
from circuit_export.store import default_address, default_workspace

EPILOG = """\b
Examples:
  circuit serve                          over stdin and stdout, with your own store
  circuit serve --store team.db          another store
  circuit serve --print-config           what to paste into a client's settings"""


class Wanted(NamedTuple):
    """What is to be served, and by which rules. See the options."""

    store: str
    workspace: str
    allow_fetch: bool = False
    gate_answers: str = "any"


@click.command("serve", epilog=EPILOG)
@click.option(
    "--store",
    type=PLACE,
    metavar="FILE|URL",
    help="Which store: a SQLite file, postgresql://…, or memory.  [default: CIRCUIT_STORE, else DATABASE_URL, else a "
    "file of yours]",
)
@click.option("--workspace", metavar="NAME", help="Whose boards.  [default: CIRCUIT_WORKSPACE, else local]")
@click.option("--allow-fetch", is_flag=True, help="Let circuit_import fetch public https links.")
@click.option(
    "--gate-answers",
    type=click.Choice(["any", "board"]),
    default="any",
    show_default=True,
    help="From where a gate may be answered: board leaves it to the person at the board.",
)
@click.option("--print-config", is_flag=True, help="Print the settings that a client needs, and end.")
def command(store: str | None, workspace: str | None, allow_fetch: bool, gate_answers: str, print_config: bool) -> None:
    """Serve a store to an assistant: it designs, runs and keeps boards with the connectors it has.

    The client starts this command and talks to it over stdin and stdout, until it leaves.
    """
    wanted = Wanted(store or default_address(), workspace or default_workspace(), allow_fetch, gate_answers)
    if print_config:
        write_stdout(as_json(config(wanted, store, workspace)))
        return
    from circuit_export.server.desk import Rules
    from circuit_export.server.stdio import serve

    leave_at_once()
    factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serve(wanted.store, wanted.workspace, Rules(allow_fetch, gate_answers)))


def config(wanted: Wanted, store: str | None, workspace: str | None) -> dict[str, object]:
    """The settings of a client that starts this server, as most clients take them."""
    args = ["serve"]
    if store:
        args += ["--store", store if "://" in store or store == "memory" else os.path.abspath(store)]  # noqa: PTH100
    if workspace:
        args += ["--workspace", workspace]
    if wanted.allow_fetch:
        args.append("--allow-fetch")
    if wanted.gate_answers != "any":
        args += ["--gate-answers", wanted.gate_answers]
    return {"mcpServers": {"circuit": {"command": "circuit", "args": args}}}


def leave_at_once() -> None:
    """Ends the process when it is asked to, though it waits for the next line of stdin, which nothing interrupts.

    Nothing is lost by it: what was answered is in the store.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, lambda number, frame: os._exit(128 + number))
