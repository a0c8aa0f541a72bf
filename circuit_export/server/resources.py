"""Saved workflows and runs as resources, and the completion of their ids."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from circuit_export import api
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.steps.document import FORMAT_NAME
from circuit_export.formats.wording import counted
from circuit_export.server.aside import aside
from circuit_export.server.desk import Desk, board_of, read_board
from circuit_export.server.payload import exported, run_payload
from circuit_export.server.running import run_of
from circuit_export.server.tools.keeping import workflow_of

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

WORKFLOW_URI = "circuit://workflow/{id}"
PAGE_URI = "circuit://workflow/{id}/page"
RUN_URI = "circuit://run/{id}"
JSON = "application/json"
HTML = "text/html"
LISTED_RUNS = 20
COMPLETED = 20
ASKED_RUNS = 40


class Entry(NamedTuple):
    """A resource in the list."""

    uri: str
    name: str
    description: str
    mime_type: str = JSON


async def listed(desk: Desk) -> list[Entry]:
    """Every workflow, and the newest runs."""
    boards = [
        Entry(
            WORKFLOW_URI.replace("{id}", quote(head.id, safe="")),
            head.facts.name or head.id,
            head.facts.description or f"{counted(head.facts.steps, 'step')}, {head.status}",
        )
        for head in await desk.store.list_boards(desk.workspace)
    ]
    runs = [
        Entry(RUN_URI.replace("{id}", quote(head.id, safe="")), head.id, f"{head.workflow_id}, {head.status}")
        for head in await desk.store.list_runs(desk.workspace, limit=LISTED_RUNS)
    ]
    return [*boards, *runs]


async def workflow_text(desk: Desk, board_id: str) -> str:
    """A workflow's definition as it leaves the store. Raises CircuitError."""
    board = await board_of(desk, board_id)
    return exported(await read_board(desk, board)) if board.head.format == FORMAT_NAME else board.text


async def page_text(desk: Desk, board_id: str) -> str:
    """A workflow's page. Raises CircuitError."""
    return api.export_page(await workflow_of(desk, await board_of(desk, board_id)))


async def run_text(desk: Desk, run_id: str) -> str:
    """A run as JSON. Raises CircuitError."""
    return json.dumps(run_payload((await run_of(desk, run_id)).run), ensure_ascii=False, indent=1)


async def completed(desk: Desk, kind: str, typed: str) -> list[str]:
    """The ids of a kind ("workflow" or "run") that begin with what was typed."""
    ids: Sequence[str]
    if kind == "run":
        ids = [head.id for head in await desk.store.list_runs(desk.workspace, limit=ASKED_RUNS)]
    else:
        ids = [head.id for head in await desk.store.list_boards(desk.workspace)]
    return [name for name in ids if name.startswith(typed)]


def add_resources(server: MCPServer, desk: Desk) -> None:
    """Adds the templates to a server."""
    from mcp.server.mcpserver.exceptions import ResourceNotFoundError

    @server.resource(WORKFLOW_URI, name="Workflow", title="A saved workflow", mime_type=JSON)
    async def workflow(id: str) -> str:
        """The definition of a saved workflow."""
        try:
            return await workflow_text(desk, id)
        except CircuitError as error:
            raise ResourceNotFoundError(error.block()) from None

    @server.resource(PAGE_URI, name="Page", title="A workflow's page", mime_type=HTML)
    async def page(id: str) -> str:
        """A saved workflow as one self-contained HTML page, which circuit_import rebuilds it from."""
        try:
            return await aside(desk, lambda afar: page_text(afar, id))
        except CircuitError as error:
            raise ResourceNotFoundError(error.block()) from None

    @server.resource(RUN_URI, name="Run", title="A run", mime_type=JSON)
    async def run(id: str) -> str:
        """What a run did, and where it stands."""
        try:
            return await run_text(desk, id)
        except CircuitError as error:
            raise ResourceNotFoundError(error.block()) from None
