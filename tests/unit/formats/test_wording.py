"""Parts of speech that findings and pages share."""

import pytest

from circuit_export.diagnostics import Place
from circuit_export.formats.wording import (
    COMPARISONS,
    Near,
    Spelling,
    counted,
    did_you_mean,
    listed,
    names,
    one_line,
    respelled,
    shown,
)


@pytest.mark.parametrize(
    ("items", "expected"), [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c")]
)
def test_lists(items: list[str], expected: str) -> None:
    assert listed(items) == expected


def test_counts() -> None:
    assert [counted(1, "step"), counted(2_000, "step"), counted(2, "entry", "entries")] == [
        "1 step",
        "2,000 steps",
        "2 entries",
    ]


def test_names() -> None:
    assert names(["a", "b"], word="or") == "“a” or “b”"
    assert names(dict.fromkeys("abcd"), 2) == "“a”, “b” and 2 more"
    assert shown("x" * 61) == f"“{'x' * 59}…”"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a  b\nc", "a b c"),
        ("one two three four", "one two…"),
        ("x" * 40, "x" * 9 + "…"),
        ("a" + " " * 100 + "b", "a…"),
        ("", ""),
    ],
)
def test_one_line(text: str, expected: str) -> None:
    assert one_line(text, 10) == expected


def test_near_names() -> None:
    spelling = Spelling()
    assert spelling.near("darft", ["draft", "check"]) == Near("draft", True)
    assert spelling.near("node-1x", ["node-1", "node-1y"]) in (Near("node-1", False), Near("node-1y", False))
    assert spelling.near("zzz", ["draft"]) is None


def test_suggestions_are_bounded_for_a_whole_document() -> None:
    spelling = Spelling()
    known = {f"node-{number}": number for number in range(COMPARISONS)}
    assert spelling.near("node-1x", known) is not None
    assert spelling.near("node-1x", known) is None


def test_a_fix_is_offered_when_only_one_name_is_near() -> None:
    fix = respelled(Near("draft", True), Place("/a"))
    assert fix is not None
    assert (fix.edits[0].place.pointer, fix.edits[0].value, fix.safe) == ("/a", "draft", False)
    assert respelled(Near("draft", False), Place("/a")) is None
    assert did_you_mean(None, "look") == "look"
