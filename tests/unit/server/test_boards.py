"""Boards bound, designed, patched and changed by hand."""

import asyncio
import json
from typing import Any

import pytest
from support.serving import DESIGN, TOOLS, Session, talk

from circuit_export.formats import likeness
from circuit_export.formats.steps import connectors
from circuit_export.formats.wording import COMPARISONS
from circuit_export.server import payload, saving

STEPS = DESIGN["steps"]


def steps_with(**changes: Any) -> list[dict[str, Any]]:
    """The board's steps, with changes of some of them by id."""
    return [{**step, **changes.get(step["id"], {})} for step in STEPS]


# --- connectors


def test_the_catalog_names_who_does_each_of_fourteen_types() -> None:
    async def script(session: Session) -> str:
        return (await session.good("catalog")).text

    kit = json.loads(talk(script))
    assert len(kit) == 14
    assert {entry["doneBy"] for entry in kit} == {"circuit", "claude", "user"}


def test_a_binding_is_replaced_trimmed_and_kept_once() -> None:
    async def script(session: Session) -> None:
        assert "Nothing is bound yet" in (await session.good("tools")).text
        said = await session.good("bind", tools=[{"name": " A:one "}, {"name": ""}, {"name": "B.two", "hint": "x"}])
        assert said.text == "2 tools of 2 connectors on file: A, B."
        await session.good("bind", tools=[{"name": "A:one", "hint": "first"}, {"name": "A:one", "hint": "last"}])
        shown = (await session.good("tools")).text
        assert "A: one (last)" in shown
        assert "B" not in shown
        assert "Tool 1 has no name" in await session.bad("bind", tools=[5])
        assert "no tool among them" in await session.bad("bind", tools=[{"name": "  "}])

    talk(script)


def test_a_binding_says_which_workflows_lost_a_tool() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        said = (await session.bind("Gmail:search_threads")).text
        assert f"{board_id} “Morning post” misses Gmail:send_message" in said

    talk(script)


# --- design


def test_a_design_is_saved_and_shown() -> None:
    async def script(session: Session) -> None:
        assert "circuit_design" in (await session.good("list")).text
        await session.bind()
        said = await session.good("design", **DESIGN)
        assert said.board_id == "wf_0001"
        assert said.props["phase"] == "design"
        assert said.props["run"] is None
        assert said.props["storage"] == "memory"
        assert said.props["workflow"]["status"] == "draft"
        assert said.props["workflow"]["version"] == 1
        assert said.props["tools"]["missing"] == []
        assert said.result.meta is not None
        assert said.result.meta["ui/props"] == said.props
        assert said.result.meta["ui"] == {"props": said.props}
        assert "Every connector is there (2 tools)" in said.text
        send = said.step("send")
        assert send["toolKnown"] is True
        assert send["writes"] is True
        assert [said.step(name)["position"]["col"] for name in said.step_ids] == [0, 1, 2, 3, 4]
        assert (await session.good("list")).text == "wf_0001  draft  Morning post  5 steps"

    talk(script)


def test_what_a_design_holds_beside_is_kept_and_said() -> None:
    async def script(session: Session) -> None:
        said = await session.good("design", **DESIGN, colour="red")
        assert "“colour” is not a key" in said.text
        assert (await session.text_of(said.board_id))["colour"] == "red"

    talk(script)


def test_an_unknown_tool_is_saved_flagged_and_refused_at_the_run() -> None:
    async def script(session: Session) -> None:
        await session.bind("Gmail:search_threads", "Gmail:send_messages")
        said = await session.good("design", **DESIGN)
        assert said.step("send")["toolKnown"] is False
        assert "did you mean Gmail:send_messages?" in said.text
        assert "circuit_run will refuse" in said.text
        missing = said.props["tools"]["missing"]
        assert missing == [{"tool": "Gmail:send_message", "steps": ["send"], "suggestion": "Gmail:send_messages"}]
        assert "tools are missing" in await session.bad("run", workflowId=said.board_id, input={"voice": "warm"})
        assert (await session.good("runs")).props is None

    talk(script)


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        (steps_with(send={"type": "tool.cal"}, write={"type": "model.wrote"}), ["tool.cal", "model.wrote", "catalog"]),
        (steps_with(gate={"next": [{"port": "out", "to": "sned"}]}), ["sned"]),
        (steps_with(gate={"next": [{"port": "done", "to": "send"}]}), ["done"]),
        ([*STEPS, STEPS[-1]], ["send"]),
        (
            [{**STEPS[0], "next": []}, {"id": "c", "type": "flow.call", "title": "C", "config": {"workflowId": "x"}}],
            ["x"],
        ),
        ([{"id": "a", "title": "no type"}], ["Step 1", "type"]),
        (["a"], ["Step 1"]),
        ([], ["empty"]),
        ("steps", ["“steps” is not a list"]),
    ],
    ids=["types", "wire", "port", "id", "call", "shape", "kind", "none", "text"],
)
def test_what_cannot_be_drawn_or_run_is_refused_with_every_problem(steps: Any, said: list[str]) -> None:
    async def script(session: Session) -> str:
        text = await session.bad("design", name="x", steps=steps)
        assert (await session.good("list")).text.startswith("There are no workflows")
        return text

    text = talk(script)
    assert all(word in text for word in said), text


