"""C718: a provider that nobody can run yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import PROVIDERS, RUNNABLE
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, ref in survey.references():
        provider = ref.get("provider")
        if isinstance(provider, str) and provider in PROVIDERS and provider not in RUNNABLE:
            yield RULE.found(
                f"{item.name}: nobody can run a skill of {shown(provider)} yet, so it fails in every run",
                f"{item.pointer}/skillRef/provider",
                step=item.id,
                severity=Severity.ERROR if survey.is_app else Severity.WARNING,
                hint="use claude or codex",
            )


RULE = Rule(
    "C718",
    "provider-reserved",
    Severity.WARNING,
    "A skill's provider is shell or git, which are reserved for later.",
    "The names are legal in a document, but nothing executes them: the public application refuses to load or run it.",
    bad=graph(node("tag", '{"provider": "git", "skillFile": ".claude/skills/tag/SKILL.md"}')).replace(
        ".claude/skills/tag", ".git/skills/tag"
    ),
    good=CHAIN,
    check=check,
)
