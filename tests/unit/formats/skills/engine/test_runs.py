"""Runs of skill graphs: every vector, and what the vectors do not show."""

import json
from typing import Any

import pytest
from support.skills import graph, named, node

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.skills.document import Graph, SkillsDocument, load_value
from circuit_export.formats.skills.engine import Machine, Options, context, run_state
from circuit_export.formats.skills.engine.requests import Repository
from circuit_export.formats.skills.rules import Profile
from circuit_export.formats.skills.timing import timeout
from circuit_export.runs.outline import Reached, Way, reached
from circuit_export.runs.record import Run, load, save
from circuit_export.runs.scenario import Reply, Scenario, play

NOW = "2026-06-01T00:00:00Z"


def machine(value: dict[str, Any], **options: Any) -> Machine:
    return Machine(load_value(value), Options(**options))


def drive(engine: Machine, run: Run, outcomes: dict[str, str]) -> list[str]:
    """Plays the executor; an outcome is keyed by node, or by `#` and the number of the call. Returns who was called."""
    calls: list[str] = []
    directive = engine.advance(run, NOW)
    while directive["act"] == "run_skill":
        id, turn = directive["nodeId"], directive["turn"]
        calls.append(id)
        outcome = outcomes.get(id, outcomes.get(f"#{len(calls)}", "success"))
        if outcome == "throw":
            directive = engine.fail(run, NOW, id, "it broke", turn)
        elif outcome == "complete":
            directive = engine.report(run, NOW, id, {"status": "success", "summary": "CIRCUIT_LOOP_COMPLETE"}, turn)
        else:
            directive = engine.report(run, NOW, id, {"status": outcome, "output": id}, turn)
    return calls


@pytest.mark.parametrize(("name", "vector"), named("runs.json"))
def test_a_run_goes_as_the_application_runs_it(name: str, vector: dict[str, Any]) -> None:
    value = graph(
        vector["nodes"],
        [tuple(edge) for edge in vector["edges"]],
        continueOnFailure=vector.get("continueOnFailure", False),
    )
    if vector["nodes"]:
        document = load_value(value)
    else:  # no loader lets it through, so that only the engine is left to refuse it
        document = SkillsDocument(Definition("", "skills"), value, "w", "w", "", "r", Graph((), (), {}))
    engine = Machine(document, Options(allow_cycles=vector.get("allowCycles", False), profile=Profile.APP))
    if "startFromNodeId" in vector:
        run = engine.rerun(engine.start("r0", NOW), "r1", NOW, vector["startFromNodeId"])
    else:
        run = engine.start("r1", NOW)
    calls = drive(engine, run, vector["outcomes"])
    observed = vector["observed"]
    found = run_state(run)
    assert calls == observed["calls"]
    assert found["status"] == observed["runStatus"]
    assert found["runMode"] == observed["runMode"]
    assert found["iteration"] == observed["iteration"]
    assert found["nodeStates"] == observed["nodeStates"]
    assert run["rejected"] == observed["outcome"].get("reason")


def test_several_roots_run_unless_the_application_is_asked() -> None:
    value = graph(["a", "b", "c"], [("a", "c"), ("b", "c")])
    engine = machine(value)
    run = engine.start("r", NOW)
    assert drive(engine, run, {}) == ["a", "b", "c"]
    refused = machine(value, profile=Profile.APP)
    assert refused.advance(refused.start("r", NOW))["reason"] == "The graph begins in 2 places: “a” and “b”."


