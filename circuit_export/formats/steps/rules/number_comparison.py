"""C313: a comparison of numbers with something that is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.json_text import kind_of
from circuit_export.formats.steps.rules.survey.conditions import conditions
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for condition in conditions(survey):
        if condition.op not in ("gt", "lt") or condition.is_filled_in:
            continue
        value = condition.written.get("value")
        if not _is_number(value):
            found = kind_of(value) if "value" in condition.written else "nothing"
            yield RULE.found(
                f"Step {shown(condition.step.id)} compares by “{condition.op}” with {found}, so it never holds",
                f"{condition.pointer}/value" if "value" in condition.written else condition.pointer,
                step=condition.step.id,
                hint="write a number, or compare by “equals” or “contains”",
            )


def _is_number(value: Any) -> bool:
    if isinstance(value, str):
        return re.fullmatch(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*", value) is not None
    return isinstance(value, int | float) and not isinstance(value, bool)


RULE = Rule(
    "C313",
    "number-comparison",
    Severity.ERROR,
    "A `gt` or `lt` condition compares with something that is no number.",
    "Such a comparison never holds, whatever the field is.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "big"}]},
 {"id": "big", "type": "logic.filter", "title": "Only big ones",
  "config": {"all": [{"field": "trigger.size", "op": "gt", "value": "ten"}]}, "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "It is a big one."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "big"}]},
 {"id": "big", "type": "logic.filter", "title": "Only big ones",
  "config": {"all": [{"field": "trigger.size", "op": "gt", "value": 10}]}, "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "It is a big one."}}
"""),
    check=check,
)
