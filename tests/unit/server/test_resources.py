"""Saved workflows and runs as resources, and the completion of their ids."""

import json
from datetime import timedelta

import pytest
from mcp import MCPError
from mcp.types import PromptReference, ResourceTemplateReference, TextResourceContents
from support.command import BOARD
from support.serving import Session, talk

from circuit_export import api
from circuit_export.store.base import StoreError


async def read(session: Session, uri: str) -> TextResourceContents:
    (content,) = (await session.client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content


def test_workflows_pages_and_runs_are_listed_and_read() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        run_id = (await session.good("run", workflowId=board_id, input={"voice": "x"})).run_id
        listed = (await session.client.list_resources()).resources
        assert [str(one.uri) for one in listed] == [
            "ui://circuit/board.html",
            f"circuit://workflow/{board_id}",
            f"circuit://run/{run_id}",
        ]
        assert listed[1].name == "Morning post"
        workflow = await read(session, f"circuit://workflow/{board_id}")
        assert workflow.mime_type == "application/json"
        assert json.loads(workflow.text)["steps"][1]["config"]["tool"] == "Gmail:search_threads"
        page = await read(session, f"circuit://workflow/{board_id}/page")
        assert page.mime_type == "text/html"
        assert api.loads(page.text).definition.text == workflow.text
        run = json.loads((await read(session, f"circuit://run/{run_id}")).text)
        assert run["workflowId"] == board_id
        assert run["awaiting"]["stepId"] == "fetch"
        templates = (await session.client.list_resource_templates()).resource_templates
        assert {one.uri_template for one in templates} == {
            "circuit://workflow/{id}",
            "circuit://workflow/{id}/page",
            "circuit://run/{id}",
        }

    talk(script)


def test_what_is_listed_says_what_it_is() -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="told")
        await session.design(workflowId="plain", name="", description="")
        run_id = (await session.good("run", workflowId="told", input={"voice": "x"})).run_id
        entries = {str(one.uri): one for one in (await session.client.list_resources()).resources[1:]}
        said = {uri: (one.name, one.description, one.mime_type) for uri, one in entries.items()}
        assert said == {
            "circuit://workflow/told": ("Morning post", BOARD["description"], "application/json"),
            "circuit://workflow/plain": ("plain", "5 steps, draft", "application/json"),
            f"circuit://run/{run_id}": (run_id, "told, running", "application/json"),
        }
        run = json.loads((await read(session, f"circuit://run/{run_id}")).text)
        assert {"id", "workflowId", "status", "mode", "startedAt", "endedAt", "trace", "history"} <= run.keys()
        templates = (await session.client.list_resource_templates()).resource_templates
        assert {(one.name, one.title, one.mime_type) for one in templates} == {
            ("Workflow", "A saved workflow", "application/json"),
            ("Page", "A workflow's page", "text/html"),
            ("Run", "A run", "application/json"),
        }

    talk(script)


def test_so_many_runs_are_listed_and_asked_for() -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId="b")
        for _ in range(41):
            session.later(timedelta(minutes=1))
            newest = (await session.good("run", workflowId="b", input={"voice": "x"}, mode="test")).run_id
        listed = [str(one.uri) for one in (await session.client.list_resources()).resources]
        runs = [uri for uri in listed if uri.startswith("circuit://run/")]
        assert len(runs) == 20
        assert runs[0] == f"circuit://run/{newest}"
        template = ResourceTemplateReference(type="ref/resource", uri="circuit://run/{id}")
        found = (await session.client.complete(template, {"name": "id", "value": "run_"})).completion
        assert (len(found.values), found.total, found.has_more) == (20, 40, True)

    talk(script)


