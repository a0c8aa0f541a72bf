"""`circuit serve`: a store served to assistants over MCP."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from typing import Any, NamedTuple

import click

from circuit_export.cli.completing import PLACE
from circuit_export.cli.files import write_stdout
from circuit_export.cli.stores import as_json
from circuit_export.diagnostics import UsageError
from circuit_export.store import default_address, default_workspace

EPILOG = """\b
Examples:
  circuit serve                          over stdin and stdout, with your own store
  circuit serve --store team.db          another store
  circuit serve --http                   over HTTP, at http://127.0.0.1:8787/mcp
  circuit serve --print-config           what to paste into a client's settings"""


class Wanted(NamedTuple):
    """What is to be served, and by which rules. See the options."""

    store: str
    workspace: str
    allow_fetch: bool = False
    gate_answers: str = "any"
    http: bool = False
    host: str = "127.0.0.1"
    port: int = 8787
    public_url: str = ""
    origins: tuple[str, ...] = ()
    anybody: bool = False


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
@click.option("--http", is_flag=True, help="Serve any number of clients over Streamable HTTP.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="With --http: where to listen.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8787,
    show_default=True,
    help="With --http: the port; 0 is any that is free.",
)
@click.option("--public-url", default="", metavar="URL", help="With --http: the address that clients come by.")
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="With --http: a web page that may ask; repeatable.",
)
@click.option("--open", "anybody", is_flag=True, help="With --http: let in whoever reaches the address.")
@click.option("--print-config", is_flag=True, help="Print the settings that a client needs, and end.")
def command(store: str | None, workspace: str | None, print_config: bool, **options: Any) -> None:
    """Serve a store to an assistant: it designs, runs and keeps boards with the connectors it has.

    The client starts this command and talks to it over stdin and stdout, until it leaves. With --http it serves any
    number of clients, until it is stopped.
    """
    wanted = Wanted(store or default_address(), workspace or default_workspace(), **options)
    if not wanted.http:
        refuse_without_http(click.get_current_context())
    if print_config:
        write_stdout(as_json(config(wanted, store, workspace)))
        return
    factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serving(wanted))


def refuse_without_http(context: click.Context) -> None:
    """Raises UsageError for an option that only --http reads."""
    for name, option in _ONLY_HTTP.items():
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise UsageError(f"{option} is for --http only", hint=f"circuit serve --http {option} …")


_ONLY_HTTP = {
    "host": "--host",
    "port": "--port",
    "public_url": "--public-url",
    "origins": "--allow-origin",
    "anybody": "--open",
}


def serving(wanted: Wanted) -> Coroutine[Any, Any, None]:
    """What serves, over stdio or over HTTP."""
    from circuit_export.server.desk import Rules

    rules = Rules(wanted.allow_fetch, wanted.gate_answers)
    if wanted.http:
        from circuit_export.server.http import Listening
        from circuit_export.server.http import serve as serve_http

        listening = Listening(wanted.host, wanted.port, wanted.public_url, wanted.origins, wanted.anybody)
        return serve_http(wanted.store, wanted.workspace, rules, listening)
    from circuit_export.server.stdio import serve

    leave_at_once()
    return serve(wanted.store, wanted.workspace, rules)


def config(wanted: Wanted, store: str | None, workspace: str | None) -> dict[str, object]:
    """The settings of a client that starts this server, as most clients take them."""
    if wanted.http:
        base = wanted.public_url.rstrip("/") or f"http://{wanted.host}:{wanted.port}"
        return {"mcpServers": {"circuit": {"type": "http", "url": f"{base}/mcp"}}}
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
