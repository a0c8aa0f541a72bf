"""The faults of the known implementation that ours must not have: one section each, numbered as in the contract."""

import json

import pytest

from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine, advance, fail, report, report_many, resume, start
from circuit_export.runs.directives import trace_line
from circuit_export.runs.record import Limits, step_states

NOW = "2030-01-01T00:00:00Z"
FREELY = Limits()


def step(id, type="tool.call", config=None, next=(), **more):
    """A step; `next` are ids (by `out`) or (port, id)."""
    wires = [
        {"port": "out", "to": wire} if isinstance(wire, str) else {"port": wire[0], "to": wire[1]} for wire in next
    ]
    if config is None:
        config = {"tool": "Desk:get_thing"} if type == "tool.call" else {}
    return {"id": id, "type": type, "title": id, "config": config, "next": wires, **more}


def ask(*next):
    return step("ask", "trigger.ask", {}, next)


def say(id, template="said", next=(), **more):
    return step(id, "note.say", {"template": template}, next, **more)


def board(*steps, id="board", **more):
    return load_value({"circuit": 1, "id": id, "name": id, "steps": list(steps), **more})


class Drive:
    """A run driven by hand: every call also writes the run down and reads it back, as a store would."""

    def __init__(self, document, mode="live", trigger=None, input=None, flows=None, limits=FREELY):
        self.document, self.flows, self.limits = document, flows or {}, limits
        self.run = start(document, "run", NOW, mode, trigger, input)
        self.lines = []
        self.last = self.took(advance(document, self.run, self.flows, NOW, limits=limits))

    def took(self, directive):
        self.run = json.loads(json.dumps(self.run))
        self.last = directive
        self.lines.append(trace_line(directive))
        return directive

    def call(self, function, *arguments, **more):
        return self.took(function(self.document, self.run, self.flows, NOW, *arguments, limits=self.limits, **more))

    def answer(self, result, **more):
        return self.call(report, self.last["stepId"], result, **more)

    def fail(self, error="it broke", **more):
        return self.call(fail, self.last["stepId"], error, **more)

    def many(self, results, errors=None):
        return self.call(report_many, self.last["stepId"], results, errors)

    def resume(self, **more):
        return self.call(resume, **more)

    def on(self, limit=60):
        """Answers blandly until the end."""
        while self.last["act"] not in ("done", "blocked") and limit:
            limit -= 1
            act = self.last["act"]
            if act == "call_many":
                self.many({call["stepId"]: {"ok": True} for call in self.last["calls"]})
            elif act == "ask":
                self.answer("approve")
            elif act == "think" and "labels" in self.last:
                self.answer({"label": self.last["labels"][0]})
            else:
                self.answer({"ok": True})
        return self

    @property
    def states(self):
        return step_states(self.run)

    def moments(self, id):
        return [moment for moment in self.run["history"] if moment["stepId"] == id]


# 1: no fallback from done, join or the error port


def test_1_a_loop_without_done_does_not_run_its_body_again():
    each = step("each", "logic.each", {"list": "trigger.items"}, ["say"])
    drive = Drive(board(ask("each"), each, say("say")), trigger={"items": [1, 2]}).on()
    assert drive.lines == ["say say", "say say", "done"]


def test_1_branches_without_join_do_not_run_a_branch_again():
    drive = Drive(board(ask("all"), step("all", "logic.branches", {}, ["say"]), say("say"))).on()
    assert drive.lines == ["say say", "done"]


# 2: the outer item comes back after an inner loop


def test_2_the_outer_item_is_restored_and_the_outer_done_waits():
    document = board(
        ask("outer"),
        step("outer", "logic.each", {"list": "trigger.groups"}, ["inner", ("done", "end")]),
        step("inner", "logic.each", {"list": "item.members"}, [("out", "one"), ("done", "after")]),
        say("one", "{{item}}"),
        say("after", "{{item.name}}"),
        say("end", "[{{item}}]"),
    )
    groups = [{"name": "a", "members": [1, 2]}, {"name": "b", "members": [3]}]
    drive = Drive(document, trigger={"groups": groups})
    said = []
    while drive.last["act"] == "say":
        said.append(drive.last["text"])
        drive.answer({})
    assert said == ["1", "2", "a", "3", "b", "[]"]


