"""C703: a graph without an id."""

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
    return no_text(survey, RULE, "id", "has a text as its “id”", "write the file's name without its suffix")


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
