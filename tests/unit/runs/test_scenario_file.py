"""Scenarios files: reading, refusing with the place, writing."""

import json

import pytest

from circuit_export.diagnostics import CircuitError
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.scenario import Expect, Reply, Scenario
from circuit_export.runs.scenario_file import dump, load, read

WHOLE = {
    "scenarios": [
        {
            "name": "all of it",
            "input": {"a": 1},
            "trigger": {"t": 2},
            "mode": "test",
            "answers": {
                "one": {"result": None},
                "two": [{"error": "no"}, {"result": {"x": 1}}],
                "call/three": {"results": {"h": 1}, "errors": {"g": "no"}},
            },
            "expect": {"status": "failed", "reaches": ["one"], "never": ["two"]},
        },
        {"name": "nothing said"},
    ]
}


def test_a_file_is_read():
    first, second = read(WHOLE)
    assert first == Scenario(
        0,
        "all of it",
        {"a": 1},
        {"t": 2},
        "test",
        {
            "one": (Reply("result", None),),
            "two": (Reply("error", "no"), Reply("result", {"x": 1})),
            "call/three": (Reply("results", {"h": 1}, {"g": "no"}),),
        },
        Expect("failed", ("one",), ("two",)),
    )
    assert second == Scenario(1, "nothing said")


def test_what_is_written_is_read_again():
    assert load(dump(read(WHOLE))) == read(WHOLE)
    assert json.loads(dump(read(WHOLE))) == WHOLE


def in_one(**more):
    return {"scenarios": [{"name": "x", **more}]}


@pytest.mark.parametrize(
    ("value", "line", "words"),
    [
        ([], 1, "no scenarios"),
        ({}, 1, "no scenarios"),
        ({"scenarios": {}}, 1, "no scenarios"),
        ({"scenarios": [5]}, 3, "no object"),
        ({"scenarios": [{}]}, 3, "no name"),
        ({"scenarios": [{"name": " "}]}, 4, "no name"),
        ({"scenarios": [{"name": "a"}, {"name": "a"}]}, 7, "one name"),
        ({"scenarios": [{"name": "a b"}, {"name": " a\n\u2028b"}]}, 7, "one name"),
        ({"scenarios": [{"name": "a\ufffd"}, {"name": "a\ud800"}]}, 7, "one name"),
        ({"scenarios": [{"name": "\u2028"}]}, 4, "no name"),
        (in_one(mode="dry"), 5, "mode"),
        (in_one(inputs={}), 5, "inputs"),
        (in_one(input=[]), 5, "input"),
        (in_one(answers=[]), 5, "answers"),
        (in_one(answers={"a": 5}), 6, "reply"),
        (in_one(answers={"a": []}), 6, "no reply"),
        (in_one(answers={"a": {}}), 6, "kind"),
        (in_one(answers={"a": {"result": 1, "error": 2}}), 6, "kind"),
        (in_one(answers={"a/b~": [{"result": 1}, {"reslt": 1}]}), 10, "kind"),
        (in_one(answers={"a": {"results": []}}), 7, "“results” is no object"),
        (in_one(expect={"status": "fine"}), 6, "status"),
        (in_one(expect={"reaches": "a"}), 6, "reaches"),
        (in_one(expect={"reach": ["a"]}), 6, "reach"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(value, line, words):
    with pytest.raises(CircuitError) as caught:
        load(json.dumps(value, indent=1), "x.scenarios.json")
    assert words in caught.value.block()
    assert caught.value.file == "x.scenarios.json"
    assert caught.value.position is not None
    assert caught.value.position.line == line


@pytest.mark.parametrize(
    "text", ["", "{", "\x00", "[" * 100_000, '{"scenarios": [], "scenarios": []}', '{"scenarios": [NaN]}']
)
def test_what_is_no_json_is_refused(text):
    with pytest.raises(CircuitError):
        load(text)


def test_half_characters_are_written_as_escapes():
    scenarios = load('{"scenarios": [{"name": "cut \\ud83d", "trigger": {"\\udfff": "\\ud800"}}]}')
    text = dump(scenarios)
    assert load(text.encode("utf-8").decode("utf-8")) == scenarios


def test_an_answer_can_be_for_one_input_alone():
    text = json.dumps(
        {"scenarios": [{"name": "a", "answers": {"x": [{"given": {"k": 1}, "result": 2}, {"result": 3}]}}]}
    )
    (scenario,) = load(text)
    assert [(one.given, one.value) for one in scenario.answers["x"]] == [({"k": 1}, 2), (MISSING, 3)]
    assert json.loads(dump([scenario])) == json.loads(text)
    with pytest.raises(CircuitError, match="no known kind"):
        load('{"scenarios": [{"name": "a", "answers": {"x": {"given": 1}}}]}')
