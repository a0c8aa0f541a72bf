"""C719: a skill without a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import SYSTEM
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node
from circuit_export.formats.skills.rules.survey import is_text, stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, ref in survey.references():
        if item.read.source != SYSTEM and not is_text(ref.get("skillFile")):
            yield RULE.found(
                f"{item.name} names its skill's file by a text as “skillFile”; {stands(ref, 'skillFile')}",
                f"{item.pointer}/skillRef/skillFile",
                step=item.id,
                hint="write its path below the repository, such as .claude/skills/NAME/SKILL.md",
            )


RULE = Rule(
    "C719",
    "skillfile-missing",
    Severity.ERROR,
    "A skill of the repository, or one that comes with the application, has no path to its file.",
    "The file is what the agent is told to do; without its path there is nothing to run.",
    bad=graph(node("draft", '{"provider": "claude", "skillFile": ""}')),
    good=CHAIN,
    check=check,
)
