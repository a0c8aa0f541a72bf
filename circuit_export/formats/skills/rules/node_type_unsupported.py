"""C714: a node that runs no skill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import SKILL
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item in survey.items:
        if item.value.get("type") == SKILL:
            continue
        fix = None
        if "type" not in item.value:
            fix = Fix("add it", (Edit(Action.INSERT, Place(item.pointer), SKILL, "type"),), safe=True)
        yield RULE.found(
            f"{item.name}: its “type” is the text “{SKILL}”; {stands(item.value, 'type')}",
            f"{item.pointer}/type",
            step=item.id,
            hint=f'write "type": "{SKILL}"; version 0.1 has no other kind of node',
            fix=fix,
        )


RULE = Rule(
    "C714",
    "node-type-unsupported",
    Severity.ERROR,
    "A node's type is not “skill”, the only one there is.",
    "Nobody knows how to run any other kind of node, an approval say: a run of the graph is refused.",
    bad=graph(skill("draft").replace('"type": "skill"', '"type": "approval"')),
    good=CHAIN,
    check=check,
)
