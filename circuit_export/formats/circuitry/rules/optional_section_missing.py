"""C844: a section that may be missing, and is, under this name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.circuitry.program import Extent
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    document = survey.document
    if not survey.is_whole:
        return
    known = [section.name for section in document.sections if section.name]
    for name in dict.fromkeys(document.program.optional_missing):
        near = survey.spelling.near(name, known)
        if near is None:
            continue  # it may be missing on purpose
        at = document.source.kdl.find(f"?@{name}")
        yield survey.found(
            RULE,
            f"There is no section {shown(name)}, so its text is left out",
            Extent(at, at + len(name) + 2) if at >= 0 else None,
            hint=f"did you mean “{near.name}”?",
        )


RULE = Rule(
    "C844",
    "optional-section-missing",
    Severity.WARNING,
    "A section that may be missing is missing, and another one has nearly its name.",
    "Nothing fails when it is misspelt: the text is silently left out.",
    bad='---\nout { task "?@Taks"; again "@Task" }\n---\n# Task\nSum it up.\n',
    good='---\nout { task "?@Task" }\n---\n# Task\nSum it up.\n',
    check=check,
)
