"""`circuit export`: workflows in, pages (or drawings, diagrams, definitions) out."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import click

from circuit_export import api
from circuit_export.cli.completing import PLACE, offering
from circuit_export.cli.console import Console, console_options
from circuit_export.cli.export_jobs import SUFFIXES, Job, Options, Outcome, do, do_all, fit_name, free_name
from circuit_export.cli.export_run import RunWanted
from circuit_export.cli.export_run import check as check_run
from circuit_export.cli.fetching import fetching_options
from circuit_export.cli.files import check_sources, read_stdin, write_file, write_stdout
from circuit_export.cli.results import Result, exit_code, result_of
from circuit_export.diagnostics import CircuitError, Severity, UsageError
from circuit_export.formats.wording import counted, listed

EPILOG = """\b
Examples:
  circuit export board.json                       board.html, beside where you stand
  circuit export board.json -o kept/ --open       into a folder, and show it
  circuit export boards -o site                   a page for each, and an index
  circuit export board.json --format svg -o -     the drawing alone, on stdout
  circuit export board.json --theme paper         for print and high contrast
  circuit export board.json --scenario NAME       with what happens in it
  circuit export board.json --run run.json        with a run that was kept
  circuit export graph.json --format bundle       with its skills, to unpack elsewhere
  cat board.json | circuit export - > board.html"""


class Request(NamedTuple):
    """What was asked for."""

    sources: tuple[str, ...]
    output: str | None
    options: Options
    open: bool
    fetching: api.Fetching


@click.command("export", epilog=EPILOG)
@click.argument("sources", nargs=-1, required=True, type=PLACE, metavar="SOURCE...")
@click.option("-o", "--output", type=PLACE, metavar="PATH", help="Write to this file or folder; - is stdout.")
@click.option(
    "--theme",
    metavar="NAME|FOLDER",
    shell_complete=offering(api.theme_names, "dir"),
    help=f"How the page looks.  [default: the project's, else {api.DEFAULT_THEME}]",
)
@click.option(
    "--format", "format_", type=click.Choice(list(SUFFIXES)), default="html", show_default=True, help="What to write."
)
@click.option(
    "--run", "run", type=PLACE, metavar="RUN", help="Show this run on the page: what `circuit run --save` wrote."
)
@click.option("--scenario", metavar="NAME", help="Show the run of this scenario, from the file beside SOURCE.")
@click.option("--redact", is_flag=True, help="Show the run's values as shapes only.")
@click.option("--root", type=PLACE, metavar="FOLDER", help="The repository's folder: graphs name skills below it.")
@click.option("--force", is_flag=True, help="Overwrite files that hold something else.")
@click.option("--open", "open_", is_flag=True, help="Show what was written in the browser.")
@fetching_options
@console_options
def command(
    sources: tuple[str, ...],
    output: str | None,
    theme: str | None,
    format_: str,
    run: str | None,
    scenario: str | None,
    redact: bool,
    root: str | None,
    force: bool,
    open_: bool,
    fetching: api.Fetching,
    console: Console,
) -> None:
    """Write each SOURCE as one self-contained HTML page.

    SOURCE is a file, a folder (every workflow in it, and an index), a URL, or - for stdin. A page needs nothing
    else: no scripts, no network. `circuit import` takes the workflow back out of it.
    """
    check_sources(sources)
    check_root(root)
    theme = theme or project_theme(sources[0])
    wanted = RunWanted(run, scenario, redact)
    check_run(wanted, sources, format_)
    if format_ in ("html", "svg"):
        check_theme(theme, console)
    request = Request(sources, output, Options(theme, format_, force, wanted, root), open_, fetching)
    many = len(sources) > 1 or Path(sources[0]).is_dir()
    results = export_many(request, console) if many else [export_one(request, console)]
    click.get_current_context().exit(exit_code(results))


def check_root(root: str | None) -> None:
    """Raises UsageError when what is named as the repository's folder is none."""
    from circuit_export.formats.roots import root_trouble

    trouble = root_trouble(Path(root)) if root is not None else ""
    if trouble:
        raise UsageError(f"The repository's folder {trouble}", found=root or "", hint="name the folder that holds .git")


