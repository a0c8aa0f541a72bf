"""C720: a system skill without an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import SYSTEM
from circuit_export.formats.skills.rules.examples import graph, node
from circuit_export.formats.skills.rules.survey import is_text, stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, ref in survey.references():
        if item.read.source == SYSTEM and not is_text(ref.get("systemSkillId")):
            yield RULE.found(
                f"{item.name} names its system skill by a text as “systemSkillId”; {stands(ref, 'systemSkillId')}",
                f"{item.pointer}/skillRef/systemSkillId",
                step=item.id,
                hint="write the provider's id of it, such as codex:imagegen",
            )


RULE = Rule(
    "C720",
    "system-skill-id-missing",
    Severity.ERROR,
    "A skill with the source system has no id.",
    "A system skill has no file: its id is all that says which one it is.",
    bad=graph(node("picture", '{"source": "system", "provider": "codex"}')),
    good=graph(node("picture", '{"source": "system", "provider": "codex", "systemSkillId": "codex:imagegen"}')),
    check=check,
)
