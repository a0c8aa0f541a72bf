"""C713: an id that no placeholder can name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item in survey.items:
        if item.id is not None and ("." in item.id or "}" in item.id):
            yield RULE.found(
                f"No placeholder can name the node {shown(item.id)}: its id has a “.” or a “}}” in it",
                f"{item.pointer}/id",
                step=item.id,
                hint="use “-” instead, here and in the edges",
            )


RULE = Rule(
    "C713",
    "node-id-unreferenceable",
    Severity.WARNING,
    "A node's id has a “.” or a “}” in it.",
    "In `${steps.ID.output}` an id ends at the first full stop, and the placeholder at the first brace, so the output "
    "of this node can never be read.",
    bad=graph(skill("draft", provider="claude").replace('"id": "draft"', '"id": "draft.v2"')),
    good=CHAIN,
    check=check,
)
