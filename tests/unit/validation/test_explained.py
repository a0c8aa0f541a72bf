"""Why a text is no workflow, in the words of the format that it comes nearest to."""

import pytest

from circuit_export.validation.explained import explained


@pytest.mark.parametrize(
    ("text", "name", "said", "line"),
    [
        ('{"circuit": 1,\n "name": oops}', "", "oops", 2),
        ('{"circuit": 1,\n "steps": 4}', "", "steps", 2),
        ('{"a": [1,\n 2', "", "", 2),
        ("in { a $a }\n", "a.kdl", "out", None),
        ('a source="b" {\n', "a.kdl", "", None),
    ],
)
def test_what_is_wrong_is_said_with_its_place(text: str, name: str, said: str, line: int | None) -> None:
    error = explained(text.encode(), name)
    assert error is not None
    assert said in f"{error.message} {error.found or ''} {error.expected or ''} {error.hint or ''}"
    if line is not None:
        assert error.position is not None
        assert error.position.line == line


@pytest.mark.parametrize("text", ["", "dear all,\nhello", "<p>no workflow</p>", "{{ template }}", "\x00\xff"])
def test_nothing_is_said_of_what_sets_out_to_be_nothing(text: str) -> None:
    assert explained(text.encode(), "") is None
    assert explained(text.encode(), "notes.txt") is None
