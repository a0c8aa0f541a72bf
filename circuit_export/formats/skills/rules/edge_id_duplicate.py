"""C742: two edges with one id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, edge, graph, skill
from circuit_export.formats.skills.rules.survey import is_text
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    first: dict[str, int] = {}
    for index, item in enumerate(survey.edges):
        id = item.get("id") if isinstance(item, dict) else None
        if is_text(id) and first.setdefault(id, index) != index:
            yield RULE.found(
                f"Edge {index + 1} has the id {shown(id)} of edge {first[id] + 1}",
                f"/edges/{index}/id",
                hint="give it an id of its own",
                related=(Related("the first edge with this id", Place(f"/edges/{first[id]}/id")),),
            )


RULE = Rule(
    "C742",
    "edge-id-duplicate",
    Severity.ERROR,
    "Two edges have the same id.",
    "Each edge is known by its id; of two with one id, an editor loses one.",
    bad=graph(
        skill("draft"),
        skill("check"),
        skill("ship"),
        edges=(edge("draft", "check"), edge("check", "ship").replace('"check-ship"', '"draft-check"')),
    ),
    good=CHAIN,
    check=check,
)