def test_all_that_is_wrong_is_listed_unless_it_is_endless() -> None:
    async def script(session: Session) -> None:
        steps = [{"id": f"s{number}", "type": "tool.cal", "title": "x"} for number in range(101)]
        text = await session.bad("design", name="x", steps=steps[:100])
        assert [line.split()[2] for line in text.splitlines()[1:-1]] == [f"“s{number}”" for number in range(100)]
        assert text.splitlines()[-1].startswith("  try: mend them all and call again.")
        text = await session.bad("design", name="x", steps=steps)
        assert text.splitlines()[-2] == "  and 1 more"

    talk(script)


def test_a_redesign_keeps_standing_schedule_and_inputs() -> None:
    async def script(session: Session) -> None:
        start = {"type": "trigger.schedule", "config": {"cron": "0 8 * * 1-5", "note": "every weekday at eight"}}
        board_id = await session.design(steps=steps_with(start=start))
        await session.good("arm", workflowId=board_id)
        await session.good("scheduled", workflowId=board_id, taskId="task-1")
        await session.good("run", workflowId=board_id, input={"voice": "warm"})
        said = await session.good("design", workflowId=board_id, name="Anew", steps=steps_with(start=start))
        workflow = said.props["workflow"]
        assert workflow["id"] == board_id
        assert workflow["status"] == "armed"
        assert workflow["version"] == 2
        assert workflow["schedule"]["taskId"] == "task-1"
        assert workflow["lastRunAt"]
        assert [item["name"] for item in workflow["inputs"]] == ["voice"]

    talk(script)


def test_what_is_not_given_may_be_null_and_an_id_has_another_name() -> None:
    async def script(session: Session) -> None:
        said = await session.good(
            "design", name="x", steps=STEPS, workflowId=None, description=None, entry=None, inputs=None, id="mine"
        )
        assert said.text.startswith("“id” was not read: “workflowId” names the workflow")
        assert said.board_id == "wf_0001"
        workflow = said.props["workflow"]
        assert (workflow["description"], workflow["entry"], workflow["inputs"]) == ("", "start", [])
        said = await session.good("design", name="x", steps=STEPS, workflowID="wf_0001")
        assert said.text.startswith("“workflowID” was not read")
        again = await session.good("design", name="x", steps=STEPS, workflowId="wf_0001", id="wf_0001")
        assert again.text.startswith("Saved.")

    talk(script)


def test_a_workflow_of_another_format_is_not_replaced() -> None:
    async def script(session: Session) -> None:
        graph = {"version": "0.1", "nodes": [{"id": "a", "type": "skill", "skillRef": {"source": "system", "id": "b"}}]}
        text = (await session.good("import", source=json.dumps({**graph, "edges": []}))).text
        board_id = text.partition("(")[2].partition(")")[0]
        for inputs in ([], [{"name": "voice"}]):
            said = await session.bad("design", workflowId=board_id, name="x", steps=STEPS, inputs=inputs)
            assert "only circuit boards are edited and run here" in said

    talk(script)


async def call_board(session: Session, board_id: str, callee: str) -> Any:
    """A board that calls another."""
    call = {"id": "call", "type": "flow.call", "title": "Call", "config": {"workflowId": callee}}
    start = {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "call"}]}
    return await session.call("design", workflowId=board_id, name=board_id, steps=[start, call])


