"""C717: a provider that nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import PROVIDERS
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node
from circuit_export.formats.skills.rules.survey import stands
from circuit_export.formats.wording import Near, did_you_mean, names, respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, ref in survey.references():
        provider = ref.get("provider")
        if isinstance(provider, str) and provider in PROVIDERS:
            continue
        near = None
        if isinstance(provider, str):
            is_only_case = provider.lower() in PROVIDERS
            near = Near(provider.lower(), only=True) if is_only_case else survey.near(provider, PROVIDERS)
        pointer = f"{item.pointer}/skillRef/provider"
        yield RULE.found(
            f"{item.name}: the “provider” of its skill is {names(PROVIDERS, word='or')}; {stands(ref, 'provider')}",
            pointer,
            step=item.id,
            hint=did_you_mean(near, "say who runs it: claude or codex"),
            fix=respelled(near, Place(pointer)),
        )


RULE = Rule(
    "C717",
    "provider-unknown",
    Severity.ERROR,
    "A skill's provider is missing or none of claude, codex, shell and git.",
    "The provider is who runs the skill, and its name counts letter by letter: “Claude” is nobody.",
    bad=graph(node("draft", '{"provider": "Claude", "skillFile": ".claude/skills/draft/SKILL.md"}')),
    good=CHAIN,
    check=check,
)
