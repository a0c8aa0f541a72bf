"""What a client does with the server from its first day on, from nothing to a board that runs by the clock."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, PromptReference, ResourceTemplateReference, TextContent, TextResourceContents

BOARD: Mapping[str, Any] = json.loads((Path(__file__).parents[1] / "data" / "tour.json").read_text("utf-8"))
VIEW = "ui://circuit/board.html"
TEMPLATES = ("circuit://workflow/{id}", "circuit://workflow/{id}/page", "circuit://run/{id}")
SENDS = "Gmail:send_message"
TOOLS = ("Gmail:search_threads", "Gmail:list_labels", SENDS)
THREADS = [{"id": number, "subject": "Where is my order? " * 30} for number in range(45)]
NEXT = "--- do this next ---"
BEGIN, END = "--- begin html ---\n", "\n--- end html ---"


class Said(NamedTuple):
    """What a tool answered."""

    text: str
    props: Any
    failed: bool
    meta: Mapping[str, Any]

    @property
    def run(self) -> Any:
        return self.props["run"]

    @property
    def directive(self) -> Any:
        """What is to be done next, which text and payload say alike."""
        found = self.props["directive"]
        assert json.loads(self.text.partition(NEXT)[2]) == found
        assert self.props["phase"] == "run"
        return found

    def step(self, step_id: str) -> Any:
        return next(step for step in self.props["workflow"]["steps"] if step["id"] == step_id)


class Tour:
    """A client on its way, and what it has made so far."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.board_id = ""

    async def call(self, tool: str, /, **arguments: Any) -> Said:
        result = await self.client.call_tool(f"circuit_{tool}", arguments)
        assert isinstance(result, CallToolResult)
        (content,) = result.content
        assert isinstance(content, TextContent)
        return Said(content.text, result.structured_content, bool(result.is_error), result.meta or {})

    async def good(self, tool: str, /, **arguments: Any) -> Said:
        said = await self.call(tool, **arguments)
        assert not said.failed, said.text
        if said.props is not None and "workflow" in said.props:
            assert said.meta["ui/props"] == said.meta["ui"]["props"] == said.props
        return said

    async def bad(self, tool: str, /, **arguments: Any) -> str:
        said = await self.call(tool, **arguments)
        assert said.failed, said.text
        assert said.props is None
        return said.text

    async def read(self, uri: str) -> str:
        (content,) = (await self.client.read_resource(uri)).contents
        assert isinstance(content, TextResourceContents)
        return content.text

    async def step(self, said: Said, **report: Any) -> Said:
        """Reports on the awaited step."""
        return await self.good("step", runId=said.run["id"], stepId=said.directive["stepId"], **report)

    async def start(self, **more: Any) -> Said:
        return await self.good("run", workflowId=self.board_id, input={"voice": "warm"}, **more)

    async def at_the_gate(self, **more: Any) -> Said:
        """A run that waits at its gate, without a thread to sort."""
        said = await self.step(await self.start(**more), result={"threads": []})
        return await self.step(said, result={"text": "It comes today."})


async def whole_tour(client: Client, era: str) -> None:
    """All of it, in the protocol of an era."""
    assert client.protocol_version == era
    tour = Tour(client)
    for chapter in CHAPTERS:
        await chapter(tour)


async def meet(tour: Tour) -> None:
    client = tour.client
    assert client.server_info.name == "circuit"
    assert client.server_info.title == "Circuit"
    assert "circuit_bind" in str(client.instructions)
    offered = client.server_capabilities
    for kind in (offered.tools, offered.resources, offered.prompts):
        assert kind is not None
        assert not kind.list_changed
    assert offered.completions is not None
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert len(tools) == 27
    hints = tools["circuit_arm"].annotations
    assert hints is not None
    assert hints.destructive_hint
    assert not hints.read_only_hint
    view = {"resourceUri": VIEW}
    assert tools["circuit_design"].meta == {"ui": view, "ui/resourceUri": VIEW}
    assert tools["circuit_move"].meta == {"ui": {**view, "visibility": ["app"]}, "ui/resourceUri": VIEW}
    assert tools["circuit_answer"].meta == {"ui": {**view, "visibility": ["app", "model"]}, "ui/resourceUri": VIEW}
    assert tools["circuit_catalog"].meta is None


