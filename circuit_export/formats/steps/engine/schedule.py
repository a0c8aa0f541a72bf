"""Schedules: what a cron line means, when it fires, and whether an armed workflow is well."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

FIELDS = ("minute", "hour", "day of the month", "month", "weekday")

LOOK_AHEAD = timedelta(days=800)
"""How far ahead firings are looked at: two years and more, so that a year's widest gap is among them."""

FEWEST_DAYS = 3
"""How many days with firings are looked at, however far ahead they are (29 February)."""

GRACE = timedelta(minutes=5)


class NoCron(ValueError):
    """A line that is no cron line; the message says why, as a sentence without its full stop."""


class State(StrEnum):
    """How an armed workflow is."""

    FINE = "fine"
    NO_SCHEDULE = "no schedule"
    NEVER_CONFIRMED = "never confirmed"
    NEVER_RUN = "never run"
    OVERDUE = "overdue"


class Armed(NamedTuple):
    """What is known of a workflow that runs by the clock.

    `armed` is false for a draft. `task_id` names the task of whoever runs it, `last_run` is when it last ran.
    """

    armed: bool
    cron: str = ""
    task_id: str = ""
    last_run: datetime | None = None


class Health(NamedTuple):
    """How it is, and what to do about it."""

    state: State
    detail: str


def problem(cron: str) -> str | None:
    """Why a text is no cron line, None when it is one."""
    try:
        _simulate(cron, _EPOCH)
    except NoCron as error:
        return str(error)
    return None


def firings(cron: str, after: datetime) -> Iterator[datetime]:
    """When a cron line fires after a time, in UTC, as long as it does. Raises NoCron, at once."""
    return _until_none(_simulate(cron, _utc(after)))


def widest_gap(cron: str, after: datetime) -> timedelta | None:
    """The widest gap between coming firings; None for a line that fires once at most. Raises NoCron.

    Firings are looked at by the day, so a line that fires every minute costs no more than one that fires daily.
    """
    _simulate(cron, _utc(after))  # the whole line is checked before it is taken apart
    minute, hour, *days_of = cron.split()
    times = _times_of_a_day(f"{minute} {hour}")
    days = _days(" ".join(days_of), _utc(after).replace(hour=0, minute=0, second=0, microsecond=0))
    if not days or not times:
        return None
    within = [later - earlier for earlier, later in pairwise(times)]
    night = times[0] - times[-1]
    between = [later - earlier + night for earlier, later in pairwise(days)]
    return max([*within, *between], default=None)


def health(workflow: Armed, now: datetime) -> Health:
    """How a workflow is at a time, and what to do about it."""
    if not workflow.armed:
        return Health(State.FINE, "It is a draft: it runs when somebody starts it.")
    if not workflow.cron.strip():
        return Health(State.NO_SCHEDULE, "It is armed and has no schedule. Give it a cron line, or disarm it.")
    try:
        gap = widest_gap(workflow.cron, now)
    except NoCron as error:
        return Health(State.NO_SCHEDULE, f"Its schedule cannot be read: {error}. Give it another, or disarm it.")
    if not workflow.task_id:
        detail = "It was armed, and nobody confirmed a task that runs it. Create the task and confirm it."
        return Health(State.NEVER_CONFIRMED, detail)
    if workflow.last_run is None:
        detail = "Its task was confirmed, and it has never run. Run it once by hand, or look at the task."
        return Health(State.NEVER_RUN, detail)
    if gap is None:
        return Health(State.NO_SCHEDULE, "Its schedule does not fire again. Give it another, or disarm it.")
    late = _utc(now) - _utc(workflow.last_run)
    allowed = 2 * gap + GRACE
    if late > allowed:
        detail = f"It last ran {_long(late)} ago, and {_long(allowed)} is the most. Look at the task that runs it."
        return Health(State.OVERDUE, detail)
    return Health(State.FINE, f"It last ran {_long(late)} ago.")


_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)


def _utc(time: datetime) -> datetime:
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def _simulate(cron: str, after: datetime) -> Any:
    """The library's iterator for a line of five fields. Raises NoCron."""
    from cronsim import CronSim, CronSimError

    fields = cron.split()
    if len(fields) != len(FIELDS):
        raise NoCron(f"it has {len(fields)} fields, and five are needed: {', '.join(FIELDS)}")
    for name, field in zip(FIELDS, fields, strict=True):
        # The library knows more than ordinary cron does: last days, nearest weekdays, n-th weekdays.
        if "#" in field or "L" in field.upper().replace("JUL", "") or (name != "weekday" and "W" in field.upper()):
            raise NoCron(f"its {name} “{field}” is not ordinary cron")
    try:
        return CronSim(cron, after)
    except CronSimError:
        raise NoCron(_culprit(fields)) from None
    except (ValueError, OverflowError):
        raise NoCron("it holds a number that is too long") from None


def _culprit(fields: list[str]) -> str:
    """Which field it is that the library refuses."""
    from cronsim import CronSim, CronSimError

    for at, name in enumerate(FIELDS):
        alone = [field if at == here else "*" for here, field in enumerate(fields)]
        try:
            CronSim(" ".join(alone), _EPOCH)
        except CronSimError:
            return f"its {name} “{fields[at]}” is none"
    return "no month that it names has the days that it names"


def _until_none(simulated: Any) -> Iterator[datetime]:
    """Ends where the library gives up, or where the calendar ends."""
    while True:
        try:
            yield next(simulated)
        except (StopIteration, OverflowError):
            return


@lru_cache(maxsize=256)
def _times_of_a_day(fields: str) -> tuple[timedelta, ...]:
    """The times of the day at which a line fires by its first two fields, from midnight."""
    midnight = _EPOCH
    times = []
    for fired in firings(f"{fields} * * *", midnight - timedelta(minutes=1)):
        if fired.date() != midnight.date():
            break
        times.append(fired - midnight)
    return tuple(times)


@lru_cache(maxsize=256)  # of many workflows most run daily, or on weekdays, and are asked after together
def _days(fields: str, today: datetime) -> tuple[datetime, ...]:
    """The days after today on which a line fires by its last three fields, as midnights."""
    days: list[datetime] = []
    for day in firings(f"0 0 {fields}", today):
        if day - today > LOOK_AHEAD and len(days) >= FEWEST_DAYS:
            break
        days.append(day)
    return tuple(days)


def _long(time: timedelta) -> str:
    """A stretch of time in its two largest units."""
    minutes = int(time.total_seconds()) // 60
    days, rest = divmod(minutes, 24 * 60)
    parts = [(days, "day"), (rest // 60, "hour"), (rest % 60, "minute")]
    said = [f"{number} {unit}{'' if number == 1 else 's'}" for number, unit in parts if number]
    return " and ".join(said[:2]) or "0 minutes"
