"""Runs: started, moved on, lost races, taken up again."""

import asyncio
import json
from datetime import timedelta
from typing import Any

import pytest
from support.serving import DESIGN, SHOWS, Session, talk

from circuit_export.server.answers import NEXT
from circuit_export.server.desk import Rules
from circuit_export.server.payload import run_payload

LOOP = [
    {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "each"}]},
    {
        "id": "each",
        "type": "logic.each",
        "title": "Each",
        "config": {"list": "trigger.items"},
        "next": [{"to": "look"}, {"port": "done", "to": "say"}],
    },
    {
        "id": "look",
        "type": "tool.call",
        "title": "Look",
        "config": {"tool": "Wiki:get", "arguments": {"of": "{{item}}"}},
    },
    {"id": "say", "type": "note.say", "title": "Say", "config": {"template": "Done."}},
]
TOGETHER = [
    {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "all"}]},
    {
        "id": "all",
        "type": "logic.branches",
        "title": "All",
        "config": {"together": True},
        "next": [{"to": "one"}, {"to": "two"}, {"port": "join", "to": "say"}],
    },
    {"id": "one", "type": "tool.call", "title": "One", "config": {"tool": "Wiki:get"}},
    {"id": "two", "type": "tool.call", "title": "Two", "config": {"tool": "Wiki:list"}},
    {"id": "say", "type": "note.say", "title": "Say", "config": {"template": "Done."}},
]


async def started(session: Session, **more: Any) -> Any:
    board_id = await session.design()
    return await session.good("run", workflowId=board_id, input={"voice": "warm"}, **more)


def test_a_run_is_obeyed_to_its_end() -> None:
    async def script(session: Session) -> None:
        said = await started(session)
        assert said.text.startswith("No binding is on file")
        assert json.loads(said.text.partition(f"\n{NEXT}\n")[2]) == said.next
        assert said.props["phase"] == "run"
        acts = []
        while said.next["act"] != "done":
            acts.append(said.next["act"])
            result: Any = {"decision": "approve"} if said.next["act"] == "ask" else {"text": "well"}
            said = await session.good("step", runId=said.run_id, stepId=said.next["stepId"], result=result)
        assert acts == ["call_tool", "think", "ask", "call_tool"]
        assert said.props["run"]["status"] == "succeeded"
        runs = await session.good("runs")
        assert runs.text.startswith(f"{said.run_id}  succeeded           live  2026-01-05T08:00:00.000Z")
        assert runs.props["run"]["id"] == said.run_id
        board = await session.good("open", workflowId=said.board_id)
        assert board.props["phase"] == "run"
        assert board.props["workflow"]["lastRunAt"] == "2026-01-05T08:00:00.000Z"

    talk(script)


def test_inputs_are_asked_for_before_anything_starts() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        text = await session.bad("run", workflowId=board_id)
        assert "voice — Whose voice the answers have" in text
        assert "No workflow" in await session.bad("run", workflowId="x")
        assert "none of its words" in await session.bad("run", workflowId=board_id, mode="dry")
        assert "There are no runs" in (await session.good("runs")).text

    talk(script)


def test_an_input_that_nothing_asks_for_is_said() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        said = await session.good("run", workflowId=board_id, input={"voice": "warm", "voic": "x", "other": 1})
        assert said.text.startswith(
            "“voic” is no input of this workflow. “voice”?\n“other” is no input of this workflow."
        )
        many = {f"n{number}": 1 for number in range(1007)}
        said = await session.good("run", workflowId=board_id, input={"voice": "warm", **many})
        assert "\nNor are 1,002 more.\n" in said.text
        said = await session.good("run", workflowId=board_id, input={"voice": "warm"})
        assert said.text.startswith("No binding is on file")
        await session.bind()
        steps = [{**step, "config": {**step["config"], "voice": "{{input.who}}"}} for step in DESIGN["steps"]]
        board_id = await session.design(steps=steps)
        said = await session.good("run", workflowId=board_id, input={"voice": "warm", "who": "Ada"})
        assert said.text.startswith("Morning post")

    talk(script)


def test_a_run_starts_with_what_triggered_it_and_what_it_asks_for() -> None:
    async def script(session: Session) -> None:
        step = {
            "id": "look",
            "type": "tool.call",
            "title": "Look",
            "config": {"tool": "Wiki:get", "arguments": {"of": "{{trigger.of}}", "as": "{{input.how}}"}},
        }
        inputs = [{"name": "how", "default": "text"}]
        board_id = await session.design(steps=[{**LOOP[0], "next": [{"to": "look"}]}, step], inputs=inputs)
        said = await session.good("run", workflowId=board_id, trigger={"of": "Ada"})
        assert said.next["arguments"] == {"of": "Ada", "as": "text"}
        assert said.props["run"]["mode"] == "live"
        assert said.props["run"]["input"] == {"how": "text"}
        said = await session.good("run", workflowId=board_id, input={"how": "page"})
        assert said.next["arguments"] == {"as": "page"}

    talk(script)


