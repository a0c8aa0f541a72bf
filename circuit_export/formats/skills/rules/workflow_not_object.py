"""C700: a document that is no object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.skills.rules.examples import CHAIN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not isinstance(survey.value, dict):
        yield RULE.found(
            f"A skill graph is an object; this is {kind_of(survey.value)}",
            "",
            hint='write {"version": "0.1", "id": …, "repositoryId": …, "nodes": […], "edges": […]}',
        )


RULE = Rule(
    "C700",
    "workflow-not-object",
    Severity.ERROR,
    "The document is no JSON object.",
    "Everything a graph has is a member of one object; a list or a single value holds no graph.",
    bad="[]\n",
    good=CHAIN,
    check=check,
)
