"""C724: a skill file whose path only some systems understand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.paths import Fault, faults
from circuit_export.formats.skills.rules.examples import CHAIN, graph, node
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item, path in survey.files():
        if Fault.NOT_POSIX not in faults(path):
            continue
        pointer = f"{item.pointer}/skillRef/skillFile"
        mended = path.replace("\\", "/")
        fix = None
        if not faults(mended):
            fix = Fix(f"write “{mended}”", (Edit(Action.REPLACE, Place(pointer), mended),))
        yield RULE.found(
            f"{item.name}: the path {shown(path)} has {_what(path)} in it",
            pointer,
            step=item.id,
            hint="write the path from the repository's folder on, its parts separated by “/”",
            fix=fix,
        )


def _what(path: str) -> str:
    if "\0" in path:
        return "a NUL character"
    return "a back-slash" if "\\" in path else "a drive letter"


RULE = Rule(
    "C724",
    "skillfile-not-posix",
    Severity.ERROR,
    "A skill file's path has a back-slash, a drive letter or a NUL character.",
    "On one system a back-slash separates folders, on another it is part of a name: the same graph would mean two "
    "different files.",
    bad=graph(node("draft", '{"provider": "claude", "skillFile": ".claude\\\\skills\\\\draft\\\\SKILL.md"}')),
    good=CHAIN,
    check=check,
)
