"""`circuit validate`: what is wrong with workflows, where, and what was probably meant."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.fetching import fetching_options
from circuit_export.cli.files import check_sources, read_stdin, write_file, write_stdout
from circuit_export.cli.results import Result, exit_code
from circuit_export.diagnostics import UsageError
from circuit_export.validation.cache import default_folder
from circuit_export.validation.report import Outcome, Report, Request, Runs, Source
from circuit_export.validation.reporters import REPORTERS, reporter

if TYPE_CHECKING:
    from circuit_export.api import Fetching

EPILOG = """\b
Examples:
  circuit validate                         every workflow below this folder
  circuit validate boards/a.json           one of them
  circuit validate --static                without playing the scenarios
  circuit validate --fix --diff            what the safe fixes would change
  circuit validate --format text --format sarif --output-file findings.sarif
  circuit validate --baseline known.json --write-baseline
  cat board.json | circuit validate -

Exit codes: 0 clean, 1 findings at or above fail-on, 2 usage, 3 nothing to check."""

RESULTS = {Outcome.FINE: Result.FINE, Outcome.FINDINGS: Result.WRONG, Outcome.NOTHING: Result.NOTHING}
_FILE = click.Path(dir_okay=False, path_type=Path)
_FOLDER = click.Path(path_type=Path)


@click.command("validate", epilog=EPILOG)
@click.argument("paths", nargs=-1, type=PLACE, metavar="[PATH]...")
@click.option(
    "--format", "formats_", type=click.Choice(list(REPORTERS)), multiple=True, help="How to report; repeatable."
)
@click.option(
    "--output-file", "files", type=_FILE, multiple=True, help="Write the report here; one for each --format, in order."
)
@click.option("--select", multiple=True, metavar="CODES", help="Report only these: codes, their starts, or names.")
@click.option("--ignore", multiple=True, metavar="CODES", help="Do not report these.")
@click.option("--fail-on", type=click.Choice(["error", "warning", "note", "never"]), help="The least that fails.")
@click.option("--tools", type=_FILE, metavar="FILE", help="The connector tools there are.")
@click.option("--config", type=_FILE, metavar="FILE", help="These settings instead of those found upward.")
@click.option("--baseline", type=_FILE, metavar="FILE", help="Leave out the findings in it.")
@click.option("--write-baseline", is_flag=True, help="Write the baseline anew.")
@click.option("--fix", is_flag=True, help="Apply the safe fixes.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: those that guess, too.")
@click.option("--diff", is_flag=True, help="Show what the fixes would change; write nothing.")
@click.option("--skip-others", is_flag=True, help="Pass over files that hold no workflow, though they are named.")
@click.option("--root", type=_FOLDER, metavar="FOLDER", help="The repository's folder: graphs name files below it.")
@click.option(
    "--profile",
    type=click.Choice(["default", "app"]),
    default="default",
    help="Also say what the public application would refuse to run.",
)
@click.option("--allow-cycles", is_flag=True, help="Graphs may go round.")
@click.option("--static", is_flag=True, help="Leave the scenarios out: nothing is run.")
@click.option("--no-cache", is_flag=True, help="Look at everything again, and remember nothing.")
@fetching_options
@console_options
def command(
    paths: tuple[str, ...],
    formats_: tuple[str, ...],
    files: tuple[Path, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    fail_on: str | None,
    tools: Path | None,
    config: Path | None,
    baseline: Path | None,
    write_baseline: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    skip_others: bool,
    static: bool,
    root: Path | None,
    profile: str,
    allow_cycles: bool,
    no_cache: bool,
    fetching: Fetching,
    console: Console,
) -> None:
    """Find what is wrong with workflows.

    PATH is a file, a folder (every workflow in it), an exported page, a URL, or - for stdin; this folder if none is
    given. Scenarios beside a workflow are played and compared with their goldens, as `circuit trace` does it.
    `circuit explain CODE` says more about a finding.
    """
    if write_baseline and baseline is None:
        raise UsageError("--write-baseline has nothing to write to", hint="name the file: --baseline FILE")
    from circuit_export.validation.run import validate

    local, sources = split_sources(paths, fetching)
    request = Request(
        local,
        sources,
        config=config,
        tools=tools,
        select=_words(select) or None,
        ignore=_words(ignore) or None,
        fail_on=fail_on,
        baseline=baseline,
        write_baseline=write_baseline,
        fix=fix,
        unsafe_fixes=unsafe_fixes,
        diff=diff,
        base=Path.cwd(),
        skip_others=skip_others,
        cache=None if no_cache else default_folder(),
        runs=Runs.NO if static else Runs.ALSO,
        root=root,
        profile="" if profile == "default" else profile,
        allow_cycles=allow_cycles,
    )
    report = validate(request)
    tell_skipped(report, console)
    if diff:
        write_stdout(report.diff)
    else:
        publish(report, paired(formats_ or ("text",), files), console.product)
    click.get_current_context().exit(exit_code([RESULTS[report.outcome]]))


def split_sources(paths: tuple[str, ...], fetching: Fetching) -> tuple[tuple[Path, ...], tuple[Source, ...]]:
    """The files and folders, and what is read from elsewhere."""
    from circuit_export import api

    local, sources = [], []
    check_sources(paths)
    for path in paths or (".",):
        if path == "-" or api.is_url(path):
            source = api.read_source(path, stdin=read_stdin() if path == "-" else b"", fetching=fetching)
            sources.append(Source(source.name, source.data))
        else:
            local.append(Path(path))
    return tuple(local), tuple(sources)


def _words(given: tuple[str, ...]) -> tuple[str, ...]:
    """The words of a repeatable option whose values may be lists with commas."""
    return tuple(word.strip() for value in given for word in value.split(",") if word.strip())


def paired(formats: tuple[str, ...], files: tuple[Path, ...]) -> list[tuple[str, Path | None]]:
    """Each format with the file it is written to; one may be left for stdout: the first that is not the last ones'."""
    if len(files) > len(formats):
        raise UsageError(
            "There are more --output-file than --format", hint="give each output file a --format of its own"
        )
    spare = len(formats) - len(files)
    if spare > 1:
        raise UsageError("Only one report fits on stdout", hint="give the others an --output-file each")
    on_stdout = next((number for number, name in enumerate(formats) if name in ("text", "concise")), 0) if spare else -1
    if len({file.absolute() for file in files}) < len(files):
        raise UsageError("Two reports go to one file", hint="give each --format an --output-file of its own")
    rest = iter(files)
    return [(name, None if number == on_stdout else next(rest)) for number, name in enumerate(formats)]


def publish(report: Report, outputs: list[tuple[str, Path | None]], colour: bool = False) -> None:
    """Writes the reports; in GitHub Actions the whole of it to the job's summary too."""
    for name, file in outputs:
        said = reporter(name)(report, colour and file is None)
        if file is None:
            write_stdout(said.encode("utf-8", "replace").decode("utf-8"))
        else:
            write_file(file, said, force=True)
        summary = os.environ.get("GITHUB_STEP_SUMMARY") if name == "github" else None
        if summary:
            from circuit_export.validation.reporters.github import job_summary

            with Path(summary).open("a", encoding="utf-8") as stream:
                stream.write(job_summary(report))


def tell_skipped(report: Report, console: Console) -> None:
    """Says what was passed over: how much, and with --verbose what and why."""
    for skipped in report.skipped:
        console.detail(f"skipped {skipped.path}: {skipped.why}")
    others = [skipped for skipped in report.skipped if skipped.why != "hidden"]
    if others and not console.verbose:
        console.say(f"skipped {len(others)} (--verbose says which and why)")
