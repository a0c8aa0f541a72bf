"""C750: nodes that wait for each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, edge, graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey

SPELLED = 12
"""Nodes of a cycle that a message names at most."""


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not survey.plan.cycle:
        return
    ids = survey.ids(survey.plan.cycle)
    way = spelled(ids)
    if survey.allow_cycles:
        yield RULE.found(
            f"This graph runs in rounds, every node in the order of the file: {way}",
            "/edges",
            severity=Severity.WARNING,
            hint="bound it: put a loop-limit node into it, or let a skill say that it is done",
        )
        return
    yield RULE.found(
        f"Nodes wait for each other in a circle: {way}" if len(ids) > 1 else f"Node {shown(ids[0])} waits for itself",
        "/edges",
        hint='remove one of these edges; a graph that is to run in rounds says "x-circuit": {"allowCycles": true}',
    )


def spelled(ids: list[str]) -> str:
    """A cycle as a way through its nodes, back to the first."""
    names = [shown(id) for id in ids]
    if len(names) > SPELLED:
        names = [*names[: SPELLED - 1], f"{len(names) - SPELLED + 1:,} more"]
    return " → ".join((*names, shown(ids[0])))


RULE = Rule(
    "C750",
    "graph-cycle",
    Severity.ERROR,
    "Nodes depend on each other in a circle, or one on itself.",
    "None of them can be the first, so there is no order to run them in. A graph that is meant to run in rounds says "
    'so ("x-circuit": {"allowCycles": true}); then this is a warning, and every round runs all nodes in the order of '
    "the file until one fails or says that it is done.",
    bad=graph(skill("draft"), skill("check"), edges=(edge("draft", "check"), edge("check", "draft"))),
    good=CHAIN,
    check=check,
)
