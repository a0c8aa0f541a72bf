"""C314: a value in a condition that has no use for one, or none where one is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.catalog import OPS
from circuit_export.formats.steps.rules.survey.conditions import conditions
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for condition in conditions(survey):
        op = OPS.get(condition.op) if isinstance(condition.op, str) else None
        if op is None or op.name in ("gt", "lt"):
            continue
        given = "value" in condition.written
        if not op.takes_value and given and condition.written["value"] not in ("", None):
            place = Place(f"{condition.pointer}/value")
            yield RULE.found(
                f"Step {shown(condition.step.id)} gives a value to “{op.name}”, which reads none",
                place.pointer,
                step=condition.step.id,
                hint="remove the value, or compare by “equals” or “contains”",
                fix=Fix("remove the value", (Edit(Action.REMOVE, place),), safe=True),
            )
        elif op.takes_value and not given:
            yield RULE.found(
                f"Step {shown(condition.step.id)} compares by “{op.name}” and gives no value to compare with",
                condition.pointer,
                step=condition.step.id,
                hint="add a “value”, or ask by “exists” or “missing”",
            )


RULE = Rule(
    "C314",
    "value-not-read",
    Severity.WARNING,
    "A condition gives a value that its `op` does not read, or none where it reads one.",
    "`exists` and `missing` only look at the field, so a value there was probably meant for another `op`. An empty "
    "text is no value.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "new"}]},
 {"id": "new", "type": "logic.filter", "title": "Only new ones",
  "config": {"all": [{"field": "trigger.state", "op": "exists", "value": "new"}]},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "It is a new one."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "new"}]},
 {"id": "new", "type": "logic.filter", "title": "Only new ones",
  "config": {"all": [{"field": "trigger.state", "op": "equals", "value": "new"}]},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "It is a new one."}}
"""),
    check=check,
)
