"""C710: a node that is no object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.alike import no_objects
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    hint = 'write {"id": …, "type": "skill", "skillRef": {…}}'
    return no_objects(survey.nodes, RULE, "Node", "/nodes", hint)


RULE = Rule(
    "C710",
    "node-not-object",
    Severity.ERROR,
    "An entry in the list of nodes is no object.",
    "A node says which skill it runs and with what; a name alone, or null, says neither.",
    bad=graph(skill("draft"), "null"),
    good=CHAIN,
    check=check,
)
