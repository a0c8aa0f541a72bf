"""C846: a nested program outside the project."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.circuitry.words import nested_path
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    ground = survey.ground
    if ground is None:
        return
    for _, call in survey.calls():
        path = nested_path(call, survey.document)
        why = ground.why_not(path) if path is not None else ""
        if path is not None and why:
            yield survey.found(
                RULE,
                f"The call {shown(call.name)} runs {shown(path)}, which {why}",
                survey.part(call, "source"),
                call.name,
                hint="keep it in the project, so that it travels with the program",
            )


RULE = Rule(
    "C846",
    "nested-outside",
    Severity.WARNING,
    "A call runs a program whose file is outside the project.",
    "It is not read for a page or a check, and is not there on another machine.",
    bad='review source="../../elsewhere/review.kdl" { out { verdict $verdict } }\nout $verdict\n',
    good='review source="" { in { verdict "fine" }; out { verdict $verdict } }\nout $verdict\n',
    check=check,
)
