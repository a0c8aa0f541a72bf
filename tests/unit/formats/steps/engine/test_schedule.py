"""Cron lines and the health of armed workflows."""

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest

from circuit_export.formats.steps.engine.schedule import Armed, NoCron, State, firings, health, problem, widest_gap

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)  # a Tuesday


@pytest.mark.parametrize(
    "cron",
    ["* * * * *", "*/5 9-17 * * MON-FRI", "0 0 1,15 * *", "0 22 * * 5", "0 0 * jan,JUL sun", "5/15 * * * *",
     "0 0 29 2 *", "0 0 * * 7", "0 0 13 * 5", "0 6 * * WED", "0 6 * jul *"],
)  # fmt: skip
def test_a_cron_line_is_one(cron):
    assert problem(cron) is None


@pytest.mark.parametrize(
    ("cron", "word"),
    [
        ("", "0 fields"),
        ("* * * *", "4 fields"),
        ("0 * * * * *", "6 fields"),
        ("@daily", "1 fields"),
        ("60 * * * *", "minute"),
        ("* 24 * * *", "hour"),
        ("* * 0 * *", "day of the month"),
        ("* * * 13 *", "month"),
        ("* * * * 8", "weekday"),
        ("* * L * *", "ordinary"),
        ("* * LW * *", "ordinary"),
        ("* * * * 5L", "ordinary"),
        ("* * * * MON#2", "ordinary"),
        ("*/0 * * * *", "minute"),
        ("9-5 * * * *", "minute"),
        ("0 0 30 2 *", "no month"),
        ("9" * 5000 + " * * * *", "too long"),
        ("a * * * *", "minute"),
        ("1,,2 * * * *", "minute"),
    ],
)
def test_what_is_no_cron_line_is_said(cron, word):
    assert word in (problem(cron) or "")
    with pytest.raises(NoCron):
        firings(cron, NOW)


def test_a_restricted_day_and_weekday_are_either():
    days = [fired.date().isoformat() for fired in islice(firings("0 0 13 * FRI", NOW), 4)]
    assert days == ["2030-01-04", "2030-01-11", "2030-01-13", "2030-01-18"]


@pytest.mark.parametrize(
    ("cron", "gap"),
    [
        ("* * * * *", timedelta(minutes=1)),
        ("0 22 * * 5", timedelta(days=7)),
        ("0 9 * * 1-5", timedelta(days=3)),
        ("*/30 9-17 * * 1-5", timedelta(days=2, hours=15, minutes=30)),
        ("0 0 1 1 *", timedelta(days=366)),
        ("0 0 29 2 *", timedelta(days=1461)),
        ("0 0 1 * *", timedelta(days=31)),
        ("0 0,6 * * *", timedelta(hours=18)),
        ("0 9 * 1 *", timedelta(days=335)),  # daily in January: the year's pause counts, though it is far ahead
        ("*/5 * 1-7 12 *", timedelta(days=358, minutes=5)),
    ],
)
def test_the_widest_gap_counts(cron, gap):
    assert widest_gap(cron, NOW) == gap


def test_health():
    hourly = Armed(True, "0 * * * *", "task", NOW - timedelta(hours=2, minutes=5))
    assert health(Armed(False), NOW).state is State.FINE
    assert health(Armed(True), NOW).state is State.NO_SCHEDULE
    assert health(Armed(True, "every day"), NOW).state is State.NO_SCHEDULE
    assert health(Armed(True, "0 * * * *"), NOW).state is State.NEVER_CONFIRMED
    assert health(Armed(True, "0 * * * *", "task"), NOW).state is State.NEVER_RUN
    assert health(hourly, NOW).state is State.FINE
    assert health(hourly, NOW + timedelta(seconds=1)).state is State.OVERDUE
    assert health(hourly._replace(last_run=datetime(2030, 1, 1, 11)), NOW).state is State.FINE  # noqa: DTZ001


def test_a_weekend_is_not_overdue():
    monday = datetime(2030, 1, 7, 8, tzinfo=UTC)
    friday = Armed(True, "*/30 9-17 * * 1-5", "task", datetime(2030, 1, 4, 17, 30, tzinfo=UTC))
    assert health(friday, monday).state is State.FINE


def test_every_detail_is_a_sentence():
    for armed in (Armed(False), Armed(True), Armed(True, "0 * * * *"), Armed(True, "0 * * * *", "task")):
        assert health(armed, NOW).detail.endswith(".")
