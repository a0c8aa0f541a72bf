"""C745: two edges between the same two nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, edge, graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    first: dict[tuple[str, str], int] = {}
    for index, _, source, target in survey.graph.edges:
        if source not in survey.graph.by_id or target not in survey.graph.by_id:
            continue
        if first.setdefault((source, target), index) != index:
            pointer = f"/edges/{index}"
            yield RULE.found(
                f"Edge {index + 1} leads from {shown(source)} to {shown(target)} once more",
                pointer,
                hint="remove it; one edge is enough",
                related=(Related("the first one", Place(f"/edges/{first[source, target]}")),),
                fix=Fix("remove it", (Edit(Action.REMOVE, Place(pointer)),), safe=True),
            )


RULE = Rule(
    "C745",
    "edge-pair-duplicate",
    Severity.WARNING,
    "Two edges lead from one node to the same other one.",
    "The second changes nothing: a node waits for another or it does not. Most likely another node was meant.",
    bad=graph(
        skill("draft"),
        skill("check"),
        edges=(edge("draft", "check"), edge("draft", "check").replace('"draft-check"', '"again"')),
    ),
    good=CHAIN,
    check=check,
)
