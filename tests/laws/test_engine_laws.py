"""Laws of the engine, over generated boards and drivers that succeed, fail, answer late, twice, or with nonsense."""

import copy
import json
import random
from unittest.mock import patch

from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.formats.steps.connectors import Effect, effect_of_name
from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.formats.steps.engine.trail import Trail
from circuit_export.runs.directives import LAST, trace_line
from circuit_export.runs.outline import Reached, reached
from circuit_export.runs.record import Limits, step_states
from circuit_export.runs.scenario import play as play_scenario
from circuit_export.runs.scenario_file import dump, load
from circuit_export.validation.suggest import suggest

NOW = "2030-01-01T00:00:00Z"
LIMITS = Limits(directives=40, moves=2_000)
EXAMPLES = settings(max_examples=150, deadline=None)

TOOLS = ["Mail:search", "Mail:send", "Desk:frobnicate", "CRM:get_or_create_lead", "{{input.tool}}"]
PATHS = ["trigger", "trigger.items", "item", "item.name", "steps.s1", "steps.s2.text", "input.tool", "nothing.here"]
VALUES = [None, True, 0, 2.5, "", "a", "{{item}}", "{{steps.s1.text}}", "x {{trigger.kind}} y", [1, {"name": "b"}]]
PORTS = {
    "logic.each": ["out", "done"],
    "logic.branches": ["out", "out", "out", "join"],
    "model.classify": ["a", "b"],
    "logic.branch": ["a", "else"],
}
TYPES = [
    "trigger.ask",
    "trigger.watch",
    *["tool.call"] * 6,
    "model.classify",
    "model.write",
    "model.extract",
    "logic.filter",
    "logic.branch",
    *["logic.each"] * 3,
    *["logic.branches"] * 3,
    "flow.call",
    "gate.approve",
    "note.say",
]
POLICIES = [{"do": "stop"}, {"do": "skip"}, {"do": "retry", "attempts": 3}, {"do": "route"}]


def settings_of(type, pick):
    """Settings that fit, mostly."""
    conditions = [{"field": pick(PATHS), "op": pick(["equals", "exists", "missing", "gt"]), "value": pick(VALUES)}]
    return {
        "trigger.watch": {"tool": pick(TOOLS)},
        "tool.call": {"tool": pick(TOOLS), "arguments": {"v": pick(VALUES)}},
        "model.classify": {"labels": ["a", "b"], "input": pick(PATHS)},
        "model.write": {"instructions": pick(["Go.", "{{item}}"]), "maxWords": pick([5, "6"])},
        "model.extract": {"fields": [{"name": "who"}]},
        "logic.filter": {"all": pick([[], [], conditions]), "any": pick([[], conditions])},
        "logic.branch": {"field": pick(PATHS), "cases": [{"equals": pick(["a", ""]), "port": "a"}]},
        "logic.each": {"list": pick(["trigger.items", "trigger", *PATHS]), "limit": pick([1, 2, "3", -1])},
        "logic.branches": {"together": pick([True, True, False])},
        "flow.call": {
            "workflowId": pick(["child", "child", "child", "board"]),
            "input": {"who": pick(VALUES)},
            "returns": pick(PATHS),
        },
        "gate.approve": {"preview": pick([*PATHS, ""])},
        "note.say": {"template": pick(["said", "{{steps.s1}}"])},
    }.get(type, {})


def make_board(seed, count, id="board"):
    """A board whose wires mostly lead on: now and then back, to the step itself, or nowhere."""
    chance = random.Random(seed)
    pick, often, ids = chance.choice, chance.random, [f"s{n}" for n in range(count)]
    steps = []
    for at, step_id in enumerate(ids):
        type = pick(TYPES) if at else pick(["trigger.ask", "trigger.watch", *TYPES])
        step = {"id": step_id, "type": type, "title": step_id, "config": settings_of(type, pick), "next": []}
        later = ids[at + 1 : at + 4]
        for port in PORTS.get(type, ["out"]):
            if later and often() < 0.85:
                step["next"].append({"port": port, "to": pick(later)})
            if often() < 0.06:
                step["next"].append({"port": pick([port, "zzz"]), "to": pick([*ids, "lost"])})
        if often() < 0.35:
            step["onError"] = pick(POLICIES)
            if later and step["onError"]["do"] == "route" and often() < 0.7:
                step["next"].append({"port": "error", "to": pick(later)})
        if often() < 0.08:
            step["enabled"] = False
        if often() < 0.05:
            step["config"] = pick([{}, {"tool": 5}, {"limit": "no", "list": "trigger"}, {"labels": "a"}])
        if often() < 0.1 and type == "tool.call":
            step["config"]["writes"] = pick([True, False])
        if often() < 0.02:
            step["type"] = "no.such"
        steps.append(step)
    # Branches whose calls can go out at once are rare by chance alone.
    if often() < 0.4:
        heads = [f"h{n}" for n in range(pick([2, 3]))]
        wires = [{"port": "out", "to": head} for head in heads]
        join = [{"port": "join", "to": pick(ids[1:] or ids)}]
        policy = {"onError": pick(POLICIES)} if often() < 0.3 else {}
        batch = {
            "id": "all",
            "type": "logic.branches",
            "title": "all",
            "config": {"together": True},
            "next": wires + join,
        }
        steps.append({**batch, **policy})
        steps[0]["next"].insert(0, {"port": "out", "to": "all"})
        for head in heads:
            call = {"id": head, "type": "tool.call", "title": head, "config": {"tool": pick(TOOLS)}, "next": []}
            steps.append({**call, **pick([{}, {}, {"enabled": False}, {"onError": {"do": "skip"}}])})
    inputs = [{"name": "who", "required": often() < 0.5}] if id == "child" else []
    return {"circuit": 1, "id": id, "name": id, "steps": steps, "inputs": inputs}