async def learn_the_kit(tour: Tour) -> None:
    said = await tour.good("catalog")
    kit = json.loads(said.text)
    assert len(kit) == 14
    assert {entry["doneBy"] for entry in kit} == {"circuit", "claude", "user"}
    assert said.props is None


async def bind(tour: Tour) -> None:
    said = await tour.good("bind", tools=[*({"name": name} for name in TOOLS), {"name": " ", "hint": "blank"}])
    assert said.text.startswith("3 tools of 1 connector")
    assert "send_message" in (await tour.good("tools")).text


async def design(tour: Tour) -> None:
    assert "trigger.nothing" in await tour.bad("design", **_with(BOARD, "start", type="trigger.nothing"))
    said = await tour.good("design", **BOARD)
    workflow = said.props["workflow"]
    tour.board_id = workflow["id"]
    assert tour.board_id.startswith("wf_")
    assert (workflow["name"], workflow["status"], workflow["version"]) == (BOARD["name"], "draft", 1)
    assert (said.props["phase"], said.props["run"]) == ("design", None)
    assert [step["id"] for step in workflow["steps"]] == [step["id"] for step in BOARD["steps"]]
    assert said.step("send")["toolKnown"] is False
    assert said.step("fetch")["toolKnown"] is True
    assert said.step("start")["tool"] is None
    assert said.step("each")["ports"] == ["out", "done"]
    assert said.step("send")["writes"] is True
    assert "config" not in said.step("send")
    assert SENDS in said.text
    assert "circuit_run will refuse" in said.text
    assert SENDS in await tour.bad("run", workflowId=tour.board_id, input={"voice": "warm"})


def _with(board: Mapping[str, Any], step_id: str, **changed: Any) -> dict[str, Any]:
    steps = [{**step, **changed} if step["id"] == step_id else step for step in board["steps"]]
    return {**board, "steps": steps}


async def patch(tour: Tour) -> None:
    fix = {"op": "update_step", "stepId": "send", "config": {"tool": SENDS}}
    said = await tour.good("patch", workflowId=tour.board_id, ops=[fix])
    assert said.step("send")["toolKnown"] is True
    assert said.props["workflow"]["version"] == 2
    wire = {"op": "connect", "from": "send", "to": "nowhere"}
    assert "nowhere" in await tour.bad("patch", workflowId=tour.board_id, ops=[fix, wire])
    assert tour.board_id in (await tour.good("list")).text
    changes = (await tour.good("diff", workflowId=tour.board_id)).props["changes"]
    assert any("send" in change for change in changes)
    assert (await tour.good("validate", workflowId=tour.board_id)).props["diagnostics"] is not None


async def edit_by_hand(tour: Tour) -> None:
    board = {"workflowId": tour.board_id}
    assert (await tour.good("move", **board, stepId="label", col=9, lane=3)).step("label")["position"] == {
        "col": 9,
        "lane": 3,
    }
    assert (await tour.good("set_enabled", **board, stepId="label", enabled=False)).step("label")["enabled"] is False
    assert (await tour.good("set_enabled", **board, stepId="label", enabled=True)).step("label")["enabled"] is True
    wired = await tour.good("wire", **board, **{"from": "label", "to": "gate"})
    assert wired.step("label")["next"] == [{"port": "out", "to": "gate"}]
    assert (await tour.good("unwire", **board, **{"from": "label", "to": "gate"})).step("label")["next"] == []
    assert (await tour.good("rename", **board, name="Inbox")).props["workflow"]["name"] == "Inbox"


