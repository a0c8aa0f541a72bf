"""C733: a placeholder that reads a node it does not depend on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import edge, graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if survey.plan.cycle and not survey.is_loop:
        return
    for found in survey.uses:
        source, reader = found.source, found.reader
        if source is None or source == reader or not survey.ways.isdisjoint(((source, reader), (reader, source))):
            continue
        node, read = survey.graph.nodes[reader], survey.graph.nodes[source]
        yield RULE.found(
            f"Node {shown(node.id)} reads the output of {shown(read.id)}, and nothing says that it runs first",
            found.use.pointer,
            part=found.use.part,
            step=node.id,
            hint=f"add an edge from “{read.id}” to “{node.id}”",
        )


RULE = Rule(
    "C733",
    "placeholder-not-ancestor",
    Severity.WARNING,
    "A placeholder reads the output of a node that its own node does not depend on.",
    "It works only as long as the other one happens to come first; moving a node in the file can break it.",
    bad=graph(
        skill("plan"),
        skill("draft"),
        skill("check", '"input": {"text": "${steps.draft.output}"}'),
        edges=(edge("plan", "draft"), edge("plan", "check")),
    ),
    good=graph(
        skill("plan"),
        skill("draft"),
        skill("check", '"input": {"text": "${steps.draft.output}"}'),
        edges=(edge("plan", "draft"), edge("draft", "check")),
    ),
    check=check,
)
