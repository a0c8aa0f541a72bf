"""What the engine does, beside the vectors and the known faults."""

import json

import pytest

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine, advance, start
from circuit_export.runs.record import step_states

NOW = "2030-01-01T00:00:00Z"


def step(id, type="note.say", config=None, *next, **more):
    wires = [{"port": wire[0], "to": wire[1]} if isinstance(wire, tuple) else {"to": wire} for wire in next]
    config = {"template": id} if type == "note.say" and config is None else config or {}
    return {"id": id, "type": type, "title": id, "config": config, "next": wires, **more}


def board(*steps, id="board", **more):
    first = step("ask", "trigger.ask", None, steps[0]["id"])
    return load_value({"circuit": 1, "id": id, "name": id, "steps": [first, *steps], **more})


def begin(document, trigger=None, mode="live", flows=None, **input):
    machine = Machine(document, flows or {})
    run = machine.start("run", NOW, mode, trigger, input)
    return machine, run, machine.advance(run, NOW)


def test_a_new_run_is_plain_and_idle():
    run = start(board(step("a"), inputs=[{"name": "n", "default": [1]}]), "id", NOW, input={"m": 2})
    assert json.loads(json.dumps(run)) == run
    assert run["data"] == {"trigger": {}, "steps": {}, "input": {"n": [1], "m": 2}}
    assert step_states(run) == {"ask": "idle", "a": "idle"}
    assert run["status"] == "running"


@pytest.mark.parametrize("wrong", [{"mode": "dry"}, {"trigger": {1, 2}}, {"input": {"a": float("nan")}}, {"input": 5}])
def test_a_run_that_cannot_start_is_said(wrong):
    with pytest.raises(CircuitError):
        start(board(step("a")), "id", NOW, **wrong)


def test_what_is_reported_belongs_to_the_run():
    machine, run, directive = begin(board(step("a", "tool.call", {"tool": "T:get"}, "b"), step("b")))
    result = {"list": [1]}
    machine.report(run, NOW, "a", result, directive["turn"])
    result["list"].append(2)
    assert run["data"]["steps"]["a"] == {"list": [1]}


def test_the_summary_counts():
    machine, run, _directive = begin(board(step("a", "tool.call", {"tool": "T:get"})))
    machine.report(run, NOW, "a", {"threads": [1, 2]})
    assert run["trace"][1]["summary"] == "2 threads"
    assert run["history"][-1]["output"] == {"threads": [1, 2]}


def test_a_write_is_given_its_context_by_path():
    config = {
        "instructions": "Go {{trigger.a}}.",
        "voice": "Ada",
        "context": ["{{trigger.a}}", "trigger.none", "nothing"],
    }
    _machine, _run, directive = begin(board(step("w", "model.write", config)), {"a": 1, "none": None})
    assert directive["input"] == {"trigger.a": 1, "trigger.none": None}
    assert directive["instruction"].startswith("Go 1.")
    assert "Ada" in directive["instruction"]
    assert directive["maxWords"] == 160
    assert "never" in directive["expect"].lower()


@pytest.mark.parametrize("path", ["trigger.none", "nothing", "", "steps.x"])
def test_reading_nothing_reads_the_trigger(path):
    config = {"labels": ["a", "b"], "input": path}
    assert begin(board(step("c", "model.classify", config)), {"none": None})[2]["input"] == {"none": None}


def test_ports_are_read_as_written():
    config = {"labels": ["{{trigger}}", "b"]}
    machine, run, directive = begin(board(step("c", "model.classify", config, ("{{trigger}}", "d")), step("d")), "b")
    assert directive["labels"] == ["{{trigger}}", "b"]
    assert machine.report(run, NOW, "c", "{{trigger}}")["stepId"] == "d"


def test_a_single_out_wire_stands_for_all_labels():
    machine, run, _directive = begin(board(step("c", "model.classify", {"labels": ["a", "b"]}, "d"), step("d")))
    assert machine.report(run, NOW, "c", "b")["stepId"] == "d"
    assert run["taken"][-1] == {"step": "c", "port": "out", "to": "d"}


def test_a_watchs_result_is_the_trigger():
    machine, run, _directive = begin(
        board(step("w", "trigger.watch", {"tool": "T:list"}, "s"), step("s", config={"template": "{{trigger.x}}"}))
    )
    assert machine.report(run, NOW, "w", {"x": "new"})["text"] == "new"
    assert run["data"]["steps"]["w"] == {"x": "new"}


