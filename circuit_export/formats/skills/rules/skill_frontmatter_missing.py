"""C765: a skill that does not introduce itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.front_matter import split
from circuit_export.formats.skills.repository import Unread
from circuit_export.formats.skills.rules.examples import graph, skill
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, path, text in survey.read_files:
        if not isinstance(text, Unread) and split(text.removeprefix("\ufeff"))[0] is None:
            yield RULE.found(
                f"{item.name}: the file {shown(path)} does not introduce its skill",
                f"{item.pointer}/skillRef/skillFile",
                step=item.id,
                hint="begin it with --- and a line each for name: and description:, and close that with ---",
            )


RULE = Rule(
    "C765",
    "skill-frontmatter-missing",
    Severity.NOTE,
    "A skill's file has no block between two lines of `---` at its beginning.",
    "It runs all the same, but its name is guessed from a heading or the folder, and it has no description.",
    bad=graph(skill("bare")),
    good=graph(skill("draft")),
    check=check,
)
