"""The server as tests talk to it: the SDK's own client in memory, with a clock and ids that are fixed."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, NamedTuple, TypeVar

from mcp import Client
from mcp.client.extension import advertise
from mcp.server.apps import APP_MIME_TYPE, EXTENSION_ID
from mcp.types import CallToolResult

from circuit_export.server.app import make_server
from circuit_export.server.desk import Desk, Rules
from circuit_export.store.memory import MemoryStore
from support.command import BOARD

T = TypeVar("T")

SHOWS = [advertise(EXTENSION_ID, {"mimeTypes": [APP_MIME_TYPE]})]
"""What a client says that shows views."""

START = datetime(2026, 1, 5, 8, tzinfo=UTC)
TOOLS = ("Gmail:search_threads", "Gmail:send_message")
DESIGN = {key: value for key, value in BOARD.items() if key != "circuit"}


class Said(NamedTuple):
    """What a tool answered."""

    text: str
    props: Any
    failed: bool
    result: CallToolResult

    @property
    def board_id(self) -> str:
        return str(self.props["workflow"]["id"])

    @property
    def run_id(self) -> str:
        return str(self.props["run"]["id"])

    @property
    def next(self) -> Any:
        """The directive."""
        return self.props["directive"]

    @property
    def step_ids(self) -> list[str]:
        return [step["id"] for step in self.props["workflow"]["steps"]]

    def step(self, step_id: str) -> Any:
        return next(step for step in self.props["workflow"]["steps"] if step["id"] == step_id)


class Session:
    """A client, and the desk that it talks to; `later` moves the clock on."""

    def __init__(self, client: Client, desk: Desk, clock: list[datetime]) -> None:
        self.client = client
        self.desk = desk
        self._clock = clock

    def later(self, time: timedelta) -> None:
        self._clock[0] += time

    async def call(self, tool: str, /, **arguments: Any) -> Said:
        result = await self.client.call_tool(f"circuit_{tool}", arguments)
        assert isinstance(result, CallToolResult)
        (content,) = result.content
        assert content.type == "text"
        return Said(content.text, result.structured_content, bool(result.is_error), result)

    async def good(self, tool: str, /, **arguments: Any) -> Said:
        """A call that must work."""
        said = await self.call(tool, **arguments)
        assert not said.failed, said.text
        return said

    async def bad(self, tool: str, /, **arguments: Any) -> str:
        """What a call that must be refused says."""
        said = await self.call(tool, **arguments)
        assert said.failed, said.text
        assert said.props is None
        return said.text

    async def bind(self, *names: str) -> Said:
        return await self.good("bind", tools=[{"name": name} for name in names or TOOLS])

    async def design(self, **more: Any) -> str:
        """Saves a board; its id."""
        return (await self.good("design", **{**DESIGN, **more})).board_id

    async def text_of(self, board_id: str) -> Any:
        board = await self.desk.store.get_board(self.desk.workspace, board_id)
        assert board is not None
        return json.loads(board.text)


def talk(
    script: Callable[[Session], Awaitable[T]],
    *,
    rules: Rules = Rules(),  # noqa: B008
    desk: Desk | None = None,
    **options: Any,
) -> T:
    """Runs a script of calls against a server of its own; `options` are the client's."""

    async def talked() -> T:
        clock = [START]
        numbers = count(1)
        place = desk or Desk(MemoryStore(), "local", rules, lambda: clock[0], lambda: f"{next(numbers):04x}")
        async with Client(make_server(place), **options) as client:
            return await script(Session(client, place, clock))

    return asyncio.run(talked())
