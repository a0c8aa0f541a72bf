"""C707: nodes that are no list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, HEAD, whole
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if isinstance(survey.value, dict) and not isinstance(survey.members.get("nodes"), list):
        yield RULE.found(
            f"A skill graph has a list of “nodes”; {stands(survey.members, 'nodes')}",
            "/nodes",
            hint='write "nodes": […] with a node for each skill that is run',
        )


RULE = Rule(
    "C707",
    "nodes-type",
    Severity.ERROR,
    "The nodes are missing or no list.",
    "The nodes are what is run. An object of nodes, say, has no order to run them in.",
    bad=whole(HEAD, '"nodes": {}', '"edges": []'),
    good=CHAIN,
    check=check,
)
