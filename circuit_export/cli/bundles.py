"""Bundles at the command line: a graph with its skills into one file, and out of it into a repository, by agreement.

A skill is a text that an agent obeys. So whoever unpacks one is shown what it says of itself, and is asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from circuit_export.cli.results import Result
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.formats.wording import counted

if TYPE_CHECKING:
    from circuit_export.cli.console import Console
    from circuit_export.formats.skills.document import SkillsDocument
    from circuit_export.formats.skills.installing import Installation, Planned

Confirm = Callable[[str], bool]
"""Asks a person a question that is answered by yes or no."""

_STATES = {"new": "new", "same": "there already", "differs": "another text is there"}
CHECKSUM = "its checksum does not fit its text: it was damaged or changed on its way"


class Unpack(NamedTuple):
    """How a bundle is unpacked: into which repository, under which id, and what needs no question."""

    root: Path
    repository_id: str = ""
    workflow_id: str | None = None
    yes: bool = False
    overwrite: bool = False


def now() -> str:
    """This moment as a bundle writes it, in UTC."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def is_bundle(data: bytes) -> bool:
    """Is it a bundle's text, so that importing it means unpacking it?"""
    from circuit_export.formats.skills.bundle import recognise

    try:
        return recognise(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return False


def bundle_text(document: SkillsDocument, root: Path, exported_at: str, console: Console) -> str:
    """The bundle of a graph with the skills of the repository at `root`; says which ones cannot ride along."""
    from circuit_export.formats.roots import root_trouble
    from circuit_export.formats.skills.bundle import pack
    from circuit_export.formats.skills.repository import read_skill

    trouble = root_trouble(root)
    if trouble:
        raise UsageError(f"The repository's folder {trouble}", found=str(root), hint="name it with --root")
    packed = pack(document, lambda path: read_skill(root, path), exported_at)
    for path, why in packed.left_out:
        console.warn(f"{path} {why}, so it is not in the bundle")
    return packed.text


def unpack(text: str, name: str, how: Unpack, at: str, console: Console, confirm: Confirm) -> Result:
    """Unpacks a bundle: shows what it brings, asks unless told not to, and writes what is new.

    Raises CircuitError for what is no bundle, or would be written outside the repository.
    """
    from circuit_export.formats.skills.bundle import read
    from circuit_export.formats.skills.installing import install, installation

    bundle = read(text, name)
    repository_id = how.repository_id or how.root.resolve().name or bundle.document.repository_id
    plan = installation(bundle, how.root, repository_id, at, workflow_id=how.workflow_id)
    show(plan, console if how.yes else console._replace(quiet=False))  # nobody agrees to what was not shown
    damaged = bool(bundle.damaged)
    if damaged:
        console.warn("damaged skills are left out; ask the sender for the bundle anew")
    written = ("new", "differs") if how.overwrite else ("new",)
    brings = sum(item.state in written and not item.is_damaged for item in plan.skills)
    if brings and not how.yes and not confirm(f"Write {counted(brings, 'skill')} that an agent will obey?"):
        raise CircuitError(
            "Nothing was written", hint="read the skills above; --yes says that they are as they should be"
        )
    for path in install(plan, overwrite=how.overwrite):
        console.say(f"wrote {path}")
    kept = [item.path for item in plan.conflicts if not how.overwrite]
    for path in kept:
        console.warn(f"{path} holds another text and was kept; --force overwrites it")
    return Result.WRONG if kept or damaged else Result.FINE


def show(plan: Installation, console: Console) -> None:
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


SHOWN_LINES = 12


def _introduction(item: Planned) -> list[str]:
    lines = item.front_matter.splitlines() or ["(it does not introduce itself)"]
    if len(lines) > SHOWN_LINES:
        lines = [*lines[:SHOWN_LINES], f"… {len(lines) - SHOWN_LINES:,} more lines"]
    return lines