# 3: tries start anew each time a step is entered


def retrying(id, **more):
    return step(id, onError={"do": "retry", "attempts": 2}, **more)


def test_3_each_item_has_its_own_tries():
    each = step("each", "logic.each", {"list": "trigger"}, ["call"])
    drive = Drive(board(ask("each"), each, retrying("call")), trigger=[1, 2])
    drive.fail()
    drive.answer({})
    assert drive.fail()["act"] == "call_tool"
    assert drive.answer({})["act"] == "done"


def test_3_a_called_step_of_the_same_id_has_its_own_tries():
    child = board(retrying("call"), id="child")
    document = board(ask("sub"), step("sub", "flow.call", {"workflowId": "child"}, ["call"]), retrying("call"))
    drive = Drive(document, flows={"child": child})
    drive.fail()
    drive.answer({})
    assert drive.fail()["act"] == "call_tool"


# 4: the steps of a called workflow are kept apart


def test_4_a_called_step_does_not_overwrite_the_callers():
    child = board(say("write", "child"), id="child")
    document = board(
        ask("write"), say("write", "caller", ["sub"]), step("sub", "flow.call", {"workflowId": "child"}, ())
    )
    drive = Drive(document, flows={"child": child})
    drive.answer({"text": "mine"})
    assert drive.last["stepId"] == "write"
    assert drive.last["text"] == "child"
    assert drive.states["write"] == "done"
    assert drive.fail()["act"] == "blocked"
    assert drive.states["write"] == "done"
    assert [e["state"] for e in drive.run["trace"] if e.get("path") == ["sub", "write"]] == ["failed"]
    assert drive.run["data"]["steps"] == {}
    assert drive.run["calls"][0]["data"]["steps"]["write"] == {"text": "mine"}


# 5: batches, watches and muted heads in a test run


def batch(*heads, **more):
    return step("all", "logic.branches", {"together": True}, [*[h["id"] for h in heads], ("join", "end")], **more)


def call(id, tool="Desk:get_thing", **more):
    return step(id, "tool.call", {"tool": tool}, **more)


def batch_board(*heads, **more):
    return board(ask("all"), batch(*heads, **more), *heads, say("end"))


def test_5_a_test_run_shows_the_writes_of_a_batch():
    heads = [call("read", "Mail:search"), call("send", "Mail:send"), call("off", "Mail:send", enabled=False)]
    drive = Drive(batch_board(*heads), mode="test")
    assert [(c["stepId"], c.get("preview", False)) for c in drive.last["calls"]] == [("read", False), ("send", True)]
    assert "preview" in drive.last["expect"]
    assert drive.states["off"] == "skipped"
    drive.many({"read": [1, 2], "send": {}})
    said = {entry["stepId"]: entry.get("summary") for entry in drive.run["trace"]}
    assert (said["read"], said["send"]) == ("2 items", "would call Mail:send")


def test_5_a_test_run_shows_a_watch_that_writes():
    watch = step("watch", "trigger.watch", {"tool": "Queue:take_next"}, ["end"])
    assert Drive(board(watch, say("end")), mode="test").last["act"] == "preview"
    assert Drive(board(watch, say("end"))).last["act"] == "call_tool"


def test_5_a_batch_of_muted_heads_joins():
    drive = Drive(batch_board(call("a", enabled=False), call("b", enabled=False)))
    assert drive.lines == ["say end"]


# 6: failed batches


def test_6_resuming_re_issues_every_failed_call_and_joins():
    drive = Drive(batch_board(call("a"), call("b"), call("c")))
    blocked = drive.many({"b": 2}, {"a": "no", "c": "nor this"})
    assert blocked["act"] == "blocked"
    assert blocked["stepId"] == drive.run["failedAt"] == "all"
    assert "“a”: no" in blocked["reason"]
    assert "“c”: nor this" in blocked["reason"]
    again = drive.resume()
    assert [c["stepId"] for c in again["calls"]] == ["a", "c"]
    assert drive.many({"a": 1, "c": 3})["stepId"] == "end"
    assert {head: drive.run["data"]["steps"][head] for head in "abc"} == {"a": 1, "b": 2, "c": 3}