async def run_with_a_loop(tour: Tour) -> None:
    assert "voice" in await tour.bad("run", workflowId=tour.board_id)
    said = await tour.start()
    assert (said.run["status"], said.run["mode"]) == ("running", "live")
    assert said.run["input"] == {"voice": "warm"}
    first = said.directive
    assert (first["act"], first["stepId"], first["tool"]) == ("call_tool", "fetch", TOOLS[0])
    assert first["arguments"] == {"query": "is:unread"}
    assert first["expect"]
    elsewhere = await tour.good("step", runId=said.run["id"], stepId="send", result={})
    assert (elsewhere.directive["act"], elsewhere.directive["stepId"]) == ("blocked", "fetch")
    said = await tour.step(said, result={"threads": THREADS}, turn=first["turn"])
    fetched = next(moment for moment in said.run["history"] if moment["stepId"] == "fetch" and "output" in moment)
    assert "more characters" in json.dumps(fetched)
    assert "more of 45" in json.dumps(fetched)
    assert said.directive["labels"] == ["urgent", "later"]
    assert said.directive["input"] == THREADS[0]
    said = await tour.step(said, result={"label": "URGENT", "why": "it waits"})
    assert said.directive["arguments"] == {"thread": 0}
    said = await tour.step(said, result={})
    assert (said.directive["act"], said.directive["task"]) == ("think", "classify")
    assert said.directive["input"] == THREADS[1]
    again = await tour.good("step", runId=said.run["id"], stepId="sort", result={"label": "later"}, turn=2)
    assert again.directive["act"] == "blocked"
    said = await tour.step(said, result={"label": "later"})
    assert (said.directive["task"], said.directive["maxWords"]) == ("write", 160)
    assert "warm" in said.directive["instruction"]
    await hold_and_edit(tour, await tour.step(said, result={"text": "It comes today."}))


async def hold_and_edit(tour: Tour, said: Said) -> None:
    assert said.run["status"] == "awaiting_approval"
    asked = said.directive
    assert (asked["act"], asked["question"], asked["preview"]) == ("ask", "Send it?", "It comes today.")
    said = await tour.step(said, result="perhaps")
    assert said.directive["act"] == "ask"
    said = await tour.good("answer", runId=said.run["id"], decision="approve", edit="It comes tomorrow.")
    assert said.directive["arguments"] == {"body": "It comes tomorrow."}
    await fail_and_resume(tour, said)


async def fail_and_resume(tour: Tour, said: Said) -> None:
    run_id = said.run["id"]
    said = await tour.step(said, error="the mailbox is full")
    assert said.directive["act"] == "blocked"
    assert "the mailbox is full" in said.directive["reason"]
    assert (said.run["status"], said.run["failedAt"]) == ("failed", "send")
    said = await tour.good("resume", runId=run_id)
    assert said.directive["arguments"] == {"body": "It comes tomorrow."}
    said = await tour.step(said, error="the mailbox is full")
    opened = await tour.good("open", workflowId=tour.board_id)
    assert (opened.props["phase"], opened.run["failedAt"]) == ("run", "send")
    said = await tour.good("resume", runId=run_id, skip=True)
    assert (said.directive["act"], said.run["status"]) == ("done", "succeeded")
    assert said.directive["summary"]
    assert next(entry for entry in said.run["trace"] if entry["stepId"] == "send")["state"] == "skipped"
    assert "succeeded" in await tour.bad("resume", runId=run_id)


async def run_as_a_test(tour: Tour) -> None:
    said = await tour.at_the_gate(mode="test")
    said = await tour.step(said, result={"decision": "approve"})
    assert (said.directive["act"], said.directive["tool"]) == ("preview", SENDS)
    said = await tour.step(said, result={})
    assert (said.run["status"], said.run["mode"]) == ("succeeded", "test")
    assert "would call" in json.dumps(said.run["trace"])
    said = await tour.step(await tour.at_the_gate(), result="reject")
    assert (said.directive["act"], said.run["status"]) == ("done", "cancelled")
    said = await tour.good("runs", workflowId=tour.board_id, limit=2)
    assert len(said.text.splitlines()) == 2
    assert "cancelled" in said.text.splitlines()[0]
    traced = await tour.good("trace", workflowId=tour.board_id)
    assert "call_tool fetch" in traced.text


