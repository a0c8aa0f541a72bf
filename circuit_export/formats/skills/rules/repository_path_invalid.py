"""C760: a repository's folder that is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.roots import root_trouble

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    root = survey.terms.root
    trouble = root_trouble(root) if root is not None else ""
    if trouble:
        yield RULE.found(
            f"The repository's folder {trouble}, so no skill can be looked for",
            "",
            hint="name the folder that holds .circuit or .git",
        )


RULE = Rule(
    "C760",
    "repository-path-invalid",
    Severity.ERROR,
    "What is given as the repository is no folder, or the root of the whole disk.",
    "Skill files are read below the repository only; with the root of the disk as the repository, that would be "
    "everything.",
    bad="circuit validate .circuit/workflows --root /\n",
    good="circuit validate .circuit/workflows --root .\n",
    check=check,
)
