"""The cron expressions of a board, read: which are no cron, which never fire, and on which days the others do."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey

FIELDS = ("minute", "hour", "day of the month", "month", "weekday")
# Some day: a cron's fields mean the same whenever they are read.
_SOME_DAY = datetime(2024, 1, 1, tzinfo=UTC)
_EXTENSIONS = frozenset("LW#?")


class Written(NamedTuple):
    """A cron expression with its note, and where they stand; `step` is None for the board's own schedule."""

    cron: str
    note: str
    pointer: str
    step: str | None


class Days(NamedTuple):
    """When a cron fires: `weekdays` from 0 = Sunday, `every` when it is not restricted to some, `hours` in UTC."""

    weekdays: frozenset[int]
    every: bool
    by_date: bool
    hours: frozenset[int]


def schedules(survey: Survey) -> Iterator[Written]:
    """The schedules written out on the triggers, then that of the board."""
    for step in survey.steps:
        cron, note = step.config.get("cron"), step.config.get("note")
        if step.type == "trigger.schedule" and isinstance(cron, str) and "{{" not in cron:
            text = note if isinstance(note, str) else ""
            yield Written(cron, text, f"/steps/{step.index}/config", step.id)
    schedule = survey.board.schedule
    if schedule is not None:
        yield Written(schedule.cron, schedule.note, "/schedule", None)


def why_invalid(cron: str) -> str | None:
    """Why a text is no cron expression of five fields, None when it is one (be it one that never fires)."""
    fields = cron.split()
    if len(fields) != len(FIELDS):
        return f"it has {len(fields)} field{'' if len(fields) == 1 else 's'} instead of 5"
    for place, (name, field) in enumerate(zip(FIELDS, fields, strict=True)):
        alone = ["*"] * len(FIELDS)
        alone[place] = field
        if (_EXTENSIONS & set(field) and not field.isalpha()) or len(field) > 400 or _read(" ".join(alone)) is None:
            # A day of the month alone is tried with every month, so that only what no month has is wrong.
            return f"its {name} “{field if len(field) < 40 else field[:39] + '…'}” means nothing"
    return None


def never_fires(cron: str) -> bool:
    """Whether no date is ever as a valid cron asks, such as 31 February."""
    return _read(cron) is None


def days(cron: str) -> Days | None:
    """When a valid cron fires, None when it never does."""
    read = _read(cron)
    if read is None:
        return None
    weekdays, hours, every, by_date = read
    return Days(weekdays, every, by_date, hours)


def _read(cron: str) -> tuple[frozenset[int], frozenset[int], bool, bool] | None:
    from cronsim import CronSim, CronSimError

    try:
        found = CronSim(cron, _SOME_DAY)
    except (CronSimError, ValueError, OverflowError, RecursionError):
        return None
    weekdays = frozenset(day % 7 for day in found.weekdays if isinstance(day, int))
    hours = frozenset(hour for hour in found.hours if isinstance(hour, int))
    return weekdays, hours, len(weekdays) == 7, len(found.days) < 31
