"""Positions: from a place in a JSON document to offsets, lines and columns of its text."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.diagnostics import (
    Diagnostic,
    Lines,
    Place,
    Position,
    Related,
    Severity,
    escape_pointer,
    locate,
    locate_all,
    located,
)

TEXT = '{\n "a": [1, {"b/c": "x\\ny", "~": null}],\n "ä": {"": true},\n "a": [2, {"b/c": "\\ud83d\\ude00 {{p}}"}]\n}'

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=20,
)


def test_the_last_of_two_members_counts() -> None:
    start, end = locate(TEXT, "/a/0")
    assert TEXT[start:end] == "2"


def test_a_key_and_its_value() -> None:
    key = locate(TEXT, "/ä", key=True)
    value = locate(TEXT, "/ä/")
    assert TEXT[slice(*key)] == '"ä"'
    assert TEXT[slice(*value)] == "true"


def test_what_is_missing_is_its_nearest_ancestor() -> None:
    assert TEXT[slice(*locate(TEXT, "/ä/nothing/here"))] == '{"": true}'


def test_what_only_the_first_of_two_members_held_is_missing() -> None:
    assert TEXT[slice(*locate(TEXT, "/a/1/~0"))].startswith('{"b/c": "\\ud83d')


def test_a_part_of_a_string_minds_escapes() -> None:
    assert TEXT[slice(*locate_all(TEXT, [Place("/a/1/b~1c", part=(2, 7))])[0])] == "{{p}}"


def test_a_part_that_starts_with_an_escape() -> None:
    assert TEXT[slice(*locate_all(TEXT, [Place("/a/1/b~1c", part=(0, 2))])[0])] == "\\ud83d\\ude00 "


@pytest.mark.parametrize("text", ["", "]", "{", '{"a', "[1,", ",", '{"a": }', "nonsense", '{"a" 1}'])
def test_what_is_not_json_is_read_as_far_as_it_goes(text: str) -> None:
    start, end = locate(text, "/a/0")
    assert 0 <= start <= end <= len(text)


def test_lines_and_columns_count_from_one() -> None:
    lines = Lines("ab\n\ncd")
    assert [lines.position(offset) for offset in (0, 2, 3, 4, 6)] == [
        Position(1, 1),
        Position(1, 3),
        Position(2, 1),
        Position(3, 1),
        Position(3, 3),
    ]
    assert [lines.offset(lines.position(offset)) for offset in range(7)] == list(range(7))
    assert [lines.line(number) for number in (1, 2, 3)] == ["ab", "", "cd"]


def test_diagnostics_and_related_places_are_located() -> None:
    diagnostic = Diagnostic(
        "C000", "example", Severity.NOTE, "Look.", "/a/1", related=(Related("here too", Place("/ä", True)),)
    )
    (found,) = located([diagnostic], TEXT, "x.json")
    assert (found.file, found.start, found.end) == ("x.json", Position(4, 11), Position(4, 40))
    assert found.related[0].start == Position(3, 2)


def test_a_position_that_is_known_is_kept() -> None:
    known = Diagnostic("C000", "example", Severity.NOTE, "Look.", start=Position(2, 5))
    (found,) = located([known], TEXT, "x.json")
    assert (found.start, found.end) == (Position(2, 5), None)


def pointers(value: object, pointer: str = "") -> dict[str, object]:
    found: dict[str, object] = {pointer: value}
    members = enumerate(value) if isinstance(value, list) else value.items() if isinstance(value, dict) else ()
    for name, inner in members:
        found |= pointers(inner, f"{pointer}/{escape_pointer(name)}")
    return found


@settings(max_examples=150, deadline=None)
@given(values, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_every_value_is_found_where_it_is(value: object, indent: int | str | None, ascii_only: bool) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    wanted = pointers(value)
    spans = locate_all(text, [Place(pointer) for pointer in wanted])
    assert [json.loads(text[start:end]) for start, end in spans] == list(wanted.values())


@settings(max_examples=150, deadline=None)
@given(st.text(min_size=1), st.data(), st.booleans())
def test_every_part_of_a_string_is_found(text: str, data: st.DataObject, ascii_only: bool) -> None:
    end = data.draw(st.integers(1, len(text)))
    start = data.draw(st.integers(0, end - 1))
    written = json.dumps([text], ensure_ascii=ascii_only)
    found = locate_all(written, [Place("/0", part=(start, end))])[0]
    assert json.loads(f'"{written[slice(*found)]}"') == text[start:end]
