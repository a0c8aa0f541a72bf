"""C311: a path that is written like an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.paths import is_well_formed, mended
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for reference in survey.references:
        if is_well_formed(reference.path):
            continue
        better = mended(reference.path)
        step = survey.steps[reference.step].id
        place = Place(reference.pointer, part=reference.part)
        yield RULE.found(
            f"Step {shown(step)} reads {shown(reference.path)}, which is no dot path",
            reference.pointer,
            step=step,
            part=reference.part,
            hint=f"did you mean “{better}”?" if better else "a path is names and numbers with full stops between them",
            fix=Fix(f"write “{better}”", (Edit(Action.REPLACE, place, better),)) if better else None,
        )


RULE = Rule(
    "C311",
    "malformed-path",
    Severity.ERROR,
    "A path holds brackets, operators, filters or empty names.",
    "A path walks by names and list numbers with full stops between them, such as `steps.look.items.0.id`. There "
    "are no expressions: anything else is missing.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Greet one", "config": {"template": "Hello {{trigger.people[0].name}}."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Greet one", "config": {"template": "Hello {{trigger.people.0.name}}."}}
"""),
    check=check,
)
