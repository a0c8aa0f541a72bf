"""C726: an input that is no object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import graph, skill
from circuit_export.formats.skills.rules.survey import stands

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.skills.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for item in survey.items:
        given = item.value.get("input", {})
        if isinstance(given, dict):
            continue
        pointer = f"{item.pointer}/input"
        hint, fix = "write an object, or leave it out", None
        if given is None:
            fix = Fix("remove it", (Edit(Action.REMOVE, Place(pointer)),), safe=True)
        elif isinstance(given, str):
            hint = 'write {"prompt": …} for a free text, or {"arguments": …} for a command'
        yield RULE.found(
            f"{item.name}: its “input” is an object; {stands(item.value, 'input')}",
            pointer,
            step=item.id,
            hint=hint,
            fix=fix,
        )


RULE = Rule(
    "C726",
    "input-type",
    Severity.ERROR,
    "A node's input is no object.",
    "An input is a set of named values. A bare text, a list or null would have no name to be known by.",
    bad=graph(skill("draft", '"input": "Write the change log"')),
    good=graph(skill("draft", '"input": {"prompt": "Write the change log"}')),
    check=check,
)