def test_the_directive_says_what_to_run() -> None:
    first = node("a", label="Draft", execution={"model": "m-1"}, input={"prompt": "go", "timeoutMs": 90_000.7})
    engine = machine(graph([first, node("b", input={"text": "${steps.a.output}"})], [("a", "b")]))
    run = engine.start("r", NOW)
    asked = engine.advance(run, NOW)
    assert asked == {
        "act": "run_skill",
        "turn": 1,
        "stepId": "a",
        "nodeId": "a",
        "title": "Draft",
        "task": "claude:.claude/skills/a/SKILL.md",
        "provider": "claude",
        "source": "repository",
        "skillFile": ".claude/skills/a/SKILL.md",
        "input": {"prompt": "go", "timeoutMs": 90_000.7},
        "timeoutMs": 90_000,
        "model": "m-1",
        "expect": asked["expect"],
    }
    assert engine.advance(run, NOW) == asked
    asked = engine.report(run, NOW, "a", {"words": 3})
    assert asked["input"] == {"text": {"words": 3}}


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (None, 300_000),
        (5, 1_000),
        (1e12, 3_600_000),
        (float("inf"), 300_000),
        (-1, 300_000),
        ("9", 300_000),
        (True, 300_000),
        (1500.9, 1500),
    ],
)
def test_timeouts(given: Any, expected: int) -> None:
    assert timeout(given, 300_000) == expected


def test_a_system_skill_has_an_id_and_no_file() -> None:
    ref = {"source": "system", "provider": "codex", "systemSkillId": "codex:imagegen"}
    engine = machine(graph([node("a", skillRef=ref)]))
    asked = engine.advance(engine.start("r", NOW))
    assert (asked["systemSkillId"], asked["task"], "skillFile" in asked) == (
        "codex:imagegen",
        "codex:imagegen",
        False,
    )


CHAIN = graph(["a", node("b", input={"text": "${steps.a.output}"}), "c"], [("a", "b"), ("b", "c")])


@pytest.mark.parametrize(
    ("result", "why"),
    [
        ({"status": "failed", "output": "partial"}, "it failed"),
        ({"status": "success"}, "it succeeded without one"),
    ],
)
def test_a_node_whose_input_cannot_be_made_is_not_run(result: dict[str, Any], why: str) -> None:
    engine = machine({**CHAIN, "continueOnFailure": True})
    run = engine.start("r", NOW)
    engine.advance(run, NOW)
    asked = engine.report(run, NOW, "a", result)
    assert asked["nodeId"] == "c"
    assert run["nodeStates"]["b"] == "failed"
    assert "b" not in run["data"]["steps"]
    assert run["trace"][1]["error"] == f"the output of “a” is not there: {why} (C773)"
    assert drive(engine, run, {}) == ["c"]
    assert run_state(run)["status"] == "failed"


def test_a_provider_that_nobody_executes_fails_its_node() -> None:
    value = graph([node("a", skillRef={"provider": "shell", "skillFile": "x"})])
    engine = machine(value)
    run = engine.start("r", NOW)
    last = engine.advance(run, NOW)
    assert (last["act"], last["stepId"]) == ("blocked", "a")
    assert "nobody can run a skill of “shell” (C772)" in last["reason"]
    other = machine(graph(["a"]), allowed=("codex",))
    assert "this run may not use “claude” (C771)" in other.advance(other.start("r", NOW))["reason"]


def test_what_is_not_awaited_changes_nothing() -> None:
    engine = machine(CHAIN)
    run = engine.start("r", NOW)
    assert "has not been advanced" in engine.report(run, NOW, "a", 1)["reason"]
    engine.advance(run, NOW)
    before = json.dumps(run)
    for refused in (
        engine.report(run, NOW, "b", 1),
        engine.report(run, NOW, "a", 1, 7),
        engine.report(run, NOW, "a", {1, 2}),
        engine.fail(run, NOW, "c", "x"),
        engine.report_many(run, NOW, "a", {"a": 1}, {}),
    ):
        assert (refused["act"], refused["stepId"]) == ("blocked", "a")
    assert not engine.event(run, "b", {"type": "stdout", "text": "x"})
    assert json.dumps(run) == before
    engine.report(run, NOW, "a", 1, 1)
    assert "turn 1 is not" in engine.report(run, NOW, "b", 1, 1)["reason"]


def test_after_the_end_nothing_is_taken() -> None:
    engine = machine(graph(["a"]))
    run = engine.start("r", NOW)
    drive(engine, run, {})
    before = json.dumps(run)
    assert engine.report(run, NOW, "a", 1)["act"] == "blocked"
    assert engine.cancel(run, NOW)["act"] == "done"
    assert json.dumps(run) == before


