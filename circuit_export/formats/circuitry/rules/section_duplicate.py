"""C802: `program.section.duplicate`, two sections of a Markdown program have one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Place, Related, Severity
from circuit_export.formats.base import Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey
    from circuit_export.formats.circuitry.sections import Section


def check(survey: Survey) -> Iterator[Diagnostic]:
    for one in survey.said(RULE.reference):
        seen: dict[str, Section] = {}
        again = next(
            section for section in survey.document.sections if seen.setdefault(section.name, section) != section
        )
        start, end = survey.heading(again)
        first = Related("it is there before", Place(), start=survey.heading(seen[again.name])[0])
        hint = "give one of them another name"
        yield RULE.found(one.message, "", start=start, end=end, related=(first,), hint=hint)


RULE = Rule(
    "C802",
    "section-duplicate",
    Severity.ERROR,
    "Two sections of a Markdown program have one name.",
    "A text is named by its heading; with two of them nothing says which is meant, so none counts.",
    bad='---\nout "?@Task"\n---\n# Task\nSum it up.\n\n## Task\nOr not.\n',
    good='---\nout "@Task"\n---\n# Task\nSum it up.\n',
    check=check,
    reference="program.section.duplicate",
)