def test_6_a_missing_head_is_asked_for_and_failures_are_kept():
    drive = Drive(batch_board(call("a"), call("b"), call("c")))
    again = drive.many({"a": 1}, {"b": "no"})
    assert [c["stepId"] for c in again["calls"]] == ["c"]
    assert drive.states["c"] == "running"
    blocked = drive.many({"c": 3})
    assert blocked["act"] == "blocked"
    assert "“b”: no" in blocked["reason"]
    assert [c["stepId"] for c in drive.resume()["calls"]] == ["b"]


# 7: error routes that lead nowhere; everything leaves a moment


@pytest.mark.parametrize("wires", [["end"], [("error", "nowhere")], []])
def test_7_an_error_route_with_nothing_wired_stops(wires):
    drive = Drive(board(ask("call"), step("call", next=wires, onError={"do": "route"}), say("end")))
    assert drive.fail()["act"] == "blocked"
    assert "error" in drive.last["reason"]


def test_7_routed_muted_rejected_and_passed_over_steps_leave_a_moment():
    routed = step("call", next=["end", ("error", "muted")], onError={"do": "route"})
    document = board(
        ask("call"),
        routed,
        say("muted", next=["stops"], enabled=False),
        step("stops", next=["gate"]),
        step("gate", "gate.approve"),
        say("end"),
    )
    drive = Drive(document)
    drive.fail("it was full")
    drive.fail()
    drive.resume(skip=True)
    drive.answer("reject")
    assert drive.moments("call")[-1]["state"] == "failed"
    assert drive.moments("call")[-1]["error"] == "it was full"
    assert drive.moments("muted")[-1]["state"] == "skipped"
    assert drive.moments("stops")[-1]["state"] == "skipped"
    assert drive.moments("gate")[-1]["state"] == "skipped"
    assert drive.run["data"]["steps"]["call"] == {"error": "it was full"}


# 8: gates


def gate_board(preview="steps.draft.text", draft="first"):
    return board(
        ask("draft"),
        step("draft", "model.write", {"instructions": "Write."}, ["gate"]),
        step("gate", "gate.approve", {"preview": preview}, ["send"]),
        step("send", "tool.call", {"tool": "Mail:send", "arguments": {"text": "{{steps.draft.text}}"}}),
    )


@pytest.mark.parametrize(
    "word", ["no", "yes", "", "rejected", "approve it", 1, True, None, {}, {"edit": "x"}, ["approve"]]
)
def test_8_only_the_word_approves(word):
    drive = Drive(gate_board())
    drive.answer({"text": "first"})
    assert drive.answer(word)["act"] == "ask"
    assert drive.run["status"] == "awaiting_approval"
    assert drive.states["gate"] == "held"
    assert "neither approve nor reject" in drive.last["expect"]


@pytest.mark.parametrize("word", ["approve", "APPROVE", " Approve ", {"decision": "Approve"}])
def test_8_approve_goes_on(word):
    drive = Drive(gate_board())
    drive.answer({"text": "first"})
    assert drive.answer(word)["act"] == "call_tool"
    assert drive.run["data"]["steps"]["gate"] == {"decision": "approve", "edit": None}


@pytest.mark.parametrize("word", ["reject", "Reject", {"decision": " REJECT\n"}])
def test_8_reject_ends_the_run(word):
    drive = Drive(gate_board())
    drive.answer({"text": "first"})
    assert drive.answer(word)["act"] == "done"
    assert drive.run["status"] == "cancelled"


def test_8_an_object_is_shown_as_json():
    drive = Drive(gate_board(preview="steps.draft"))
    assert drive.answer({"text": "ä", "n": 1.0})["preview"] == '{"text":"ä","n":1}'


