"""Boards exported, imported, deleted; armed and checked; validated, traced and compared."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from support.command import BOARD
from support.serving import DESIGN, Session, talk

from circuit_export import api
from circuit_export.server.desk import Rules
from circuit_export.server.tools.keeping import BEGIN, END, fetched, is_public

CLOCK = {
    "id": "start",
    "type": "trigger.schedule",
    "title": "Each morning",
    "config": {"cron": "0 8 * * *", "note": "every morning at eight"},
    "next": [{"to": "gate"}],
}
GATE = {"id": "gate", "type": "gate.approve", "title": "Look", "next": [{"to": "send"}]}
SEND = {"id": "send", "type": "tool.call", "title": "Send", "config": {"tool": "Gmail:send_message"}}
GRAPH = {
    "version": "0.1",
    "nodes": [{"id": "a", "type": "skill", "skillRef": {"source": "system", "id": "one"}}],
    "edges": [],
}


def page_in(text: str) -> str:
    return text.split(f"{BEGIN}\n")[1].split(f"\n{END}")[0]


# --- export and import


def test_a_board_comes_back_from_its_page_with_its_schedule_as_a_draft() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=[CLOCK, GATE, SEND], inputs=[])
        await session.good("arm", workflowId=board_id)
        await session.good("scheduled", workflowId=board_id, taskId="t1")
        text = (await session.good("export", workflowId=board_id)).text
        assert text.startswith("Write the page below to Morning-post.html, every character as it is")
        said = await session.good("import", source=page_in(text))
        assert said.board_id != board_id
        workflow = said.props["workflow"]
        assert workflow["status"] == "draft"
        assert workflow["version"] == 1
        assert workflow["schedule"] == {"cron": "0 8 * * *", "note": "every morning at eight"}
        kept = await session.text_of(said.board_id)
        assert kept["steps"] == (await session.text_of(board_id))["steps"]

    talk(script)


def test_a_text_that_need_not_change_is_kept_to_the_letter() -> None:
    async def script(session: Session) -> str:
        text = json.dumps({**BOARD, "mine": [1.50, {}]}, indent=3)
        said = await session.good("import", source=text)
        board = await session.desk.store.get_board("local", said.board_id)
        assert board is not None
        assert board.text == text
        return (await session.good("import", source=text, name="Another")).props["workflow"]["name"]

    assert talk(script) == "Another"


def test_what_a_board_calls_comes_along_under_new_ids() -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="inner")
        call = {
            "id": "call",
            "type": "flow.call",
            "title": "C",
            "config": {"workflowId": "inner", "input": {"voice": "x"}},
        }
        start = {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "call"}]}
        outer = await session.design(steps=[start, call], inputs=[])
        page = page_in((await session.good("export", workflowId=outer)).text)
        said = await session.good("import", source=page)
        inner = (await session.text_of(said.board_id))["steps"][1]["config"]["workflowId"]
        assert inner not in ("inner", outer)
        assert f"It brought along {inner}" in said.text
        assert (await session.good("run", workflowId=said.board_id)).next["stepId"] == "fetch"

    talk(script)


def test_a_page_says_what_it_does_not_hold() -> None:
    async def script(session: Session) -> None:
        start = {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "call"}]}
        await session.design(workflowId="c", inputs=[])
        for caller, callee in (("b", "c"), ("a", "b")):
            call = {"id": "call", "type": "flow.call", "title": "C", "config": {"workflowId": callee}}
            await session.design(workflowId=caller, steps=[start, call], inputs=[])
        assert "does not hold" not in (await session.good("export", workflowId="a")).text.partition(BEGIN)[0]
        await session.good("delete", workflowId="c", force=True)
        text = (await session.good("export", workflowId="a")).text
        assert "What it calls is not all here, so the page does not hold c." in text.partition(BEGIN)[0]
        graph = (await session.good("import", source=json.dumps(GRAPH))).text.partition("(")[2].partition(")")[0]
        assert "does not hold" not in (await session.good("export", workflowId=graph)).text.partition(BEGIN)[0]

    talk(script)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("just a letter to a friend", "no "),
        (json.dumps({**BOARD, "steps": [{"id": "a", "type": "tool.cal", "title": "x"}]}), "tool.cal"),
        (json.dumps({**BOARD, "steps": [{"id": "a", "type": "tool.call", "title": "x", "next": [{"to": "b"}]}]}), "b"),
        ('{"circuit": 1, "name": "x", "steps": [{"id": 5}]}', "Step 1"),
        ("https://example.com/board.html", "fetches no links"),
        ("/etc/passwd", "no "),
        ("", "no "),
    ],
    ids=["nothing", "type", "wire", "shape", "link", "path", "empty"],
)
def test_what_cannot_be_imported_is_said(source: str, said: str) -> None:
    async def script(session: Session) -> str:
        text = await session.bad("import", source=source)
        assert (await session.good("list")).text.startswith("There are no")
        return text

    text = talk(script)
    assert said in text
    assert "root:" not in text


def test_what_is_handed_in_wrong_is_said_to_who_can_hand_in_better() -> None:
    async def script(session: Session) -> None:
        two = "\n\n".join(f"```json\n{json.dumps({**BOARD, 'name': name})}\n```" for name in ("One", "Two"))
        for tool, name, more in (
            ("import", "source", {}),
            ("validate", "source", {}),
            ("diff", "before", {"after": {}}),
        ):
            text = await session.bad(tool, **{name: "a letter to a friend", **more})
            assert "give the whole of an exported page" in text
            text = await session.bad(tool, **{name: two, **more})
            assert "“One”" in text
            assert "hand in one of them, alone" in text
            assert "--" not in text

    talk(script)


def test_bundled_boards_are_checked_like_any_other() -> None:
    """A page whose called board calls its caller, or cannot be drawn, brings in neither."""

    async def script(session: Session) -> None:
        await session.design(workflowId="inner", inputs=[])
        call = {"id": "call", "type": "flow.call", "title": "C", "config": {"workflowId": "inner"}}
        start = {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "call"}]}
        outer = await session.design(steps=[start, call], inputs=[])
        page = page_in((await session.good("export", workflowId=outer)).text)
        before = (await session.good("list")).text
        broken = page.replace('"to": "send"', '"to": "sned"')
        assert broken != page
        assert "sned" in await session.bad("import", source=broken)
        assert (await session.good("list")).text == before

    talk(script)


def test_ids_follow_through_bundled_boards_that_call_each_other() -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="c", inputs=[])
        start = {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "call"}]}
        for caller, callee in (("b", "c"), ("a", "b")):
            call = {"id": "call", "type": "flow.call", "title": "C", "config": {"workflowId": callee}}
            await session.design(workflowId=caller, steps=[start, call], inputs=[])
        said = await session.good("import", source=page_in((await session.good("export", workflowId="a")).text))
        chain, here = [], said.board_id
        for _ in range(2):
            value = await session.text_of(here)
            assert value.get("id", here) == here
            here = value["steps"][1]["config"]["workflowId"]
            chain.append(here)
        assert not {"a", "b", "c"} & {said.board_id, *chain}
        assert (await session.text_of(here))["name"] == "Morning post"
        assert len((await session.good("list")).text.splitlines()) == 6

    talk(script)


def test_other_formats_are_kept_and_not_run() -> None:
    async def script(session: Session) -> None:
        source = json.dumps(GRAPH)
        said = await session.good("import", source=source)
        assert "It is not run or edited here" in said.text
        (head,) = await session.desk.store.list_boards("local")
        assert "only circuit boards are edited and run here" in await session.bad("run", workflowId=head.id)
        assert "only circuit boards" in await session.bad("rename", workflowId=head.id, name="x")
        page = page_in((await session.good("export", workflowId=head.id)).text)
        assert api.loads(page).definition.text == source
        assert (await session.good("validate", workflowId=head.id)).props["diagnostics"] is not None
        assert "one version only" in (await session.good("diff", workflowId=head.id)).text

    talk(script)


def test_what_a_workflow_of_another_format_does_not_keep_is_said() -> None:
    program = Path(__file__).parents[3] / "examples" / "programs" / "essay.kdl"
    page = api.export_page(api.open_source(api.read_source(str(program))))

    async def script(session: Session) -> str:
        return (await session.good("import", source=page, name="Another")).text

    text = talk(script)
    assert "What it calls was not kept: reviewer.kdl." in text
    assert "It keeps its own name" in text


# --- links


def test_only_public_https_links_are_fetched() -> None:
    async def script(session: Session) -> None:
        assert "Only https links" in await session.bad("import", source="http://example.com/")
        for host in ("127.0.0.1", "localhost", "[::1]", "[::ffff:10.0.0.1]", "2130706433", "0x7f.1", "169.254.169.254"):
            text = await session.bad("import", source=f"https://{host}:1/board.html")
            assert "may not be connected to" in text or "address" in text, text

    talk(script, rules=Rules(allow_fetch=True))


NOT_PUBLIC = """
127.0.0.1 10.1.2.3 192.168.0.1 169.254.169.254 100.64.0.1 0.0.0.0 224.0.0.1 ::1 fe80::1%eth0 fc00::1 ff02::1
::ffff:127.0.0.1 ::ffff:10.0.0.1 2002:7f00:1:: 64:ff9b::7f00:1 example.com
"""


@pytest.mark.parametrize("address", NOT_PUBLIC.split())
def test_addresses_that_are_not_on_the_open_internet(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_addresses_that_are(address: str) -> None:
    assert is_public(address)


def test_a_file_is_no_link() -> None:
    with pytest.raises(ValueError, match="Only https"):
        fetched("file:///etc/passwd")


# --- delete


def test_what_something_counts_on_goes_only_when_that_is_said() -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="inner", inputs=[])
        call = {"id": "call", "type": "flow.call", "title": "C", "config": {"workflowId": "inner"}}
        start = {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "call"}]}
        await session.design(workflowId="outer", steps=[start, call], inputs=[])
        await session.good("arm", workflowId="outer")
        for board_id, why in (("inner", "is called by “outer”"), ("outer", "is armed")):
            text = await session.bad("delete", workflowId=board_id)
            assert why in text
            assert "pass force" in text
            assert "--force" not in text
            assert "Deleted" in (await session.good("delete", workflowId=board_id, force=True)).text
        assert (await session.good("list")).text.startswith("There are no")

    talk(script)


# --- standing


def test_arming_is_refused_while_nobody_approves_a_write() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=[{**CLOCK, "next": [{"to": "send"}]}, SEND], inputs=[])
        text = await session.bad("arm", workflowId=board_id)
        assert "send: Gmail:send_message" in text
        said = await session.good("arm", workflowId=board_id, force=True)
        assert said.props["workflow"]["status"] == "armed"
        assert board_id in said.props["schedulePrompt"]
        assert said.props["schedulePrompt"] in said.text

    talk(script)


@pytest.mark.parametrize("cron", ["8 o'clock", "0 8 30 2 *", "61 * * * *", 5])
def test_arming_is_refused_without_a_cron_line_that_fires(cron: Any) -> None:
    async def script(session: Session) -> str:
        steps = [{**CLOCK, "config": {"cron": cron}}, GATE, SEND]
        return await session.bad("arm", workflowId=await session.design(steps=steps, inputs=[]))

    assert "not armed" in talk(script)


def test_arming_again_makes_no_second_task() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=[CLOCK, GATE, SEND], inputs=[])
        said = await session.good("arm", workflowId=board_id)
        assert said.text.startswith("Armed: every morning at eight (0 8 * * *, UTC).")
        assert "Create a scheduled task" in said.text
        assert "call circuit_scheduled" in said.text
        await session.good("scheduled", workflowId=board_id, taskId=" t1 ")
        again = await session.good("arm", workflowId=board_id)
        assert "Its task “t1” is on file, so it needs no other." in again.text
        assert "Create" not in again.text
        assert again.props["schedulePrompt"] == said.props["schedulePrompt"]
        schedule = again.props["workflow"]["schedule"]
        assert schedule["taskId"] == "t1"
        assert schedule["confirmedAt"] == "2026-01-05T08:00:00.000Z"
        ops = [{"op": "update_step", "stepId": "start", "config": {"cron": "0 9 * * *", "note": "at nine"}}]
        await session.good("patch", workflowId=board_id, ops=ops)
        later = await session.good("arm", workflowId=board_id)
        assert "Its task “t1” was made for 0 8 * * *: change its time." in later.text
        assert later.props["workflow"]["schedule"] == {**schedule, "cron": "0 9 * * *", "note": "at nine"}

    talk(script)


def test_a_task_is_asked_for_the_inputs_that_must_be_given() -> None:
    async def script(session: Session) -> None:
        inputs = [{"name": "voice"}, {"name": "tone", "default": "warm"}, {"name": "sign", "required": False}]
        board_id = await session.design(steps=[CLOCK, GATE, SEND], inputs=inputs)
        prompt = (await session.good("arm", workflowId=board_id)).props["schedulePrompt"]
        assert (
            f"call circuit_run with workflowId {board_id}. Pass its inputs (voice) as agreed with the user." in prompt
        )
        assert "“taskId” is blank" in await session.bad("scheduled", workflowId=board_id, taskId=" ")

    talk(script)


def test_arming_what_cannot_be_run_says_so() -> None:
    async def script(session: Session) -> None:
        await session.bind("Gmail:search_threads", "Gmail:send_messages")
        await session.design(workflowId="inner", inputs=[])
        call = {"id": "call", "type": "flow.call", "title": "C", "config": {"workflowId": "inner"}}
        board_id = await session.design(steps=[{**CLOCK, "next": [{"to": "call"}]}, call], inputs=[])
        said = await session.good("arm", workflowId=board_id)
        assert said.props["schedulePrompt"] in said.text
        assert "Gmail:send_message (used by send); did you mean Gmail:send_messages?" in said.text
        assert "cannot be run as it is" not in said.text
        await session.good("delete", workflowId="inner", force=True)
        said = await session.good("arm", workflowId=board_id)
        assert "It cannot be run as it is (circuit_patch):\n  C212 Step “call” calls the workflow “inner”" in said.text
        assert "circuit_list names the workflows there are" in said.text
        assert "circuit.toml" not in said.text
        assert "circuit.toml" not in (await session.good("validate", workflowId=board_id)).text

    talk(script)


def test_what_changes_in_a_called_board_is_guarded_too() -> None:
    async def script(session: Session) -> None:
        start = {"id": "start", "type": "trigger.ask", "title": "S"}
        inner = await session.design(steps=[{**start, "next": [{"to": "send"}]}, SEND], inputs=[])
        call = {"id": "call", "type": "flow.call", "title": "C", "config": {"workflowId": inner}}
        board_id = await session.design(steps=[{**start, "next": [{"to": "call"}]}, call], inputs=[])
        assert "send: Gmail:send_message" in await session.bad("arm", workflowId=board_id)

    talk(script)


def test_a_board_without_a_schedule_is_armed_for_who_asks() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=[GATE, SEND], inputs=[])
        said = await session.good("arm", workflowId=board_id)
        assert said.text.startswith("Armed. It has no schedule, which circuit_health will say")
        assert "schedulePrompt" not in said.props
        assert "no schedule" in (await session.good("health")).text
        said = await session.good("disarm", workflowId=board_id)
        assert said.text.startswith("It is a draft again.\n")

    talk(script)


def test_a_board_is_taken_off_live_with_a_word_on_its_task() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=[CLOCK, GATE, SEND], inputs=[])
        await session.good("arm", workflowId=board_id)
        said = await session.good("disarm", workflowId=board_id)
        assert said.text.startswith("It is a draft again. Its schedule is kept.\n")
        said = await session.good("scheduled", workflowId=board_id, taskId="t1")
        assert "It is a draft still: circuit_arm marks it live." in said.text
        await session.good("arm", workflowId=board_id)
        said = await session.good("disarm", workflowId=board_id)
        assert "Delete the scheduled task “t1”" in said.text
        assert said.props["workflow"]["schedule"]["taskId"] == "t1"

    talk(script)


def test_health_says_what_to_call_and_which_task() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=[CLOCK, GATE, SEND], inputs=[])
        await session.good("design", workflowId="other", name="Other", steps=[CLOCK, GATE, SEND])
        for one in (board_id, "other"):
            await session.good("arm", workflowId=one)
        assert "circuit_scheduled records the task" in (await session.good("health")).text
        for one in (board_id, "other"):
            await session.good("scheduled", workflowId=one, taskId=f"task of {one}")
        assert "circuit_run runs it" in (await session.good("health")).text
        await session.good("run", workflowId="other")
        head, *checked = (await session.good("health")).text.splitlines()
        assert head == "1 workflow needs attention."
        assert [line.split(":")[0] for line in checked[::2]] == [f"✕  {board_id}  Morning post", "ok other  Other"]
        session.later(timedelta(days=3))
        text = (await session.good("health")).text
        assert "Its task is “task of other”." in text
        assert "circuit_runs says what its last runs did" in text
        assert "3 days ago" in text
        assert "2 days and 5 minutes" in text

    talk(script)


def test_health_follows_a_board_through_its_life() -> None:
    async def script(session: Session) -> None:
        assert "Nothing is armed" in (await session.good("health")).text
        board_id = await session.design(steps=[CLOCK, GATE, SEND], inputs=[])
        assert "arm it first" in await session.bad("scheduled", workflowId=board_id, taskId="t1")
        await session.good("arm", workflowId=board_id)
        text = (await session.good("health")).text
        assert text.startswith("1 workflow needs attention.")
        assert "no scheduled task was ever reported back" in text
        await session.good("scheduled", workflowId=board_id, taskId="t1")
        assert "never run" in (await session.good("health")).text
        await session.good("run", workflowId=board_id, mode="test")
        assert "never run" in (await session.good("health")).text
        await session.good("run", workflowId=board_id)
        assert (await session.good("health")).text.startswith("All that are armed fire.")
        session.later(timedelta(days=3))
        assert "overdue" in (await session.good("health")).text
        assert "is armed" in await session.bad("delete", workflowId=board_id)
        said = await session.good("disarm", workflowId=board_id)
        assert said.props["workflow"]["schedule"]["taskId"] == "t1"
        assert "Nothing is armed" in (await session.good("health")).text
        assert "Deleted" in (await session.good("delete", workflowId=board_id)).text
        assert "No workflow" in await session.bad("delete", workflowId=board_id)

    talk(script)


# --- checking


def test_validate_takes_what_is_saved_and_what_is_not() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=[*DESIGN["steps"][:-1], {**DESIGN["steps"][-1], "colour": 1}])
        found = (await session.good("validate", workflowId=board_id)).props["diagnostics"]
        assert [one["code"] for one in found] == ["C103"]
        await session.bind("Gmail:search_threads")
        said = await session.good("validate", workflowId=board_id)
        assert {one["code"] for one in said.props["diagnostics"]} == {"C103", "C401"}
        said = await session.good("validate", source={**BOARD, "steps": [{**BOARD["steps"][0]}]})  # type: ignore[index]
        assert "C201" in {one["code"] for one in said.props["diagnostics"]}
        assert "line" in said.props["diagnostics"][0]
        assert "“workflowId” is missing" in await session.bad("validate")

    talk(script)


def test_validate_knows_what_is_called_and_what_is_not_to_be_said() -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="inner", inputs=[{"name": "voice"}])
        call = {"id": "call", "type": "flow.call", "title": "C", "config": {"workflowId": "inner"}}
        start = {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "call"}]}
        value = {"circuit": 1, "name": "x", "steps": [start, call]}
        board_id = (await session.good("design", name="x", steps=[start, call])).board_id
        for how in ({"workflowId": board_id}, {"source": value}):
            found = (await session.good("validate", **how)).props["diagnostics"]
            assert [one["code"] for one in found] == ["C215"], found
        call["x-circuit"] = {"ignore": {"C215": "It asks later."}}
        assert (await session.good("validate", source=value)).props["diagnostics"] == []

    talk(script)


def test_trace_plays_what_is_given_compares_and_suggests() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        said = await session.good("trace", workflowId=board_id)
        assert "suggested" in said.text
        assert said.props["coverage"]["summary"]["percent"] == 100
        assert said.props["diagnostics"] == []
        again = await session.good(
            "trace", workflowId=board_id, scenarios=json.loads(said.props["scenarios"]), golden=said.props["golden"]
        )
        assert again.props["diffs"] == []
        listed = json.loads(said.props["scenarios"])["scenarios"]
        again = await session.good("trace", workflowId=board_id, scenarios=listed, golden=said.props["golden"])
        assert (again.props["diffs"], again.props["diagnostics"]) == ([], [])
        assert again.props["traces"] == said.props["traces"]
        golden = said.props["golden"].replace("ask gate", "ask nobody")
        other = await session.good("trace", workflowId=board_id, scenarios=said.props["scenarios"], golden=golden)
        assert "-ask nobody" in other.props["diffs"][0]
        wrong = await session.good("trace", workflowId=board_id, scenarios="no scenarios")
        assert wrong.props["diagnostics"]

    talk(script)


def test_diff_says_what_changed_and_no_moves() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        assert "one version only" in (await session.good("diff", workflowId=board_id)).text
        await session.good("move", workflowId=board_id, stepId="send", col=9, lane=3)
        ops = [
            {"op": "update_step", "stepId": "gate", "title": "Look"},
            {"op": "connect", "from": "send", "to": "fetch"},
        ]
        await session.good("patch", workflowId=board_id, ops=ops)
        said = await session.good("diff", workflowId=board_id)
        assert said.props["changes"] == [
            'steps[gate].title: "Let me look" → "Look"',
            'steps[send].next[out → fetch] added: {"port": "out", "to": "fetch"}',
        ]
        assert "Version 9" in await session.bad("diff", workflowId=board_id, to=9)
        await session.good("rename", workflowId=board_id, name="Evening post")
        said = await session.good("diff", workflowId=board_id, **{"from": 2})
        assert said.props["changes"] == ['name: "Morning post" → "Evening post"']
        said = await session.good("diff", workflowId=board_id, to=2)
        assert len(said.props["changes"]) == 2
        assert said.text.startswith(f"2 changes between versions 1 and 2 of “{board_id}”:")
        said = await session.good("diff", workflowId=board_id, **{"from": 1, "to": 3})
        assert len(said.props["changes"]) == 3
        same = await session.good("diff", before=BOARD, after=json.dumps(BOARD))
        assert same.props["changes"] == []

    talk(script)


def test_a_text_has_a_few_of_very_many_lines_and_what_is_structured_all() -> None:
    async def script(session: Session) -> None:
        around = [{"id": "a", "type": "note.say", "title": "Again", "config": {"template": "x"}, "next": [{"to": "a"}]}]
        board_id = await session.design(steps=around, inputs=[], entry=None)
        for tool, arguments, key in (
            ("trace", {"workflowId": board_id, "scenarios": {"scenarios": [{"name": "one"}]}}, "traces"),
            ("validate", {"source": {**DESIGN, "circuit": 1, "steps": [{**around[0], "x": {}}] * 500}}, "diagnostics"),
            ("diff", {"before": _inputs("a"), "after": _inputs("b")}, "changes"),
        ):
            said = await session.good(tool, **arguments)
            assert 100 < len(said.text.splitlines()) < 230
            assert " more …" in said.text
            all_of_it = said.props[key]
            assert len(all_of_it["one"]["lines"] if key == "traces" else all_of_it) > 400
            if key == "traces":
                assert "are allowed in one go" in said.text

    talk(script)


def _inputs(description: str) -> dict[str, Any]:
    inputs = [{"name": f"i{number}", "description": description} for number in range(500)]
    return {**DESIGN, "circuit": 1, "inputs": inputs}