async def take_it_out_and_in(tour: Tour) -> None:
    said = await tour.good("export", workflowId=tour.board_id)
    page = said.text.partition(BEGIN)[2].rpartition(END)[0]
    assert page.startswith("<!doctype html>")
    assert await tour.read(f"circuit://workflow/{tour.board_id}/page") == page
    back = await tour.good("import", source=page, name="Inbox again")
    assert back.props["workflow"]["id"] != tour.board_id
    assert (back.props["workflow"]["name"], back.props["workflow"]["version"]) == ("Inbox again", 1)
    there = await tour.good("open", workflowId=tour.board_id)
    shapes = [
        [(step["id"], step["type"], step["next"]) for step in one.props["workflow"]["steps"]] for one in (there, back)
    ]
    assert shapes[0] == shapes[1]
    assert "Deleted" in (await tour.good("delete", workflowId=back.props["workflow"]["id"])).text
    assert await tour.bad("import", source="no board is in here")


async def run_by_the_clock(tour: Tour) -> None:
    board = {"workflowId": tour.board_id}
    assert "arm it first" in await tour.bad("scheduled", **board, taskId="task 7")
    said = await tour.good("arm", **board)
    assert said.props["workflow"]["status"] == "armed"
    assert said.props["workflow"]["schedule"] == {"cron": "0 7 * * 1-5", "note": "every weekday at seven"}
    assert said.props["schedulePrompt"] in said.text
    assert tour.board_id in said.props["schedulePrompt"]
    assert "no scheduled task was ever reported back" in (await tour.good("health")).text
    said = await tour.good("scheduled", **board, taskId="task 7")
    assert said.props["workflow"]["schedule"]["taskId"] == "task 7"
    health = (await tour.good("health")).text
    assert f"ok {tour.board_id}" in health
    assert "armed" in await tour.bad("delete", **board)
    unguarded = await tour.good("design", name="Unguarded", steps=[{**BOARD["steps"][-1], "config": {"tool": SENDS}}])
    assert f"send: {SENDS}" in await tour.bad("arm", workflowId=unguarded.props["workflow"]["id"])
    assert (await tour.good("disarm", **board)).props["workflow"]["status"] == "draft"


async def look_things_up(tour: Tour) -> None:
    client = tour.client
    (run_id, *_) = [line.split()[0] for line in (await tour.good("runs", workflowId=tour.board_id)).text.splitlines()]
    for uri, value in ((TEMPLATES[0], tour.board_id), (TEMPLATES[2], run_id)):
        found = await client.complete(ResourceTemplateReference(uri=uri), {"name": "id", "value": value[:-2]})
        assert value in found.completion.values
    prompt = PromptReference(name="circuit-open")
    found = await client.complete(prompt, {"name": "workflowId", "value": tour.board_id})
    assert found.completion.values == [tour.board_id]
    uris = {str(resource.uri) for resource in (await client.list_resources()).resources}
    assert {VIEW, f"circuit://workflow/{tour.board_id}", f"circuit://run/{run_id}"} <= uris
    templates = (await client.list_resource_templates()).resource_templates
    assert {template.uri_template for template in templates} == set(TEMPLATES)
    kept = json.loads(await tour.read(f"circuit://workflow/{tour.board_id}"))
    assert (kept["circuit"], kept["name"]) == (1, "Inbox")
    assert kept["steps"][1]["config"] == BOARD["steps"][1]["config"]
    run = json.loads(await tour.read(f"circuit://run/{run_id}"))
    assert (run["workflowId"], run["status"]) == (tour.board_id, "cancelled")
    assert (await tour.read(VIEW)).lstrip().lower().startswith("<!doctype html>")
    with pytest.raises(MCPError, match="no-such-board"):
        await tour.read("circuit://workflow/no-such-board")


async def ask_for_prompts(tour: Tour) -> None:
    client = tour.client
    prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
    assert prompts == {"circuit-build", "circuit-open", "circuit-save", "circuit-check"}
    (message,) = (await client.get_prompt("circuit-build", {"what": "answer my mail"})).messages
    assert isinstance(message.content, TextContent)
    assert "answer my mail" in message.content.text
    with pytest.raises(MCPError, match="circuit-nothing"):
        await client.get_prompt("circuit-nothing")


CHAPTERS = (
    meet,
    learn_the_kit,
    bind,
    design,
    patch,
    edit_by_hand,
    run_with_a_loop,
    run_as_a_test,
    take_it_out_and_in,
    run_by_the_clock,
    look_things_up,
    ask_for_prompts,
)