def boards(id="board"):
    return st.builds(make_board, st.integers(0, 2**32), st.integers(2, 12), st.just(id))


machines = st.builds(
    lambda board, child: Machine(load_value(board), {"child": load_value(child), "board": load_value(board)}, LIMITS),
    boards(),
    boards(id="child"),
)
TRIGGERS = st.sampled_from(
    [None, {"items": [{"name": "a"}, {"name": "b"}], "kind": "lead"}, {"items": "one"}, [1, 2], "text"]
)
NONSENSE = [
    None,
    True,
    7,
    "approve",
    "b",
    {},
    [],
    {"decision": "perhaps"},
    {"label": "zzz"},
    {"text": "hello"},
    {"items": [1, 2, 3]},
]


def good_answer(machine, run, directive, chance):
    """A fitting answer, or a failure now and then; returns the next directive."""
    step, turn = directive["stepId"], directive["turn"]
    if directive["act"] == "call_many":
        calls = [call["stepId"] for call in directive["calls"]]
        failed = {call: "broke" for call in calls if chance.random() < 0.15}
        kept = {call: {"n": turn} for call in calls if call not in failed and chance.random() < 0.9}
        return machine.report_many(run, NOW, step, kept, failed, turn)
    if chance.random() < 0.2:
        return machine.fail(run, NOW, step, "it broke", turn)
    if directive["act"] == "ask":
        decision = chance.choice(["approve", "approve", "approve", "reject"])
        return machine.report(run, NOW, step, {"decision": decision, "edit": chance.choice([None, None, "new"])}, turn)
    if "labels" in directive:
        return machine.report(run, NOW, step, {"label": chance.choice(directive["labels"])}, turn)
    return machine.report(
        run, NOW, step, chance.choice([{"ok": True}, {"text": "t"}, [1], chance.choice(NONSENSE)]), turn
    )


def play(machine, trigger, seed, mode="live", check=lambda before, run, directive: None, store=False):
    """Drives a run to its end, resuming a few times; returns the run and its directives."""
    chance = random.Random(seed)
    run = machine.start("run", NOW, mode, trigger, {"tool": "Mail:post_it"})
    directives = [machine.advance(run, NOW)]
    resumes = 3
    while len(directives) < 200:
        directive = directives[-1]
        check(None, run, directive)
        if store:
            run = json.loads(json.dumps(run))
        if directive["act"] == "blocked" and resumes:
            resumes -= 1
            directives.append(machine.resume(run, NOW, skip=chance.random() < 0.5))
        elif directive["act"] in LAST:
            break
        else:
            directives.append(good_answer(machine, run, directive, chance))
    return run, directives


@EXAMPLES
@given(machines, TRIGGERS, st.integers(0, 10_000))
def test_every_run_ends_or_waits(machine, trigger, seed):
    def check(_before, run, directive):
        waits = directive["act"] not in LAST
        assert bool(run["awaiting"]) == waits
        assert (
            run["status"]
            in {
                True: ("awaiting_approval",) if directive["act"] == "ask" else ("running",),
                False: ("succeeded", "cancelled") if directive["act"] == "done" else ("failed",),
            }[waits]
        )
        assert directive["turn"] == run["directives"]
        assert machine.advance(copy.deepcopy(run), NOW) == directive
        assert len(run["history"]) <= 240

    _run, directives = play(machine, trigger, seed, check=check)
    assert directives[-1]["act"] in LAST
    assert [directive["turn"] for directive in directives] == list(range(1, len(directives) + 1))


@EXAMPLES
@given(machines, TRIGGERS, st.integers(0, 10_000))
def test_the_same_answers_give_the_same_trace_and_a_run_may_be_stored(machine, trigger, seed):
    run, directives = play(machine, trigger, seed)
    again, others = play(machine, trigger, seed, store=True)
    assert directives == others
    assert [trace_line(directive) for directive in directives] == [trace_line(directive) for directive in others]
    assert json.dumps(run) == json.dumps(again)


