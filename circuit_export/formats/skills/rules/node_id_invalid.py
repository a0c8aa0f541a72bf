"""C711: a node without an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item in survey.items:
        if item.id is None:
            id = item.value.get("id")
            is_number = isinstance(id, int) and not isinstance(id, bool)
            yield RULE.found(
                f"Node {item.index + 1} has a text as its “id”; {stands(item.value, 'id')}",
                f"{item.pointer}/id",
                hint=f'put it in quotes: "{id}"' if is_number else "give it a name that no other node has",
            )


RULE = Rule(
    "C711",
    "node-id-invalid",
    Severity.ERROR,
    "A node's id is missing, empty or no text.",
    "Edges and placeholders name nodes by their ids; one without cannot be waited for or read.",
    bad=graph(skill("draft").replace('"id": "draft"', '"id": ""')),
    good=CHAIN,
    check=check,
)
