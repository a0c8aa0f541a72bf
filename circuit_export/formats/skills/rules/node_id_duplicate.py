"""C712: two nodes with one id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, edge, graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    first: dict[str, int] = {}
    for item in survey.items:
        if item.id is not None and first.setdefault(item.id, item.index) != item.index:
            yield RULE.found(
                f"Node {item.index + 1} has the id {shown(item.id)} of node {first[item.id] + 1}",
                f"{item.pointer}/id",
                step=item.id,
                hint="give it an id of its own",
                related=(Related("the first node with this id", Place(f"/nodes/{first[item.id]}/id")),),
            )


RULE = Rule(
    "C712",
    "node-id-duplicate",
    Severity.ERROR,
    "Two nodes have the same id.",
    "Edges and placeholders name nodes by id, and the results of a run are kept by it: they can mean only one of them.",
    bad=graph(skill("draft"), skill("check"), skill("check"), edges=(edge("draft", "check"),)),
    good=CHAIN,
    check=check,
)
