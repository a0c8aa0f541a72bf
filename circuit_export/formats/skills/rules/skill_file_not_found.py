"""C761: a skill whose file is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.repository import Trouble
from circuit_export.formats.skills.rules.alike import on_disk
from circuit_export.formats.skills.rules.examples import graph, skill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    return on_disk(survey, RULE, Trouble.NOT_FOUND, "add the file, or name one that is there")


RULE = Rule(
    "C761",
    "skill-file-not-found",
    Severity.ERROR,
    "A skill's file is not in the repository, or what stands there is no file.",
    "The node that runs it fails in every run. A folder or a pipe of that name is as good as nothing.",
    bad=graph(skill("drfat")),
    good=graph(skill("draft")),
    check=check,
)
