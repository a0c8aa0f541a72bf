"""C722: a skill file named by an absolute path."""

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
    hint = "write the path from the repository's folder on, such as .claude/skills/NAME/SKILL.md"
    return faulty_paths(survey, RULE, Fault.ABSOLUTE, "begins at the root of the disk", hint)


RULE = Rule(
    "C722",
    "skillfile-absolute",
    Severity.ERROR,
    "A skill file is named by an absolute path.",
    "The path holds on one machine only, and may lead out of the repository on another.",
    bad=graph(node("draft", '{"provider": "claude", "skillFile": "/srv/handbook/.claude/skills/draft/SKILL.md"}')),
    good=CHAIN,
    check=check,
)
