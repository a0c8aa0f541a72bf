"""What `circuit run` is asked for, and which of its options go together and with which kind of workflow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import click

from circuit_export import api
from circuit_export.diagnostics import UsageError
from circuit_export.formats.performing import Bounds

DEEPEST = 1_000
"""How deep programs may run programs unless told otherwise: one that runs itself ends."""

_DRIVEN_ONLY = ("mode", "trigger", "resume", "skip", "record")
_PERFORMED_ONLY = (
    *("cwd", "trace", "follow", "dry_run", "yes"),
    *("max_generations", "max_depth", "max_seconds", "max_output", "max_input", "max_source"),
)
_STARTING_ONLY = tuple(name for name in _PERFORMED_ONLY if name not in ("trace", "follow"))
_PLAYED_ONLY = ("save", "redact")
_SIZE = re.compile(r"([0-9]{1,12})\s?([KMG]?)(?:i?B)?", re.IGNORECASE | re.ASCII)
_HELP = "`circuit run --help` says which options go with what"


class Wanted(NamedTuple):
    """How a workflow is to be run, and what is to be kept of it. See the options."""

    board: str
    input: tuple[str, ...] = ()
    answers: Path | None = None
    scenario: str | None = None
    save: str | None = None
    redact: bool = False
    force: bool = False
    # of what is driven by answers
    mode: str | None = None
    trigger: str | None = None
    resume: Path | None = None
    skip: bool = False
    record: str | None = None
    # of what is performed here
    cwd: Path | None = None
    trace: str | None = None
    follow: bool = False
    dry_run: bool = False
    yes: bool = False
    max_generations: int | None = None
    max_depth: int | None = None
    max_seconds: float | None = None
    max_output: int | None = None
    max_input: int | None = None
    max_source: int | None = None

    @property
    def bounds(self) -> Bounds:
        """What the run may use."""
        return Bounds(
            self.max_generations,
            DEEPEST if self.max_depth is None else self.max_depth,
            self.max_seconds,
            self.max_source,
            self.max_input,
            self.max_output,
        )

    def given(self, name: str) -> bool:
        """Whether an option was given."""
        return getattr(self, name) not in (None, False, ())


def size(text: str) -> int:
    """The number of bytes that `5000`, `64K`, `16M` or `1G` (of 1,024) says. Raises BadParameter."""
    found = _SIZE.fullmatch(text.strip())
    if found is None or not int(found[1]):
        raise click.BadParameter(f"{text!r} is no size: give a number of bytes from 1, such as 5000, 64K or 16M")
    return int(found[1]) * int(1024 ** "_kmg".index(found[2].lower() or "_"))


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refuse(wanted: Wanted, names: tuple[str, ...], why: str, hint: str) -> None:
    """Raises UsageError for the first of the options that was given."""
    for name in names:
        if wanted.given(name):
            raise UsageError(f"{_option(name)} {why}", found=wanted.board, hint=hint)


def check(wanted: Wanted) -> None:
    """Raises UsageError for options that never go together."""
    needs = [("scenario", "answers"), ("skip", "resume")]
    for option, other in needs:
        if wanted.given(option) and not wanted.given(other):
            raise UsageError(f"--{option} means nothing without --{other}", hint=f"give --{other} too")
    if wanted.redact and not (wanted.save or wanted.record):
        raise UsageError("--redact has nothing to redact", hint="it is for --save and --record")
    if wanted.resume and wanted.record:
        raise UsageError(
            "--record wants the run from its start", hint="what was answered before it was saved is not in the file"
        )
    if wanted.resume and (wanted.trigger is not None or wanted.mode):
        raise UsageError("--resume goes on as the run began", hint="leave --trigger and --mode out")
    if wanted.record and (wanted.board == "-" or api.is_url(wanted.board)):
        raise UsageError("--record writes beside the workflow, and it is no file here", hint="save the workflow first")
    if wanted.board == "-" and "-" in wanted.input:
        raise UsageError("stdin cannot hold the workflow and its input both", hint="name a file for one of them")


def check_driven(wanted: Wanted, title: str) -> None:
    """Raises UsageError for what does not go with a workflow that is driven by answers; `title` is its kind."""
    why = f"is for a program, whose commands are started here; this is a {title.lower()}, and you answer for it"
    _refuse(wanted, _PERFORMED_ONLY, why, f"leave it out; {_HELP}")
    if wanted.board == "-" and wanted.answers is None:
        raise UsageError(
            "WORKFLOW comes from stdin, so nothing can be answered there", hint="give --answers FILE, or name a file"
        )
    for pair in wanted.input:
        if not pair.partition("=")[0].strip() or "=" not in pair:
            raise UsageError("An input is given as NAME=VALUE", found=pair, hint="such as --input voice=warm")


def check_performed(wanted: Wanted, title: str) -> None:
    """Raises UsageError for what does not go with a workflow that is performed here; `title` is its kind."""
    why = f"is for a board, which you answer for; this is a {title}, which starts its own commands"
    _refuse(wanted, _DRIVEN_ONLY, why, f"leave it out; {_HELP}")
    if wanted.answers is None:
        why = "is for a run by fixed answers; what really happens is kept by --trace"
        _refuse(wanted, _PLAYED_ONLY, why, "give --trace FILE instead, or --answers FILE too")
    else:
        why = "is for a run that starts commands, and with --answers nothing is started"
        _refuse(wanted, _STARTING_ONLY, why, "leave it out, or leave --answers out")
    if wanted.dry_run and (wanted.trace is not None or wanted.follow):
        option = "--trace" if wanted.trace is not None else "--follow"
        raise UsageError(f"{option} has nothing to show: with --dry-run nothing runs", hint="leave one of them out")
    if wanted.trace is not None and _is_read(wanted, wanted.trace):
        raise UsageError("--trace would overwrite what is run", found=wanted.trace, hint="name another file")
    if wanted.save == "-" and wanted.trace == "-":
        raise UsageError("stdout is for one thing", found="--save - and --trace -", hint="name a file for one of them")


def _is_read(wanted: Wanted, file: str) -> bool:
    """Is a file the workflow, its input or its answers?"""
    try:
        own = Path(file).resolve()
        read = (wanted.board, *wanted.input, *((wanted.answers,) if wanted.answers is not None else ()))
        return own.is_file() and any(own == Path(one).resolve() for one in read)
    except (OSError, ValueError):
        return False
