"""`circuit run`: a workflow run at the terminal, with a person (or a file of answers) in the assistant's place."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import click

from circuit_export import api
from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import read_stdin
from circuit_export.cli.results import exit_code
from circuit_export.diagnostics import UsageError

EPILOG = """\b
Examples:
  circuit run board.json                         answer each directive as it comes
  circuit run board.json --mode test             writes are shown, not called
  circuit run board.json --input voice=warm --trigger '{"from": "Ada"}'
  circuit run board.json --answers board.scenarios.json --scenario "a sales mail"
  circuit run board.json --save run.json         keep the run; --resume run.json goes on with it
  circuit run board.json --record "my first"     keep what was answered as a scenario

Exit codes: 0 the run ended, 1 it stands still or was left, 2 usage, 3 it had ended before."""

_FILE = click.Path(dir_okay=False, path_type=Path)


class Wanted(NamedTuple):
    """How a workflow is to be run, and what is to be kept of it. See the options."""

    board: str
    mode: str | None = None
    input: tuple[str, ...] = ()
    trigger: str | None = None
    answers: Path | None = None
    scenario: str | None = None
    save: str | None = None
    resume: Path | None = None
    skip: bool = False
    record: str | None = None
    redact: bool = False
    force: bool = False


@click.command("run", epilog=EPILOG)
@click.argument("board", type=PLACE, metavar="BOARD")
@click.option("--mode", type=click.Choice(["live", "test"]), help="In a test run, writes are shown and not called.")
@click.option("--input", multiple=True, metavar="NAME=VALUE", help="An input, as JSON or text; repeatable.")
@click.option("--trigger", metavar="VALUE", help="What the run starts with, as JSON or text.")
@click.option("--answers", type=_FILE, metavar="FILE", help="Answer from this file: scenarios, or answers by step.")
@click.option("--scenario", metavar="NAME", help="Which of the scenarios in --answers.")
@click.option("--save", type=PLACE, metavar="RUN", help="Keep the run in this file; - is stdout.")
@click.option("--resume", type=_FILE, metavar="RUN", help="Go on with the run in this file.")
@click.option("--skip", is_flag=True, help="With --resume: pass over the step that the run stands at.")
@click.option("--record", metavar="NAME", help="Add what was answered to the scenarios beside BOARD, by this name.")
@click.option("--redact", is_flag=True, help="Keep shapes instead of values in --save and --record.")
@click.option("--force", is_flag=True, help="Overwrite a file or scenario that holds something else.")
@console_options
def command(console: Console, **options: object) -> None:
    """Run BOARD step by step: each directive is shown, and you answer what came of it.

    Nothing is performed here. You are the assistant: call the tool, write the text, decide, and type the result. An
    answer that begins with ! says that the step failed, and why. Works in a pipe too: one answer a line.
    """
    from circuit_export.cli.run_session import Session

    wanted = Wanted(**options)  # type: ignore[arg-type]
    check(wanted)
    workflow = api.open_source(api.read_source(wanted.board, stdin=read_stdin() if wanted.board == "-" else b""))
    for remark in (*workflow.remarks, *workflow.missing):
        console.warn(remark)
    place = Path(wanted.board)
    configured = place.is_file() and api.is_configured(place)
    directives = api.settings_of(place).max_directives if configured else None
    session = Session(wanted, workflow.engine(directives), workflow.synopsis.inputs, console)
    result = session.run(workflow.document.id)
    click.get_current_context().exit(exit_code([result]))


def check(wanted: Wanted) -> None:
    """Raises UsageError for options that do not go together."""
    given = {name: getattr(wanted, name) for name in Wanted._fields}
    needs = [("scenario", "answers"), ("skip", "resume")]
    for option, other in needs:
        if given[option] and not given[other]:
            raise UsageError(f"--{option} means nothing without --{other}", hint=f"give --{other} too")
    if wanted.redact and not (wanted.save or wanted.record):
        raise UsageError("--redact has nothing to redact", hint="it is for --save and --record")
    if wanted.resume and wanted.record:
        raise UsageError(
            "--record wants the run from its start", hint="what was answered before it was saved is not in the file"
        )
    if wanted.resume and (wanted.trigger is not None or wanted.mode):
        raise UsageError("--resume goes on as the run began", hint="leave --trigger and --mode out")
    if wanted.board == "-" and wanted.answers is None:
        raise UsageError(
            "BOARD comes from stdin, so nothing can be answered there", hint="give --answers FILE, or name a file"
        )
    if wanted.record and (wanted.board == "-" or api.is_url(wanted.board)):
        raise UsageError("--record writes beside the workflow, and it is no file here", hint="save the workflow first")
    for pair in wanted.input:
        if not pair.partition("=")[0].strip() or "=" not in pair:
            raise UsageError("An input is given as NAME=VALUE", found=pair, hint="such as --input voice=warm")
