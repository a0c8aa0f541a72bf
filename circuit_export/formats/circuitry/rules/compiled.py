"""Rules for what the compiler says: each code of the language is a finding of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey


def compiled(
    code: str, name: str, reference: str, about: str, why: str, *, bad: str, good: str, hint: str = ""
) -> Rule:
    """A rule whose findings are what the compiler says under `reference`."""

    def check(survey: Survey) -> Iterator[Diagnostic]:
        for one in survey.said(reference):
            yield survey.found(rule, one.message, one.exact, one.call, hint=hint)

    rule = Rule(code, name, Severity.ERROR, about, why, bad, good, check, reference=reference)
    return rule
