"""C731: a placeholder that names no node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import edge, graph, skill
from circuit_export.formats.wording import did_you_mean, names, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for reader, source, use in survey.uses:
        if use.id is None or source is not None:
            continue
        node = survey.graph.nodes[reader]
        near = survey.near(use.id, survey.graph.by_id)
        fix = None
        if near is not None and near.only:
            value = f"${{steps.{near.name}.output}}"
            fix = Fix(f"write “{value}”", (Edit(Action.REPLACE, Place(use.pointer, part=use.part), value),))
        yield RULE.found(
            f"Node {shown(node.id)} reads the output of {shown(use.id)}, which is no node",
            use.pointer,
            part=use.part,
            step=node.id,
            hint=did_you_mean(near, f"the nodes are {names(survey.graph.by_id, 6)}"),
            fix=fix,
        )


RULE = Rule(
    "C731",
    "placeholder-unknown-node",
    Severity.ERROR,
    "A placeholder names a node that does not exist.",
    "What is never run has no output: the node that reads it fails in every run.",
    bad=graph(
        skill("draft"), skill("check", '"input": {"text": "${steps.darft.output}"}'), edges=(edge("draft", "check"),)
    ),
    good=graph(
        skill("draft"), skill("check", '"input": {"text": "${steps.draft.output}"}'), edges=(edge("draft", "check"),)
    ),
    check=check,
)