def test_workflows_that_call_each_other_or_lie_too_deep_are_refused() -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="b0", inputs=[])
        for number in range(1, 5):
            assert not (await call_board(session, f"b{number}", f"b{number - 1}")).failed
        deep = await call_board(session, "b5", "b4")
        assert deep.failed
        assert "deep" in deep.text
        for board_id, callee in (("b1", "b1"), ("b0", "b2")):
            ring = await call_board(session, board_id, callee)
            assert ring.failed
            assert f"→ {board_id}" in ring.text
        assert (await session.good("open", workflowId="b0")).props["workflow"]["version"] == 1

    talk(script)


def test_branches_that_cannot_go_together_are_refused() -> None:
    async def script(session: Session) -> str:
        steps = [
            {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "all"}]},
            {
                "id": "all",
                "type": "logic.branches",
                "title": "All",
                "config": {"together": True},
                "next": [{"to": "one"}, {"to": "two"}],
            },
            {"id": "one", "type": "tool.call", "title": "1", "config": {"tool": "Wiki:get"}, "next": [{"to": "two"}]},
            {"id": "two", "type": "model.write", "title": "2", "config": {"instructions": "hi"}},
        ]
        return await session.bad("design", name="x", steps=steps)

    text = talk(script)
    assert "“one”" in text
    assert "“two”" in text


def test_an_armed_board_whose_trigger_says_something_else_says_so() -> None:
    async def script(session: Session) -> None:
        start = {"type": "trigger.schedule", "config": {"cron": "0 8 * * *"}}
        board_id = await session.design(steps=steps_with(start=start))
        await session.good("arm", workflowId=board_id)
        changes = [{"op": "update_step", "stepId": "start", "config": {"cron": "0 9 * * 1"}}]
        said = await session.good("patch", workflowId=board_id, ops=changes)
        assert "It was armed with “0 8 * * *”, and its trigger has “0 9 * * 1” by now: call circuit_arm" in said.text
        await session.good("arm", workflowId=board_id)
        assert "circuit_arm" not in (await session.good("rename", workflowId=board_id, name="x")).text
        said = await session.good("design", workflowId=board_id, name="x", steps=STEPS)
        assert "has no schedule any more" in said.text
        await session.good("arm", workflowId=board_id)
        said = await session.good("design", workflowId=board_id, name="x", steps=steps_with(start=start))
        assert "armed without a schedule" in said.text
        await session.good("disarm", workflowId=board_id)
        assert "circuit_arm" not in (await session.good("rename", workflowId=board_id, name="y")).text

    talk(script)


def test_only_the_tools_of_what_runs_are_needed_and_those_of_called_boards_too() -> None:
    async def script(session: Session) -> None:
        await session.bind("Gmail:search_threads")
        said = await session.good("design", **{**DESIGN, "steps": steps_with(send={"enabled": False})})
        assert said.props["tools"] == {"bound": True, "needed": ["Gmail:search_threads"], "missing": []}
        assert "misses" not in (await session.bind("Gmail:search_threads")).text
        inner = await session.design(workflowId="inner", inputs=[])
        said = await call_board(session, "outer", inner)
        assert [one["tool"] for one in said.props["tools"]["missing"]] == ["Gmail:send_message"]
        assert "tools are missing" in await session.bad("run", workflowId="outer")
        named = {"config": {"tool": "{{input.voice}}"}}
        said = await session.good("design", **{**DESIGN, "steps": steps_with(send=named)})
        assert said.props["tools"]["missing"] == []

    talk(script)


def test_boards_are_listed_in_columns() -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="a", steps=[STEPS[0] | {"next": []}])
        await session.design(workflowId="longer")
        await session.good("arm", workflowId="longer")
        assert set((await session.good("list")).text.splitlines()) == {
            "a       draft  Morning post  1 step",
            "longer  armed  Morning post  5 steps",
        }

    talk(script)


def test_a_chosen_id_is_taken() -> None:
    async def script(session: Session) -> None:
        assert await session.design(workflowId="morning") == "morning"
        assert "No workflow “mornin”" in (text := await session.bad("open", workflowId="mornin"))
        assert "did you mean “morning”?" in text
        assert "cannot be the name" in await session.bad("design", **DESIGN, workflowId="a\0b")

    talk(script)


# --- patches


