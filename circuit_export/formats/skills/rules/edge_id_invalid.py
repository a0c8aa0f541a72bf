"""C741: an edge without an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.skills.rules.survey import is_text, stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for index, item in enumerate(survey.edges):
        if isinstance(item, dict) and not is_text(item.get("id")):
            yield RULE.found(
                f"Edge {index + 1} has a text as its “id”; {stands(item, 'id')}",
                f"/edges/{index}/id",
                hint="give it a name that no other edge has",
            )


RULE = Rule(
    "C741",
    "edge-id-invalid",
    Severity.ERROR,
    "An edge's id is missing, empty or no text.",
    "Every edge is known by its id in the editor; the public application refuses a graph with one that has none.",
    bad=graph(skill("draft"), skill("check"), edges=('{"source": "draft", "target": "check", "kind": "dependency"}',)),
    good=CHAIN,
    check=check,
)