@EXAMPLES
@given(machines, TRIGGERS, st.integers(0, 10_000), st.sampled_from(NONSENSE))
def test_what_is_not_awaited_changes_nothing(machine, trigger, seed, nonsense):
    answered = []

    def check(_before, run, directive):
        before = json.dumps(run)
        turn = directive["turn"]
        others = [step.id for step in machine.workflow.steps if step.id != directive.get("stepId")]
        tries = [machine.report(run, NOW, other, nonsense) for other in (*others, "lost", "")]
        tries += [machine.fail(run, NOW, other, nonsense, turn) for other in others]
        tries += [machine.report_many(run, NOW, other, {other: nonsense}) for other in others]
        for step_id, late in answered:  # no report is applied twice
            tries.append(machine.report(run, NOW, step_id, nonsense, late))
            tries.append(machine.fail(run, NOW, step_id, "late", late))
            tries.append(machine.report_many(run, NOW, step_id, {step_id: 1}, {}, late))
        if directive["act"] in LAST:
            tries.append(machine.report(run, NOW, directive.get("stepId", "s0"), nonsense))
        else:
            step_id = directive["stepId"]
            tries.append(machine.report(run, NOW, step_id, {"n": float("nan")}, turn))
            tries.append(machine.report(run, NOW, step_id, {1, 2}, turn))
            tries.append(machine.report_many(run, NOW, step_id, {"lost": nonsense}, {}, turn))
            answered.append((step_id, turn))
        for refused in tries:
            assert refused["act"] == "blocked"
            assert refused["turn"] == run["directives"]
            if run["awaiting"]:
                assert refused["stepId"] == run["awaiting"]["stepId"]
        assert json.dumps(run) == before

    play(machine, trigger, seed, check=check)


@EXAMPLES
@given(machines, TRIGGERS, st.integers(0, 10_000))
def test_resuming_loses_nothing(machine, trigger, seed):
    stopped = []

    def check(_before, run, directive):
        if stopped:
            before = stopped.pop()
            assert run["taken"][: len(before["taken"])] == before["taken"]
            assert run["directives"] > before["directives"]
            if run["calls"] == before["calls"] and run["flowId"] == before["flowId"]:
                kept = set(before["data"]["steps"])
                assert kept <= set(run["data"]["steps"])
        if directive["act"] == "blocked":
            stopped.append(copy.deepcopy(run))
            again = copy.deepcopy(run)
            reissued = machine.resume(again, NOW)
            # It is taken up at the very step, or has something else to say about it.
            assert reissued.get("stepId") == directive["stepId"] or reissued["act"] != "blocked"

    play(machine, trigger, seed, check=check)


@EXAMPLES
@given(machines, TRIGGERS, st.integers(0, 10_000))
def test_a_test_run_never_hands_out_a_write_as_a_call(machine, trigger, seed):
    settled = {
        step.id
        for flow in (machine.workflow, *machine.flows.values())
        for step in flow.steps
        if step.config.get("writes") is False
    }
    _run, directives = play(machine, trigger, seed, mode="test")
    for directive in directives:
        calls = directive.get("calls", [directive] if directive["act"] == "call_tool" else [])
        for call in calls:
            if not call.get("preview") and call["stepId"] not in settled:
                assert effect_of_name(call["tool"]) is Effect.READS


@EXAMPLES
@given(machines, TRIGGERS, st.integers(0, 10_000))
def test_coverage_never_counts_what_was_not_taken(machine, trigger, seed):
    run, _directives = play(machine, trigger, seed)
    workflow = machine.workflow
    states = step_states(run)
    own = [wire for wire in run["taken"] if "path" not in wire]
    written = {(step.id, wire.port, wire.to) for step in workflow.steps for wire in step.next}
    taken = [(wire["step"], wire["port"], wire["to"]) for wire in own]
    assert len(taken) == len(set(taken))
    assert set(taken) <= written
    for source, _port, target in taken:
        assert states[source] != "idle"
        if run["status"] == "succeeded":
            assert states[target] != "idle"
    reached = {target for _source, _port, target in taken} | {workflow.start.id}
    assert {step_id for step_id, state in states.items() if state != "idle"} <= reached


@settings(max_examples=60, deadline=None)
@given(machines)
def test_suggestions_reach_what_they_say_and_say_what_they_miss(machine):
    suggestion = suggest(machine, machine.proposer())
    got = Reached()
    for scenario in load(dump(suggestion.scenarios)):
        got |= reached(play_scenario(machine, scenario).run)
    outline = machine.outline()
    missed = {step for step in outline.steps if step not in got.steps}
    missed |= {str(wire) for wire in outline.wires if wire not in got.wires}
    assert missed == {str(target) for target, _why in suggestion.unreached}
    assert all(why for _target, why in suggestion.unreached)


@EXAMPLES
@given(machines, TRIGGERS, st.integers(0, 10_000))
def test_a_cycle_that_is_named_would_never_end(machine, trigger, seed):
    def check(_before, run, directive):
        if directive["act"] == "blocked" and "leads back to itself" in directive["reason"]:
            again = copy.deepcopy(run)
            with patch.object(Trail, "follow", lambda self, key: None):
                reissued = machine.resume(again, NOW)
            # Only steps whose results the way itself changes may end it: triggers, and what was called.
            settled = {step.type for step in machine.workflow.steps} & {"trigger.ask", "flow.call"}
            assert "moves were made" in reissued.get("reason", "") or settled

    play(machine, trigger, seed, check=check)