def test_a_page_and_a_definition_are_as_the_export() -> None:
    """With the schedule that a board was armed with, and what it calls."""

    async def script(session: Session) -> None:
        await session.design(workflowId="inner", inputs=[])
        call = {"id": "call", "type": "flow.call", "title": "C", "config": {"workflowId": "inner"}}
        clock = {"id": "clock", "type": "trigger.schedule", "title": "D", "config": {"cron": "0 8 * * *"}}
        await session.design(workflowId="outer", steps=[{**clock, "next": [{"to": "call"}]}, call], inputs=[])
        assert "schedule" not in json.loads((await read(session, "circuit://workflow/outer")).text)
        await session.good("arm", workflowId="outer", force=True)
        text = (await read(session, "circuit://workflow/outer")).text
        assert json.loads(text)["schedule"] == {"cron": "0 8 * * *", "note": ""}
        page = (await read(session, "circuit://workflow/outer/page")).text
        assert page in (await session.good("export", workflowId="outer")).text
        assert list(api.loads(page).called) == ["inner"]

    talk(script)


@pytest.mark.parametrize("board_id", ["a/b c", "ü?x#y", "x/../y", "...", "100%", "{id}", "a&b=c+d"])
def test_whatever_a_workflow_is_called_what_is_listed_can_be_read(board_id: str) -> None:
    async def script(session: Session) -> None:
        await session.design(workflowId=board_id)
        (listed,) = (await session.client.list_resources()).resources[1:]
        text = (await read(session, str(listed.uri))).text
        assert json.loads(text)["id"] == board_id
        assert api.loads((await read(session, f"{listed.uri}/page")).text).definition.text == text

    talk(script)


@pytest.mark.parametrize("uri", ["circuit://workflow/x", "circuit://run/x", "circuit://workflow/..%2Fx", "circuit://y"])
def test_what_is_not_there_cannot_be_read(uri: str) -> None:
    async def script(session: Session) -> None:
        with pytest.raises(MCPError):
            await read(session, uri)

    talk(script)


def test_another_workspace_sees_nothing_of_it() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design()
        run_id = (await session.good("run", workflowId=board_id, input={"voice": "x"})).run_id
        desk = session.desk._replace(workspace="other")

        async def other(stranger: Session) -> None:
            assert "No workflow" in await stranger.bad("open", workflowId=board_id)
            assert "No run" in await stranger.bad("step", runId=run_id, stepId="fetch", result={})
            (only,) = (await stranger.client.list_resources()).resources
            assert only.uri == "ui://circuit/board.html"
            with pytest.raises(MCPError):
                await read(stranger, f"circuit://run/{run_id}")

        from mcp import Client

        from circuit_export.server.app import make_server

        async with Client(make_server(desk)) as client:
            await other(Session(client, desk, []))

    talk(script)


def test_ids_are_completed() -> None:
    async def script(session: Session) -> None:
        for number in range(22):
            await session.design(workflowId=f"b{number:02}")
        run_id = (await session.good("run", workflowId="b00", input={"voice": "x"})).run_id
        template = ResourceTemplateReference(type="ref/resource", uri="circuit://workflow/{id}")
        found = (await session.client.complete(template, {"name": "id", "value": "b"})).completion
        assert len(found.values) == 20
        assert found.total == 22
        assert found.has_more
        runs = ResourceTemplateReference(type="ref/resource", uri="circuit://run/{id}")
        assert (await session.client.complete(runs, {"name": "id", "value": "run"})).completion.values == [run_id]
        prompt = PromptReference(type="ref/prompt", name="circuit-open")
        found = (await session.client.complete(prompt, {"name": "workflowId", "value": "b2"})).completion
        assert sorted(found.values) == ["b20", "b21"]
        assert (await session.client.complete(prompt, {"name": "other", "value": ""})).completion.values == []

    talk(script)


def test_a_store_that_does_not_answer_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    async def away(*given: object, **named: object) -> None:
        raise StoreError("The store is away")

    async def script(session: Session) -> None:
        monkeypatch.setattr(session.desk.store, "list_boards", away)
        monkeypatch.setattr(session.desk.store, "get_board", away)
        template = ResourceTemplateReference(type="ref/resource", uri="circuit://workflow/{id}")
        for asked in (
            session.client.list_resources(),
            session.client.complete(template, {"name": "id", "value": "b"}),
            read(session, "circuit://workflow/x"),
        ):
            with pytest.raises(MCPError, match="The store is away"):
                await asked

    talk(script)