def test_a_patch_does_all_its_operations() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        note = {"id": "told", "type": "note.say", "title": "Say so", "config": {"template": "Sent."}, "mine": 1}
        said = await session.good(
            "patch",
            workflowId=board_id,
            ops=[
                {"op": "add_step", "step": note, "after": "send"},
                {"op": "update_step", "stepId": "gate", "title": "Look", "config": {"question": "Now?"}},
                {"op": "disconnect", "from": "write", "to": "gate"},
                {"op": "connect", "from": "write", "to": "gate"},
                {"op": "connect", "from": "write", "to": "gate"},
            ],
        )
        assert said.props["workflow"]["version"] == 2
        assert said.step("send")["next"] == [{"port": "out", "to": "told"}]
        assert said.step("write")["next"] == [{"port": "out", "to": "gate"}]
        value = await session.text_of(board_id)
        assert value["steps"][-1]["mine"] == 1
        assert value["steps"][3]["config"] == {"preview": "steps.write.text", "question": "Now?"}
        said = await session.good("patch", workflowId=board_id, ops=[{"op": "remove_step", "stepId": "told"}])
        assert said.step("send")["next"] == []

    talk(script)


@pytest.mark.parametrize(
    ("op", "said"),
    [
        ({"op": "connect", "from": "send", "to": "nowhere"}, "no step “nowhere”"),
        ({"op": "connect", "from": "sned", "to": "start"}, "did you mean “send”?"),
        ({"op": "connect", "from": "send", "to": "send"}, "itself"),
        ({"op": "connect", "from": "send", "to": "gate", "port": "done"}, "done"),
        ({"op": "disconnect", "from": "send", "to": "gate"}, "no such wire"),
        ({"op": "add_step", "step": STEPS[0]}, "already"),
        ({"op": "add_step", "step": {"id": "n", "type": "x.y", "title": "n"}}, "x.y"),
        ({"op": "add_step", "step": {"id": 5}, "after": "send"}, "id"),
        ({"op": "remove_step", "stepId": "x"}, "no step “x”"),
        ({"op": "update_step"}, "“stepId” is missing"),
        ({"op": "upend"}, "“op” is none of its words"),
        (5, "it is no object"),
    ],
)
def test_a_patch_that_fails_saves_nothing(op: Any, said: str) -> None:
    async def script(session: Session) -> str:
        board_id = await session.design()
        ops = [{"op": "update_step", "stepId": "gate", "title": "changed"}, op]
        text = await session.bad("patch", workflowId=board_id, ops=ops)
        board = await session.good("open", workflowId=board_id)
        assert board.props["workflow"]["version"] == 1
        assert board.step("gate")["title"] == "Let me look"
        return text

    assert said in talk(script)


@pytest.mark.parametrize(
    ("op", "said"),
    [
        (
            {"op": "update_step", "stepId": "send", "titel": "x"},
            "“titel” is no argument here and was not read. “title”",
        ),
        ({"op": "update_step", "stepId": "send", "enabled": False}, "circuit_set_enabled switches one off"),
        ({"op": "update_step", "stepId": "send", "onError": {"do": "skip"}}, "“onError” is no argument here"),
        ({"op": "connect", "from": "gate", "to": "send", "after": "x"}, "“after” is no argument here"),
        ({"op": "update_step", "stepId": "send"}, "Nothing changed: it is version 1."),
    ],
)
def test_what_an_operation_does_not_take_is_said(op: Any, said: str) -> None:
    async def script(session: Session) -> str:
        answer = await session.good("patch", workflowId=await session.design(), ops=[op])
        assert answer.props["workflow"]["version"] == 1
        assert "Nothing changed: it is version 1." in answer.text
        assert "Saved" not in answer.text
        return answer.text

    assert said in talk(script)


def test_every_operation_takes_what_its_schema_says() -> None:
    """One of each, with all that it can have: nothing of it is left unread."""

    async def script(session: Session) -> None:
        board_id = await session.design()
        step = {"id": "told", "type": "note.say", "title": "Say so", "config": {"template": "Sent."}}
        ops = [
            {"op": "add_step", "step": step, "after": "gate", "port": "out"},
            {"op": "update_step", "stepId": "told", "title": "Say it", "config": {"template": "Done."}},
            {"op": "disconnect", "from": "gate", "to": "told", "port": "out"},
            {"op": "connect", "from": "send", "to": "told", "port": "out"},
            {"op": "remove_step", "stepId": "told"},
        ]
        said = await session.good("patch", workflowId=board_id, ops=ops)
        assert "was not read" not in said.text

    talk(script)


