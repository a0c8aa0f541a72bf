"""Answers from a file, and scenarios that are added to one."""

import json
from pathlib import Path

import pytest

from circuit_export.cli.run_files import check_name, fixed_answers, record, value_of
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.runs.scenario import Reply, Scenario


@pytest.mark.parametrize(
    ("text", "value"), [("5", 5), ("five", "five"), ('{"a": 1}', {"a": 1}), ("", ""), ("[" * 9999, "[" * 9999)]
)
def test_a_value_is_json_or_text(text: str, value: object) -> None:
    assert value_of(text) == value


@pytest.mark.parametrize(
    "value",
    [
        {"draft": {"result": 1}},
        {"answers": {"draft": {"result": 1}}},
        {"name": "x", "answers": {"draft": {"result": 1}}},
        {"scenarios": [{"name": "x", "answers": {"draft": {"result": 1}}}]},
    ],
)
def test_answers_may_stand_alone_or_in_a_scenario(tmp_path: Path, value: object) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(value), "utf-8")
    assert fixed_answers(file, None).answers == {"draft": (Reply("result", 1),)}


@pytest.mark.parametrize("name", [None, "z"])
def test_a_scenario_has_to_be_named_where_there_are_several(tmp_path: Path, name: str | None) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"scenarios": [{"name": "x"}, {"name": "y"}]}', "utf-8")
    with pytest.raises(UsageError, match="“x”, “y”"):
        fixed_answers(file, name)
    assert fixed_answers(file, "y").name == "y"


def test_a_scenario_is_added_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    board, file = str(tmp_path / "b.json"), tmp_path / "b.scenarios.json"
    assert record(board, Scenario(0, "one"), force=False) == file
    value = json.loads(file.read_text("utf-8"))
    file.write_text(json.dumps({"$schema": "s.json", **value}), "utf-8")
    record(board, Scenario(0, "zwei ü"), force=False)
    assert json.loads(file.read_text("utf-8")) == {
        "$schema": "s.json",
        "scenarios": [{"name": "one"}, {"name": "zwei ü"}],
    }
    with pytest.raises(CircuitError, match="“one” already"):
        record(board, Scenario(0, "one", mode="test"), force=False)
    record(board, Scenario(0, "one", mode="test"), force=True)
    assert json.loads(file.read_text("utf-8"))["scenarios"] == [{"name": "one", "mode": "test"}, {"name": "zwei ü"}]


def test_a_file_that_cannot_be_added_to_is_said_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "b.scenarios.json").write_text("{", "utf-8")
    with pytest.raises(CircuitError, match="not JSON"):
        check_name(str(tmp_path / "b.json"), "one", force=False)