def project_theme(source: str) -> str:
    """The theme that the project's configuration names, a folder of it among them; ours when it names none."""
    place = Path("." if source == "-" or api.is_url(source) else source)
    if not api.is_configured(place):
        return api.DEFAULT_THEME
    settings = api.settings_of(place)
    named = settings.theme or api.DEFAULT_THEME
    folder = settings.root / named
    return str(folder) if named not in api.theme_names() and folder.is_dir() else named


def check_theme(theme: str, console: Console) -> None:
    """Says what is wrong with a theme once, before anything is written. Raises UsageError when it is broken."""
    try:
        loaded = api.theme(theme)
    except CircuitError as error:
        raise UsageError(
            error.message,
            file=error.file,
            position=error.position,
            found=error.found,
            expected=error.expected,
            hint=error.hint,
        ) from None
    if theme not in api.theme_names():  # ours are tested; a stranger's may be hard to read
        for sentence in api.theme_shortfalls(loaded):
            console.warn(f"{theme}: {sentence}")


# --- one source --------------------------------------------------------------------------------------------------


def export_one(request: Request, console: Console) -> Result:
    """Exports the only source to the file, the folder or stdout."""
    name = request.sources[0]
    output = request.output or ("-" if name == "-" else None)
    if output == "-" and request.open:
        raise UsageError("What goes to stdout cannot be opened", hint="name a file: -o FILE")
    stdin = read_stdin() if name == "-" else b""
    source = api.read_source(name, stdin=stdin, fetching=request.fetching)
    if output == "-":
        text, outcome = do(source, Job(name, None, request.options))
        if text is not None:
            write_stdout(text)
    else:
        target = one_target(output, source.name, request.options)
        _, outcome = do(source, Job(name, target, request.options))
    tell(outcome, console)
    if outcome.target is not None and outcome.result is Result.FINE:
        show(outcome.target, request)
    return outcome.result


def show(path: Path, request: Request) -> None:
    """Shows what was written, when that is wanted."""
    if request.open:
        click.launch(str(path.resolve()))


def one_target(output: str | None, source: str, options: Options) -> Path:
    """The file that one source is written to."""
    name = fit_name(source, options)
    if output is None:
        return Path(name)
    path = Path(output)
    return path / name if path.is_dir() or output.endswith(("/", "\\")) else path


# --- many sources ------------------------------------------------------------------------------------------------


def export_many(request: Request, console: Console) -> list[Result]:
    """Exports every workflow of all sources; pages go to one folder, with an index when a folder was named."""
    folders = [source for source in request.sources if Path(source).is_dir()]
    if request.output == "-":
        raise UsageError("Several workflows do not fit on stdout", hint="name a folder: -o FOLDER")
    if folders and request.output is None:
        raise UsageError(
            "A folder becomes several files",
            found=folders[0],
            hint=f"say where: -o {Path(folders[0]).resolve().name}-site",
        )
    folder = Path(request.output or ".")
    if folder.is_file():
        raise UsageError(
            "Several workflows need a folder", found=f"{folder}, which is a file", hint="name a folder: -o FOLDER"
        )
    results: list[Result] = []
    jobs = list(plan(request, folder, results, console))
    if not jobs and not results:
        console.warn("there is no workflow in " + ", ".join(request.sources))
        return []
    outcomes = list(with_progress(jobs, request.fetching, console))
    tell_all(outcomes, request, console)
    results += [outcome.result for outcome in outcomes]
    with_index = bool(folders) and request.options.format == "html"
    if with_index:
        results.append(write_index(folder, outcomes, request, console))
    summarise(outcomes, folder, console)
    if Result.FINE in results:
        show(folder / "index.html" if with_index else folder, request)
    return results