def test_a_step_is_added_after_a_port_and_a_setting_is_taken_away() -> None:
    async def script(session: Session) -> None:
        route = {"id": "fetch", "onError": {"do": "route", "port": "error"}}
        board_id = await session.design(steps=steps_with(fetch=route))
        step = {"id": "told", "type": "note.say", "title": "Say so", "config": {"template": "It failed."}}
        ops = [
            {"op": "add_step", "step": step, "after": "fetch", "port": "error"},
            {"op": "update_step", "stepId": "gate", "config": {"question": None}},
        ]
        said = await session.good("patch", workflowId=board_id, ops=ops)
        assert {"port": "error", "to": "told"} in said.step("fetch")["next"]
        assert (await session.text_of(board_id))["steps"][3]["config"] == {"preview": "steps.write.text"}
        assert "no step “x”" in await session.bad(
            "patch", workflowId=board_id, ops=[{"op": "add_step", "step": {**step, "id": "n"}, "after": "x"}]
        )

    talk(script)


def test_a_wire_has_a_port_and_is_cut_by_it_or_with_all_of_its_kind() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=steps_with(fetch={"onError": {"do": "route", "port": "error"}}))
        ends = {"workflowId": board_id, "from": "fetch", "to": "write"}
        plain, other = {"port": "out", "to": "write"}, {"port": "error", "to": "write"}
        said = await session.good("wire", **ends, port="error")
        assert said.step("fetch")["next"] == [plain, other]
        assert said.props["workflow"]["version"] == 2
        again = await session.good("wire", **ends, port="error")
        assert again.step("fetch")["next"] == [plain, other]
        assert "Nothing changed" in again.text
        said = await session.good("unwire", **ends, port="error")
        assert said.step("fetch")["next"] == [plain]
        await session.good("wire", **ends, port="error")
        said = await session.good("unwire", **ends)
        assert said.step("fetch")["next"] == []
        assert "no such wire" in await session.bad("unwire", **ends)
        assert "“done”" in await session.bad("wire", **ends, port="done")

    talk(script)


def test_removing_the_entry_finds_another() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        said = await session.good("patch", workflowId=board_id, ops=[{"op": "remove_step", "stepId": "start"}])
        assert said.props["workflow"]["entry"] == "fetch"
        assert (await session.text_of(board_id))["entry"] == "fetch"
        clock = {"id": "clock", "type": "trigger.schedule", "title": "Daily", "config": {"cron": "0 8 * * *"}}
        ops = [{"op": "add_step", "step": clock}, {"op": "remove_step", "stepId": "fetch"}]
        said = await session.good("patch", workflowId=board_id, ops=ops)
        assert said.props["workflow"]["entry"] == "clock"
        assert (await session.text_of(board_id))["entry"] == "clock"

    talk(script)


def test_patches_at_once_all_count() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        notes = [{"id": f"n{i}", "type": "note.say", "title": "n", "config": {"template": "x"}} for i in range(8)]
        await asyncio.gather(
            *[session.good("patch", workflowId=board_id, ops=[{"op": "add_step", "step": note}]) for note in notes]
        )
        said = await session.good("open", workflowId=board_id)
        assert {note["id"] for note in notes} <= set(said.step_ids)
        assert said.props["workflow"]["version"] == 9

    talk(script)


# --- by hand


def test_chips_are_moved_muted_wired_and_renamed() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        said = await session.good("move", workflowId=board_id, stepId="send", col=7, lane=2.0)
        assert said.step("send")["position"] == {"col": 7, "lane": 2}
        assert said.props["workflow"]["version"] == 1
        said = await session.good("set_enabled", workflowId=board_id, stepId="fetch", enabled=False)
        assert said.step("fetch")["enabled"] is False
        said = await session.good("set_enabled", workflowId=board_id, stepId="fetch", enabled=True)
        assert said.step("fetch")["enabled"] is True
        said = await session.good("wire", workflowId=board_id, **{"from": "send", "to": "fetch"})
        assert said.step("send")["next"] == [{"port": "out", "to": "fetch"}]
        said = await session.good("unwire", workflowId=board_id, **{"from": "send", "to": "fetch"})
        assert said.step("send")["next"] == []
        said = await session.good("rename", workflowId=board_id, name="Evening post")
        assert said.props["workflow"]["name"] == "Evening post"
        assert "whole number" in await session.bad("move", workflowId=board_id, stepId="send", col=0.5, lane=0)
        assert "no step" in await session.bad("set_enabled", workflowId=board_id, stepId="x", enabled=True)
        assert "itself" in await session.bad("wire", workflowId=board_id, **{"from": "send", "to": "send"})

    talk(script)