def test_8_an_edit_is_written_to_the_preview_path():
    drive = Drive(gate_board())
    drive.answer({"text": "first", "kept": 1})
    assert drive.answer({"decision": "approve", "edit": "second"})["arguments"] == {"text": "second"}
    assert drive.run["data"]["steps"]["draft"] == {"text": "second", "kept": 1}
    assert drive.run["data"]["steps"]["gate"] == {"decision": "approve", "edit": "second"}


@pytest.mark.parametrize(
    "preview",
    [
        "",
        "steps",
        "input.name",
        "steps.draft.text.deep",
        "steps.draft.__proto__",
        "steps.draft.constructor",
        "steps.draft.prototype.x",
        "steps.draft.list.7",
        "item",
        "other.thing",
    ],
)
def test_8_an_edit_that_cannot_be_written_is_asked_again(preview):
    drive = Drive(gate_board(preview=preview))
    drive.answer({"text": "first", "list": [1]})
    before = json.dumps(drive.run["data"])
    again = drive.answer({"decision": "approve", "edit": "second"})
    assert again["act"] == "ask"
    assert "The edit cannot be written" in again["expect"]
    assert json.dumps(drive.run["data"]) == before
    assert drive.answer("approve")["act"] == "call_tool"


# 9: muted steps


def test_9_a_muted_loop_goes_straight_to_done():
    each = step("each", "logic.each", {"list": "trigger"}, ["body", ("done", "end")], enabled=False)
    assert Drive(board(ask("each"), each, say("body"), say("end")), trigger=[1]).on().lines == ["say end", "done"]


def test_9_muted_branches_join():
    drive = Drive(batch_board(call("a"), call("b"), enabled=False)).on()
    assert drive.lines == ["say end", "done"]


def test_9_a_muted_classify_takes_its_last_port():
    classify = step("sort", "model.classify", {"labels": ["a", "b"]}, [("a", "x"), ("b", "y")], enabled=False)
    assert Drive(board(ask("sort"), classify, say("x"), say("y"))).on().lines == ["say y", "done"]


def test_9_a_muted_branch_takes_its_fallback():
    config = {"field": "trigger", "cases": [{"equals": "", "port": "a"}], "fallback": "b"}
    branch = step("sort", "logic.branch", config, [("a", "x"), ("b", "y")], enabled=False)
    assert Drive(board(ask("sort"), branch, say("x"), say("y"))).on().lines == ["say y", "done"]


# 10: blocked steps resume


def test_10_a_step_without_a_tool_resumes():
    broken = board(ask("call"), step("call", "tool.call", {}, ["end"]), say("end"))
    drive = Drive(broken)
    assert drive.last["act"] == "blocked"
    drive.document = board(ask("call"), step("call", "tool.call", {"tool": "Desk:get"}, ["end"]), say("end"))
    assert drive.resume()["act"] == "call_tool"


def test_10_a_missing_workflow_resumes():
    drive = Drive(board(ask("sub"), step("sub", "flow.call", {"workflowId": "child"}, ["end"]), say("end")))
    assert drive.last["act"] == "blocked"
    assert "child" in drive.last["reason"]
    drive.flows = {"child": board(say("hello"), id="child")}
    assert drive.resume()["stepId"] == "hello"


def test_10_missing_inputs_resume():
    inputs = [{"name": "who"}, {"name": "where", "default": "here"}, {"name": "why", "required": False}]
    drive = Drive(board(ask("end"), say("end", "{{input.who}} {{input.where}}"), inputs=inputs))
    assert drive.last["act"] == "blocked"
    assert drive.last["stepId"] == "ask"
    assert "“who”" in drive.last["reason"]
    assert "where" not in drive.last["reason"]
    assert drive.resume()["act"] == "blocked"
    assert drive.resume(input={"who": "Ada"})["text"] == "Ada here"


def test_10_a_called_workflow_without_its_inputs_resumes():
    child = board(say("hello", "{{input.who}}"), id="child", inputs=[{"name": "who"}])
    sub = step("sub", "flow.call", {"workflowId": "child", "input": {"who": "{{input.name}}"}}, ())
    drive = Drive(board(ask("sub"), sub), flows={"child": child})
    assert drive.last["act"] == "blocked"
    assert drive.last["stepId"] == "sub"
    assert drive.resume(input={"name": "Ada"})["text"] == "Ada"


