"""C843: a section that nothing names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Position, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.wording import did_you_mean, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    document = survey.document
    if not survey.is_whole or not document.sections:
        return
    used, missing = document.program.used, list(document.program.optional_missing)
    before = survey.lines.position(document.source.markdown_start).line
    lines = (document.source.markdown or "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    holders: list[tuple[int, str]] = []
    for section in document.sections:
        line = lines[section.line]
        depth = len(line.lstrip()) - len(line.lstrip().lstrip("#")) or 1
        holders = [holder for holder in holders if holder[0] < depth]
        is_inside = any(name in used for _, name in holders)
        holders.append((depth, section.name))
        if section.name in used or is_inside or _holds_used(document.sections, section.text, used):
            continue
        start = Position(before + section.line, 1)
        yield RULE.found(
            f"The section {shown(section.name)} is named nowhere",
            "",
            start=start,
            end=Position(start.line, len(line) + 1),
            hint=did_you_mean(survey.spelling.near(section.name, missing), f"write @{section.name}, or leave it out"),
        )


def _holds_used(sections: tuple[object, ...], text: str, used: frozenset[str]) -> bool:
    """Whether a section only holds others together, one of which is used."""
    first = text.lstrip().split("\n", 1)[0]
    return first.startswith("#") and any(name and name in text for name in used)


RULE = Rule(
    "C843",
    "unused-section",
    Severity.WARNING,
    "A section of a Markdown program is named nowhere in its front matter.",
    "Its text reaches nobody; most likely its name is spelt in two ways.",
    bad='---\nout "@Task"\n---\n# Task\nSum it up.\n\n# Tone\nShort sentences.\n',
    good='---\nout { task "@Task"; tone "@Tone" }\n---\n# Task\nSum it up.\n\n# Tone\nShort sentences.\n',
    check=check,
)
