"""C710: a node that is no object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for index, item in enumerate(survey.nodes):
        if not isinstance(item, dict):
            yield RULE.found(
                f"Node {index + 1} is {kind_of(item)}, not an object",
                f"/nodes/{index}",
                hint='write {"id": …, "type": "skill", "skillRef": {…}}',
            )


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
