"""`circuit trace`: every scenario against its golden, and what the scenarios of each workflow reach."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from circuit_export.cli.console import Console, console_options
from circuit_export.cli.files import write_file, write_stdout
from circuit_export.cli.results import Result, exit_code
from circuit_export.diagnostics import CircuitError

if TYPE_CHECKING:
    from circuit_export.validation.report import Report

EPILOG = """\b
Examples:
  circuit trace                            every workflow below this folder
  circuit trace boards/a.json              one of them
  circuit trace --update                   what runs now is right: write it to the goldens
  circuit trace --accept "a sales mail"    only that scenario
  circuit trace --fail-under 90 --skip-covered
  circuit trace --format junit > traces.xml

The scenarios of NAME.json are in NAME.scenarios.json; `circuit scenarios suggest` writes some.

Exit codes: 0 all as it should be, 1 something is not, 2 usage, 3 nothing to trace."""

FORMATS = ("text", "json", "markdown", "junit", "github")


class Wanted(NamedTuple):
    """What is asked for."""

    paths: tuple[Path, ...]
    update: bool = False
    accept: tuple[str, ...] = ()
    config: Path | None = None


@click.command("trace", epilog=EPILOG)
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")
@click.option("--update", is_flag=True, help="Write what the runs do now to the goldens.")
@click.option("--accept", multiple=True, metavar="NAME", help="Only for the scenario of this name; repeatable.")
@click.option("--fail-under", type=click.FloatRange(0, 100), metavar="PERCENT", help="The least that is to be reached.")
@click.option(
    "--format", "format_", type=click.Choice(FORMATS), default="text", show_default=True, help="How to report."
)
@click.option("--skip-covered", is_flag=True, help="Leave out of the table what is reached whole.")
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="These settings instead of those found upward.",
)
@console_options
def command(
    paths: tuple[Path, ...],
    update: bool,
    accept: tuple[str, ...],
    fail_under: float | None,
    format_: str,
    skip_covered: bool,
    config: Path | None,
    console: Console,
) -> None:
    """Run every scenario, compare it with its golden, and say which steps and wires were reached.

    PATH is a workflow, its scenarios, or a folder; this folder if none is given. Nothing is performed: the scenarios
    answer for the assistant and the services.
    """
    wanted = Wanted(paths or (Path(),), update, accept, config)
    report = traced(wanted)
    if update or accept:
        report = updated(wanted, report, console)
    settings = report.settings
    least = fail_under if fail_under is not None or settings is None else settings.fail_under
    if least is not None:
        report = judged_by_percent(report)
    from circuit_export.validation.trace_reports import REPORTS, shortfall

    said = REPORTS[format_](report, skip_covered, console.product)
    write_stdout(said.encode("utf-8", "replace").decode("utf-8"))
    summary = os.environ.get("GITHUB_STEP_SUMMARY") if format_ == "github" else None
    if summary:
        with Path(summary).open("a", encoding="utf-8") as stream:
            stream.write("### Scenarios\n\n" + REPORTS["markdown"](report, skip_covered, False))
    results = [result_of(report)]
    if least is not None and (short := shortfall(report, least)):
        console.error(CircuitError(short, hint="`circuit scenarios suggest` finds scenarios for what is not reached"))
        results.append(Result.WRONG)
    click.get_current_context().exit(exit_code(results))


def traced(wanted: Wanted) -> Report:
    """Plays the scenarios of what is asked for."""
    from circuit_export.validation.report import Request, Runs
    from circuit_export.validation.run import validate

    return validate(Request(wanted.paths, config=wanted.config, base=Path.cwd(), runs=Runs.ONLY))


def judged_by_percent(report: Report) -> Report:
    """A report in which a wire or branch not taken is no finding: the percentage says how much has to be reached."""
    from circuit_export.runs.findings import UNREACHED_BRANCH, UNREACHED_WIRE

    codes = (UNREACHED_WIRE.code, UNREACHED_BRANCH.code)
    kept = tuple(found for found in report.findings if found.code not in codes)
    return replace(report, findings=kept)


def result_of(report: Report) -> Result:
    """How it went."""
    from circuit_export.validation.report import Outcome

    if report.outcome is Outcome.FINDINGS:
        return Result.WRONG
    return Result.FINE if report.traced or report.findings else Result.NOTHING


def updated(wanted: Wanted, report: Report, console: Console) -> Report:
    """Writes the goldens, says which, and looks again."""
    from circuit_export.validation.run import told_from
    from circuit_export.validation.tracing import updates

    changes = updates(report, wanted.accept, wanted.paths)
    for change in changes:
        path = Path(change.golden)
        name = told_from(path.absolute(), Path.cwd())
        if change.text is None:
            path.unlink(missing_ok=True)
            console.say(f"removed {name}")
        else:
            write_file(path, change.text, force=True)
            console.say(f"wrote {name}")
    if not changes:
        console.say("the goldens were up to date")
    return traced(wanted)
