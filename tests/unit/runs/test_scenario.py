"""Playing scenarios, what is found about them, and recording them."""

import pytest

from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.runs.findings import RULES, findings
from circuit_export.runs.outline import Way, reached
from circuit_export.runs.recording import recorded
from circuit_export.runs.scenario import play
from circuit_export.runs.scenario_file import read

BOARD = load_value(
    {
        "circuit": 1, "id": "board", "name": "Board",
        "steps": [
            {"id": "ask", "type": "trigger.ask", "title": "Ask", "next": [{"to": "sort"}]},
            {"id": "sort", "type": "model.classify", "title": "Sort", "config": {"labels": ["a", "b"]},
             "next": [{"port": "a", "to": "read"}, {"port": "b", "to": "all"}]},
            {"id": "read", "type": "model.extract", "title": "Read",
             "config": {"fields": [{"name": "who"}, {"name": "why"}]}, "next": [{"to": "write"}]},
            {"id": "write", "type": "model.write", "title": "Write", "config": {"instructions": "Go."},
             "next": [{"to": "gate"}]},
            {"id": "gate", "type": "gate.approve", "title": "Gate", "next": [{"to": "sub"}]},
            {"id": "sub", "type": "flow.call", "title": "Sub", "config": {"workflowId": "child"}},
            {"id": "all", "type": "logic.branches", "title": "All", "config": {"together": True},
             "next": [{"to": "h1"}, {"to": "h2"}]},
            {"id": "h1", "type": "tool.call", "title": "H1", "config": {"tool": "A:get"}},
            {"id": "h2", "type": "tool.call", "title": "H2", "config": {"tool": "A:list"}},
        ],
    }
)  # fmt: skip
CHILD = load_value(
    {"circuit": 1, "id": "child", "name": "Child", "steps": [
        {"id": "write", "type": "model.write", "title": "W", "config": {"instructions": "{{trigger}}"}}]}
)  # fmt: skip
MACHINE = Machine(BOARD, {"child": CHILD})


def played(**scenario):
    (one,) = read({"scenarios": [{"name": "one", **scenario}]})
    return play(MACHINE, one)


def found(**scenario):
    return [(finding.code, finding.pointer) for finding in findings(MACHINE.outline(), played(**scenario))]


def test_bland_answers():
    run = played()
    assert run.lines == (
        "think sort classify",
        "think read extract",
        "think write write",
        "ask gate",
        "think write write",
        "done",
    )
    assert run.run["data"]["steps"]["read"] == {"who": "some who", "why": "some why"}
    assert run.status == "succeeded"
    assert played(answers={"sort": {"result": "b"}}).run["data"]["steps"]["h2"] == {"ok": True}


def test_a_called_steps_answer_wins_over_a_plain_one():
    run = played(answers={"write": {"result": {"text": "both"}}, "sub/write": {"result": {"text": "child"}}})
    assert run.run["data"]["steps"]["write"] == {"text": "both"}
    assert run.run["data"]["steps"]["sub"] == {"write": {"text": "child"}}
    assert [exchange.key for exchange in run.exchanges][2:5] == ["write", "", "sub/write"]


def test_replies_are_used_in_order_and_the_last_is_repeated():
    replies = [{"result": "what?"}, {"result": "perhaps"}, {"result": "reject"}]
    run = played(answers={"gate": replies})
    assert run.lines.count("ask gate") == 3
    assert run.status == "cancelled"


def test_what_was_reached():
    got = reached(played(answers={"sort": {"result": {"label": "b"}}}).run)
    assert got.steps == {"ask", "sort", "all", "h1", "h2"}
    assert Way("sort", "b", "all") in got.wires
    assert Way("sort", "a", "read") not in got.wires
    assert {wire.step for wire in reached(played().run).wires} == {"ask", "sort", "read", "write", "gate"}


def test_a_run_without_fault_has_no_findings():
    assert found() == []
    assert found(answers={"gate": {"result": "reject"}}, expect={"status": "cancelled", "never": ["sub"]}) == []
    assert found(answers={"write": {"error": "no"}}, expect={"status": "failed"}) == []