def test_a_chip_that_cannot_stay_where_it_is_put_is_said() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        for col, lane in ((-1, 0), (0, -1), (10_001, 0), (0, 10_001)):
            text = await session.bad("move", workflowId=board_id, stepId="send", col=col, lane=lane)
            assert "no such place" in text
        assert "position" not in (await session.text_of(board_id))["steps"][4]
        said = await session.good("move", workflowId=board_id, stepId="send", col=7, lane=2)
        assert said.text.startswith("Saved as version 1.")
        said = await session.good("move", workflowId=board_id, stepId="gate", col=7, lane=2)
        assert "“send” and “gate” have the same position (column 7, lane 2)" in said.text
        assert "laid out afresh" in said.text
        said = await session.good("move", workflowId=board_id, stepId="gate", col=6, lane=2)
        assert said.text.startswith("Saved as version 1.")
        assert said.step("gate")["position"] == {"col": 6, "lane": 2}

    talk(script)


def test_an_empty_text_is_the_same_as_nothing_given() -> None:
    """Many models fill in every argument that there is."""

    async def script(session: Session) -> None:
        said = await session.good("design", name="x", steps=STEPS, workflowId="", description="", entry="", inputs=[])
        assert said.props["workflow"]["entry"] == "start"
        board_id = said.board_id
        note = {"id": "n", "type": "note.say", "title": "n", "config": {"template": "x"}}
        ops = [
            {"op": "add_step", "step": note, "after": "", "port": ""},
            {"op": "update_step", "stepId": "gate", "title": "", "config": {}},
            {"op": "connect", "from": "send", "to": "n", "port": ""},
        ]
        said = await session.good("patch", workflowId=board_id, ops=ops)
        assert said.step("gate")["title"] == "Let me look"
        assert said.step("send")["next"] == [{"port": "out", "to": "n"}]
        said = await session.good("unwire", workflowId=board_id, **{"from": "send", "to": "n", "port": ""})
        assert said.step("send")["next"] == []
        said = await session.good("import", source=json.dumps(await session.text_of(board_id)), name="")
        assert said.props["workflow"]["name"] == "x"
        run = await session.good("run", workflowId=board_id, mode="", trigger=None, input=None)
        assert run.props["run"]["mode"] == "live"
        assert run.run_id in (await session.good("runs", workflowId="", limit=None)).text
        assert "diagnostics" in (await session.good("validate", workflowId=board_id, source="")).props
        traced = await session.good("trace", workflowId=board_id, scenarios=None, golden="")
        assert [one["code"] for one in traced.props["diagnostics"]] == ["C921"]  # of a golden nothing is said
        blank = {"from": None, "to": None, "before": "", "after": ""}
        assert "version" in (await session.good("diff", workflowId=board_id, **blank)).text
        assert "“name” is blank" in await session.bad("rename", workflowId=board_id, name=" ")

    talk(script)


def test_an_argument_that_is_none_is_said() -> None:
    async def script(session: Session) -> None:
        said = await session.good("list", workflow="x")
        assert said.text.startswith("“workflow” is no argument here and was not read.")
        said = await session.good("list", **{f"n{number}": 1 for number in range(1005)})
        assert said.text.splitlines()[4:6] == [
            "“n4” is no argument here and was not read.",
            "Nor were 1,000 more.",
        ]
        await session.bind(*TOOLS)

    talk(script)


def test_many_unknown_tools_against_many_that_there_are_are_compared_within_a_bound(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[str] = []
    read: list[str] = []

    def dice(one: str, other: str) -> float:
        compared.append(other)
        return 0.0

    def plain(name: str) -> str:
        read.append(name)
        return likeness.plain(name)

    monkeypatch.setattr(connectors, "dice", dice)
    for module in (connectors, payload, saving):
        monkeypatch.setattr(module, "plain", plain)
    tools = [{"name": f"Service{number}:action{number}"} for number in range(5_000)] + [{"name": "x" * 100_000}]
    steps = [
        {"id": f"s{number}", "type": "tool.call", "title": "T", "config": {"tool": f"Other:{number}"}}
        for number in range(100)
    ]

    async def script(session: Session) -> None:
        await session.good("bind", tools=tools)
        said = await session.good("design", name="many", steps=steps)
        assert len(said.props["tools"]["missing"]) == 100
        assert "are missing" in await session.bad("run", workflowId=said.board_id)

    talk(script)
    assert 0 < len(compared) <= 3 * COMPARISONS  # when it is judged, when it is saved, and when it is run
    assert max(map(len, compared)) < 100
    assert len(read) < 12 * COMPARISONS
