"""The `circuit` command; each of its commands is a file here and is loaded when it is called."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from typing import NoReturn

import click

# name → what it does in one line; the file is the name with "-" as "_", and "import" in import_.py.
COMMANDS = {
    "export": "Write workflows as self-contained HTML pages.",
    "import": "Give the definition in a page, a paste or a link back, whole.",
    "validate": "Find what is wrong with workflows, and where.",
    "trace": "Run every scenario against its golden, and say what was reached.",
    "run": "Run a workflow: by its own commands, or by your answers.",
    "scenarios": "Write scenarios that reach all of a workflow.",
    "rules": "List the findings that validate can report.",
    "explain": "Say what a finding means and how to mend it.",
    "schema": "Print the JSON Schema of a format.",
    "skills": "List the skills that a repository has.",
    "fmt": "Write definitions in their one canonical form.",
    "ls": "List the boards of a store.",
    "open": "Show a board of a store.",
    "push": "Put workflows into a store.",
    "pull": "Write boards of a store into files.",
    "rm": "Remove boards from a store.",
    "health": "Say which armed boards have quietly stopped.",
    "store": "Look after a store: info, backup, prune.",
    "serve": "Serve a store to assistants, over MCP.",
    "init": "Write a configuration, a CI job and an example.",
    "completion": "Print the shell completion for this command.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported only when they are called or asked for help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = "import_" if cmd_name == "import" else cmd_name.replace("-", "_")
        command: click.Command = import_module(f"{__name__}.{module}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if not name.startswith("-") and name not in COMMANDS and (near := nearest(name, list(COMMANDS))):
            ctx.fail(f"There is no command “{name}”. Did you mean “{near}”?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def nearest(word: str, known: list[str]) -> str | None:
    """The known word that `word` was probably meant to be."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(word, known, n=1)), None)


EPILOG = """\b
Examples:
  circuit export board.json            board.html, beside where you stand
  circuit export boards -o site        a page for each, and an index
  circuit import board.html            the definition, on stdout
  circuit import https://… -o board.json

Exit codes: 0 fine, 1 the input is wrong, 2 usage, 3 nothing to do."""


@click.group(
    cls=LazyGroup,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="circuit-export", prog_name="circuit", message="%(prog)s %(version)s")
def circuit() -> None:
    """Keep, share and check workflows: boards of steps and wires.

    A workflow becomes one HTML page that needs nothing else, draws the same for ever, and gives the workflow back.
    """


def main() -> NoReturn:
    """Runs the command and exits with its code."""
    from circuit_export.cli.running import fill_closed, run, stop_cleanly

    fill_closed()
    stop_cleanly()
    code = run(circuit)
    gc.freeze()  # the process ends: what is left need not be looked through for garbage
    sys.exit(code)