def test_runs_are_listed_newest_first_so_many_and_of_one_board() -> None:
    async def script(session: Session) -> None:
        one, other = await session.design(workflowId="one"), await session.design(workflowId="other")
        for number in range(12):
            session.later(timedelta(minutes=1))
            board_id = other if number == 11 else one
            await session.good("run", workflowId=board_id, input={"voice": "x"}, mode="test")
        said = await session.good("runs")
        assert len(said.text.splitlines()) == 10
        assert said.board_id == other
        first = said.text.splitlines()[0]
        assert first == f"{said.run_id}  running             test  2026-01-05T08:12:00.000Z  at fetch"
        assert len((await session.good("runs", limit=3)).text.splitlines()) == 3
        assert len((await session.good("runs", limit=1000)).text.splitlines()) == 12
        assert len((await session.good("runs", limit=0)).text.splitlines()) == 1
        said = await session.good("runs", workflowId=one, limit=100)
        assert len(said.text.splitlines()) == 11
        assert said.board_id == one
        assert "did you mean “other”" in await session.bad("runs", workflowId="othr")
        await session.good("delete", workflowId=one)
        assert len((await session.good("runs", workflowId=one)).text.splitlines()) == 10

    talk(script)


def test_a_test_run_shows_writes_and_is_no_proof_of_life() -> None:
    async def script(session: Session) -> None:
        said = await started(session, mode="test")
        for result in ({}, {"text": "x"}, "approve"):
            said = await session.good("step", runId=said.run_id, stepId=said.next["stepId"], result=result)
        assert said.next["act"] == "preview"
        assert said.props["workflow"]["lastRunAt"] is None

    talk(script)


def test_what_is_not_awaited_changes_nothing() -> None:
    async def script(session: Session) -> None:
        said = await started(session)
        other = await session.good("step", runId=said.run_id, stepId="send", result={})
        assert other.next["act"] == "blocked"
        assert "fetch" in other.next["reason"]
        assert (await session.good("runs")).props["run"]["history"] == said.props["run"]["history"]
        assert "No run “run_x”" in await session.bad("step", runId="run_x", stepId="send")

    talk(script)


def test_a_late_duplicate_in_a_loop_answers_no_other_item() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=LOOP, inputs=[])
        said = await session.good(
            "run", workflowId=board_id, trigger={"items": ["a", "b"]}, input={"voice": "x"}, mode="live"
        )
        first = {"runId": said.run_id, "stepId": "look", "result": 1, "turn": said.next["turn"]}
        assert said.next["arguments"] == {"of": "a"}
        assert (await session.good("step", **first)).next["arguments"] == {"of": "b"}
        late = await session.good("step", **first)
        assert late.next["act"] == "blocked"
        waits = (await session.good("runs")).props["run"]["awaiting"]
        assert waits["stepId"] == "look"
        last = await session.good("step", runId=said.run_id, stepId="look", result=2, turn=waits["turn"])
        assert last.next["act"] == "say"

    talk(script)


def test_of_many_reports_at_once_exactly_one_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=LOOP, inputs=[])
        items = list("abcdefghij")
        said = await session.good("run", workflowId=board_id, trigger={"items": items}, input={"voice": "x"})
        store, run_id, turn = session.desk.store, said.run_id, said.next["turn"]
        read, get_run = asyncio.Barrier(8), store.get_run
        racing = [True] * 8

        async def all_read_the_same(workspace: str, wanted: str, **known: int) -> Any:
            stored = await get_run(workspace, wanted, **known)
            if racing:
                racing.pop()
                await read.wait()
            return stored

        monkeypatch.setattr(store, "get_run", all_read_the_same)
        answers = await asyncio.gather(
            *[session.good("step", runId=run_id, stepId="look", result=i, turn=turn) for i in range(8)]
        )
        assert sum("Somebody else was quicker" in answer.text for answer in answers) == 7
        assert sum("late" in answer.props for answer in answers) == 7
        assert {json.dumps(answer.next) for answer in answers} == {json.dumps(answers[0].next)}
        assert answers[0].next["arguments"] == {"of": "b"}
        stored = await get_run("local", run_id)
        assert stored is not None
        assert sum(moment["stepId"] == "look" for moment in stored.run["history"]) == 1

    talk(script)


