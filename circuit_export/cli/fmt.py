"""`circuit fmt`: definitions in their one canonical form."""

from __future__ import annotations

from pathlib import Path

import click

from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import read_stdin, write_file, write_stdout
from circuit_export.cli.results import Result, exit_code
from circuit_export.diagnostics import CircuitError

EPILOG = """\b
Examples:
  circuit fmt                      every workflow below this folder
  circuit fmt --check --diff       say what would change, and fail if something would
  circuit fmt - < board.json       the canonical form, on stdout"""

OWN = "left as its author laid it out, for there is no one form of it"


@click.command("fmt", epilog=EPILOG)
@click.argument("paths", nargs=-1, type=PLACE, metavar="[PATH]...")
@click.option("--check", is_flag=True, help="Write nothing; fail if something is not in its canonical form.")
@click.option("--diff", is_flag=True, help="Write nothing; show what would change.")
@click.option("--skip-others", is_flag=True, help="Pass over files that hold no workflow, though they are named.")
@console_options
def command(paths: tuple[str, ...], check: bool, diff: bool, skip_others: bool, console: Console) -> None:
    """Write definitions in one canonical form: the same value, laid out the same way everywhere.

    PATH is a file, a folder (every workflow in it), or - for stdin; this folder if none is given. Programs keep the
    layout of their authors.
    """
    from circuit_export.validation import fixes
    from circuit_export.validation.canonical import Own, canonical
    from circuit_export.validation.project import open_project
    from circuit_export.validation.report import Request

    if paths == ("-",):
        form = canonical(read_stdin(), "<stdin>")
        write_stdout(form if isinstance(form, str) else form.text)
        if isinstance(form, Own):
            console.say(f"<stdin>: {OWN} ({form.kind})")
        return
    project = open_project(Request(tuple(map(Path, paths or (".",))), skip_others=skip_others))
    results = []
    for candidate in project.candidates:
        try:
            text = canonical(candidate.data, candidate.name)
        except CircuitError as error:
            console.error(error.located(candidate.name))
            results.append(Result.WRONG)
            continue
        if isinstance(text, Own):
            (console.say if candidate.named else console.detail)(f"{candidate.name}: {OWN} ({text.kind})")
            results.append(Result.FINE)
            continue
        before = candidate.data.decode("utf-8")
        if text == before:
            results.append(Result.FINE)
            continue
        results.append(Result.WRONG if check else Result.FINE)
        if diff:
            write_stdout(fixes.diff(before, text, candidate.name))
        if check or diff:
            console.say(f"{candidate.name} would change")
        else:
            write_file(candidate.path, text, force=True)
            console.say(f"{candidate.name} changed")
    click.get_current_context().exit(exit_code(results or [Result.FINE if skip_others else Result.NOTHING]))
