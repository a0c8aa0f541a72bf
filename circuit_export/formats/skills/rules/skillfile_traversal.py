"""C723: a skill file whose path goes up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.paths import Fault, faults
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, path in survey.files():
        if Fault.TRAVERSAL in faults(path):
            yield RULE.found(
                f"{item.name}: the path {shown(path)} goes up by “..”",
                f"{item.pointer}/skillRef/skillFile",
                step=item.id,
                hint="write the path straight down from the repository's folder",
            )


RULE = Rule(
    "C723",
    "skillfile-traversal",
    Severity.ERROR,
    "A skill file's path has a “..” in it.",
    "Such a path can leave the repository, and what an agent finds outside it, it would obey.",
    bad=graph(node("draft", '{"provider": "claude", "skillFile": "../shared/draft/SKILL.md"}')),
    good=CHAIN,
    check=check,
)
