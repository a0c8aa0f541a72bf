"""C763: a skill file of over 1 MiB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.repository import Trouble
from circuit_export.formats.skills.rules.alike import on_disk
from circuit_export.formats.skills.rules.examples import graph, skill

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    return on_disk(survey, RULE, Trouble.TOO_LARGE, "keep it short: move what it refers to into other files")


RULE = Rule(
    "C763",
    "skill-file-too-large",
    Severity.ERROR,
    "A skill's file is larger than 1 MiB.",
    "It is not read, so the node that runs it fails. Instructions for an agent are never that long.",
    bad=graph(skill("huge")),
    good=graph(skill("draft")),
    check=check,
)
