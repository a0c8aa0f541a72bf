"""`circuit export --run` and `--scenario`, as a person runs it."""

import json
import re
from pathlib import Path

import pytest
from support.command import Circuit

BOARD = {
    "circuit": 1,
    "id": "note",
    "name": "A note",
    "entry": "start",
    "steps": [
        {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"port": "out", "to": "find"}]},
        {
            "id": "find",
            "type": "tool.call",
            "title": "Find the mail",
            "config": {"tool": "Gmail:search_threads"},
            "next": [{"port": "out", "to": "say"}],
        },
        {"id": "say", "type": "note.say", "title": "Say it", "config": {"text": "Found."}, "next": []},
    ],
}
SCENARIOS = {
    "scenarios": [
        {"name": "found", "answers": {"find": {"result": {"from": "ada@example.org", "inside": json.dumps(BOARD)}}}},
        {"name": "refused", "answers": {"find": {"error": "no access"}}, "expect": {"status": "failed"}},
    ]
}


@pytest.fixture
def board(tmp_path: Path) -> Path:
    file = tmp_path / "note.json"
    file.write_text(json.dumps(BOARD), "utf-8")
    (tmp_path / "note.scenarios.json").write_text(json.dumps(SCENARIOS), "utf-8")
    return file


def test_a_scenario_is_shown_and_the_workflow_comes_back(circuit: Circuit, board: Path, tmp_path: Path) -> None:
    ended = circuit("export", board, "--scenario", "found", "-o", "page.html")
    assert ended.code == 0
    assert "the page holds what the services returned" in ended.err
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "The scenario “found”" in page
    assert "ada@example.org" in page
    assert page.count('type="radio"') == 3
    back = circuit("import", "page.html", "--strict")
    assert (back.code, back.text) == (0, board.read_text("utf-8"))


def test_redacted_the_values_are_gone_and_nothing_need_be_said(circuit: Circuit, board: Path) -> None:
    ended = circuit("export", board, "--scenario", "found", "--redact", "-o", "-")
    assert ended.code == 0
    assert "returned" not in ended.err
    assert "ada@example.org" not in ended.text
    assert "text of 15" in ended.text


def test_a_run_that_was_saved_is_shown(circuit: Circuit, board: Path, tmp_path: Path) -> None:
    saved = circuit("run", board, "--answers", "note.scenarios.json", "--scenario", "refused", "--save", "run.json")
    assert (tmp_path / "run.json").is_file(), saved.err
    ended = circuit("export", board, "--run", "run.json", "-o", "-")
    assert ended.code == 0
    assert "A run, begun " in ended.text
    assert re.search(r'<p class="error" dir="auto">no access</p>', ended.text)


def test_the_same_bytes_whatever_the_hash_seed(circuit: Circuit, board: Path) -> None:
    pages = {
        circuit("export", board, "--scenario", "found", "-o", "-", env={"PYTHONHASHSEED": seed}).out for seed in "01"
    }
    assert len(pages) == 1


def test_without_a_run_a_page_is_as_if_there_were_none(circuit: Circuit, board: Path) -> None:
    plain = circuit("export", board, "-o", "-")
    assert "ran" not in re.findall(r'class="boards ?(\w*)"', plain.text)
    assert 'type="radio"' not in plain.text


def test_a_run_of_another_workflow_is_refused(circuit: Circuit, board: Path, board_file: Path, tmp_path: Path) -> None:
    circuit("run", board, "--answers", "note.scenarios.json", "--scenario", "found", "--save", "run.json")
    changed = (tmp_path / "run.json").read_text("utf-8").replace('"start"', '"was"').replace('"find"', '"were"')
    (tmp_path / "run.json").write_text(changed.replace('"say"', '"been"'), "utf-8")
    ended = circuit("export", board, "--run", "run.json")
    assert ended.code == 1
    assert "run.json: This is a run of another workflow" in ended.err
    assert not (tmp_path / "note.html").exists()


def test_an_unknown_scenario_is_refused_with_those_there_are(circuit: Circuit, board: Path) -> None:
    ended = circuit("export", board, "--scenario", "lost")
    assert ended.code == 1
    assert "“found”, “refused”" in ended.err


def test_where_there_are_no_scenarios_the_way_to_some_is_told(circuit: Circuit, board_file: Path) -> None:
    ended = circuit("export", board_file, "--scenario", "found")
    assert ended.code == 1
    assert "circuit scenarios suggest" in ended.err


@pytest.mark.parametrize("content", [b"{", b"[]", b'{"id": 1}', b"\xff\xfe", b"null"])
def test_what_is_no_run_is_refused(circuit: Circuit, board: Path, tmp_path: Path, content: bytes) -> None:
    (tmp_path / "run.json").write_bytes(content)
    ended = circuit("export", board, "--run", "run.json")
    assert ended.code == 1
    assert "run.json" in ended.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--redact",), "--redact has nothing to redact"),
        (("--run", "a", "--scenario", "b"), "A page shows one run"),
        (("--run", "a", "--format", "svg"), "--run is for a page"),
        (("--scenario", "a", "other.json"), "--scenario is of one workflow"),
    ],
)
def test_options_that_do_not_go_together(circuit: Circuit, board: Path, options: tuple[str, ...], said: str) -> None:
    ended = circuit("export", board, *options)
    assert ended.code == 2
    assert said in ended.err


def test_stdin_has_no_scenarios_beside_it(circuit: Circuit, board: Path) -> None:
    ended = circuit("export", "-", "--scenario", "found", stdin=board.read_bytes())
    assert ended.code == 2
    assert "save the workflow first" in ended.err
