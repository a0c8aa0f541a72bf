"""C706: a continueOnFailure that is neither true nor false."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import graph, skill
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey

KEY = "continueOnFailure"


def check(survey: Survey) -> Iterator[Diagnostic]:
    if KEY not in survey.members or isinstance(survey.members[KEY], bool):
        return
    fix = None
    if survey.members[KEY] is None:
        fix = Fix("remove it", (Edit(Action.REMOVE, Place(f"/{KEY}")),), safe=True)
    yield RULE.found(
        f"“{KEY}” is true or false; {stands(survey.members, KEY)}",
        f"/{KEY}",
        hint="write true or false, or leave it out (which means false)",
        fix=fix,
    )


RULE = Rule(
    "C706",
    "continue-on-failure-type",
    Severity.ERROR,
    "What says whether a run goes on after a failure is neither true nor false.",
    "Whether the rest runs after a failure must not be a matter of guessing: null and “yes” are neither.",
    bad=graph(
        skill("draft"), head='"version": "0.1", "id": "example", "repositoryId": "handbook", "continueOnFailure": null'
    ),
    good=graph(
        skill("draft"), head='"version": "0.1", "id": "example", "repositoryId": "handbook", "continueOnFailure": true'
    ),
    check=check,
)
