"""What is logged says what happened, and nothing that somebody sent."""

import asyncio
import json
import logging
from typing import Any

import pytest

from circuit_export.server.logs import AsJson, Logged

SECRET = "Bearer-0123456789"


def told(name: str, message: str, *values: object) -> Any:
    return json.loads(AsJson().format(logging.LogRecord(name, logging.ERROR, "", 0, message, values, None)))


def test_what_is_ours_is_told_whole() -> None:
    assert told("circuit.http", "the port %s: %s", 1, "gone")["says"] == "the port 1: gone"


@pytest.mark.parametrize(
    ("message", "values", "says"),
    [
        (f"Invalid Origin header: {SECRET}", (), "Invalid Origin header"),
        ("handler for %r raised", (SECRET,), "handler for %r raised"),
        (f"accept failed\nsocket {SECRET}", (), "accept failed"),
        ("x" * 1000, (), "x" * 100),
    ],
)
def test_of_what_a_library_says_only_the_beginning_is_told(message: str, values: tuple[str, ...], says: str) -> None:
    for name in ("mcp.server.transport_security", "uvicorn.error", "psycopg.pool"):
        assert told(name, message, *values)["says"] == says


def test_a_request_is_told_without_what_it_made_up(caplog: pytest.LogCaptureFixture) -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})

    async def nothing(message: Any = None) -> None: ...

    caplog.set_level(logging.INFO, "circuit.http")
    for method, path in (("GET", "/mcp"), (SECRET, f"/{SECRET}")):
        scope = {"type": "http", "method": method, "path": path}
        asyncio.run(Logged(app, ["/mcp"])(scope, nothing, nothing))  # type: ignore[arg-type]
    assert [record.told for record in caplog.records] == [  # type: ignore[attr-defined]
        {"method": "GET", "path": "/mcp", "status": 404},
        {"method": "other", "path": "elsewhere", "status": 404},
    ]