@pytest.mark.parametrize(
    ("scenario", "code", "place"),
    [
        ({"answers": {"raed": {"result": {}}}}, "C902", "answers/raed"),
        ({"answers": {"sub/nothing": {"result": {}}}}, "C902", "answers/sub~1nothing"),
        ({"answers": {"ask": {"result": {}}}}, "C903", "answers/ask"),
        ({"answers": {"h1": {"result": {}}}}, "C903", "answers/h1"),
        ({"answers": {"all": {"results": {"h1": 1, "h2": 2}}}}, "C903", "answers/all"),
        ({"answers": {"sort": {"result": {"label": "A"}}}}, "C904", "answers/sort"),
        ({"answers": {"sort": {"result": {}}}}, "C904", "answers/sort"),
        ({"answers": {"read": {"result": {"who": "x"}}}}, "C904", "answers/read"),
        ({"answers": {"write": {"result": "text"}}}, "C904", "answers/write"),
        ({"answers": {"gate": [{"result": "yes"}, {"result": "approve"}]}}, "C904", "answers/gate"),
        ({"answers": {"sort": {"result": "b"}, "all": {"results": {"h1": 1}, "errors": {}}}}, "C904", "answers/all"),
        ({"answers": {"write": {"error": "no"}}}, "C905", "name"),
        ({"answers": {"read": {"results": {}}}}, "C905", "name"),
        ({"expect": {"status": "cancelled"}}, "C906", "expect/status"),
        ({"expect": {"reaches": ["ask", "all"]}}, "C906", "expect/reaches/1"),
        ({"expect": {"never": ["gate"]}}, "C906", "expect/never/0"),
        ({"expect": {"never": ["gaet"]}}, "C906", "expect/never/0"),
    ],
)  # fmt: skip
def test_a_fault_is_found(scenario, code, place):
    assert (code, f"/scenarios/0/{place}") in found(**scenario)


def test_a_batch_that_is_never_answered_whole_does_not_go_on_for_ever():
    run = played(answers={"sort": {"result": "b"}, "all": {"results": {"h1": 1}}})
    assert run.refused
    assert ("C905", "/scenarios/0/name") in found(answers={"sort": {"result": "b"}, "all": {"results": {"h1": 1}}})


def test_a_recorded_run_plays_the_same():
    original = played(
        answers={"gate": [{"result": "hm"}, {"result": "approve"}], "write": {"result": {"text": "secret"}}}
    )
    scenario = recorded("again", original.exchanges, status=original.status)
    assert play(MACHINE, scenario).lines == original.lines
    hidden = recorded("again", original.exchanges, status=original.status, redacted=True, input={"a": "secret"})
    assert play(MACHINE, hidden).lines == original.lines
    assert "secret" not in str(hidden)


def test_every_code_is_documented():
    assert len({rule.code for rule in RULES}) == len(RULES) == len({rule.name for rule in RULES})
    for rule in RULES:
        assert rule.about.endswith(".")
        assert rule.why.endswith(".")
        assert rule.good


def test_an_answer_for_one_input_is_used_when_the_step_is_given_it():
    board = load_value(
        {"circuit": 1, "id": "b", "name": "B", "steps": [
            {"id": "ask", "type": "trigger.ask", "title": "Ask", "next": [{"to": "get"}]},
            {"id": "get", "type": "tool.call", "title": "Get", "config": {"tool": "A:get", "arguments": {
                "who": "{{input.who}}", "all": True}}}]}
    )  # fmt: skip
    answers = {"get": [{"given": {"who": "Ada"}, "result": "hers"}, {"result": "somebody's"}]}
    for who, what in (("Ada", "hers"), ("Grace", "somebody's")):
        (scenario,) = read({"scenarios": [{"name": "one", "input": {"who": who}, "answers": answers}]})
        assert play(Machine(board, {}), scenario).run["data"]["steps"]["get"] == what
