"""C743: an edge with an end that is no node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, edge, graph, skill
from circuit_export.formats.skills.rules.survey import stands
from circuit_export.formats.wording import did_you_mean, names, respelled, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    known = survey.graph.by_id
    for index, item in enumerate(survey.edges):
        if not isinstance(item, dict):
            continue
        for end, says in (("source", "comes from"), ("target", "leads to")):
            id = item.get(end)
            if isinstance(id, str) and id in known:
                continue
            pointer = f"/edges/{index}/{end}"
            near = survey.near(id, known) if isinstance(id, str) else None
            yield RULE.found(
                f"Edge {index + 1} {says} {shown(id)}, which is no node"
                if isinstance(id, str)
                else f"Edge {index + 1} has the id of a node as its “{end}”; {stands(item, end)}",
                pointer,
                hint=did_you_mean(near, f"the nodes are {names(known, 6)}" if known else "add the node first"),
                fix=respelled(near, Place(pointer)),
            )


RULE = Rule(
    "C743",
    "edge-endpoint-unknown",
    Severity.ERROR,
    "An edge comes from or leads to a node that does not exist.",
    "An edge with a loose end orders nothing: what should have waited runs at once.",
    bad=graph(skill("draft"), edges=(edge("draft", "check"),)),
    good=CHAIN,
    check=check,
)
