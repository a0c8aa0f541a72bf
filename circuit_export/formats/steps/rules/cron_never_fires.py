"""C602: a schedule for a date that never comes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.schedules import never_fires, schedules, why_invalid
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for written in schedules(survey):
        if why_invalid(written.cron) is None and never_fires(written.cron):
            who = "The board's schedule" if written.step is None else f"Step {shown(written.step)}"
            yield RULE.found(
                f"{who} has the cron {shown(written.cron)}, a date that never comes",
                f"{written.pointer}/cron",
                step=written.step,
                hint="no such month has that day; use a day up to 28 to start every month",
            )


RULE = Rule(
    "C602",
    "cron-never-fires",
    Severity.ERROR,
    "A schedule asks for a date that never comes, such as 30 February.",
    "The board never starts by itself.",
    bad=board("""
 {"id": "yearly", "type": "trigger.schedule", "title": "Once a year", "config": {"cron": "0 7 30 2 *"},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "A year has passed."}}
"""),
    good=board("""
 {"id": "yearly", "type": "trigger.schedule", "title": "Once a year", "config": {"cron": "0 7 28 2 *"},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "A year has passed."}}
"""),
    check=check,
)
