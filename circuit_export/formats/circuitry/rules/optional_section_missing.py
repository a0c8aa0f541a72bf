"""C844: a section that may be missing, and is, under this name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey
    from circuit_export.formats.wording import Near


def check(survey: Survey) -> Iterator[Diagnostic]:
    document = survey.document
    if not survey.is_whole:
        return
    known = [section.name for section in document.sections if section.name]
    for name in dict.fromkeys(document.program.optional_missing):
        near = survey.spelling.near(name, known) or _near_beginning(name, known, survey)
        if near is None:
            continue  # it may be missing on purpose
        yield survey.found(
            RULE,
            f"There is no section {shown(name)}, so its text is left out",
            survey.missing_sections.get(name),
            hint=f"did you mean “{near.name}”?",
        )


def _near_beginning(name: str, known: list[str], survey: Survey) -> Near | None:
    """The section that the first words of a name mean: in a longer text the name takes in all that could be of one."""
    words = name.split()
    for count in sorted({len(one.split()) for one in known}, reverse=True):
        beginning = " ".join(words[:count]).rstrip(".:/-")
        near = survey.spelling.near(beginning, known) if beginning and count <= len(words) else None
        if near is not None:
            return near
    return None


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
