"""Fixes change only the characters that they must, and keep the file's line ends."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.validation import fixes

TEXT = '{\n "a": 1,\n "b": {"c": "x {{step.y}}", "d": [1, 2, 3]},\n "e": {}\n}\n'


def fix(*edits: Edit, safe: bool = True) -> Diagnostic:
    return Diagnostic("C1", "x", Severity.NOTE, "m", fix=Fix("do it", edits, safe))


@pytest.mark.parametrize(
    ("edit", "after"),
    [
        (Edit(Action.REPLACE, Place("/a"), "é"), TEXT.replace("1,\n", '"é",\n', 1)),
        (Edit(Action.REPLACE, Place("/a", key=True), "z"), TEXT.replace('"a"', '"z"')),
        (Edit(Action.REPLACE, Place("/b/c", part=(4, 8)), "steps"), TEXT.replace("step.", "steps.")),
        (Edit(Action.REMOVE, Place("/a")), TEXT.replace('"a": 1,\n ', "")),
        (Edit(Action.REMOVE, Place("/e")), TEXT.replace(',\n "e": {}', "")),
        (Edit(Action.REMOVE, Place("/b/d")), TEXT.replace(', "d": [1, 2, 3]', "")),
        (Edit(Action.REMOVE, Place("/b/d/0")), TEXT.replace("1, 2", "2")),
        (Edit(Action.REMOVE, Place("/b/d/2")), TEXT.replace(", 3", "")),
        (Edit(Action.INSERT, Place("/e"), True, "f"), TEXT.replace("{}", '{"f": true}')),
        (Edit(Action.INSERT, Place("/b"), {"k": 1}, "f"), TEXT.replace("3]}", '3], "f": {"k": 1}}')),
        (Edit(Action.INSERT, Place(""), "v", "f"), TEXT.replace('"e": {}', '"e": {},\n "f": "v"')),
    ],
    ids=str,
)
def test_each_kind_of_edit(edit: Edit, after: str) -> None:
    fixed = fixes.apply(TEXT, [fix(edit)])
    assert fixed.text == after
    json.loads(fixed.text)


def test_unsafe_fixes_are_only_made_when_asked_for() -> None:
    found = fix(Edit(Action.REPLACE, Place("/a"), 2), safe=False)
    assert fixes.apply(TEXT, [found]).applied == []
    assert fixes.apply(TEXT, [found], unsafe=True).applied == [found]


def test_of_two_fixes_that_meet_the_first_is_made() -> None:
    first, second = fix(Edit(Action.REPLACE, Place("/a"), 2)), fix(Edit(Action.REMOVE, Place("/a")))
    fixed = fixes.apply(TEXT, [first, second])
    assert fixed.applied == [first]
    assert json.loads(fixed.text)["a"] == 2


def test_a_fix_is_made_whole_or_not_at_all() -> None:
    both = fix(Edit(Action.REMOVE, Place("/a")), Edit(Action.INSERT, Place("/b/d"), 1, "x"))
    assert fixes.apply(TEXT, [both]).text == TEXT


def test_line_ends_of_the_file_are_kept() -> None:
    raw = TEXT.replace("\n", "\r\n")
    edits = fix(Edit(Action.REPLACE, Place("/b/c"), "y")), fix(Edit(Action.INSERT, Place(""), 1, "z"))
    fixed = fixes.apply(TEXT, edits, raw=raw)
    assert fixed.text == fixes.apply(TEXT, edits).text.replace("\n", "\r\n")


def test_a_diff_names_the_file() -> None:
    assert fixes.diff("a\n", "b\n", "x.json").splitlines()[:2] == ["--- a/x.json", "+++ b/x.json"]
    assert fixes.diff("a", "a", "x.json") == ""


keys = st.text(max_size=3)
values = st.recursive(
    st.none() | st.integers() | st.text(max_size=5),
    lambda inner: st.dictionaries(keys, inner, max_size=3) | st.lists(inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(keys, values, min_size=1, max_size=4), st.data(), st.sampled_from([None, 1, 4]))
def test_removing_and_inserting_does_just_that(
    value: dict[str, object], data: st.DataObject, indent: int | None
) -> None:
    text = json.dumps(value, indent=indent)
    name = data.draw(st.sampled_from(sorted(value)))
    pointer = "/" + name.replace("~", "~0").replace("/", "~1")
    removed = fixes.apply(text, [fix(Edit(Action.REMOVE, Place(pointer)))])
    assert json.loads(removed.text) == {key: item for key, item in value.items() if key != name}
    added = fixes.apply(text, [fix(Edit(Action.INSERT, Place(""), value[name], "new-one"))])
    assert json.loads(added.text) == {**value, "new-one": value[name]}