def test_a_loop_runs_up_to_its_limit_and_then_what_was_queued():
    each = step("each", "logic.each", {"list": "trigger", "limit": 2}, "body", ("done", "after"))
    fork = step("fork", "logic.filter", {}, "each", "last")
    body = step("body", config={"template": "{{item}}"})
    document = board(fork, each, body, step("after"), step("last"))
    machine, run, directive = begin(document, ["x", "y", "z"])
    said = []
    while directive["act"] == "say":
        said.append(directive["text"])
        directive = machine.report(run, NOW, directive["stepId"], {})
    assert said == ["x", "y", "after", "last"]
    assert run["trace"][2]["summary"] == "2 of 3 items"
    assert "item" not in run["data"]


@pytest.mark.parametrize(("value", "rounds"), [(None, 0), ([], 0), ("one", 1), ({"a": 1}, 1), (0, 1), ([None], 1)])
def test_what_a_loop_walks(value, rounds):
    machine, run, directive = begin(
        board(step("each", "logic.each", {"list": "trigger.v"}, "body"), step("body")), {"v": value}
    )
    for _round in range(rounds):
        assert directive["stepId"] == "body"
        directive = machine.report(run, NOW, "body", {})
    assert directive["act"] == "done"


def test_a_wire_back_to_an_open_loop_ends_that_items_way():
    each = step("each", "logic.each", {"list": "trigger"}, "body", ("done", "after"))
    machine, run, directive = begin(
        board(each, step("body", "note.say", {"template": "{{item}}"}, "each"), step("after")), [1, 2]
    )
    lines = []
    while directive["act"] == "say":
        lines.append(directive["text"])
        directive = machine.report(run, NOW, directive["stepId"], {})
    assert lines == ["1", "2", "after"]
    assert {"step": "body", "port": "out", "to": "each"} in run["taken"]


def test_branches_run_each_to_its_end_and_join():
    every = step("all", "logic.branches", {}, "a", "b", ("join", "end"))
    machine, run, directive = begin(board(every, step("a", "note.say", None, "a2"), step("a2"), step("b"), step("end")))
    order = []
    while directive["act"] == "say":
        order.append(directive["stepId"])
        assert step_states(run)["all"] == ("done" if directive["stepId"] == "end" else "running")
        directive = machine.report(run, NOW, directive["stepId"], {})
    assert order == ["a", "a2", "b", "end"]


def tool(id, *next, **more):
    return step(id, "tool.call", {"tool": "T:get"}, *next, **more)


@pytest.mark.parametrize(
    "heads",
    [
        [tool("a")],
        [tool("a", "end"), tool("b")],
        [tool("a"), step("b")],
        [tool("a"), tool("b", onError={"do": "retry"})],
        [tool("a"), tool("b", onError={"do": "route"}, enabled=False)],
    ],
)
def test_branches_that_may_not_go_together_run_in_turn(heads):
    every = step("all", "logic.branches", {"together": True}, *[head["id"] for head in heads], ("join", "end"))
    assert begin(board(every, *heads, step("end")))[2]["act"] in ("call_tool", "say")


def test_a_head_that_skips_its_failure_lets_the_others_join():
    every = step("all", "logic.branches", {"together": True}, "a", "b", ("join", "end"))
    machine, run, _directive = begin(board(every, tool("a", onError={"do": "skip"}), tool("b"), step("end")))
    assert machine.report_many(run, NOW, "all", {"b": 1}, {"a": "no"})["stepId"] == "end"
    assert step_states(run)["a"] == "failed"
    assert "dropped" in next(entry["summary"] for entry in run["trace"] if entry["stepId"] == "a")


def test_a_head_in_results_and_errors_failed():
    every = step("all", "logic.branches", {"together": True}, "a", "b")
    machine, run, _directive = begin(board(every, tool("a"), tool("b")))
    assert machine.report_many(run, NOW, "all", {"a": 1, "b": 1}, {"a": "no"})["act"] == "blocked"


