"""Suggested scenarios, as somebody types it: they reach all there is, and what cannot be reached is said."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.command import BOARD, Circuit, text_of

from circuit_export.runs import scenario_file

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
BOARDS = sorted(path.name for path in EXAMPLES.glob("*.json") if not path.name.endswith(scenario_file.SUFFIX))


def test_they_are_written_beside_the_workflow_and_run(tmp_path: Path, board_file: Path, circuit: Circuit) -> None:
    ended = circuit("scenarios", "suggest", "board.json")
    assert (ended.code, ended.out) == (0, b"")
    assert ended.err == "wrote board.scenarios.json: 2 scenarios, all 5 steps and all 4 wires reached\n"
    assert len(scenario_file.load((tmp_path / "board.scenarios.json").read_text("utf-8"))) == 2
    assert circuit("trace", "--update").code == 0
    assert circuit("scenarios", "suggest", "board.json").err.startswith("kept board.scenarios.json")


@pytest.mark.parametrize("name", BOARDS)
def test_the_suggestion_for_an_example_reaches_all_of_it(tmp_path: Path, circuit: Circuit, name: str) -> None:
    for file in EXAMPLES.glob("*.json"):
        if not file.name.endswith(scenario_file.SUFFIX):
            shutil.copy(file, tmp_path)
    assert circuit("scenarios", "suggest", name).code == 0
    ended = circuit("trace", "--update", name)
    assert (ended.code, "All as it should be" in ended.text) == (0, True)


def test_nothing_is_overwritten_unasked(tmp_path: Path, board_file: Path, circuit: Circuit) -> None:
    mine = tmp_path / "board.scenarios.json"
    mine.write_text('{"scenarios": []}', "utf-8")
    ended = circuit("scenarios", "suggest", "board.json")
    assert ended.code == 1
    assert "--force overwrites it" in ended.err
    assert mine.read_text("utf-8") == '{"scenarios": []}'
    assert circuit("scenarios", "suggest", "board.json", "--force").code == 0
    assert mine.read_text("utf-8") != '{"scenarios": []}'


def test_stdin_and_stdout(board_text: str, circuit: Circuit) -> None:
    ended = circuit("scenarios", "suggest", "-", stdin=board_text.encode())
    assert ended.code == 0
    assert [scenario.name for scenario in scenario_file.load(ended.text)]
    assert ended.err == ""


def test_what_cannot_be_reached_is_said_with_the_reason(tmp_path: Path, circuit: Circuit) -> None:
    value: dict[str, Any] = json.loads(text_of(BOARD))
    value["steps"].append({"id": "lost", "type": "note.say", "title": "Lost", "config": {"template": "x"}})
    (tmp_path / "board.json").write_text(json.dumps(value), "utf-8")
    ended = circuit("scenarios", "suggest", "board.json")
    assert ended.code == 1
    assert "5 of 6 steps and all 4 wires reached" in ended.err
    assert "warning: nothing reaches lost: " in ended.err


def test_usage(tmp_path: Path, circuit: Circuit) -> None:
    assert circuit("scenarios", "suggest").code == 2
    assert circuit("scenarios", "suggest", "none.json").code == 1
    assert circuit("scenarios", "sugest").code == 2
    (tmp_path / "x.json").write_text("{", "utf-8")
    assert circuit("scenarios", "suggest", "x.json").code == 1