def test_who_comes_too_late_is_told_what_the_quicker_one_made_of_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    async def script(session: Session) -> None:
        said = await started(session)
        store = session.desk.store
        read, get_run = asyncio.Barrier(2), store.get_run
        racing = [True] * 2

        async def both_read_the_same(workspace: str, wanted: str, **known: int) -> Any:
            stored = await get_run(workspace, wanted, **known)
            if racing:
                racing.pop()
                await read.wait()
            return stored

        monkeypatch.setattr(store, "get_run", both_read_the_same)
        report = {"runId": said.run_id, "stepId": "fetch"}
        answers = await asyncio.gather(
            session.good("step", **report, result={"a": 1}), session.good("step", **report, error="it is down")
        )
        assert sum("late" in answer.props for answer in answers) == 1
        late, quick = sorted(answers, key=lambda answer: "late" not in answer.props)
        for key in ("status", "awaiting", "failedAt", "trace", "history"):
            assert late.props["run"][key] == quick.props["run"][key]
        assert late.text.startswith("Somebody else was quicker, so this report was not applied")

    talk(script)


def test_a_batch_is_answered_by_step() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=TOGETHER, inputs=[])
        said = await session.good("run", workflowId=board_id, input={"voice": "x"})
        assert said.next["act"] == "call_many"
        report = {"runId": said.run_id, "stepId": said.next["stepId"]}
        said = await session.good("step", **report, results={"one": 1}, errors={"two": "it is down"})
        assert said.next["act"] == "blocked"
        said = await session.good("resume", runId=said.run_id)
        assert [call["stepId"] for call in said.next["calls"]] == ["two"]
        said = await session.good("step", **report, results={"two": 2})
        assert said.next["act"] == "say"

    talk(script)


def test_a_report_of_several_calls_is_none_of_one() -> None:
    async def script(session: Session) -> None:
        said = await started(session)
        report = {"runId": said.run_id, "stepId": "fetch"}
        for wrong in (
            {"errors": {"fetch": "it is down"}},
            {"results": {"fetch": 1}},
            {"result": 1, "errors": {"x": "y"}},
        ):
            text = await session.bad("step", **report, **wrong)
            assert "Nothing was reported" in text
            assert "“error”" in text
        assert (await session.good("runs")).props["run"] == said.props["run"]
        said = await session.good("step", **report, result={"a": 1}, results={}, errors={})
        assert said.next["stepId"] == "write"

    talk(script)


def test_a_blank_error_is_none_and_says_nothing_alone() -> None:
    async def script(session: Session) -> None:
        said = await started(session)
        report = {"runId": said.run_id, "stepId": "fetch"}
        for blank in ("", "  \n"):
            assert "“error” is blank" in await session.bad("step", **report, error=blank)
        assert (await session.good("runs")).props["run"] == said.props["run"]
        said = await session.good("step", **report, result={"a": 1}, error="", results=None, errors=None)
        assert said.next["stepId"] == "write"
        said = await session.good("step", runId=said.run_id, stepId="write", result={"text": "x"}, error="it is down")
        assert said.props["run"]["failedAt"] == "write"

    talk(script)


def test_an_error_is_for_all_calls_and_errors_are_for_each() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=TOGETHER, inputs=[])
        said = await session.good("run", workflowId=board_id, input={"voice": "x"})
        report = {"runId": said.run_id, "stepId": "all"}
        text = await session.bad("step", **report, error="it is down", results={"one": 1})
        assert "“error” answers for all calls" in text
        said = await session.good("step", **report, error="it is down", results={}, errors={})
        assert said.next["act"] == "blocked"
        assert "it is down" in said.next["reason"]
        await session.good("resume", runId=said.run_id)
        said = await session.good("step", **report, error="", results={"one": 1, "two": 2})
        assert said.next["act"] == "say"

    talk(script)


def test_a_failed_run_is_taken_up_or_stepped_over() -> None:
    async def script(session: Session) -> None:
        said = await started(session)
        assert "circuit_open says" in await session.bad("resume", runId=said.run_id)
        failed = await session.good("step", runId=said.run_id, stepId="fetch", error="the service is down")
        assert failed.next["act"] == "blocked"
        assert failed.props["run"]["failedAt"] == "fetch"
        assert "circuit_resume" in failed.text
        again = await session.good("resume", runId=said.run_id)
        assert again.next["stepId"] == "fetch"
        await session.good("step", runId=said.run_id, stepId="fetch", error="still down")
        past = await session.good("resume", runId=said.run_id, skip=True)
        assert past.next["stepId"] == "write"

    talk(script)


