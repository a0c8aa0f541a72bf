"""C709: a graph without a node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, graph

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if survey.members.get("nodes") == []:
        yield RULE.found("This graph has no node, so there is nothing to run", "/nodes", hint="add a node")


RULE = Rule(
    "C709",
    "nodes-empty",
    Severity.ERROR,
    "The graph has no node.",
    "There is nothing to draw and nothing to run; a run of it is refused.",
    bad=graph(),
    good=CHAIN,
    check=check,
)
