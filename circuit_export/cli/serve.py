"""`circuit serve`: a store served to assistants over MCP."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from circuit_export.cli import client_settings
from circuit_export.cli.completing import PLACE
from circuit_export.cli.files import write_stdout
from circuit_export.diagnostics import UsageError
from circuit_export.store import default_address, default_workspace

if TYPE_CHECKING:
    from circuit_export.cli.client_settings import Pasted
    from circuit_export.server.auth.access import Access
    from circuit_export.server.listening import Listening

EPILOG = """\b
Examples:
  circuit serve                          over stdin and stdout, with your own store
  circuit serve --store team.db          another store
  circuit serve --http                   over HTTP, at http://127.0.0.1:8787/mcp
  circuit serve --print-config           what to paste into a client's settings
  circuit serve --print-config vscode    into those of VS Code
  CIRCUIT_OWNER_KEY=… circuit serve --http --host 0.0.0.0 --public-url https://circuit.example.com

With --http, clients are signed in with the key in CIRCUIT_OWNER_KEY (OAuth), or show one of the tokens in
CIRCUIT_TOKENS (WORKSPACE=TOKEN,…). With neither, whoever reaches the address may use it. Behind a proxy the address
that clients come by is --public-url or PUBLIC_BASE_URL; it is never taken from a request."""


class Wanted(NamedTuple):
    """What is to be served, and by which rules. See the options."""

    store: str
    workspace: str
    allow_fetch: bool = False
    gate_answers: str = "any"
    http: bool = False
    host: str = "127.0.0.1"
    port: int = 8787
    public_url: str | None = None
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
@click.option(
    "--workspace",
    metavar="NAME",
    help="Whose boards.  [default: CIRCUIT_WORKSPACE, else local; owner with an owner key]",
)
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
@click.option(
    "--public-url",
    metavar="URL",
    help="With --http: the address that clients come by.  [default: PUBLIC_BASE_URL, else where it listens]",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="With --http: a web page that may ask; repeatable.",
)
@click.option("--open", "anybody", is_flag=True, help="With --http: let in whoever reaches the address.")
@click.option(
    "--print-config",
    "client",
    type=click.Choice(list(client_settings.CLIENTS)),
    is_flag=False,
    flag_value=client_settings.ANY,
    metavar="[CLIENT]",
    help=f"Print what to paste into a client's settings, and end: {', '.join(list(client_settings.CLIENTS)[1:])}.",
)
def command(store: str | None, workspace: str | None, client: str | None, **options: Any) -> None:
    """Serve a store to an assistant: it designs, runs and keeps boards with the connectors it has.

    The client starts this command and talks to it over stdin and stdout, until it leaves. With --http it serves any
    number of clients, until it is stopped.
    """
    wanted = Wanted(store or default_address(), workspace or default_workspace(), **options)
    if not wanted.http:
        refuse_without_http(click.get_current_context())
    if client:
        pasted = to_paste(wanted, client, store, workspace)
        write_stdout(pasted.text + "\n")
        click.echo(pasted.where, err=True)
        return
    factory = asyncio.SelectorEventLoop if sys.platform == "win32" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serving(wanted, workspace))


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


AT_A_TERMINAL = """\
A client starts this command by itself and talks to it: there is nothing to type here. Ctrl-C ends it.
What to paste into a client's settings: circuit serve --print-config"""


def serving(wanted: Wanted, workspace: str | None = None) -> Coroutine[Any, Any, None]:
    """What serves, over stdio or over HTTP; `workspace` is the one that was asked for in so many words."""
    from circuit_export.server.desk import Rules

    rules = Rules(wanted.allow_fetch, wanted.gate_answers)
    if wanted.http:
        from circuit_export.server.auth.access import access_of
        from circuit_export.server.http import serve as serve_http

        access = access_of()
        return serve_http(wanted.store, workspace_of(access, workspace), rules, listening_of(wanted), access)
    from circuit_export.server.stdio import serve

    if sys.stdin.isatty():
        click.echo(AT_A_TERMINAL, err=True)
    leave_at_once()
    return serve(wanted.store, wanted.workspace, rules)


def listening_of(wanted: Wanted) -> Listening:
    """Where to listen, and by which address clients come."""
    from circuit_export.server.listening import Listening

    public = os.environ.get("PUBLIC_BASE_URL", "") if wanted.public_url is None else wanted.public_url
    return Listening(wanted.host, wanted.port, public, wanted.origins, wanted.anybody)


def workspace_of(access: Access, asked: str | None) -> str:
    """Whose boards whoever signs in works on. Raises UsageError when each token says it and so does an option."""
    from circuit_export.server.auth.access import OAUTH, OWNER, TOKEN

    if asked and access.kind == TOKEN:
        raise UsageError("Each token in CIRCUIT_TOKENS is for a workspace of its own", found=f"--workspace {asked}")
    if access.kind == OAUTH:
        return asked or os.environ.get("CIRCUIT_WORKSPACE") or OWNER
    return asked or default_workspace()


def to_paste(wanted: Wanted, client: str, store: str | None, workspace: str | None) -> Pasted:
    """The settings of a client that starts this server, or finds it."""
    if wanted.http:
        from circuit_export.server.auth.access import TOKEN, access_of

        url = f"{listening_of(wanted).url}/mcp"
        return client_settings.for_url(client, url, token=access_of().kind == TOKEN)
    args = ["serve"]
    if store:
        args += ["--store", _from_anywhere(store)]
    if workspace:
        args += ["--workspace", workspace]
    if wanted.allow_fetch:
        args.append("--allow-fetch")
    if wanted.gate_answers != "any":
        args += ["--gate-answers", wanted.gate_answers]
    return client_settings.for_command(client, args, carried(store, workspace))


def carried(store: str | None, workspace: str | None, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What the environment says that a client's own will not say: which store and whose boards, unless options do."""
    own, usual = environment.get("CIRCUIT_STORE"), environment.get("DATABASE_URL")
    said = {
        "CIRCUIT_STORE": _from_anywhere(own) if own and not store else "",
        "DATABASE_URL": _from_anywhere(usual) if usual and not own and not store else "",
        "CIRCUIT_WORKSPACE": "" if workspace else environment.get("CIRCUIT_WORKSPACE"),
        "CIRCUIT_SQLITE_SYNC": environment.get("CIRCUIT_SQLITE_SYNC"),
    }
    return {name: value for name, value in said.items() if value}


def _from_anywhere(store: str) -> str:
    """The address of a store as it is called from any folder."""
    return store if "://" in store or store == "memory" else os.path.abspath(store)  # noqa: PTH100


def leave_at_once() -> None:
    """Ends the process when it is asked to, though it waits for the next line of stdin, which nothing interrupts.

    Nothing is lost by it: what was answered is in the store.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            signal.signal(number, lambda number, frame: os._exit(128 + number))
