"""`circuit run`: a workflow run by its own commands, or with a person in the assistant's place."""

from __future__ import annotations

from pathlib import Path

import click

from circuit_export import api
from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import read_stdin
from circuit_export.cli.results import Result, exit_code
from circuit_export.cli.run_options import (
    DEEPEST,
    Wanted,
    check,
    check_driven,
    check_performed,
    size,
)
from circuit_export.diagnostics import UsageError

EPILOG = """\b
Examples:
  circuit run board.json                         answer each directive as it comes
  circuit run board.json --mode test             writes are shown, not called
  circuit run board.json --input voice=warm --trigger '{"from": "Ada"}'
  circuit run board.json --answers board.scenarios.json --scenario "a sales mail"
  circuit run board.json --save run.json         keep the run; --resume run.json goes on with it
  circuit run board.json --record "my first"     keep what was answered as a scenario

\b
Examples, with a program:
  circuit run notes.kdl --dry-run                which commands it could start
  circuit run notes.kdl --input '{"tag": "v1"}'  its output is on stdout
  circuit run notes.kdl --input tag=v1 --trace run.jsonl --follow
  circuit run notes.kdl --input - --max-seconds 60 < input.json
  circuit run notes.kdl --answers notes.scenarios.json --scenario "no agent"

Exit codes: 0 the run ended well, 1 it failed, stands still or was left, 2 usage, 3 nothing was run."""

_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_COUNT = click.IntRange(1)
_SECONDS = click.FloatRange(0, min_open=True)


@click.command("run", epilog=EPILOG)
@click.argument("board", type=PLACE, metavar="WORKFLOW")
@click.option(
    "--input",
    multiple=True,
    metavar="INPUT",
    help="An input, NAME=VALUE; repeatable. Or all of a program's input: JSON, a file of JSON, - for stdin.",
)
@click.option("--answers", type=_FILE, metavar="FILE", help="Answer from this file: scenarios, or answers by step.")
@click.option("--scenario", metavar="NAME", help="Which of the scenarios in --answers.")
@click.option("--save", type=PLACE, metavar="RUN", help="Keep the run in this file; - is stdout.")
@click.option("--redact", is_flag=True, help="Keep shapes instead of values in --save and --record.")
@click.option("--force", is_flag=True, help="Overwrite a file or scenario that holds something else.")
@click.option("--mode", type=click.Choice(["live", "test"]), help="Board: in a test, writes are shown and not called.")
@click.option("--trigger", metavar="VALUE", help="Board: what the run starts with, as JSON or text.")
@click.option("--resume", type=_FILE, metavar="RUN", help="Board: go on with the run in this file.")
@click.option("--skip", is_flag=True, help="Board: with --resume, pass over the step that the run stands at.")
@click.option("--record", metavar="NAME", help="Board: add what was answered to the scenarios beside it, as NAME.")
@click.option("--dry-run", is_flag=True, help="Program: list every command that it could start, and start none.")
@click.option("--yes", is_flag=True, help="Program: start its commands without asking, wherever it came from.")
@click.option("--cwd", type=_FOLDER, metavar="DIR", help="Program: the folder it runs in. [default: its own]")
@click.option("--trace", type=PLACE, metavar="FILE", help="Program: write all that happens here, as JSON Lines.")
@click.option("--follow", is_flag=True, help="Program: show the trace on stderr while it happens.")
@click.option("--max-generations", type=_COUNT, metavar="N", help="Program: rounds of calls in all.")
@click.option(
    "--max-depth", type=_COUNT, metavar="N", help=f"Program: how deep programs run programs. [default: {DEEPEST:,}]"
)
@click.option("--max-seconds", type=_SECONDS, metavar="S", help="Program: how long it may take.")
@click.option("--max-output", type=size, metavar="SIZE", help="Program: of each command's output. [default: 16M]")
@click.option("--max-input", type=size, metavar="SIZE", help="Program: of each command's input. [default: 16M]")
@click.option("--max-source", type=size, metavar="SIZE", help="Program: of each file it calls. [default: 1M]")
@console_options
def command(console: Console, **options: object) -> None:
    """Run WORKFLOW. Its kind decides how.

    A board, or a graph of skills, is driven: each directive is shown, and you are the assistant. Call the tool, write
    the text, decide, and type the result; an answer that begins with ! says that the step failed, and why. Works in
    a pipe too: one answer a line. Nothing is performed here.

    A program is performed: its commands are started on this machine, with your rights. Its output goes to stdout, as
    JSON. Ctrl-C ends them all, and so does the end of the run. Of a program that came from a page, a link or stdin
    they are shown first, and started only when you say yes. With --answers nothing is started.
    """
    wanted = Wanted(**options)  # type: ignore[arg-type]
    check(wanted)
    stdin = read_stdin() if wanted.board == "-" else b""
    if wanted.board == "-" and not stdin.strip():
        raise UsageError("Nothing came from stdin", hint="name the workflow's file, or hand its text in")
    source = api.read_source(wanted.board, stdin=stdin)
    workflow = api.open_source(source)
    for remark in workflow.remarks:
        console.warn(f"{source.name}: {remark}")
    format = workflow.performing
    if format is None:
        check_driven(wanted, workflow.format.title)
        for missing in workflow.missing:
            console.warn(missing)
        result = driven(wanted, workflow, console)
    else:
        from circuit_export.cli.run_program import ProgramSession

        check_performed(wanted, workflow.format.title)
        result = ProgramSession(wanted, workflow, format, source, console).run()
    click.get_current_context().exit(exit_code([result]))


def driven(wanted: Wanted, workflow: api.Workflow, console: Console) -> Result:
    """Runs a workflow by answers."""
    from circuit_export.cli.run_session import Session

    place = Path(wanted.board)
    configured = place.is_file() and api.is_configured(place)
    directives = api.settings_of(place).max_directives if configured else None
    return Session(wanted, workflow.engine(directives), workflow.synopsis.inputs, console).run(workflow.document.id)
