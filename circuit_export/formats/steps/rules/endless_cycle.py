"""C210: a cycle on which nobody is ever asked for anything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.rounds import endless_cycles, spelled
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for closing in endless_cycles(survey):
        step = survey.steps[closing.source]
        yield RULE.found(
            f"Step {shown(step.id)} closes a cycle on which nothing ever changes: {spelled(survey, closing.path)}",
            f"/steps/{closing.source}/next/{closing.wire}/to",
            step=step.id,
            wire=f"{step.next[closing.wire].port} → {survey.steps[closing.target].id}",
            hint="lead it elsewhere: no step on the cycle asks for anything, so each round is like the last",
        )


RULE = Rule(
    "C210",
    "endless-cycle",
    Severity.ERROR,
    "Wires lead round in a circle through steps that the engine settles by itself.",
    "Nothing on such a cycle asks for anything, so nothing changes from one round to the next and no round is the "
    "last: a run blocks there.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "ready"}]},
 {"id": "ready", "type": "logic.filter", "title": "Only when ready",
  "config": {"all": [{"field": "trigger.state", "op": "equals", "value": "ready"}]},
  "next": [{"port": "out", "to": "big"}]},
 {"id": "big", "type": "logic.filter", "title": "Only big ones",
  "config": {"all": [{"field": "trigger.size", "op": "gt", "value": 10}]}, "next": [{"port": "out", "to": "ready"}]}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "ready"}]},
 {"id": "ready", "type": "logic.filter", "title": "Only when ready",
  "config": {"all": [{"field": "trigger.state", "op": "equals", "value": "ready"}]},
  "next": [{"port": "out", "to": "big"}]},
 {"id": "big", "type": "logic.filter", "title": "Only big ones",
  "config": {"all": [{"field": "trigger.size", "op": "gt", "value": 10}]}}
"""),
    check=check,
)
