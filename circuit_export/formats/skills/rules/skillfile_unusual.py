"""C725: a skill file where nobody discovers it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import PROVIDERS, REPOSITORY
from circuit_export.formats.skills.paths import faults, is_usual
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, path in survey.files():
        provider = item.read.provider
        if item.read.source != REPOSITORY or provider not in PROVIDERS or faults(path) or is_usual(path, provider):
            continue
        yield RULE.found(
            f"{item.name}: {shown(path)} is not where skills of {shown(provider)} lie",
            f"{item.pointer}/skillRef/skillFile",
            step=item.id,
            hint=f"keep it as .{provider}/skills/NAME/SKILL.md",
        )


RULE = Rule(
    "C725",
    "skillfile-unusual",
    Severity.NOTE,
    "A skill file is not named as `.PROVIDER/skills/NAME/SKILL.md`.",
    "A run finds it all the same, but discovery does not list it, and a bundle cannot carry it.",
    bad=graph(node("draft", '{"provider": "claude", "skillFile": "docs/draft.md"}')),
    good=CHAIN,
    check=check,
)