# 11: cycles and long walks


def filters(count, items):
    chain = [step(f"f{n}", "logic.filter", {"all": []}, [f"f{n + 1}"] if n + 1 < count else []) for n in range(count)]
    return Drive(
        board(ask("each"), step("each", "logic.each", {"list": "trigger", "limit": items}, ["f0"]), *chain),
        trigger=list(range(items)),
    )


def test_11_a_long_loop_and_a_long_chain_are_walked():
    assert filters(1, 5000).lines == ["done"]
    assert filters(4100, 1).lines == ["done"]


def test_11_a_cycle_that_passes_no_directive_is_named():
    hold = {"all": []}
    document = board(
        ask("a"), step("a", "logic.filter", hold, ["b"]), step("b", "logic.filter", hold, ["c"]),
        step("c", "logic.filter", hold, ["b"]),
    )  # fmt: skip
    drive = Drive(document)
    assert drive.last["act"] == "blocked"
    assert drive.last["stepId"] == "b"
    assert "b → c → b" in drive.last["reason"]


def test_11_a_cycle_through_an_empty_loop_is_named():
    each = step("each", "logic.each", {"list": "trigger.none"}, [("done", "hold")])
    drive = Drive(board(ask("each"), each, step("hold", "logic.filter", {}, ["each"])))
    assert "each → hold → each" in drive.last["reason"]


def test_11_a_way_from_a_body_back_to_before_its_loop_is_no_cycle():
    each = step("each", "logic.each", {"list": "trigger"}, ["hold", ("done", "end")])
    drive = Drive(board(ask("hold"), step("hold", "logic.filter", {}, ["each"]), each, say("end")), trigger=[1, 2])
    assert drive.on().lines == ["say end", "done"]


def test_11_a_cycle_through_a_directive_is_bounded_and_resumes_with_a_fresh_count():
    drive = Drive(board(ask("a"), say("a", next=["b"]), say("b", next=["a"])), limits=Limits(directives=5)).on()
    assert drive.last["act"] == "blocked"
    assert drive.last["stepId"] == "b"
    assert len(drive.lines) == 6
    drive.resume()
    drive.on()
    assert len(drive.lines) == 12


def test_11_moves_between_directives_are_bounded():
    pairs = []
    for n in range(12):
        after = [f"l{n + 1}", f"r{n + 1}"] if n < 11 else []
        pairs += [step(side + str(n), "logic.filter", {}, after) for side in "lr"]
    drive = Drive(board(ask("l0"), *pairs), limits=Limits(moves=1000))
    assert drive.last["act"] == "blocked"
    assert drive.last["stepId"] in drive.last["reason"]
    while drive.last["act"] == "blocked":
        drive.resume()
    assert drive.lines.count("done") == 1
    assert len(drive.lines) == 5  # 4,097 moves, 1,000 at a time


# 12: labels


@pytest.mark.parametrize(("said", "port"), [("Sales", "sales"), (" OTHER ", "other"), ("sales", "sales")])
def test_12_a_label_in_another_case_is_that_label(said, port):
    classify = step("sort", "model.classify", {"labels": ["sales", "other"]}, [("sales", "sales"), ("other", "other")])
    drive = Drive(board(ask("sort"), classify, say("sales"), say("other")))
    assert drive.answer({"label": said})["stepId"] == port
    assert "none of the labels" not in drive.moments("sort")[-1]["summary"]


@pytest.mark.parametrize("said", ["spam", "", None, 3, {"label": "spam"}])
def test_12_an_unknown_label_takes_the_last_and_says_so(said):
    classify = step("sort", "model.classify", {"labels": ["sales", "other"]}, [("sales", "x"), ("other", "y")])
    drive = Drive(board(ask("sort"), classify, say("x"), say("y")))
    assert drive.answer(said)["stepId"] == "y"
    assert "none of the labels" in drive.moments("sort")[-1]["summary"]
    assert "none of the labels" in next(e for e in drive.run["trace"] if e["stepId"] == "sort")["summary"]


# 13: settings that do not fit


