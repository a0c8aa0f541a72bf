"""C704: an id that no file can be named by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.paths import is_slug
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    id = survey.members.get("id")
    # An id of nothing but blanks says nothing that could be mended; it is let be.
    if not isinstance(id, str) or not id.strip() or is_slug(id):
        return
    slug = re.sub(r"[^A-Za-z0-9_-]+", "-", id).strip("-")
    yield RULE.found(
        f"The graph's id {shown(id)} cannot be a file's name",
        "/id",
        severity=Severity.ERROR if survey.is_app else Severity.WARNING,
        hint="use only the letters A to Z, digits, “-” and “_”" + (f", such as “{slug}”" if slug else ""),
        fix=Fix(f"write “{slug}”", (Edit(Action.REPLACE, Place("/id"), slug),)) if slug else None,
    )


RULE = Rule(
    "C704",
    "workflow-id-not-storable",
    Severity.WARNING,
    "The graph's id has characters that its file's name cannot have.",
    "The file is named by the id, and only the letters A to Z, digits, “-” and “_” are allowed there; "
    "the public application refuses to save any other.",
    bad=graph(skill("draft"), head='"version": "0.1", "id": "release notes", "repositoryId": "handbook"'),
    good=CHAIN,
    check=check,
)
