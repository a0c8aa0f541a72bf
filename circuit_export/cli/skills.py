"""`circuit skills`: which skills a repository has."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from circuit_export import api
from circuit_export.cli.completing import PLACE
from circuit_export.cli.console import Console, console_options, printable
from circuit_export.cli.files import write_stdout
from circuit_export.cli.results import Result, exit_code
from circuit_export.diagnostics import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from circuit_export.formats.repositories import Skill

EPILOG = """\b
Examples:
  circuit skills                        those of the repository around this folder
  circuit skills ../handbook            those of another one
  circuit skills --format json          for programs"""

HEADS = ("Provider", "Name", "Input", "File", "Description")


@click.command("skills", epilog=EPILOG)
@click.argument("root", required=False, type=PLACE, metavar="[ROOT]")
@click.option(
    "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True, help="What to print."
)
@click.option("--compat", is_flag=True, help="Read SKILL.md files line by line, as the public application does.")
@console_options
def command(root: str | None, format_: str, compat: bool, console: Console) -> None:
    """List the skills that lie in .claude/skills and .codex/skills of the repository at ROOT.

    Without ROOT, of the nearest folder above that holds .circuit or .git. Nothing outside it is read.
    """
    folder = repository(root)
    found = api.skills(folder, compat=compat)
    write_stdout(as_json(found) if format_ == "json" else as_table(found.skills))
    for file, unread in found.unread:
        console.warn(f"{file} {unread.why}")
    if not found.skills and not found.unread:
        console.warn(f"there is no skill in {folder}")
    results = [Result.FINE for _ in found.skills] + [Result.WRONG for _ in found.unread]
    click.get_current_context().exit(exit_code(results))


def repository(root: str | None) -> Path:
    """The folder to look in. Raises UsageError when it is none, or none can be told."""
    from circuit_export.formats.roots import root_of, root_trouble

    if root is None:
        here = Path.cwd()
        return root_of(here / "here") or here
    trouble = root_trouble(Path(root))
    if trouble:
        raise UsageError(f"The repository's folder {trouble}", found=root, hint="name the folder that holds .git")
    return Path(root)


def as_table(skills: Sequence[Skill]) -> str:
    """One line a skill, the columns below their heads; nothing for no skill."""
    if not skills:
        return ""
    rows = [HEADS, *map(_cells, skills)]
    widths = [max(len(row[at]) for row in rows) for at in range(len(HEADS) - 1)]
    lines = [
        "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[-1]]).rstrip()
        for row in rows
    ]
    return "\n".join(lines) + "\n"


def _cells(skill: Skill) -> tuple[str, ...]:
    texts = (skill.provider, skill.name, skill.hint, skill.file, skill.description)
    return tuple(printable(" ".join(text.split())) for text in texts)


def as_json(found: api.Skills) -> str:
    """The skills as the schema of skill graphs describes a Skill, and the files that could not be read."""
    value = {
        "version": 1,
        "skills": [skill.record() for skill in found.skills],
        "unread": [{"file": file, "trouble": str(unread.trouble), "why": unread.why} for file, unread in found.unread],
    }
    return json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "replace").decode("utf-8") + "\n"