def test_cancelling_while_a_node_runs() -> None:
    engine = machine(CHAIN)
    run = engine.start("r", NOW)
    engine.advance(run, NOW)
    assert engine.cancel(run, NOW) == {"act": "done", "summary": "The run was cancelled.", "turn": 2}
    assert run_state(run)["nodeStates"] == {"a": "cancelled", "b": "skipped", "c": "skipped"}
    assert run["status"] == "cancelled"


def test_cancelling_between_two_nodes() -> None:
    engine = machine(CHAIN)
    run = engine.start("r", NOW)
    engine.cancel(run, NOW)
    assert run_state(run)["status"] == "cancelled"
    assert set(run["nodeStates"].values()) == {"skipped"}


def test_a_node_that_waits_for_a_person_cannot_succeed() -> None:
    engine = machine(graph(["a"]))
    run = engine.start("r", NOW)
    engine.advance(run, NOW)
    assert engine.event(run, "a", {"type": "approval_required", "prompt": "May I?"})
    assert run_state(run)["nodeStates"] == {"a": "waiting_input"}
    copy = json.loads(json.dumps(run))
    assert engine.report(run, NOW, "a", "done")["act"] == "blocked"
    assert run_state(run)["status"] == "failed"
    engine.event(copy, "a", {"type": "stdout", "text": "ok"})
    assert engine.report(copy, NOW, "a", "done")["act"] == "done"


def test_running_again_from_what_failed() -> None:
    engine = machine(CHAIN)
    old = engine.start("r1", NOW)
    engine.advance(old, NOW)
    engine.report(old, NOW, "a", "first")
    engine.event(old, "b", {"type": "stderr", "text": "x" * 5000})
    engine.report(old, NOW, "b", {"status": "failed", "exitCode": 2, "summary": "no network"})
    run = engine.rerun(old, "r2", NOW)
    assert run_state(run)["nodeStates"] == {"a": "skipped", "b": "queued", "c": "queued"}
    asked = engine.advance(run, NOW)
    assert asked["input"] == {"text": "first"}
    assert asked["rerun"] == {
        "previousAttempt": {"runId": "r1", "status": "failed", "exitCode": 2},
        "lastError": "no network",
        "stdoutTail": "",
        "stdoutTruncated": False,
        "stderrTail": "x" * 4096,
        "stderrTruncated": True,
    }
    assert "b" not in context(run, asked, Repository("r", "r", "/srv/r"))["previousOutputs"]
    assert "rerun" not in engine.report(run, NOW, "b", "second")
    assert reached(run).steps == {"b", "c"}


def test_beginning_at_no_node_is_said() -> None:
    engine = machine(CHAIN)
    run = engine.rerun(engine.start("r1", NOW), "r2", NOW, "zz")
    assert run["history"][0]["summary"] == "cannot begin at “zz”: it is no node; all is run"


def test_the_whole_request_shares_nothing() -> None:
    engine = machine(graph([node("a", input={"o": {"p": 1}})]))
    run = engine.start("r", NOW)
    asked = engine.advance(run, NOW)
    request = context(run, asked, Repository("r", "handbook", "/srv/handbook"), "Do it.")
    assert request["skill"] == {
        "source": "repository",
        "provider": "claude",
        "name": "a",
        "rootDir": "/srv/handbook/.claude/skills/a",
        "skillFile": ".claude/skills/a/SKILL.md",
        "skillFileAbsPath": "/srv/handbook/.claude/skills/a/SKILL.md",
        "content": "Do it.",
    }
    assert request["execution"] == {"timeoutMs": 300_000, "cwd": "/srv/handbook"}
    request["input"]["o"]["p"] = 2
    assert asked["input"] == {"o": {"p": 1}}


LOOP = graph(
    ["write", "review", "limit"],
    [("write", "review"), ("review", "limit"), ("limit", "write")],
    **{"x-circuit": {"allowCycles": True}},
)
LOOP["nodes"][2] |= {
    "skillRef": {"source": "default", "provider": "codex", "skillFile": ".codex/skills/loop-limit/SKILL.md"},
    "input": {"arguments": "2 rounds at most"},
}


