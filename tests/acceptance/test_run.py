"""A run at the terminal and in a pipe, as somebody types it."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Circuit

FETCHED = '{"threads": ["a", "b"]}'
ALL = f"{FETCHED}\nDear all.\napprove\n\n"
START = ("run", "board.json", "--input", "voice=warm")


def run_in(file: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return value


def test_each_directive_is_shown_and_answered_in_a_pipe(board_file: Path, circuit: Circuit) -> None:
    ended = circuit(*START, stdin=ALL.encode())
    assert ended.code == 0
    lines = ended.text.splitlines()
    assert [line for line in lines if line[:1] not in ("", " ", ">")] == [
        "call_tool fetch",
        "think write",
        "ask gate",
        "call_tool send",
        "done: “Morning post” is done: 5 of 5 steps ran.",
    ]
    assert '  calls: Gmail:search_threads {"query": "is:unread"}' in lines
    assert "  asks:  Send it?" in lines
    assert "  shows: Dear all." in lines
    assert "> approve" in lines


def test_an_answer_that_is_none_is_asked_for_again(board_file: Path, circuit: Circuit) -> None:
    ended = circuit(*START, stdin=f"{FETCHED}\n\nDear all.\nno\nReject\n".encode())
    assert ended.code == 0
    assert ended.text.count("that is no answer here") == 2
    assert "call_tool send" not in ended.text
    assert "done: " in ended.text


def test_json_may_be_typed_over_several_lines(board_file: Path, tmp_path: Path, circuit: Circuit) -> None:
    typed = '{"threads": [\n "a"\n]}\nDear all.\napprove\n\n'
    assert circuit(*START, "--save", "run.json", stdin=typed.encode()).code == 0
    assert run_in(tmp_path / "run.json")["data"]["steps"]["fetch"] == {"threads": ["a"]}


def test_a_run_is_kept_and_gone_on_with(board_file: Path, tmp_path: Path, circuit: Circuit) -> None:
    ended = circuit(*START, "--save", "run.json", stdin=f"{FETCHED}\n".encode())
    assert ended.code == 1
    assert "the answers ended; the run waits for “write”" in ended.err
    assert "circuit run board.json --resume run.json --save run.json" in ended.err
    assert "run.json holds what the services returned" in ended.err
    assert run_in(tmp_path / "run.json")["awaiting"]["stepId"] == "write"
    rest = circuit("run", "board.json", "--resume", "run.json", "--save", "run.json", stdin=b"Dear all.\napprove\n\n")
    assert rest.code == 0
    assert run_in(tmp_path / "run.json")["status"] == "succeeded"
    assert circuit("run", "board.json", "--resume", "run.json").code == 3


def test_a_step_that_failed_is_tried_again_or_passed_over(board_file: Path, tmp_path: Path, circuit: Circuit) -> None:
    ended = circuit(*START, "--save", "run.json", stdin=b"!the mailbox is locked\n")
    assert ended.code == 1
    assert "blocked at fetch\n" in ended.text
    assert "the mailbox is locked" in ended.text
    again = circuit("run", "board.json", "--resume", "run.json", stdin=b"")
    assert "call_tool fetch" in again.text
    passed = circuit("run", "board.json", "--resume", "run.json", "--skip", stdin=b"Dear all.\napprove\n\n")
    assert passed.code == 0
    assert "call_tool fetch" not in passed.text


def test_what_is_missing_can_be_given_when_it_goes_on(board_file: Path, circuit: Circuit) -> None:
    ended = circuit("run", "board.json", "--save", "run.json", stdin=b"")
    assert ended.code == 1
    assert "the run was not given “voice”" in ended.text
    rest = circuit("run", "board.json", "--resume", "run.json", "--input", "voice=warm", stdin=ALL.encode())
    assert rest.code == 0


def test_fixed_answers_need_nobody_and_make_the_same_run(board_file: Path, tmp_path: Path, circuit: Circuit) -> None:
    (tmp_path / "answers.json").write_text('{"write": {"result": {"text": "Dear all."}}}', "utf-8")
    args = (*START, "--answers", "answers.json")
    ended = circuit(*args, "--save", "one.json")
    assert ended.code == 0
    assert '> {"text": "Dear all."}\n' in ended.text
    assert '> {"decision": "approve"}   (not in the file: a bland answer)\n' in ended.text
    circuit(*args, "--save", "two.json", "--quiet")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    onto = circuit(*args, "--save", "-", "--quiet")
    assert onto.out == (tmp_path / "one.json").read_bytes()
    assert circuit("run", "-", *args[2:], stdin=board_file.read_bytes()).code == 0


def test_answers_from_a_scenario(board_file: Path, tmp_path: Path, circuit: Circuit) -> None:
    two = [
        {"name": "well", "input": {"voice": "dry"}, "mode": "test"},
        {"name": "ill", "answers": {"fetch": {"error": "no"}}},
    ]
    (tmp_path / "s.json").write_text(json.dumps({"scenarios": two}), "utf-8")
    which = circuit("run", "board.json", "--answers", "s.json")
    assert which.code == 2
    assert "“well”, “ill”" in which.err
    ended = circuit("run", "board.json", "--answers", "s.json", "--scenario", "well", "--save", "run.json")
    assert ended.code == 0
    assert "preview send" in ended.text
    assert run_in(tmp_path / "run.json")["data"]["input"] == {"voice": "dry"}
    assert circuit(*START, "--answers", "s.json", "--scenario", "ill").code == 1


def test_a_test_run_never_hands_out_a_write(board_file: Path, circuit: Circuit) -> None:
    ended = circuit(*START, "--mode", "test", stdin=ALL.encode())
    assert ended.code == 0
    assert "preview send" in ended.text
    assert "(a test run: show it, do not call it)" in ended.text


def test_a_recorded_run_is_a_scenario_that_runs_the_same(board_file: Path, tmp_path: Path, circuit: Circuit) -> None:
    ended = circuit(*START, "--record", "by hand", stdin=ALL.encode())
    assert ended.code == 0
    assert "circuit trace board.json --accept 'by hand'" in ended.err
    recorded = run_in(tmp_path / "board.scenarios.json")["scenarios"]
    assert [(item["name"], item["input"]) for item in recorded] == [("by hand", {"voice": "warm"})]
    assert recorded[0]["answers"]["fetch"] == {"result": json.loads(FETCHED)}
    assert circuit("trace", "board.json", "--accept", "by hand").code == 0
    again = circuit(*START, "--record", "by hand", stdin=ALL.encode())
    assert again.code == 1
    assert "call_tool" not in again.text
    second = circuit(*START, "--record", "turned down", stdin=f"{FETCHED}\nHm.\nreject\n".encode())
    assert second.code == 0
    names = [item["name"] for item in run_in(tmp_path / "board.scenarios.json")["scenarios"]]
    assert names == ["by hand", "turned down"]
    assert run_in(tmp_path / "board.scenarios.json")["scenarios"][1]["expect"] == {"status": "cancelled"}


def test_redacted_files_hold_no_values(board_file: Path, tmp_path: Path, circuit: Circuit) -> None:
    ended = circuit(*START, "--record", "r", "--save", "run.json", "--redact", stdin=ALL.encode())
    assert ended.code == 0
    for name in ("run.json", "board.scenarios.json"):
        text = (tmp_path / name).read_text("utf-8")
        assert "Dear all" not in text
        assert "warm" not in text
    assert "to look at, not to go on with" in ended.err


def test_a_redacted_run_is_shown_as_one_and_not_gone_on_with(board_file: Path, circuit: Circuit) -> None:
    ended = circuit(*START, "--save", "run.json", "--redact", stdin=f"{FETCHED}\n".encode())
    assert ended.code == 1
    resumed = circuit("run", "board.json", "--resume", "run.json", stdin=b"x\n")
    assert resumed.code == 1
    assert "shapes in place of values" in resumed.err
    assert "> x" not in resumed.text
    for more in ((), ("--redact",)):
        shown = circuit("export", "board.json", "--run", "run.json", "-o", "-", *more)
        assert (shown.code, "services" in shown.err) == (0, False)
        assert "Every value in it is replaced by its shape" in shown.text
        assert "&quot;text of 1&quot;,\n" in shown.text, "the shapes are not those of shapes"


def test_nothing_is_overwritten_unasked_and_that_is_said_first(
    board_file: Path, tmp_path: Path, circuit: Circuit
) -> None:
    (tmp_path / "run.json").write_text("mine", "utf-8")
    ended = circuit(*START, "--save", "run.json", stdin=ALL.encode())
    assert (ended.code, ended.out) == (1, b"")
    assert (tmp_path / "run.json").read_text("utf-8") == "mine"


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("run", "none.json"), 1),
        (("run", "board.json", "--scenario", "x"), 2),
        (("run", "board.json", "--skip"), 2),
        (("run", "board.json", "--redact"), 2),
        (("run", "board.json", "--input", "voice"), 2),
        (("run", "-"), 2),
        (("run", "board.json", "--resume", "board.json"), 1),
        (("run", "board.json", "--resume", "none.json"), 1),
        (("run", "board.json", "--answers", "none.json"), 1),
        (("run", "board.json", "--answers", "list.json"), 1),
        (("run", "board.json", "--answers", "reply.json"), 1),
        (("run", "board.json", "--answers", "broken.json"), 1),
        (("run", "board.json", "--record", " "), 2),
        (("run", "board.json", "--resume", "other.json"), 1),
        (("run", "board.json", "--resume", "hollow.json"), 1),
    ],
)
def test_what_is_wrong_is_one_readable_block(
    board_file: Path, tmp_path: Path, circuit: Circuit, args: tuple[str, ...], code: int
) -> None:
    hollow = {key: [] for key in ("queue", "loops", "calls", "trace", "history", "taken")}
    hollow |= {"id": "x", "workflowId": "board", "status": "running", "mode": "live", "data": {}, "directives": 1}
    texts = {
        "list.json": "[1]",
        "reply.json": '{"fetch": {"resultt": 1}}',
        "broken.json": "{",
        "other.json": json.dumps(hollow | {"workflowId": "another"}),
        "hollow.json": json.dumps(hollow),
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, "utf-8")
    ended = circuit(*args)
    assert ended.code == code
    assert "rror: " in ended.err


def test_half_characters_go_all_the_way(tmp_path: Path, circuit: Circuit) -> None:
    """What a service cuts in the middle of a character, and ids that hold such a half, can be kept and shown."""
    steps = [
        {"id": "a\ud800", "type": "trigger.ask", "title": "A\ud800", "next": [{"to": "b\ud800"}]},
        {"id": "b\ud800", "type": "tool.call", "title": "B", "config": {"tool": "X:get", "arguments": {"v": "\udfff"}}},
    ]
    (tmp_path / "half.json").write_text(json.dumps({"circuit": 1, "name": "Half \ud800", "steps": steps}), "utf-8")
    words = ("run", "half.json", "--trigger", '"\\ud800"')
    ended = circuit(*words, "--save", "run.json", "--record", "cut \\ud83d", stdin=b'{"text": "cut \\ud83d"}\n')
    assert ended.code == 0
    assert run_in(tmp_path / "run.json")["data"]["steps"]["b\ud800"] == {"text": "cut \ud83d"}
    shown = circuit("export", "half.json", "--run", "run.json", "--redact", "-o", "half.html")
    assert (shown.code, "does not have" in shown.err) == (0, False)
    assert circuit("scenarios", "suggest", "half.json", "-o", "half.scenarios.json", "--force").code == 0
    scenarios = run_in(tmp_path / "half.scenarios.json")
    scenarios["scenarios"][0]["name"] = "half \ud800"
    (tmp_path / "half.scenarios.json").write_text(json.dumps(scenarios), "utf-8")
    assert circuit("trace", "--update").code == 0
    assert circuit("validate", "half.json").code == 0


@pytest.mark.parametrize(("op", "warned"), [("exists", False), ("equals", True)])
def test_a_redacted_scenario_runs_as_often_and_says_when_it_runs_otherwise(
    tmp_path: Path, circuit: Circuit, op: str, warned: bool
) -> None:
    condition = {"field": "item.kind", "op": op, "value": "spam"}
    steps = [
        {
            "id": "look",
            "type": "trigger.watch",
            "title": "Look",
            "config": {"tool": "X:list"},
            "next": [{"to": "each"}],
        },
        {"id": "each", "type": "logic.each", "title": "Each", "config": {"list": "trigger"}, "next": [{"to": "only"}]},
        {"id": "only", "type": "logic.filter", "title": "If", "config": {"all": [condition]}, "next": [{"to": "get"}]},
        {"id": "get", "type": "tool.call", "title": "Get", "config": {"tool": "X:get"}},
    ]
    (tmp_path / "loop.json").write_text(json.dumps({"circuit": 1, "name": "Loop", "steps": steps}), "utf-8")
    items = json.dumps([{"kind": ""}, *[{"kind": "spam"}] * 3])
    ended = circuit("run", "loop.json", "--record", "r", "--redact", stdin=f"{items}\n1\n2\n3\n".encode())
    assert (ended.code, "runs another way" in ended.err) == (0, warned)
    circuit("trace", "loop.json", "--update")
    trace = (tmp_path / "goldens" / "traces" / "loop.trace").read_text("utf-8")
    assert trace.count("call_tool get") == (0 if warned else 3)
