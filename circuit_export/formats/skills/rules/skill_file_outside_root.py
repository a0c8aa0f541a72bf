"""C762: a skill whose file really lies elsewhere."""

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
    return on_disk(survey, RULE, Trouble.OUTSIDE_ROOT, "put the file itself into the repository")


RULE = Rule(
    "C762",
    "skill-file-outside-root",
    Severity.ERROR,
    "A skill's path leads out of the repository by a link.",
    "What an agent finds there it obeys, and nobody reviewed it with the repository. It is not read.",
    bad=graph(skill("linked")),
    good=graph(skill("draft")),
    check=check,
)
