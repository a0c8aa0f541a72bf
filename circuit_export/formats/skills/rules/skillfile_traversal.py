"""C723: a skill file whose path goes up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.paths import Fault
from circuit_export.formats.skills.rules.alike import faulty_paths
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    hint = "write the path straight down from the repository's folder"
    return faulty_paths(survey, RULE, Fault.TRAVERSAL, "goes up by “..”", hint)


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
