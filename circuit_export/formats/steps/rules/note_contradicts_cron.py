"""C603: a schedule whose note says another day than its cron."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.schedules import Days, days, schedules, why_invalid
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey

_NAMES = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
_UNCLEAR = re.compile(
    r"\b(?:except|but|not|without|other than|before|after|last|first|second|third|fourth|alternate)\b"
)
_RANGE = re.compile(rf"\b({'|'.join(_NAMES)})s?\s*(?:to|through|until|till|–|—|-)\s*({'|'.join(_NAMES)})s?\b")
_DAY = re.compile(rf"\b({'|'.join(_NAMES)})s?\b(?!['’]s)")
_GROUPS = (
    (re.compile(r"\b(?:every |each )?(?:weekdays?|working days?|workdays?|business days?)\b"), frozenset(range(1, 6))),
    (re.compile(r"\bweekends?\b"), frozenset((0, 6))),
    (re.compile(r"\b(?:daily|every day|each day)\b"), frozenset(range(7))),
)


def check(survey: Survey) -> Iterator[Diagnostic]:
    for written in schedules(survey):
        if not written.note or why_invalid(written.cron) is not None:
            continue
        found = days(written.cron)
        said = _said(written.note.lower())
        if found is None or not said or found.by_date or _agrees(said, found):
            continue
        who = "The board's schedule" if written.step is None else f"Step {shown(written.step)}"
        yield RULE.found(
            f"{who} says {shown(written.note)}, but its cron {shown(written.cron)} means {_spelled(found)} (UTC)",
            f"{written.pointer}/note",
            step=written.step,
            hint="correct whichever of the two is wrong",
            related=(Related("the cron", Place(f"{written.pointer}/cron")),),
        )


def _said(note: str) -> frozenset[int]:
    """The weekdays that a note plainly names, none when it is not plain."""
    if _UNCLEAR.search(note):
        return frozenset()
    named: set[int] = set()
    for first, last in _RANGE.findall(note):
        start, end = _NAMES.index(first), _NAMES.index(last)
        named |= {(start + step) % 7 for step in range((end - start) % 7 + 1)}
    named |= {_NAMES.index(name) for name in _DAY.findall(note)}
    groups = [group for pattern, group in _GROUPS if pattern.search(note)]
    if named and groups:
        return frozenset()
    return frozenset(named) if named else groups[0] if len(groups) == 1 else frozenset()


def _agrees(said: frozenset[int], found: Days) -> bool:
    """Whether some time zone makes the days of the cron, which are UTC's, those of the note."""
    shifts = {0}
    if min(found.hours) < 12:
        shifts.add(-1)
    if max(found.hours) >= 10:
        shifts.add(1)
    return any(frozenset((day + shift) % 7 for day in found.weekdays) == said for shift in shifts)


def _spelled(found: Days) -> str:
    if found.every:
        return "every day"
    names = [_NAMES[day].capitalize() for day in sorted(found.weekdays, key=lambda day: (day - 1) % 7)]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


RULE = Rule(
    "C603",
    "note-contradicts-cron",
    Severity.WARNING,
    "The note of a schedule names other weekdays than its cron.",
    "People read the note and the clock reads the cron. A note in somebody's own time zone may be a day off from "
    "UTC; only what no time zone explains is reported.",
    bad=board("""
 {"id": "weekly", "type": "trigger.schedule", "title": "Every week",
  "config": {"cron": "0 8 * * 1", "note": "Fridays at eight"}, "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Another week."}}
"""),
    good=board("""
 {"id": "weekly", "type": "trigger.schedule", "title": "Every week",
  "config": {"cron": "0 8 * * 5", "note": "Fridays at eight"}, "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Another week."}}
"""),
    check=check,
)
