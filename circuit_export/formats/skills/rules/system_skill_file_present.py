"""C721: a system skill with a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import SYSTEM
from circuit_export.formats.skills.rules.examples import graph, node
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, ref in survey.references():
        if item.read.source == SYSTEM and ref.get("skillFile") not in (None, ""):
            pointer = f"{item.pointer}/skillRef/skillFile"
            yield RULE.found(
                f"{item.name} runs a system skill, which has no “skillFile”; {stands(ref, 'skillFile')}",
                pointer,
                step=item.id,
                hint="remove it, or set “source” to repository if the file is meant",
                fix=Fix("remove it", (Edit(Action.REMOVE, Place(pointer)),)),
            )


RULE = Rule(
    "C721",
    "system-skill-file-present",
    Severity.ERROR,
    "A skill with the source system names a file as well.",
    "Which of the two is meant, the provider's own skill or the file, cannot be told; the public application refuses.",
    bad=graph(
        node(
            "picture",
            '{"source": "system", "provider": "codex", "systemSkillId": "codex:imagegen",\n'
            '       "skillFile": ".codex/skills/picture/SKILL.md"}',
        )
    ),
    good=graph(node("picture", '{"source": "system", "provider": "codex", "systemSkillId": "codex:imagegen"}')),
    check=check,
)
