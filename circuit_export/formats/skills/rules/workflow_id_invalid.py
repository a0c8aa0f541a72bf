"""C703: a graph without an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.skills.rules.survey import is_text, stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if isinstance(survey.value, dict) and not is_text(survey.members.get("id")):
        yield RULE.found(
            f"A skill graph has a text as its “id”; {stands(survey.members, 'id')}",
            "/id",
            hint="write the file's name without its suffix",
        )


RULE = Rule(
    "C703",
    "workflow-id-invalid",
    Severity.ERROR,
    "The graph's id is missing, empty or no text.",
    "Runs and files are named by the id; without one neither can be stored.",
    bad=graph(skill("draft"), head='"version": "0.1", "id": "", "repositoryId": "handbook"'),
    good=CHAIN,
    check=check,
)