@pytest.mark.parametrize(("limit", "items"), [("{{input.n}}", 2), ("2", 2), (2.0, 2), ("{{input.none}}", 3), (0, 1)])
def test_13_settings_are_filled_in_and_converted(limit, items):
    each = step("each", "logic.each", {"list": "trigger", "limit": limit}, ["say"])
    drive = Drive(board(ask("each"), each, say("say")), trigger=[1, 2, 3], input={"n": "2"}).on()
    assert drive.lines.count("say say") == items


@pytest.mark.parametrize("limit", ["many", 2.5, True, {}, "{{input.word}}"])
def test_13_what_does_not_convert_blocks_and_says_why(limit):
    each = step("each", "logic.each", {"list": "trigger", "limit": limit}, ["say"])
    drive = Drive(board(ask("each"), each, say("say")), trigger=[1], input={"word": "lots"})
    assert drive.last["act"] == "blocked"
    assert "“limit”" in drive.last["reason"]


def test_13_one_setting_that_is_off_leaves_the_others():
    write = step("write", "model.write", {"instructions": "Go.", "voice": "Ada", "maxWords": "{{input.n}}"}, ())
    drive = Drive(board(ask("write"), write), input={"n": "40"})
    assert drive.last["maxWords"] == 40
    assert "Ada" in drive.last["instruction"]


# 14: nothing walks every path


def test_14_diamonds_are_judged_in_linear_time():
    pairs = []
    for n in range(400):
        after = [f"l{n + 1}", f"r{n + 1}"] if n < 399 else ["send"]
        pairs += [step(side + str(n), "tool.call", None, after) for side in "lr"]
    document = board(ask("l0", "r0"), *pairs, call("send", "Mail:send"))
    # Whoever walked every path would have 2 ** 400 of them to walk.
    assert Drive(document).last["act"] == "call_tool"


# 15: writes


WRITES = """
    Mail:sendMessage Slack:chat.postMessage Mail:read_and_delete CRM:get_or_create_lead DB:execute_sql Shop:refund
    List:unsubscribe Mail:frobnicate
"""


@pytest.mark.parametrize("tool", WRITES.split())
def test_15_a_test_run_never_calls_a_write(tool):
    drive = Drive(board(ask("call"), call("call", tool)), mode="test")
    assert drive.last["act"] == "preview"
    drive.answer({})
    assert drive.moments("call")[-1]["summary"] == f"would call {tool}"


def test_15_the_step_may_settle_it():
    quiet = step("call", "tool.call", {"tool": "Mail:frobnicate", "writes": False})
    assert Drive(board(ask("call"), quiet), mode="test").last["act"] == "call_tool"
    loud = step("call", "tool.call", {"tool": "Mail:list", "writes": True})
    assert Drive(board(ask("call"), loud), mode="test").last["act"] == "preview"


def test_15_a_tool_filled_in_later_is_judged_by_what_it_is():
    filled = step("call", "tool.call", {"tool": "{{input.tool}}"})
    assert Drive(board(ask("call"), filled), mode="test", input={"tool": "Mail:send"}).last["act"] == "preview"
    assert Drive(board(ask("call"), filled), mode="test", input={"tool": "Mail:list"}).last["act"] == "call_tool"


# 16: a shared tail runs once for each wire into it


def test_16_a_second_wire_into_a_shared_tail_runs_it_again():
    drive = Drive(board(ask("a", "b"), say("a", next=["tail"]), say("b", next=["tail"]), say("tail"))).on()
    assert drive.lines == ["say a", "say tail", "say b", "say tail", "done"]


# 17: a text full of braces


def test_17_a_text_full_of_braces_is_read_in_linear_time():
    text = "{{" * 200_000 + "{" * 200_000 + "{{ a " * 100_000
    drive = Drive(board(ask("say"), say("say", text)))
    assert drive.last["text"] == text


def test_a_machine_is_the_same_engine():
    machine = Machine(board(ask("say"), say("say")))
    run = machine.start("run", NOW)
    assert machine.advance(run, NOW)["act"] == "say"
    assert machine.report(run, NOW, "say", {}, turn=1)["act"] == "done"
