"""C715: a node that names no skill."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item in survey.items:
        if item.ref is None:
            yield RULE.found(
                f"{item.name} names its skill by an object as “skillRef”; {stands(item.value, 'skillRef')}",
                f"{item.pointer}/skillRef",
                step=item.id,
                hint='write {"provider": "claude", "skillFile": ".claude/skills/NAME/SKILL.md"}',
            )


RULE = Rule(
    "C715",
    "skillref-missing",
    Severity.ERROR,
    "A node has no reference to a skill, or one that is no object.",
    "The reference says who runs the skill and where its file is; without it there is nothing to run.",
    bad=graph(node("draft", '".claude/skills/draft/SKILL.md"')),
    good=CHAIN,
    check=check,
)
