"""A server talked to without a client library: whole lines over stdin and stdout, or whole bodies over HTTP.

For what no library would send, and for measuring: it costs next to nothing itself.
"""

import json
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
SERVE = (sys.executable, "-m", "circuit_export", "serve")
PATIENCE = 60.0


class Silence(Exception):
    """Nothing came in time."""


class Called(dict[str, Any]):
    """The result of a tool's call."""

    @property
    def text(self) -> str:
        return str(self["content"][0]["text"])

    @property
    def failed(self) -> bool:
        return bool(self["isError"])

    @property
    def props(self) -> Any:
        assert "structuredContent" in self, self.text
        return self["structuredContent"]


class Piped:
    """A server of its own, over stdin and stdout."""

    def __init__(self, *args: str, command: Sequence[str] = SERVE, env: dict[str, str] | None = None) -> None:
        self.process = subprocess.Popen(
            [*command, *args],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **(env or {})},
        )
        self._number = 0
        self._read = b""
        self.ask("initialize", HELLO)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message: Any) -> None:
        """Sends a message, or bytes as they are."""
        stream = self.process.stdin
        assert stream is not None
        stream.write((message if isinstance(message, bytes) else json.dumps(message).encode()) + b"\n")
        stream.flush()

    def line(self, patience: float = PATIENCE) -> bytes:
        """The next line of what is answered. Raises Silence."""
        stream = self.process.stdout
        assert stream is not None
        parts, deadline = [self._read], time.monotonic() + patience
        while b"\n" not in parts[-1]:
            if not select.select([stream], [], [], max(0.0, deadline - time.monotonic()))[0]:
                raise Silence
            parts.append(os.read(stream.fileno(), 1 << 20))
            if not parts[-1]:
                raise Silence
        line, _, self._read = b"".join(parts).partition(b"\n")
        return line

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """A request and its whole answer."""
        self._number += 1
        self.send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}})
        while (answer := json.loads(self.line())).get("id") != self._number:
            pass
        return dict(answer)

    def call(self, tool: str, /, **arguments: Any) -> Called:
        return Called(self.ask("tools/call", {"name": f"circuit_{tool}", "arguments": arguments})["result"])

    def close(self) -> str:
        """Leaves; what the server wrote on stderr. It has to end by itself."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0
        return self.end()

    def end(self) -> str:
        """Ends the server, whatever it does; what it wrote on stderr."""
        self.process.kill()
        self.process.wait()
        said = b"" if self.process.stderr is None or self.process.stderr.closed else self.process.stderr.read()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return said.decode()

    def __enter__(self) -> "Piped":
        return self

    def __exit__(self, *error: object) -> None:
        self.end()


class Web:
    """One connection to a server that listens; `headers` go with each request."""

    def __init__(self, url: str, **headers: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        self.address = (parts.hostname, parts.port or 80)
        self.path = parts.path
        self.headers = {
            "host": f"{parts.hostname}:{parts.port}",
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
            **headers,
        }
        self._socket: socket.socket | None = None
        self._file: IO[bytes] | None = None
        self._number = 0

    def post(self, body: Any, **headers: str) -> tuple[int, bytes]:
        """A body, or a message; the status and the body of the answer."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        lines = [f"{name}: {value}" for name, value in {**self.headers, **headers}.items()]
        head = "\r\n".join([f"POST {self.path} HTTP/1.1", *lines, f"content-length: {len(content)}", "", ""])
        again = self._socket is not None
        try:
            return self._exchanged(head.encode("latin-1") + content)
        except OSError:
            self.close()
            if not again:
                raise
            return self._exchanged(head.encode("latin-1") + content)  # it had closed what it kept open

    def _exchanged(self, request: bytes) -> tuple[int, bytes]:
        if self._socket is None or self._file is None:
            self._socket = socket.create_connection(self.address, PATIENCE)
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._file = self._socket.makefile("rb")
        self._socket.sendall(request)
        return _answer(self._file)

    def ask(self, method: str, params: Any = None) -> dict[str, Any]:
        """A request and its whole answer."""
        self._number += 1
        status, body = self.post({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}})
        assert status == 200, (status, body[:500])
        return message_of(body)

    def call(self, tool: str, /, **arguments: Any) -> Called:
        return Called(self.ask("tools/call", {"name": f"circuit_{tool}", "arguments": arguments})["result"])

    def close(self) -> None:
        for opened in (self._file, self._socket):
            if opened is not None:
                opened.close()
        self._file = self._socket = None


def message_of(body: bytes) -> dict[str, Any]:
    """The message in the body of an answer, which may be a stream of events."""
    if body.startswith(b"{"):
        return dict(json.loads(body))
    data = [line[5:] for line in body.splitlines() if line.startswith(b"data:") and line[5:].strip()]
    return dict(json.loads(data[-1]))


def _answer(stream: IO[bytes]) -> tuple[int, bytes]:
    """The status and the body of an answer of HTTP/1.1. Raises ConnectionError when it ends before."""
    first = _line(stream)
    headers = {}
    while line := _line(stream).strip():
        name, _, value = line.partition(b":")
        headers[name.lower()] = value.strip()
    if headers.get(b"transfer-encoding") != b"chunked":
        return int(first.split()[1]), _exactly(stream, int(headers.get(b"content-length", b"0")))
    parts = []
    while size := int(_line(stream), 16):
        parts.append(_exactly(stream, size))
        _line(stream)
    _line(stream)
    return int(first.split()[1]), b"".join(parts)


def _line(stream: IO[bytes]) -> bytes:
    line = stream.readline()
    if not line.endswith(b"\n"):
        raise ConnectionResetError
    return line


def _exactly(stream: IO[bytes], size: int) -> bytes:
    found = stream.read(size)
    if len(found) < size:
        raise ConnectionResetError
    return found


class Serving:
    """A server that listens at a port of its own; its log goes to a file."""

    def __init__(self, log: Path, *args: str, env: dict[str, str] | None = None) -> None:
        self.log = log
        self._webs: list[Web] = []
        with log.open("w") as stream:
            self.process = subprocess.Popen(
                [*SERVE, "--http", "--port", "0", *args],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stream,
                env={**os.environ, **(env or {})},
            )
        self.url = self._wait_for_url()

    def _wait_for_url(self) -> str:
        deadline = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < deadline:
            for line in self.log.read_text().splitlines(keepends=True):
                if line.endswith("\n") and line.startswith("{") and "url" in (told := json.loads(line)):
                    return str(told["url"])
            time.sleep(0.03)
        self.process.kill()
        raise AssertionError(self.log.read_text())

    def web(self, **headers: str) -> Web:
        """A connection of its own, which is closed with the server at the latest."""
        made = Web(self.url, **headers)
        self._webs.append(made)
        return made

    def end(self) -> None:
        for web in self._webs:
            web.close()
        self.process.kill()
        self.process.wait()

    def __enter__(self) -> "Serving":
        return self

    def __exit__(self, *error: object) -> None:
        self.end()