async def held(session: Session) -> Any:
    """A run that waits at its gate."""
    said = await started(session)
    for result in ({}, {"text": "Dear Ada"}):
        said = await session.good("step", runId=said.run_id, stepId=said.next["stepId"], result=result)
    assert said.next["act"] == "ask"
    return said


def test_a_gate_is_edited_and_approved_from_the_board() -> None:
    async def script(session: Session) -> None:
        said = await held(session)
        said = await session.good("answer", runId=said.run_id, decision="approve", edit="Dear Grace")
        assert said.next["arguments"] == {"body": "Dear Grace"}
        assert "waits at “send” for something else" in await session.bad("answer", runId=said.run_id, decision="reject")

    talk(script)


def test_a_person_may_leave_nothing_of_a_text() -> None:
    async def script(session: Session) -> None:
        said = await held(session)
        said = await session.good("answer", runId=said.run_id, decision="approve", edit="")
        assert said.next["arguments"] == {"body": ""}

    talk(script)


def test_an_answer_for_another_turn_changes_nothing() -> None:
    async def script(session: Session) -> None:
        said = await held(session)
        late = await session.good("answer", runId=said.run_id, decision="reject", turn=said.next["turn"] - 1)
        assert late.next["act"] == "blocked"
        assert late.props["run"]["status"] == "awaiting_approval"
        said = await session.good("answer", runId=said.run_id, decision="approve", turn=said.next["turn"])
        assert said.next["act"] == "call_tool"

    talk(script)


def test_a_run_that_wanted_an_input_goes_on_with_it() -> None:
    async def script(session: Session) -> None:
        inner = await session.design(workflowId="inner")
        call = {"id": "call", "type": "flow.call", "title": "Call", "config": {"workflowId": inner}}
        call["config"] |= {"input": {"voice": "{{input.whose}}"}}  # type: ignore[dict-item]
        start = {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "call"}]}
        said = await session.good("run", workflowId=await session.design(steps=[start, call], inputs=[]))
        assert said.next["act"] == "blocked"
        assert "voice" in said.next["reason"]
        said = await session.good("resume", runId=said.run_id, input={"whose": "warm"})
        assert said.next["stepId"] == "fetch"

    talk(script)


def test_nobody_is_told_to_step_over_a_gate() -> None:
    async def script(session: Session) -> None:
        said = await held(session)
        said = await session.good("step", runId=said.run_id, stepId="gate", error="nobody is there")
        assert said.next["reason"].endswith(
            "Resume to ask once more. With skip it goes on though nobody approved it: only if the person wants that."
        )
        assert "stopped at gate; circuit_resume takes it up there\n" in said.text
        assert (await session.good("resume", runId=said.run_id)).next["act"] == "ask"

    talk(script)


def test_a_rejected_gate_ends_the_run() -> None:
    async def script(session: Session) -> None:
        said = await held(session)
        assert "none of its words" in await session.bad("answer", runId=said.run_id, decision="yes")
        said = await session.good("answer", runId=said.run_id, decision="reject")
        assert said.next["act"] == "done"
        assert said.props["run"]["status"] == "cancelled"
        assert "it waits on nothing" in await session.bad("answer", runId=said.run_id, decision="approve")

    talk(script)


def test_only_a_person_at_the_board_approves_when_told_so() -> None:
    async def script(session: Session) -> None:
        said = await held(session)
        for report in ({"result": "approve"}, {"error": "no one here"}, {"results": {"gate": "approve"}}):
            assert "a person answers" in await session.bad("step", runId=said.run_id, stepId="gate", **report)
        assert (await session.good("answer", runId=said.run_id, decision="approve")).next["act"] == "call_tool"

    talk(script, rules=Rules(gate_answers="board"), extensions=SHOWS)


