"""C716: a place to look for skills that nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import SOURCES
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node
from circuit_export.formats.skills.rules.survey import stands
from circuit_export.formats.wording import did_you_mean, names, respelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, ref in survey.references():
        source = ref.get("source")
        if source is None or source in SOURCES:
            continue
        pointer = f"{item.pointer}/skillRef/source"
        near = survey.near(source, SOURCES) if isinstance(source, str) else None
        yield RULE.found(
            f"{item.name}: the “source” of its skill is {names(SOURCES, word='or')}; {stands(ref, 'source')}",
            pointer,
            step=item.id,
            hint=did_you_mean(near, "leave it out for a skill of the repository"),
            fix=respelled(near, Place(pointer)),
        )


RULE = Rule(
    "C716",
    "source-unknown",
    Severity.ERROR,
    "A skill's source is none of repository, default and system.",
    "The source says where the skill is looked for: in the repository, among those that come with the application, "
    "or in the provider itself. Nobody looks anywhere else.",
    bad=graph(
        node("draft", '{"source": "remote", "provider": "claude", "skillFile": ".claude/skills/draft/SKILL.md"}')
    ),
    good=CHAIN,
    check=check,
)
