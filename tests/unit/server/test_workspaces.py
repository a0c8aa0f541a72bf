"""What belongs to one workspace is unknown in another, whatever it is asked by."""

import json
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp.types import ResourceTemplateReference
from support.serving import DESIGN, Session, talk

from circuit_export.server.app import make_server
from circuit_export.server.tools import TOOLS
from circuit_export.store.memory import MemoryStore

BY_WORKFLOW: dict[str, dict[str, Any]] = {
    **{tool: {} for tool in ("open", "export", "run", "disarm", "validate", "trace", "diff")},
    **{tool: {"force": True} for tool in ("arm", "delete")},
    "patch": {"ops": [{"op": "remove_step", "stepId": "fetch"}]},
    "rename": {"name": "mine"},
    "scheduled": {"taskId": "t"},
    "move": {"stepId": "fetch", "col": 0, "lane": 0},
    "set_enabled": {"stepId": "fetch", "enabled": False},
    "wire": {"from": "start", "to": "write"},
    "unwire": {"from": "start", "to": "fetch"},
}
BY_RUN: dict[str, dict[str, Any]] = {
    "step": {"stepId": "fetch", "result": 1},
    "resume": {},
    "answer": {"decision": "approve"},
}
NOT_BY_ID = {"catalog", "list", "bind", "tools", "design", "import", "runs", "health"}


def test_every_tool_that_takes_an_id_is_asked() -> None:
    assert {spec.name.removeprefix("circuit_") for spec in TOOLS} == {*BY_WORKFLOW, *BY_RUN, *NOT_BY_ID}


def test_an_id_of_another_workspace_is_unknown() -> None:
    async def script(session: Session) -> None:
        store = session.desk.store
        assert isinstance(store, MemoryStore)
        board_id = await session.design(workflowId="theirs")
        await session.good("arm", workflowId=board_id, force=True)
        run_id = (await session.good("run", workflowId=board_id, input={"voice": "warm"})).run_id
        before = json.dumps([store._boards[key].text for key in store._boards])
        run_before = await store.get_run("local", run_id)

        async with Client(make_server(session.desk._replace(workspace="other"))) as client:
            stranger = Session(client, session.desk, [])
            for tool, more in BY_WORKFLOW.items():
                assert "No workflow “theirs”" in await stranger.bad(tool, workflowId=board_id, **more)
            for tool, more in BY_RUN.items():
                assert f"No run “{run_id}”" in await stranger.bad(tool, runId=run_id, **more)
            for tool in ("list", "runs", "health", "tools"):
                said = await stranger.good(tool)
                assert "theirs" not in said.text
                assert run_id not in said.text
                assert DESIGN["name"] not in said.text
            listed = (await client.list_resources()).model_dump_json()
            assert "theirs" not in listed
            assert run_id not in listed
            for uri in ("circuit://workflow/theirs", "circuit://workflow/theirs/page", f"circuit://run/{run_id}"):
                with pytest.raises(MCPError, match="No "):
                    await client.read_resource(uri)
            for uri, prefix in (("circuit://workflow/{id}", "the"), ("circuit://run/{id}", "run")):
                found = await client.complete(
                    ResourceTemplateReference(type="ref/resource", uri=uri), {"name": "id", "value": prefix}
                )
                assert found.completion.values == []
            await stranger.design(workflowId="theirs", name="Mine")  # the same id, another board
            assert "Mine" in (await stranger.good("list")).text

        assert json.dumps([store._boards["local", "theirs"].text]) == before
        assert await store.get_run("local", run_id) == run_before
        assert (await session.good("step", runId=run_id, stepId="fetch", result=1)).next["stepId"] == "write"

    talk(script)
