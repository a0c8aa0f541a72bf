"""C601: a schedule that is no cron expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.schedules import schedules, why_invalid
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for written in schedules(survey):
        why = why_invalid(written.cron)
        if why is not None:
            who = "The board's schedule" if written.step is None else f"Step {shown(written.step)}"
            yield RULE.found(
                f"{who} has the cron {shown(written.cron)}: {why}",
                f"{written.pointer}/cron",
                step=written.step,
                hint="write minute, hour, day of the month, month and weekday, such as 0 8 * * 1-5 (in UTC)",
            )


RULE = Rule(
    "C601",
    "invalid-cron",
    Severity.ERROR,
    "A schedule is not a cron expression of five fields.",
    "Nobody can tell when the board is due, so it never starts by itself.",
    bad=board("""
 {"id": "daily", "type": "trigger.schedule", "title": "Every morning", "config": {"cron": "0 25 * * *"},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Good morning."}}
"""),
    good=board("""
 {"id": "daily", "type": "trigger.schedule", "title": "Every morning", "config": {"cron": "0 7 * * *"},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Good morning."}}
"""),
    check=check,
)
