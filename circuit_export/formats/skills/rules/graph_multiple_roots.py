"""C751: a graph that begins in several places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.wording import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    ids = first_nodes(survey)
    if len(ids) > 1:
        yield RULE.found(
            f"This graph begins in {len(ids):,} places: {names(ids, 6)}",
            "/edges",
            severity=Severity.ERROR if survey.is_app else Severity.WARNING,
            hint="let all of them depend on one first node; the public application runs no graph with several",
        )


def first_nodes(survey: Survey) -> list[str]:
    """The first node of each component that nothing leads to; a node whose id another one has does not count."""
    nodes, by_id = survey.graph.nodes, survey.graph.by_id
    return [nodes[root[0]].id for root in survey.plan.roots if by_id[nodes[root[0]].id] == root[0]]


RULE = Rule(
    "C751",
    "graph-multiple-roots",
    Severity.WARNING,
    "Several nodes, or circles of nodes, depend on nothing; a node without any edge is one of them.",
    "They run one after the other here, but the public application refuses to start such a graph. An edge is often "
    "just missing.",
    bad=graph(skill("draft"), skill("check")),
    good=CHAIN,
    check=check,
)
