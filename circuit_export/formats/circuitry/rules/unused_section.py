"""C843: a section that nothing names."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.circuitry.rules.survey import Survey
    from circuit_export.formats.circuitry.sections import Section


def check(survey: Survey) -> Iterator[Diagnostic]:
    document = survey.document
    if not survey.is_whole or not document.sections:
        return
    missing = list(document.program.optional_missing)
    lines = (document.source.markdown or "").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for section in _unused(document.sections, document.program.used, lines):
        start, end = survey.heading(section)
        near = survey.spelling.near(section.name, missing)
        yield RULE.found(
            f"The section {shown(section.name)} is named nowhere",
            "",
            start=start,
            end=end,
            hint=f"is it meant by @{near.name}, which is none?" if near else f"write @{section.name}, or leave it out",
        )


def _unused(sections: tuple[Section, ...], used: frozenset[str], lines: list[str]) -> Iterator[Section]:
    """Those that are not named, are in none that is, and do not only hold together others of which one is."""
    holders: list[Section] = []
    for at, section in enumerate(sections):
        holders = [holder for holder in holders if holder.depth < section.depth]
        is_inside = any(holder.name in used for holder in holders)
        holders.append(section)
        if section.name in used or is_inside:
            continue
        inside = _inside(at, sections)
        has_own_text = not inside or not section.text.startswith(lines[inside[0].line])
        if has_own_text or not any(other.name in used for other in inside):
            yield section


def _inside(at: int, sections: tuple[Section, ...]) -> list[Section]:
    after = (sections[place] for place in range(at + 1, len(sections)))
    return list(takewhile(lambda other: other.depth > sections[at].depth, after))


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