def test_a_loop_limiter_runs_no_agent_and_ends_the_loop() -> None:
    engine = machine(LOOP)
    run = engine.start("r", NOW)
    assert drive(engine, run, {}) == ["write", "review"] * 3
    assert run["data"]["steps"]["limit"]["output"] == {"iteration": 3, "maxIterations": 2, "exceeded": True}
    assert run_state(run)["status"] == "failed"


@pytest.mark.parametrize("arguments", ["", "0", "-1", "x", "1.5", "٣"])
def test_a_loop_limiter_without_a_number_fails(arguments: str) -> None:
    value = json.loads(json.dumps(LOOP))
    value["nodes"][2]["input"] = {"arguments": arguments}
    engine = machine(value)
    run = engine.start("r", NOW)
    drive(engine, run, {})
    assert "begin with the number of rounds" in run["worst"]["why"]


@pytest.mark.parametrize("result", [{"loopComplete": True}, {"status": "success", "summary": "CIRCUIT_LOOP_COMPLETE"}])
def test_a_result_can_end_the_loop(result: Any) -> None:
    engine = machine(LOOP)
    run = engine.start("r", NOW)
    engine.advance(run, NOW)
    engine.report(run, NOW, "write", "draft")
    assert engine.report(run, NOW, "review", result)["act"] == "done"
    assert run_state(run)["iteration"] == 1


def test_a_loop_is_bounded_anyway() -> None:
    value = graph(["a"], [("a", "a")])
    engine = machine(value, allow_cycles=True, rounds=3)
    run = engine.start("r", NOW)
    assert drive(engine, run, {}) == ["a"] * 3
    assert "3 rounds (C774)" in run["stopped"]["reason"]
    engine = machine(value, allow_cycles=True, directives=5)
    run = engine.start("r", NOW)
    assert len(drive(engine, run, {})) == 5


def test_the_graph_may_be_edited_while_it_runs() -> None:
    engine = machine(CHAIN)
    run = engine.start("r", NOW)
    engine.advance(run, NOW)
    edited = machine(graph(["new", "c", "a"], [("new", "c")]))
    asked = edited.report(run, NOW, "a", "done")
    assert asked["nodeId"] == "c"
    assert edited.report(run, NOW, "c", "done")["act"] == "done"
    assert {entry["stepId"]: entry["state"] for entry in run["trace"]} == {
        "a": "done",
        "b": "idle",
        "c": "done",
        "new": "idle",
    }


def test_the_run_of_something_else_is_refused() -> None:
    engine = machine(CHAIN)
    other = machine(graph(["a"], id="other")).start("r", NOW)
    with pytest.raises(CircuitError, match="a run of another workflow"):
        engine.advance(other, NOW)
    with pytest.raises(CircuitError, match="no run of a skill graph"):
        engine.rerun({"id": "r", "mode": "live", "workflowId": "w"}, "r2", NOW)


@pytest.mark.parametrize(
    ("ref", "root", "path"),
    [
        ({"source": "default", "provider": "codex", "skillFile": "x/SKILL.md"}, "default://x", "default://x/SKILL.md"),
        ({"source": "system", "provider": "codex", "systemSkillId": "codex:y"}, "system://", "system://codex:y"),
    ],
)
def test_skills_from_elsewhere_have_no_path_here(ref: dict[str, str], root: str, path: str) -> None:
    engine = machine(graph([node("a", skillRef=ref)]))
    run = engine.start("r", NOW)
    skill = context(run, engine.advance(run, NOW), Repository("r", "r", "/srv/r"))["skill"]
    assert (skill["rootDir"], skill["skillFileAbsPath"]) == (root, path)
    assert skill.get("systemSkillId") == ref.get("systemSkillId")


def test_a_graph_takes_no_input() -> None:
    with pytest.raises(CircuitError, match="no trigger and no input"):
        machine(CHAIN).start("r", NOW, input={"x": 1})


