"""Shape findings: jsonschema finds, our words say; the shortcuts change nothing."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.validation import schema

BOARDS = json.loads((Path(__file__).parents[2] / "conformance" / "boards.json").read_text("utf-8"))
GOOD: dict[str, Any] = {
    "circuit": 1,
    "name": "Good",
    "steps": [
        {"id": "a", "type": "trigger.ask", "title": "Ask", "next": [{"to": "b"}]},
        {
            "id": "b",
            "type": "model.write",
            "title": "Write",
            "config": {"instructions": "Go", "maxWords": "{{input.n}}"},
        },
        {"id": "c", "type": "logic.filter", "title": "Only", "config": {"all": [{"field": "x", "op": "exists"}]}},
    ],
}


def said(value: Any, name: str = "steps") -> list[tuple[str, str]]:
    return [(found.pointer, found.message) for found in schema.shape_findings(value, name)]


def changed(path: list[Any], new: Any) -> Any:
    value = json.loads(json.dumps(GOOD))
    node = value
    for token in path[:-1]:
        node = node[token]
    if new is None:
        del node[path[-1]]
    else:
        node[path[-1]] = new
    return value


@pytest.mark.parametrize("name", schema.names())
def test_every_schema_is_one(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(schema.schema_text(name)))


def test_the_schemas_are_known_by_name() -> None:
    assert set(schema.names()) >= {"steps", "scenarios", "config"}
    with pytest.raises(KeyError):
        schema.schema_text("../steps")


@pytest.mark.parametrize("case", BOARDS, ids=lambda case: case["name"])
def test_real_boards_have_the_right_shape(case: dict[str, Any]) -> None:
    assert said(case["board"]) == []


def test_a_good_board_has_no_findings() -> None:
    assert said(GOOD) == []


@pytest.mark.parametrize(
    ("path", "new", "pointer", "message"),
    [
        (["name"], 5, "/name", "The document: “name” is the number 5; it must be a text"),
        (["steps", 0, "id"], None, "/steps/0", "Step 1 has no “id”"),
        (["steps", 1, "config"], None, "/steps/1", "Step “b” has no “config”"),
        (
            ["steps", 1, "config", "maxWords"],
            "few",
            "/steps/1/config/maxWords",
            "Step “b”: “config.maxWords” is the text “few”; it must be a whole number of at least 1 or a template that "
            "gives one or a text that spells one",
        ),
        (
            ["steps", 2, "config", "all", 0, "op"],
            "exsits",
            "/steps/2/config/all/0/op",
            "Step “c”: “config.all[0].op” is the text “exsits”; it must be equals, contains, matches, exists, missing, "
            "gt or lt",
        ),
        (
            ["steps", 0, "onError"],
            {"attempts": 9},
            "/steps/0/onError/attempts",
            "Step “a”: “onError.attempts” is the number 9; it must be at most 5",
        ),
        (["steps", 0, "next", 0], {}, "/steps/0/next/0", "Step “a” has no “next[0].to”"),
        (["steps", 2], 7, "/steps/2", "Step 3: it is the number 7; it must be an object"),
        (["steps"], [], "/steps", "The document: “steps” is a list of 0; it must be a list with at least one item"),
    ],
)
def test_what_is_wrong_is_said_in_our_words(path: list[Any], new: Any, pointer: str, message: str) -> None:
    assert said(changed(path, new)) == [(pointer, message)]


def test_a_near_word_is_offered() -> None:
    (found,) = schema.shape_findings(changed(["steps", 2, "config", "all", 0, "op"], "exsits"), "steps")
    assert found.hint == "did you mean “exists”?"
    assert found.fix is not None


def test_a_wrong_key_lists_the_right_ones() -> None:
    (found,) = schema.shape_findings({"colour": 1}, "config")
    assert found.key
    assert found.pointer == "/colour"
    assert "fail-on" in found.hint


def test_findings_come_in_the_order_of_the_document() -> None:
    value = {"circuit": 2, "steps": [{"id": 1, "type": "note.say", "title": 2}], "name": 5}
    assert [pointer for pointer, _ in said(value)] == ["/circuit", "/steps/0", "/steps/0/id", "/steps/0/title", "/name"]


def test_a_deep_document_is_no_traceback() -> None:
    deep: Any = {}
    for _ in range(30_000):
        deep = {"x": deep}
    assert said(deep)[0][1]


values = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 20) | st.sampled_from(["", "a", "{{x}}", "note.say", "exists"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "type", "title", "config", "next", "onError", "to", "port", "all", "op", "field", "do"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(values, min_size=1, max_size=3), st.sampled_from(["tool.call", "logic.filter", "model.write", "flow.call"])
)
def test_the_shortcuts_find_what_the_library_finds(items: list[Any], kind: str) -> None:
    steps = [{"type": kind, **item} if isinstance(item, dict) else item for item in items]
    value = {"circuit": 1, "name": "x", "steps": steps}
    plain = jsonschema.Draft202012Validator(json.loads(schema.schema_text("steps")))
    ours = sorted((list(e.absolute_path), str(e.validator)) for e in schema.validator("steps").iter_errors(value))
    theirs = sorted((list(e.absolute_path), str(e.validator)) for e in plain.iter_errors(value))
    assert ours == theirs
