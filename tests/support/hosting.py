"""A server over HTTP in a process of its own, as tests start it and talk to it."""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import IO, Any, NamedTuple

import httpx2
from mcp import Client

from circuit_export.server.desk import Desk
from circuit_export.store.memory import MemoryStore
from support.serving import Session

HEADERS = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


class Server(NamedTuple):
    """A server that runs, and the file that its log goes to."""

    url: str
    process: subprocess.Popen[str]
    log: Path

    @property
    def base(self) -> str:
        return self.url.removesuffix("/mcp")

    def post(self, body: Any, **headers: str) -> httpx2.Response:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return httpx2.post(self.url, content=content, headers={**HEADERS, **headers}, timeout=60)

    def talk(self, script: Callable[[Session], Awaitable[None]], mode: str = "auto") -> None:
        async def talked() -> None:
            async with Client(self.url, mode=mode) as client:  # type: ignore[arg-type]
                await script(Session(client, Desk(MemoryStore(), "unused"), []))

        asyncio.run(talked())


@contextlib.contextmanager
def serving(
    tmp_path: Path, *args: str, name: str = "log", environment: dict[str, str] | None = None
) -> Iterator[Server]:
    """A server that is stopped at the end; what the environment says of servers is left to `environment`."""
    log = tmp_path / name
    clean = {key: value for key, value in os.environ.items() if key not in _OURS}
    with log.open("w") as stream:
        process = subprocess.Popen(
            [sys.executable, "-m", "circuit_export", "serve", "--http", "--port", "0", *args],
            stdout=subprocess.DEVNULL,
            stderr=stream,
            text=True,
            env=clean | (environment or {}),
        )
    try:
        yield Server(_url(process, log), process, log)
    finally:
        process.kill()
        process.wait()


_OURS = ("CIRCUIT_OWNER_KEY", "CIRCUIT_SECRET", "CIRCUIT_TOKENS", "CIRCUIT_WORKSPACE", "PUBLIC_BASE_URL")


def _url(process: subprocess.Popen[str], log: Path) -> str:
    """The address that the server says it listens at."""
    with log.open() as lines:
        while process.poll() is None:
            line = _whole_line(lines)
            if line and "url" in (told := json.loads(line)):
                return str(told["url"])
    raise AssertionError(log.read_text())


def _whole_line(lines: IO[str]) -> str:
    place = lines.tell()
    line = lines.readline()
    if line.endswith("\n"):
        return line
    lines.seek(place)
    time.sleep(0.05)
    return ""
