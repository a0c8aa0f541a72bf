"""C764: a skill file that is no UTF-8."""

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
    return on_disk(survey, RULE, Trouble.NOT_UTF8, "save it as UTF-8")


RULE = Rule(
    "C764",
    "skill-file-not-utf8",
    Severity.ERROR,
    "A skill's file is not text in UTF-8.",
    "It cannot be read, so the node that runs it fails.",
    bad=graph(skill("latin")),
    good=graph(skill("draft")),
    check=check,
)