def test_the_record_is_one_that_can_be_saved() -> None:
    engine = machine(CHAIN)
    run = engine.start("r", NOW)
    engine.advance(run, NOW)
    again = load(save(run))
    assert drive(engine, again, {}) == ["a", "b", "c"]
    assert again["history"][0] == {"stepId": "a", "at": NOW, "state": "done", "input": {}, "output": "a"}


def test_a_scenario_is_played_and_covers() -> None:
    engine = machine(CHAIN)
    played = play(engine, Scenario(0, "plain", answers={"a": (Reply("result", "text"),), "c": (Reply("error", "no"),)}))
    assert played.lines == (
        "run_skill a claude:.claude/skills/a/SKILL.md",
        "run_skill b claude:.claude/skills/b/SKILL.md",
        "run_skill c claude:.claude/skills/c/SKILL.md",
        "blocked c — It failed: no. Mend it and run again from here; what ran before is kept.",
    )
    assert played.status == "failed"
    outline = engine.outline()
    assert outline.steps == ("a", "b", "c")
    assert reached(played.run) == Reached(frozenset(outline.steps), frozenset(outline.wires))
    assert outline.asks == {"a": "run_skill", "b": "run_skill", "c": "run_skill"}


def test_in_a_test_run_nothing_is_run() -> None:
    played = play(machine(CHAIN), Scenario(0, "test", mode="test"))
    assert {directive["act"] for directive in played.directives} == {"preview", "done"}


def test_what_ran_in_an_earlier_round_counts() -> None:
    engine = machine(LOOP)
    run = engine.start("r", NOW)
    drive(engine, run, {"#3": "failed"})
    assert run_state(run)["nodeStates"] == {"write": "failed", "review": "skipped", "limit": "skipped"}
    found = reached(run)
    assert found.steps == {"write", "review", "limit"}
    assert Way("limit", "out", "write") in found.wires


# --- taking up -------------------------------------------------------------------------------------------------------


def three(**more: Any) -> dict[str, Any]:
    return graph([node("a"), node("b"), node("c")], [("a", "b"), ("b", "c")], **more)


def test_a_run_that_stopped_is_taken_up_where_it_did() -> None:
    engine = machine(three())
    run = engine.start("r1", NOW)
    assert drive(engine, run, {"b": "failed"}) == ["a", "b"]
    turn = run["directives"]
    again = engine.resume(load(save(run)), NOW)
    assert (again["act"], again["nodeId"]) == ("run_skill", "b")
    assert engine.resume(run, NOW)["turn"] > turn
    assert drive(engine, run, {}) == ["b", "c"]
    assert run["status"] == "succeeded"
    assert [moment["state"] for moment in run["history"] if moment["stepId"] == "b"] == ["failed", "done"]
    assert len(run["taken"]) == 2


def test_a_node_can_be_passed_over() -> None:
    engine = machine(three())
    run = engine.start("r1", NOW)
    drive(engine, run, {"b": "failed"})
    assert engine.resume(run, NOW, skip=True)["nodeId"] == "c"


def test_what_is_not_stopped_is_not_taken_up() -> None:
    engine = machine(three())
    run = engine.start("r1", NOW)
    first = engine.advance(run, NOW)
    assert engine.resume(run, NOW) == first
    drive(engine, run, {})
    assert engine.resume(run, NOW)["act"] == "done"
    with pytest.raises(CircuitError):
        engine.resume(run, NOW, input={"a": 1})


def test_a_loop_that_stopped_begins_anew() -> None:
    engine = machine(graph([node("a"), node("b")], [("a", "b"), ("b", "a")]), allow_cycles=True, directives=4)
    run = engine.start("r1", NOW)
    drive(engine, run, {})
    assert run["status"] == "failed"
    assert engine.resume(run, NOW, skip=True)["act"] == "blocked"
    engine.resume(run, NOW)
    assert drive(engine, run, {"#2": "complete"}) == ["a", "b"]
    assert run["status"] == "succeeded"
