"""What goes to a client for the view, and what does not go to one that shows none."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp import Client
from mcp.client.extension import advertise
from mcp.server.apps import EXTENSION_ID
from mcp.types import TextResourceContents
from support.node import Node
from support.serving import DESIGN, SHOWS, Session

from circuit_export.server.app import make_server
from circuit_export.server.desk import BOARD, Desk, Rules
from circuit_export.server.tools import TOOLS
from circuit_export.server.view.app import VIEW_URI
from circuit_export.server.view.document import view_html
from circuit_export.server.view.drawing import VIEW_META
from circuit_export.store.memory import MemoryStore

OTHERS = [advertise(EXTENSION_ID, {"mimeTypes": ["text/x-other"]})]


def talk(script: Callable[[Session], Awaitable[Any]], rules: Rules = Rules(), **options: Any) -> Any:  # noqa: B008
    """Runs a script against a server of its own, with a client of some kind."""

    async def talked() -> Any:
        desk = Desk(MemoryStore(), "local", rules)
        async with Client(make_server(desk), **options) as client:
            return await script(Session(client, desk, []))

    return asyncio.run(talked())


async def metas(session: Session) -> dict[str, Any]:
    """What of the results' metadata is for the view, by tool."""
    designed = await session.good("design", **DESIGN)
    ran = await session.good("run", workflowId=designed.board_id, input={"voice": "warm"})
    stepped = await session.good("step", runId=ran.run_id, stepId="fetch", result=[])
    listed = await session.good("list")
    opened = await session.good("open", workflowId=designed.board_id)
    said = {"design": designed, "run": ran, "step": stepped, "list": listed, "open": opened}
    return {name: (one.result.meta or {}).get(VIEW_META) for name, one in said.items()}


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_that_shows_views_gets_the_drawing_once(mode: str) -> None:
    async def script(session: Session) -> None:
        found = await metas(session)
        digests = {found[name]["drawing"]["digest"] for name in ("design", "run", "step", "open")}
        assert len(digests) == 1
        assert found["list"] is None
        assert "taken" not in found["design"]
        assert found["run"]["taken"] == [0]
        assert found["step"]["taken"] == found["open"]["taken"] == [0, 1]
        said = await session.good("design", **DESIGN)
        assert said.props["drawing"] == said.result.meta[VIEW_META]["drawing"]["digest"]  # type: ignore[index]
        assert "chips" not in json.dumps(said.props)

    talk(script, extensions=SHOWS, mode=mode)


@pytest.mark.parametrize("extensions", [None, OTHERS], ids=["none", "of another kind"])
def test_a_client_that_shows_none_gets_nothing_for_it_but_a_text_that_says_all(extensions: Any) -> None:
    async def script(session: Session) -> None:
        assert set((await metas(session)).values()) == {None}
        assert "“Let me look”" in (await session.good("design", **DESIGN)).text

    talk(script, extensions=extensions)


def test_the_view_is_listed_and_read() -> None:
    ui = {"csp": {"connectDomains": [], "resourceDomains": []}, "prefersBorder": False}

    async def script(session: Session) -> None:
        first, *_ = (await session.client.list_resources()).resources
        assert (first.uri, first.name, first.mime_type) == (VIEW_URI, "Circuit board", "text/html;profile=mcp-app")
        assert first.meta == {"ui": ui}
        (content,) = (await session.client.read_resource(VIEW_URI)).contents
        assert isinstance(content, TextResourceContents)
        assert content.text == view_html()
        assert content.mime_type == "text/html;profile=mcp-app"
        assert (content.meta or {})["ui"] == ui

    talk(script)


@pytest.mark.parametrize("gate_answers", ["any", BOARD])
def test_hosts_read_the_metadata_of_tools_as_it_is_meant(node: Node, gate_answers: str) -> None:
    async def script(session: Session) -> str:
        tools = (await session.client.list_tools()).tools
        return json.dumps([tool.model_dump(by_alias=True, exclude_none=True) for tool in tools])

    said = node.run("metadata.js", env={"TOOLS": talk(script, Rules(gate_answers=gate_answers))})
    assert said.code == 0, said.text
    found = json.loads(said.text)
    drawing = {spec.name for spec in TOOLS if spec.draws}
    assert {name for name, one in found.items() if one["uri"]} == drawing
    assert all(one["uri"] == one["flat"] == VIEW_URI for name, one in found.items() if name in drawing)
    only = {"circuit_move"} | ({"circuit_answer"} if gate_answers == BOARD else set())
    assert {name for name, one in found.items() if one["appOnly"]} == only
    assert not any(one["modelOnly"] for one in found.values())


def test_a_run_that_waits_shows_its_directive_to_whoever_opens_its_board() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        said = await session.good("run", workflowId=board_id, input={"voice": "warm"})
        for step_id, result in (("fetch", []), ("write", {"text": "Dear Jo"})):
            said = await session.good("step", runId=said.run_id, stepId=step_id, result=result)
        for looked in (await session.good("open", workflowId=board_id), await session.good("runs")):
            assert looked.props["directive"] == said.next
            assert looked.next["preview"] == "Dear Jo"
        assert "a person answers it" in (await session.good("open", workflowId=board_id)).text
        await session.good("answer", runId=said.run_id, decision="reject")
        assert "directive" not in (await session.good("open", workflowId=board_id)).props

    talk(script)


def test_why_a_gate_asks_once_more_is_in_the_payload() -> None:
    steps = [dict(step) for step in DESIGN["steps"]]  # type: ignore[attr-defined]
    steps[3]["config"] = {"preview": "input.voice", "question": "Send it?"}

    async def script(session: Session) -> None:
        board_id = (await session.good("design", **{**DESIGN, "steps": steps})).board_id
        said = await session.good("run", workflowId=board_id, input={"voice": "warm"})
        for step_id, result in (("fetch", []), ("write", {"text": "Dear Jo"})):
            said = await session.good("step", runId=said.run_id, stepId=step_id, result=result)
        said = await session.good("answer", runId=said.run_id, decision="approve", edit="cold")
        assert said.props["run"]["awaiting"]["note"].startswith("The edit cannot be written")
        assert "late" not in said.props

    talk(script)
