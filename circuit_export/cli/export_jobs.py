"""One export as a job that any process can do, and doing many of them on all cores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from circuit_export import api
from circuit_export.cli.export_run import NONE, RunWanted, run_of
from circuit_export.cli.files import write_file
from circuit_export.cli.results import Result, result_of
from circuit_export.diagnostics import CircuitError, Diagnostic

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from circuit_export.board.page import Card

SUFFIXES = {"html": ".html", "svg": ".svg", "mermaid": ".mmd", "json": ".json", "bundle": ".circuitflow"}
LARGE = 20 * 1024 * 1024
"""Bytes of a page that its reader is warned of: many hosts refuse more."""
PARALLEL = 64
"""Jobs from which starting further processes pays."""


class Options(NamedTuple):
    """What every job of a command has in common."""

    theme: str
    format: str
    force: bool
    run: RunWanted = NONE
    root: str | None = None
    """The repository's folder; None is the one around each source."""


class Job(NamedTuple):
    """One source to export, to the file `target` (None: to hand the text back)."""

    source: str
    target: Path | None
    options: Options


class Outcome(NamedTuple):
    """How one job went."""

    source: str
    target: Path | None
    result: Result
    written: bool = False
    error: CircuitError | None = None
    warnings: tuple[str, ...] = ()
    findings: tuple[Diagnostic, ...] = ()
    card: Card | None = None


def fit_name(source: str, options: Options) -> str:
    """The file name for a source's export: a slug of its stem."""
    path = source.partition("?")[0].partition("#")[0] if api.is_url(source) else source
    stem = path.replace("\\", "/").rstrip("/").rpartition("/")[2]
    stem = stem.rpartition(".")[0] or stem
    if source in ("-", "<stdin>") or stem.startswith("<"):
        stem = "workflow"
    return slug(stem) + SUFFIXES[options.format]


_FORBIDDEN = frozenset(" <>:\"/\\|?*#%&{}$!'@+`=,;()[]^~\x7f") | {chr(code) for code in range(32)}
_DEVICES = {"CON", "PRN", "AUX", "NUL", *(f"{port}{number}" for port in ("COM", "LPT") for number in range(1, 10))}


def slug(name: str) -> str:
    """A file name that every system takes and no link must escape in ASCII; "workflow" when nothing is left."""
    if not name.isascii():
        from unicodedata import normalize

        name = normalize("NFC", name)
    kept = "".join("-" if char in _FORBIDDEN else char for char in name)
    while "--" in kept:
        kept = kept.replace("--", "-")
    kept = kept.strip("-.").encode("utf-8", "replace")[:120].decode("utf-8", "ignore")
    return f"{kept}-workflow" if kept.split(".")[0].upper() in _DEVICES else kept or "workflow"


def free_name(wanted: str, taken: Set[str]) -> str:
    """`wanted`, or with a number before its suffix when that name is taken (letter case does not tell two apart)."""
    stem, dot, suffix = wanted.rpartition(".")
    number, name = 1, wanted
    while name.lower() in taken:
        number += 1
        name = f"{stem}-{number}{dot}{suffix}"
    return name


beside = cache(api.folder_lookup)
"""What is called beside a file: a command looks once into a folder, however many of its files it exports."""


def do(source: api.Source, job: Job) -> tuple[str | None, Outcome]:
    """Does one job on a source that was read; the text is handed back when the job has no target."""
    try:
        root = Path(job.options.root) if job.options.root is not None else api.repository_of(source)
        lookup = beside(source.folder) if source.folder is not None else None
        workflow = api.open_source(source, lookup=lookup, root=root)
        text, card, remarks = rendered(workflow, job, root)
        warnings = [*workflow.remarks, *workflow.missing, *remarks]
        if job.options.format in ("html", "svg") and len(text) > LARGE // 4 and len(text.encode()) > LARGE:
            size = len(text.encode()) / 1024 / 1024
            warnings.append(f"its page is {size:.0f} MiB: some hosts refuse over 20 MiB")
        written = job.target is not None and write_file(job.target, text, force=job.options.force)
    except CircuitError as error:
        return None, Outcome(job.source, job.target, result_of(error), error=error.located(job.source))
    except RecursionError:
        deep = CircuitError("The definition is nested too deeply", file=job.source)
        return None, Outcome(job.source, job.target, Result.WRONG, error=deep)
    outcome = Outcome(job.source, job.target, Result.FINE, written, None, tuple(warnings), api.findings(workflow), card)
    return (text if job.target is None else None), outcome


