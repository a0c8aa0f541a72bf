"""C702: a version of the format that nobody knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import VERSION
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not isinstance(survey.value, dict) or survey.members.get("version") == VERSION:
        return
    found = survey.members.get("version")
    is_number = isinstance(found, float) and found == float(VERSION)
    yield RULE.found(
        f"The “version” of a skill graph is the text “{VERSION}”; {stands(survey.members, 'version')}",
        "/version",
        hint=f'put it in quotes: "{VERSION}"' if is_number else f'write "version": "{VERSION}"',
        fix=Fix("put it in quotes", (Edit(Action.REPLACE, Place("/version"), VERSION),), safe=True)
        if is_number
        else None,
    )


RULE = Rule(
    "C702",
    "version-unsupported",
    Severity.ERROR,
    "The version is not the text “0.1”, the only one there is.",
    "A reader that does not know the version cannot know what the rest means, so it refuses the document. "
    "The number 0.1 is not the text “0.1”.",
    bad=graph(skill("draft"), head='"version": 0.1, "id": "example", "repositoryId": "handbook"'),
    good=CHAIN,
    check=check,
)
