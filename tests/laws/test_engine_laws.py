"""Laws of the engine, over generated boards and drivers that succeed, fail, answer late, twice, or with nonsense."""

import copy
import json
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.formats.steps.connectors import Effect, effect_of_name
from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.runs.directives import LAST, trace_line
from circuit_export.runs.record import Limits, step_states

NOW = "2030-01-01T00:00:00Z"
LIMITS = Limits(directives=40, moves=2_000)
EXAMPLES = settings(max_examples=40, deadline=None)

TOOLS = ["Mail:search", "Mail:send", "Desk:frobnicate", "CRM:get_or_create_lead", "{{input.tool}}", ""]
PATHS = [
    "trigger",
    "trigger.items",
    "item",
    "item.name",
    "steps.s1",
    "steps.s2.text",
    "input.tool",
    "nothing.here",
    "{{trigger.items}}",
]
VALUES = [
    None,
    True,
    0,
    3,
    2.5,
    "",
    "a",
    "{{item}}",
    "{{steps.s1.text}}",
    "x {{trigger.kind}} y",
    [1, {"name": "b"}],
    {"text": "t"},
]
CONDITIONS = [
    {"field": field, "op": op, "value": value}
    for field in PATHS[:5]
    for op in ("equals", "contains", "exists", "missing", "gt", "lt", "sounds like")
    for value in VALUES[:6]
]
PORTS = ["out", "done", "join", "error", "else", "a", "b"]


def configs(type):
    pick = st.sampled_from
    lists = st.lists(pick(CONDITIONS), max_size=2)
    return {
        "trigger.ask": st.just({}),
        "trigger.schedule": st.just({"cron": "0 0 * * *"}),
        "trigger.watch": st.fixed_dictionaries({"tool": pick(TOOLS)}),
        "tool.call": st.fixed_dictionaries(
            {"tool": pick(TOOLS), "arguments": st.fixed_dictionaries({}, optional={"v": pick(VALUES)})},
            optional={"writes": pick([True, False])},
        ),
        "model.classify": st.fixed_dictionaries(
            {"labels": pick([["a", "b"], ["a"], ["a", "b", "a"]]), "input": pick(PATHS)}
        ),
        "model.write": st.fixed_dictionaries(
            {"instructions": pick(["Go.", "{{item}}"]), "maxWords": pick([5, "6", "x"])}
        ),
        "model.extract": st.fixed_dictionaries({"fields": pick([[{"name": "who"}], []])}),
        "logic.filter": st.fixed_dictionaries({}, optional={"all": lists, "any": lists}),
        "logic.branch": st.fixed_dictionaries(
            {"field": pick(PATHS), "cases": pick([[{"equals": "a", "port": "a"}], [{"equals": "", "port": "b"}], []])}
        ),
        "logic.each": st.fixed_dictionaries({"list": pick(PATHS), "limit": pick([1, 2, "3", -1, None, "no"])}),
        "logic.branches": st.fixed_dictionaries({}, optional={"together": pick([True, False])}),
        "flow.call": st.fixed_dictionaries(
            {"workflowId": pick(["child", "board", "none"]), "input": pick([{}, {"who": "{{item}}"}, {"who": "x"}])},
            optional={"returns": pick(PATHS)},
        ),
        "gate.approve": st.fixed_dictionaries({"preview": pick([*PATHS, ""])}),
        "note.say": st.fixed_dictionaries({"template": pick(["said", "{{steps.s1}}"])}),
        "no.such": st.just({}),
    }[type]


TYPES = [
    "trigger.ask", "trigger.schedule", "trigger.watch", "tool.call", "tool.call", "tool.call", "model.classify",
    "model.write", "model.extract", "logic.filter", "logic.branch", "logic.each", "logic.each", "logic.branches", "logic.branches",
    "flow.call", "gate.approve", "note.say", "no.such",
]  # fmt: skip
POLICIES = [None, None, {"do": "stop"}, {"do": "skip"}, {"do": "retry", "attempts": 3}, {"do": "route"}]


@st.composite
def boards(draw, id="board"):
    count = draw(st.integers(1, 9))
    ids = [f"s{n}" for n in range(count)]
    steps = []
    for step_id in ids:
        type = draw(st.sampled_from(TYPES))
        wires = st.fixed_dictionaries(
            {"port": st.sampled_from(PORTS[:1] * 4 + PORTS), "to": st.sampled_from([*ids, *ids, "lost"])}
        )
        step = {"id": step_id, "type": type, "title": step_id, "config": draw(configs(type))}
        step["next"] = draw(st.lists(wires, max_size=4))
        policy = draw(st.sampled_from(POLICIES))
        if policy:
            step["onError"] = policy
        if draw(st.integers(0, 9)) == 0:
            step["enabled"] = False
        steps.append(step)
    inputs = [{"name": "who", "required": draw(st.booleans())}] if id == "child" else []
    return {"circuit": 1, "id": id, "name": id, "steps": steps, "inputs": inputs}


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
            assert reissued["stepId"] == directive["stepId"] or reissued["act"] != "blocked"

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