def rendered(workflow: api.Workflow, job: Job, root: Path | None = None) -> tuple[str, Card | None, Sequence[str]]:
    """The text of the format asked for; for a page that is written somewhere, its card in the index; and what there
    is to say about the run on it, or about what its bundle lacks."""
    options = job.options
    if options.format == "json":
        return workflow.definition.text, None, ()
    if options.format == "bundle":
        from circuit_export.cli.bundles import bundle_text, now

        text, lacks = bundle_text(workflow, root, now())
        return text, None, lacks
    if options.format == "mermaid":
        return api.export_mermaid(workflow), None, ()
    drawn = api.picture(workflow)
    if options.format == "svg":
        return api.export_svg(workflow, theme=options.theme, drawn=drawn), None, ()
    shown = run_of(workflow, drawn, options.run, job.source) if options.run else None
    page = api.export_page(workflow, theme=options.theme, drawn=drawn, run=shown.view if shown else None)
    card = api.card(workflow, drawn, job.target.name) if job.target else None
    return page, card, (*(shown.remarks if shown else ()), *api.not_brought(workflow))


# --- many --------------------------------------------------------------------------------------------------------


class _Batch(NamedTuple):
    jobs: tuple[Job, ...]
    fetching: api.Fetching


def do_batch(batch: _Batch) -> list[Outcome]:
    """Reads and exports each job of a batch, in order."""
    try:
        return [_do_one(job, batch.fetching) for job in batch.jobs]
    except SystemExit:  # a signal: what was half written is gone by now, and so is this process
        os._exit(1)


def begin_work() -> None:
    """Prepares a process that does batches: it ends with the one that started it, however that one ends."""
    import signal
    from multiprocessing import parent_process
    from threading import Thread

    from circuit_export.cli.running import stop_cleanly

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that talks with the person
    stop_cleanly()
    parent = parent_process()
    if parent is not None:
        Thread(target=_follow, args=(parent,), daemon=True).start()


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Ctrl-C waits until this is over; processes started meanwhile never hear it, from their first moment on."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _follow(parent: BaseProcess) -> None:
    parent.join()
    os._exit(1)


def _do_one(job: Job, fetching: api.Fetching) -> Outcome:
    from circuit_export.cli.files import read_stdin

    try:
        stdin = read_stdin() if job.source == "-" else b""
        source = api.read_source(job.source, stdin=stdin, fetching=fetching)
    except CircuitError as error:
        return Outcome(job.source, job.target, result_of(error), error=error.located(job.source))
    return do(source, job)[1]


def do_all(jobs: Sequence[Job], fetching: api.Fetching) -> Iterator[Outcome]:
    """Does every job and gives the outcomes in the jobs' order; many are shared among all cores."""
    workers = min(os.cpu_count() or 1, len(jobs) // (PARALLEL // 2))
    if workers < 2 or any(job.source == "-" for job in jobs):
        for job in jobs:
            yield _do_one(job, fetching)
        return
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing import get_context

    size = max(1, min(32, len(jobs) // (workers * 4)))
    batches = [_Batch(tuple(jobs[start : start + size]), fetching) for start in range(0, len(jobs), size)]
    # "spawn" is the one way that is the same, and safe, on every system.
    with ProcessPoolExecutor(workers, get_context("spawn"), begin_work) as pool:
        try:
            with _interrupted_later():
                done = pool.map(do_batch, batches)  # starts the processes
            for outcomes in done:
                yield from outcomes
        except BrokenProcessPool:
            raise CircuitError(
                "A worker process was killed before it was done", hint="check the machine's memory and try again"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)
