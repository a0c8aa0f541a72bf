"""C712: two nodes with one id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.alike import same_ids
from circuit_export.formats.skills.rules.examples import CHAIN, edge, graph, skill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    return same_ids(survey.nodes, RULE, "node", "/nodes")


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