def test_failing_a_batch_fails_every_call():
    every = step("all", "logic.branches", {"together": True}, "a", "b", onError={"do": "retry", "attempts": 2})
    machine, run, _directive = begin(board(every, tool("a"), tool("b")))
    assert [call["stepId"] for call in machine.fail(run, NOW, "all", "no net")["calls"]] == ["a", "b"]
    blocked = machine.fail(run, NOW, "all", "no net")
    assert blocked["act"] == "blocked"
    assert "2 tries" in blocked["reason"]
    assert step_states(run)["a"] == "failed"


def test_retries_are_counted_and_the_same_directive_comes_again():
    machine, run, first = begin(board(tool("a", "b", onError={"do": "retry", "attempts": 3}), step("b")))
    again = machine.fail(run, NOW, "a", "once")
    assert {**again, "turn": 1} == first
    assert step_states(run)["a"] == "retrying"
    assert run["trace"][1]["attempts"] == 2
    machine.fail(run, NOW, "a", "twice")
    assert machine.report(run, NOW, "a", {})["stepId"] == "b"
    assert run["trace"][1]["attempts"] == 3


def test_a_run_out_of_retries_is_resumed_with_all_of_them():
    machine, run, _first = begin(board(tool("a", onError={"do": "retry", "attempts": 2})))
    for _round in range(2):
        assert machine.fail(run, NOW, "a", "no")["act"] == "call_tool"
        assert machine.fail(run, NOW, "a", "no")["act"] == "blocked"
        assert run["failedAt"] == "a"
        assert machine.resume(run, NOW)["act"] == "call_tool"
        machine.fail(run, NOW, "a", "no")
        machine.fail(run, NOW, "a", "no")
        machine.resume(run, NOW)


def test_skipping_a_failed_classify_takes_its_last_port():
    machine, run, _directive = begin(
        board(step("c", "model.classify", {"labels": ["a", "b"]}, ("a", "x"), ("b", "y")), step("x"), step("y"))
    )
    machine.fail(run, NOW, "c", "no")
    assert machine.resume(run, NOW, skip=True)["stepId"] == "y"


CHILD = {
    "returns": "steps.w.text",
    "workflowId": "child",
    "input": {"who": "{{trigger.who}}"},
    "trigger": {"n": "{{trigger.n}}"},
}


def child(*steps, **more):
    return load_value({"circuit": 1, "id": "child", "name": "Child", "steps": list(steps), **more})


def test_a_call_has_its_own_steps_input_and_trigger():
    write = step("w", "model.write", {"instructions": "{{input.who}} {{trigger.n}} {{input.tone}} {{steps.ask}}"})
    inner = child(write, inputs=[{"name": "who"}, {"name": "tone", "default": "calm"}])
    document = board(
        step("sub", "flow.call", CHILD, "end"), step("end", config={"template": "{{steps.sub}}|{{steps.w}}"})
    )
    machine, run, directive = begin(document, {"who": "Ada", "n": 3}, flows={"child": inner})
    assert directive["instruction"] == "Ada 3 calm "
    assert directive["stepId"] == "w"
    assert machine.report(run, NOW, "w", {"text": "done"})["text"] == "done|"
    assert [entry.get("path") for entry in run["trace"]] == [None, None, None, ["sub", "w"]]


def test_a_call_without_returns_gives_all_its_steps():
    machine, run, _directive = begin(
        board(step("sub", "flow.call", {"workflowId": "child"})),
        flows={"child": child(step("a", "note.say", None, "b"), step("b"))},
    )
    machine.report(run, NOW, "a", {"x": 1})
    machine.report(run, NOW, "b", {"y": 2})
    assert run["data"]["steps"]["sub"] == {"a": {"x": 1}, "b": {"y": 2}}
    assert run["status"] == "succeeded"


def test_a_stop_in_a_called_workflow_stops_the_run_and_resumes_there():
    document = board(step("sub", "flow.call", {"workflowId": "child"}, "end", onError={"do": "skip"}), step("end"))
    machine, run, _directive = begin(document, flows={"child": child(tool("a"))})
    assert machine.fail(run, NOW, "a", "no")["act"] == "blocked"
    assert run["failedAt"] == "a"
    assert machine.resume(run, NOW)["stepId"] == "a"
    assert machine.report(run, NOW, "a", 1)["stepId"] == "end"


