"""Schedules: what is a cron, what never fires, and which notes plainly say another day."""

import pytest

from circuit_export.formats.steps import document, rules
from circuit_export.formats.steps.rules.survey.schedules import never_fires, why_invalid


def codes(cron: str, note: str = "") -> list[str]:
    step = {"id": "t", "type": "trigger.schedule", "title": "x", "config": {"cron": cron, "note": note}}
    return [found.code for found in rules.check(document.load_value({"circuit": 1, "name": "x", "steps": [step]}))]


@pytest.mark.parametrize(
    "cron",
    [
        "* * * * *",
        "0 8 * * 1-5",
        "*/15 0-6,18-23 1,15 jan-jun MON",
        "0 0 29 2 *",
        "0 0 31 12 *",
        "5 4 * * 7",
        "0 0 31 * 1",
    ],
)
def test_good_ones(cron: str) -> None:
    assert why_invalid(cron) is None
    assert not never_fires(cron)


@pytest.mark.parametrize(
    "cron",
    [
        "",
        "0 8 * *",
        "0 8 * * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "* * * * L",
        "@daily",
        "* * * * 1#2",
        "a * * * *",
        "*/0 * * * *",
        "5-1 * * * *",
        "1,,2 * * * *",
        "* * ? * *",
        "-1 * * * *",
        "１ * * * *",
    ],
)
def test_bad_ones(cron: str) -> None:
    assert why_invalid(cron) is not None


@pytest.mark.parametrize("cron", ["0 0 30 2 *", "0 0 31 2,4 *", "0 0 31 feb *"])
def test_dates_that_never_come(cron: str) -> None:
    assert why_invalid(cron) is None
    assert never_fires(cron)


@pytest.mark.parametrize(
    ("cron", "note"),
    [
        ("0 8 * * 1", "Mondays at eight"),
        ("0 22 * * 5", "Fridays at 5pm"),
        ("0 1 * * 6", "Friday evenings, Pacific time"),
        ("0 1 * * 2-6", "Every weekday at 5pm PST"),
        ("0 22 * * 0", "Monday mornings in Tokyo"),
        ("0 9 * * 1-5", "Monday to Friday at nine"),
        ("0 9 * * *", "daily at nine"),
        ("0 9 * * 1-5", "Every morning at nine"),
        ("0 9 * * 2", "Sends Monday's numbers"),
        ("0 9 1 * *", "The first Monday, more or less"),
        ("0 9 * * 0,6", "weekends"),
        ("0 9 * * 1-4", "Every day except Friday"),
        ("0 9 * * 3", ""),
    ],
)
def test_notes_that_agree_or_are_not_plain(cron: str, note: str) -> None:
    assert codes(cron, note) == []


@pytest.mark.parametrize(
    ("cron", "note"),
    [
        ("0 8 * * 1", "Fridays at eight"),
        ("0 8 * * 1", "Mondays and Thursdays"),
        ("0 8 * * *", "Mondays"),
        ("0 8 * * 1-5", "weekends"),
        ("0 8 * * 1", "every weekday"),
        ("0 8 * * 1", "daily"),
    ],
)
def test_notes_that_plainly_say_another_day(cron: str, note: str) -> None:
    assert codes(cron, note) == ["C603"]
