"""C705: a graph that names no repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.alike import no_text
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    return no_text(
        survey,
        RULE,
        "repositoryId",
        "names its repository by a text as “repositoryId”",
        "write the id of the repository that holds the skills",
    )


RULE = Rule(
    "C705",
    "repository-id-invalid",
    Severity.ERROR,
    "The id of the repository is missing, empty or no text.",
    "Skill files are looked for in that repository; without its id nobody knows where.",
    bad=graph(skill("draft"), head='"version": "0.1", "id": "example"'),
    good=CHAIN,
    check=check,
)