def test_a_gate_in_a_called_workflow_ends_the_run():
    machine, run, directive = begin(
        board(step("sub", "flow.call", {"workflowId": "child"}, "end"), step("end")),
        flows={"child": child(step("g", "gate.approve"))},
    )
    assert directive["act"] == "ask"
    assert machine.report(run, NOW, "g", "reject")["act"] == "done"
    assert run["status"] == "cancelled"
    assert step_states(run)["sub"] == "running"


def test_calls_nest_four_deep():
    def flow(number):
        return load_value({"circuit": 1, "id": f"f{number}", "name": f"f{number}", "steps": [
            step("c", "flow.call", {"workflowId": f"f{number + 1}"}) if number < 5 else step("say")]})  # fmt: skip

    flows = {f"f{number}": flow(number) for number in range(6)}
    _machine, run, directive = begin(flows["f0"], flows=flows)
    assert directive["act"] == "blocked"
    assert "f0 → f1 → f2 → f3 → f4 → f5" in directive["reason"]
    assert len(run["calls"]) == 4
    assert begin(flows["f1"], flows=flows)[2]["stepId"] == "say"


def test_a_workflow_never_runs_itself():
    a = board(step("sub", "flow.call", {"workflowId": "b"}), id="a")
    b = load_value({"circuit": 1, "id": "b", "name": "b", "steps": [step("sub", "flow.call", {"workflowId": "a"})]})
    directive = begin(a, flows={"a": a, "b": b})[2]
    assert directive["act"] == "blocked"
    assert "a → b → a" in directive["reason"]


def test_a_called_workflow_that_is_gone_is_said_and_changes_nothing():
    document = board(step("sub", "flow.call", {"workflowId": "child"}))
    _machine, run, _directive = begin(document, flows={"child": child(step("a"))})
    before = json.dumps(run)
    assert "child" in advance(document, run, {}, NOW)["reason"]
    assert json.dumps(run) == before


def test_an_unknown_type_blocks_and_names_it():
    assert "no.such" in begin(board(step("x", "no.such")))[2]["reason"]


def test_numbers_that_a_run_cannot_hold_block():
    board_text = load_value(
        {"circuit": 1, "name": "x", "steps": [step("a", "tool.call", {"tool": "T:get", "arguments": {"n": 5}})]}
    )
    big = board_text.steps[0]._replace(config={"tool": "T:get", "arguments": {"n": [float("inf")]}})
    document = board_text._replace(steps=(big,))
    assert "too large" in begin(document)[2]["reason"]


def test_a_step_edited_out_is_said_before_it_is_passed_over():
    machine, run, _directive = begin(board(tool("a", "b"), step("b")))
    machine.fail(run, NOW, "a", "no")
    shorter = Machine(board(step("b")))
    assert "no step “a”" in shorter.resume(run, NOW)["reason"]
    assert run["failedAt"] == "a"
    assert shorter.resume(run, NOW, skip=True)["act"] == "done"


def test_an_edited_board_goes_on_with_the_run():
    machine, run, _directive = begin(
        board(step("a", "note.say", None, "b"), step("b", "tool.call", {}, "c"), step("c"))
    )
    assert machine.report(run, NOW, "a", {})["act"] == "blocked"
    mended = Machine(board(step("new"), step("a", "note.say", None, "b"), tool("b", "c"), step("c")))
    assert mended.resume(run, NOW)["act"] == "call_tool"
    assert mended.report(run, NOW, "b", {})["stepId"] == "c"
    assert mended.report(run, NOW, "c", {})["act"] == "done"
    states = step_states(run)
    assert (states["a"], states["b"], states["c"]) == ("done", "done", "done")
    assert len(run["taken"]) == len({json.dumps(wire) for wire in run["taken"]}) == 3


def test_an_error_is_one_text():
    machine, run, _directive = begin(board(tool("a")))
    assert 'failed: {"code":403}. ' in machine.fail(run, NOW, "a", {"code": 403})["reason"]
    machine.resume(run, NOW)
    assert "failed: no reason was given. " in machine.fail(run, NOW, "a", None)["reason"]


def test_a_muted_gate_lets_through_and_a_muted_trigger_gives_nothing():
    ask = step("ask", "trigger.ask", None, "g", enabled=False)
    gate = step("g", "gate.approve", None, "s", enabled=False)
    say = step("s", config={"template": "[{{steps.ask}}]"})
    document = load_value({"circuit": 1, "name": "x", "steps": [ask, gate, say]})
    assert begin(document, {"a": 1})[2]["text"] == "[]"
