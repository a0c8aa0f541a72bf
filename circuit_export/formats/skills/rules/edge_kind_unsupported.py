"""C744: an edge that is no dependency."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import DEPENDENCY
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for index, item in enumerate(survey.edges):
        if not isinstance(item, dict) or item.get("kind") == DEPENDENCY:
            continue
        pointer = f"/edges/{index}"
        fix = None
        if "kind" not in item:
            fix = Fix("add it", (Edit(Action.INSERT, Place(pointer), DEPENDENCY, "kind"),), safe=True)
        yield RULE.found(
            f"Edge {index + 1}: its “kind” is the text “{DEPENDENCY}”; {stands(item, 'kind')}",
            f"{pointer}/kind",
            hint=f'write "kind": "{DEPENDENCY}"; version 0.1 has no other kind of edge',
            fix=fix,
        )


RULE = Rule(
    "C744",
    "edge-kind-unsupported",
    Severity.ERROR,
    "An edge's kind is not “dependency”, the only one there is.",
    "An edge that is no dependency would mean something that no reader of version 0.1 knows.",
    bad=graph(skill("draft"), skill("check"), edges=('{"id": "draft-check", "source": "draft", "target": "check"}',)),
    good=CHAIN,
    check=check,
)
