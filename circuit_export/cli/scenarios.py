"""`circuit scenarios suggest`: a few scenarios that reach all of a workflow, and what no scenario can reach."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from circuit_export import api
from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import read_stdin, write_file, write_stdout
from circuit_export.cli.results import Result, exit_code
from circuit_export.diagnostics import CircuitError

if TYPE_CHECKING:
    from circuit_export.runs.outline import Outline
    from circuit_export.validation.suggest import Suggestion

EPILOG = """\b
Examples:
  circuit scenarios suggest board.json          board.scenarios.json, beside it
  circuit scenarios suggest board.json -o -     on stdout
  cat board.json | circuit scenarios suggest -

Then: `circuit trace board.json` shows what they do, `circuit trace board.json --update` keeps it.

Exit codes: 0 all is reached, 1 something cannot be reached, 2 usage."""

DIRECTIVES = 2_000
"""Directives of a run that is tried at most: a run that needs more is no scenario to keep."""


@click.group("scenarios")
def command() -> None:
    """Scenarios fix what the assistant and the services answer, so that a workflow runs the same every time."""


@command.command("suggest", epilog=EPILOG)
@click.argument("board", type=PLACE, metavar="BOARD")
@click.option("-o", "--output", type=PLACE, metavar="FILE", help="Write to this file; - is stdout.")
@click.option("--force", is_flag=True, help="Overwrite a file that holds something else.")
@console_options
def suggest(board: str, output: str | None, force: bool, console: Console) -> None:
    """Write a few scenarios that reach every step and wire of BOARD, and say what cannot be reached and why.

    BOARD is a file, a page, a URL, or - for stdin.
    """
    from circuit_export.runs import scenario_file
    from circuit_export.validation.suggest import suggest as suggested

    workflow = api.open_source(api.read_source(board, stdin=read_stdin() if board == "-" else b""))
    for remark in (*workflow.remarks, *workflow.missing):
        console.warn(remark)
    machine = workflow.engine(DIRECTIVES)
    found = suggested(machine, machine.proposer())
    text = scenario_file.dump(found.scenarios)
    target = output or target_of(board)
    if target == "-":
        write_stdout(text)
    else:
        try:
            written = write_file(Path(target), text, force=force)
        except CircuitError as error:
            error.hint = error.hint and "--force overwrites it; -o names another place, -o - shows it"
            raise
        console.say(f"{'wrote' if written else 'kept'} {target}: {told(found, machine.outline())}")
    for what, why in found.unreached:
        console.warn(f"nothing reaches {f'the {what.kind} ' if what.kind != 'step' else ''}{what}: {why}")
    click.get_current_context().exit(exit_code([Result.WRONG if found.unreached else Result.FINE]))


def target_of(board: str) -> str:
    """The scenarios file of a workflow: beside it if it is a file here, else stdout."""
    if board == "-" or api.is_url(board):
        return "-"
    from circuit_export.validation.traces import scenarios_path

    return str(Path(board).with_name(scenarios_path(Path(board).name)))


def told(found: Suggestion, outline: Outline) -> str:
    """How much the scenarios reach, in a few words."""
    missed = [what.kind for what, _why in found.unreached]
    count = len(found.scenarios)
    scenarios = f"{count} scenario{'' if count == 1 else 's'}"
    steps = _of(len(outline.steps), missed.count("step"), "steps")
    wires = _of(len(outline.wires), missed.count("wire"), "wires")
    if not outline.branches:
        return f"{scenarios}, {steps} and {wires} reached"
    branches = _of(len(outline.branches), missed.count("branch"), "branches")
    return f"{scenarios}, {steps}, {wires} and {branches} reached"


def _of(total: int, missed: int, what: str) -> str:
    return f"{total - missed} of {total} {what}" if missed else f"all {total} {what}"
