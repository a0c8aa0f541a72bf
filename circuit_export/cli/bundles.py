"""Bundles at the command line: a graph with its skills into one file, and out of it into a repository, by agreement.

A skill is a text that an agent obeys. So whoever unpacks one is shown what it says of itself, and is asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from circuit_export import api
from circuit_export.cli.results import Result
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.formats.repositories import Unpacking
from circuit_export.formats.wording import counted

if TYPE_CHECKING:
    from circuit_export.cli.console import Console
    from circuit_export.formats.repositories import Plan, Planned

Confirm = Callable[[str], bool]
"""Asks a person a question that is answered by yes or no."""

_STATES = {"new": "new", "same": "there already", "differs": "another text is there"}
CHECKSUM = "its checksum does not fit its text: it was damaged or changed on its way"


class Unpack(NamedTuple):
    """How a bundle is unpacked: into which repository, under which id, and what needs no question."""

    root: Path
    workflow_id: str | None = None
    yes: bool = False
    overwrite: bool = False
    strict: bool = False


def now() -> str:
    """This moment as a bundle writes it, in UTC; who builds the same again and again sets SOURCE_DATE_EPOCH."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    try:
        moment = datetime.fromtimestamp(int(fixed), UTC) if fixed else datetime.now(UTC)
    except (ValueError, OverflowError, OSError):
        raise UsageError(
            "SOURCE_DATE_EPOCH is no time", found=f"“{fixed[:40]}”", expected="seconds since 1970"
        ) from None
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def bundle_text(workflow: api.Workflow, root: Path | None, at: str) -> tuple[str, Sequence[str]]:
    """The bundle of a workflow with the skills of the repository at `root`, and what cannot ride along, said."""
    packed = api.pack(workflow, root, at)
    return packed.text, [f"{path} {why}, so it is not in the bundle" for path, why in packed.left_out]


def unpack(data: bytes, name: str, how: Unpack, at: str, console: Console, confirm: Confirm) -> Result:
    """Unpacks a bundle: shows what it brings, asks unless told not to, and writes what is new.

    Raises CircuitError for what is no bundle, or would be written outside the repository.
    """
    format, plan = api.plan_unpacking(data, name, Unpacking(how.root, at, workflow_id=how.workflow_id))
    show(plan, console if how.yes else console._replace(quiet=False))  # nobody agrees to what was not shown
    damaged = any(item.is_damaged for item in plan.skills)
    if damaged and how.strict:
        raise CircuitError("Nothing was written: a skill is not what its checksum says", file=name)
    if damaged:
        console.warn("damaged skills are left out; ask the sender for the bundle anew")
    written = ("new", "differs") if how.overwrite else ("new",)
    brings = sum(item.state in written and not item.is_damaged for item in plan.skills)
    if brings and not how.yes and not confirm(f"Write {counted(brings, 'skill')} that an agent will obey?"):
        raise CircuitError(
            "Nothing was written", hint="read the skills above; --yes says that they are as they should be"
        )
    for path in format.install(plan, overwrite=how.overwrite):
        console.say(f"wrote {path}")
    kept = [item.path for item in plan.conflicts if not how.overwrite]
    for path in kept:
        console.warn(f"{path} holds another text and was kept; --force overwrites it")
    return Result.WRONG if kept or damaged else Result.FINE


def show(plan: Plan, console: Console) -> None:
    """Says what a bundle would bring, each skill with how it introduces itself."""
    for note in plan.notes:
        console.note(note)
    for item in plan.skills:
        console.say(f"{item.path}: a skill, {_STATES[item.state]}")
        for line in _introduction(item):
            console.say(f"    {line}")
        if item.is_damaged:
            console.warn(f"{item.path}: {CHECKSUM}")
    console.say(f"{plan.workflow.path}: the graph, {_STATES[plan.workflow.state]}")


SHOWN_LINES = 60
"""Lines that are shown of how a skill introduces itself: none that it should be judged by is left out."""
SHOWN_WIDTH = 400


def _introduction(item: Planned) -> list[str]:
    lines = item.front_matter.splitlines() or ["(it does not introduce itself)"]
    if len(lines) > SHOWN_LINES:
        lines = [*lines[:SHOWN_LINES], f"… {len(lines) - SHOWN_LINES:,} more lines"]
    return [line if len(line) <= SHOWN_WIDTH else f"{line[:SHOWN_WIDTH]}… {len(line):,} characters" for line in lines]
