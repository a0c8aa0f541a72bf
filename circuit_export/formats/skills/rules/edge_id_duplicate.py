"""C742: two edges with one id."""

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
    return same_ids(survey.edges, RULE, "edge", "/edges")


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
