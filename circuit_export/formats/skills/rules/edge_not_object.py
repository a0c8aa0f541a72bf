"""C740: an edge that is no object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.alike import no_objects
from circuit_export.formats.skills.rules.examples import CHAIN, edge, graph, skill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    hint = 'write {"id": …, "source": …, "target": …, "kind": "dependency"}'
    return no_objects(survey.edges, RULE, "Edge", "/edges", hint)


RULE = Rule(
    "C740",
    "edge-not-object",
    Severity.ERROR,
    "An entry in the list of edges is no object.",
    "An edge says which node waits for which; anything else says neither.",
    bad=graph(skill("draft"), skill("check"), edges=(edge("draft", "check"), '["draft", "check"]')),
    good=CHAIN,
    check=check,
)
