"""What a server over HTTP logs: lines of JSON on stderr, never what was in a request or an answer."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

ELSEWHERE = "elsewhere"
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
OTHER = "other"

OURS = "circuit"
LONGEST = 100
"""Characters of what a library logs."""

log = logging.getLogger("circuit.http")


class Logged:
    """Logs each request when it is done: method, path and status. A path or a method that is none here could be
    anything that somebody pasted in the wrong place, so it is not said."""

    def __init__(self, app: ASGIApp, paths: Collection[str]) -> None:
        self._app = app
        self._paths = frozenset(paths)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, sent)
        finally:
            path = scope["path"] if scope["path"] in self._paths else ELSEWHERE
            method = scope["method"] if scope["method"] in METHODS else OTHER
            log.info("request", extra={"told": {"method": method, "path": path, "status": status}})


class AsJson(logging.Formatter):
    """A line of JSON for each record; a traceback's text would show what was worked on, so only its kind is said."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": self.formatTime(record), "level": record.levelname.lower(), "from": record.name}
        fault = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        told = getattr(record, "told", None) or {"says": _said(record)}
        return json.dumps({**line, **told, **({"fault": fault} if fault else {})}, ensure_ascii=False)


def _said(record: logging.LogRecord) -> str:
    """What a record says. A library may quote a request, a header of it or an address: of what it says only the
    beginning is told, and no value that it puts in."""
    if record.name.partition(".")[0] == OURS:
        return record.getMessage()
    return str(record.msg).partition(":")[0].partition("\n")[0][:LONGEST]


def log_to_stderr() -> None:
    """Sends all logs to stderr, as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(AsJson())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    log.setLevel(logging.INFO)