def plan(request: Request, folder: Path, results: list[Result], console: Console) -> Iterator[Job]:
    """A job for each workflow, each with a file name of its own."""
    taken = {"index" + SUFFIXES[request.options.format]} if request.options.format == "html" else set()
    for source in request.sources:
        try:
            names = found_in(Path(source), results, console) if source != "-" and Path(source).is_dir() else [source]
        except CircuitError as error:
            console.error(error)
            results.append(result_of(error))
            continue
        for name in names:
            wanted = fit_name(name, request.options)
            given = free_name(wanted, taken)
            taken.add(given.lower())
            if given != wanted:
                console.note(f"{name} becomes {given}, since {wanted} is taken")
            yield Job(name, folder / given, request.options)


def found_in(folder: Path, results: list[Result], console: Console) -> list[str]:
    """The workflows of a folder; what cannot be read there may be one, and is said."""
    from circuit_export.validation.discovery import UNREADABLE

    found = api.discover(folder)
    for path, why in found.skipped:
        if why.startswith(UNREADABLE):
            console.warn(f"{path} {why}")
            results.append(Result.WRONG)
        else:
            console.detail(f"skipped {path}: {why}")
    return [str(path) for path in found.files]


def with_progress(jobs: Sequence[Job], fetching: api.Fetching, console: Console) -> Iterator[Outcome]:
    """Does all jobs, in order, with a progress bar on a terminal."""
    outcomes = do_all(jobs, fetching)
    if console.quiet or sys.stderr is None or not sys.stderr.isatty() or len(jobs) < 2:
        yield from outcomes
        return
    with click.progressbar(outcomes, length=len(jobs), label="Exporting", file=sys.stderr) as bar:
        yield from bar


def write_index(folder: Path, outcomes: Sequence[Outcome], request: Request, console: Console) -> Result:
    """Writes the gallery of all pages."""
    from circuit_export.board.page import render_gallery

    cards = [outcome.card for outcome in outcomes if outcome.card is not None]
    if not cards:
        return Result.FINE
    text = render_gallery(cards, api.theme(request.options.theme))
    try:
        write_file(folder / "index.html", text, force=request.options.force)
    except CircuitError as error:
        console.error(error)
        return result_of(error)
    return Result.FINE


# --- talk --------------------------------------------------------------------------------------------------------


MOST_IN_ALL = 24
"""Findings that an export of many workflows shows one by one; more are counted."""


def tell_all(outcomes: Sequence[Outcome], request: Request, console: Console) -> None:
    """Says what was not right with many exports; findings one by one only when they are few."""
    said = [one for outcome in outcomes for one in outcome.findings]
    few = len(said) <= MOST_IN_ALL
    for outcome in outcomes:
        tell(outcome if few else outcome._replace(findings=()), console, brief=True)
    if not few:
        counts = Counter(one.severity for one in said)
        kinds = listed(counted(counts[kind], kind) for kind in Severity if counts[kind])
        files = counted(sum(bool(outcome.findings) for outcome in outcomes), "workflow")
        console.warn(f"there are findings in {files}, {kinds}: circuit validate {' '.join(request.sources)}")


def tell(outcome: Outcome, console: Console, *, brief: bool = False) -> None:
    """Says how one export went; `brief` leaves out that it went well."""
    if outcome.error is not None:
        console.error(outcome.error)
        return
    name = "<stdin>" if outcome.source == "-" else outcome.source
    for warning in outcome.warnings:
        console.warn(f"{name}: {warning}")
    console.findings(outcome.findings, name)
    if outcome.target is None:
        return
    done = f"wrote {outcome.target}" if outcome.written else f"{outcome.target} holds it already"
    (console.detail if brief else console.say)(done)


def summarise(outcomes: Sequence[Outcome], folder: Path, console: Console) -> None:
    fine = [outcome for outcome in outcomes if outcome.result is Result.FINE]
    same = sum(not outcome.written for outcome in fine)
    failed = len(outcomes) - len(fine)
    parts = [
        f"{len(fine):,} of {len(outcomes):,} workflows exported to {folder}"
        if failed
        else f"{counted(len(fine), 'workflow')} exported to {folder}"
    ]
    if same:
        parts.append(f"{same:,} {'was' if same == 1 else 'were'} there already")
    console.say(", ".join(parts))