def test_where_only_the_board_answers_nobody_steps_over_a_gate() -> None:
    """One that cannot be asked at, or what has one in it; anything else is stepped over as ever."""

    async def script(session: Session) -> None:
        steps = [{**step} for step in DESIGN["steps"]]
        steps[3]["config"] = {"question": {"no": "text"}}
        board_id = await session.design(steps=steps)
        said = await session.good("run", workflowId=board_id, input={"voice": "x"})
        said = await session.good("step", runId=said.run_id, stepId="fetch", error="it is down")
        said = await session.good("resume", runId=said.run_id, skip=True)
        said = await session.good("step", runId=said.run_id, stepId="write", result={"text": "x"})
        assert said.props["run"]["failedAt"] == "gate"
        assert "“gate” is a gate" in await session.bad("resume", runId=said.run_id, skip=True)
        ops = [{"op": "update_step", "stepId": "gate", "config": {"question": "Send it?"}}]
        await session.good("patch", workflowId=board_id, ops=ops)
        assert (await session.good("resume", runId=said.run_id)).next["act"] == "ask"

        await session.design(workflowId="asks")
        call = {"id": "call", "type": "flow.call", "title": "Call", "config": {"workflowId": "asks"}}
        start = {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "call"}]}
        said = await session.good("run", workflowId=await session.design(steps=[start, call], inputs=[]))
        assert said.props["run"]["failedAt"] == "call"
        assert "“call” may ask a person" in await session.bad("resume", runId=said.run_id, skip=True)

        await session.design(workflowId="inner", steps=steps, inputs=[])
        call["config"] = {"workflowId": "inner"}
        said = await session.good("run", workflowId=await session.design(steps=[start, call], inputs=[]))
        for step, result in (("fetch", {}), ("write", {"text": "x"})):
            said = await session.good("step", runId=said.run_id, stepId=step, result=result)
        assert said.props["run"]["failedAt"] == "gate"
        assert "“gate” is a gate" in await session.bad("resume", runId=said.run_id, skip=True)

    talk(script, rules=Rules(gate_answers="board"), extensions=SHOWS)


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_where_no_board_is_shown_nobody_answers_as_the_person_at_it(mode: str) -> None:
    async def script(session: Session) -> None:
        said = await held(session)
        assert "this client shows none" in await session.bad("answer", runId=said.run_id, decision="approve")
        assert (await session.good("runs")).props["run"]["status"] == "awaiting_approval"

    talk(script, rules=Rules(gate_answers="board"), mode=mode)


def test_a_run_whose_step_is_gone_says_what_to_do() -> None:
    async def script(session: Session) -> None:
        said = await held(session)
        ops = [{"op": "remove_step", "stepId": "gate"}, {"op": "connect", "from": "write", "to": "send"}]
        await session.good("patch", workflowId=said.board_id, ops=ops)
        for tool, report in (("step", {"stepId": "gate", "result": "approve"}), ("answer", {"decision": "approve"})):
            late = await session.good(tool, runId=said.run_id, **report)
            assert late.next["act"] == "blocked"
            assert "put it back, or start another run" in late.next["reason"]
            assert late.props["run"]["status"] == "awaiting_approval"

    talk(script)


def test_a_run_whose_workflow_is_gone() -> None:
    async def script(session: Session) -> None:
        said = await started(session)
        await session.good("delete", workflowId=said.board_id)
        text = await session.bad("step", runId=said.run_id, stepId="fetch", result={})
        assert "cannot be opened" in text
        assert "circuit_list" in text
        assert (await session.good("runs")).props is None

    talk(script)


def test_a_called_workflow_runs_inside() -> None:
    async def script(session: Session) -> None:
        inner = await session.design(**{**DESIGN, "inputs": []}, workflowId="inner")
        call = {
            "id": "call",
            "type": "flow.call",
            "title": "Call",
            "config": {"workflowId": inner, "input": {"voice": "x"}},
        }
        start = {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "call"}]}
        outer = await session.design(steps=[start, call], inputs=[])
        said = await session.good("run", workflowId=outer)
        assert said.next["stepId"] == "fetch"
        assert "called by" in await session.bad("delete", workflowId=inner)

    talk(script)


def test_a_long_run_answers_with_its_newest_moments_and_says_how_many_are_left_out() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=LOOP, inputs=[])
        items = {"items": list("abcdefghij")}
        said = await session.good("run", workflowId=board_id, trigger=items, input={"voice": "x"})
        while said.next["act"] != "done":
            said = await session.good("step", runId=said.run_id, stepId=said.next["stepId"], result={})
            told = said.props["run"]
            assert len(told["history"]) <= 20
        whole = (await session.good("runs")).props["run"]["history"]
        assert len(whole) == len(told["history"]) + told.get("earlierMoments", 0)
        assert whole[-len(told["history"]) :] == told["history"]

    talk(script)


def test_a_run_of_many_moments_leaves_some_out() -> None:
    run = {"id": "r", "workflowId": "w", "status": "running", "mode": "live", "startedAt": "", "trace": []}
    run |= {"awaiting": None, "failedAt": None, "history": list(range(30)), "data": {"input": {}}}
    shown = run_payload(run, 20)
    assert shown["history"] == list(range(10, 30))
    assert shown["earlierMoments"] == 10
    assert "earlierMoments" not in run_payload(run, 30)
    assert run_payload(run)["history"] == list(range(30))
