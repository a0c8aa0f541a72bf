"""C206: more than one trigger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    start = survey.board.start
    if not start.type.startswith("trigger."):
        return
    for step in survey.steps:
        if step.index != start.index and step.type.startswith("trigger.") and not survey.graph.sources[step.index]:
            yield RULE.found(
                f"Step {shown(step.id)} is a second trigger; a run only ever starts at {shown(start.id)}",
                f"/steps/{step.index}/type",
                step=step.id,
                hint="make a board of its own for it, or name it as the entry",
                related=(Related(f"a run starts at {shown(start.id)}", Place(f"/steps/{start.index}/type")),),
            )


RULE = Rule(
    "C206",
    "several-triggers",
    Severity.WARNING,
    "A board has more than one trigger.",
    "A run starts at the entry alone, so what hangs on another trigger never happens.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "daily", "type": "trigger.schedule", "title": "Every morning", "config": {"cron": "0 7 * * *"},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Started."}}
"""),
    good=board("""
 {"id": "daily", "type": "trigger.schedule", "title": "Every morning", "config": {"cron": "0 7 * * *"},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Started."}}
"""),
    check=check,
)
