"""C732: a placeholder that reads what has not run yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import edge, graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import NodeUse, Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if survey.plan.cycle and not survey.is_loop:
        return  # who comes before whom cannot be said until the cycle is gone
    for found in survey.uses:
        if not _reads_later(survey, found):
            continue
        node, source = survey.graph.nodes[found.reader], survey.graph.nodes[found.source or 0]
        is_self = found.source == found.reader
        when = "in the first round " if survey.is_loop else ""
        yield RULE.found(
            f"Node {shown(node.id)} reads its own output, which is not there {when}until it has run"
            if is_self
            else f"Node {shown(node.id)} reads the output of {shown(source.id)}, which {when}runs after it",
            found.use.pointer,
            part=found.use.part,
            step=node.id,
            severity=Severity.WARNING if survey.is_loop else Severity.ERROR,
            hint="read a node that runs before this one, or turn the edges round",
            related=() if is_self else (Related("it runs later", Place(f"/nodes/{source.index}/id")),),
        )


def _reads_later(survey: Survey, found: NodeUse) -> bool:
    """Is it itself, or does it depend on the reader, so that it cannot have run?"""
    if found.source is None or survey.comes_before(found):
        return False
    return found.source == found.reader or (found.reader, found.source) in survey.ways


RULE = Rule(
    "C732",
    "placeholder-not-upstream",
    Severity.ERROR,
    "A placeholder reads the output of the node itself, or of one that depends on it.",
    "That output is never there in time, so the node fails in every run. In a graph that runs in rounds it is only a "
    "warning, as a later round could have it.",
    bad=graph(
        skill("draft", '"input": {"prompt": "Mind this: ${steps.check.output}"}'),
        skill("check"),
        edges=(edge("draft", "check"),),
    ),
    good=graph(
        skill("draft"), skill("check", '"input": {"text": "${steps.draft.output}"}'), edges=(edge("draft", "check"),)
    ),
    check=check,
)
