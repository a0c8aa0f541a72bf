"""Stdin and stdout as the library's server reads and writes them, without handing each line to another thread.

The library's own transport goes through three threads for an answer, which takes as long as all the rest of a step.
"""

from __future__ import annotations

import asyncio
import contextlib
import fcntl
import json
import logging
import os
import re
import select
import socket
import stat
import termios
import threading
from collections import deque
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any, Final, Self

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)

from circuit_export.server.ready import Ready, text_of

log = logging.getLogger("circuit")

GRACE: Final = 10.0
"""Seconds that are waited for answers that are under way when stdin ends."""

_CHUNK: Final = 256 * 1024
_AHEAD: Final = 64
"""Messages that are read ahead of those that are being answered."""

LONGEST: Final = 64 * 1024 * 1024
"""Bytes that a message may have; the largest that means something is a page of 25 MB to import."""

_TOO_LONG: Final = b"{"
_HALF: Final = re.compile("[\ud800-\udfff]")
"""One of two escapes that make a character together, read without the other."""
_DEPTH: Final = 4
"""How deep in a message something ready may stand: the result, its `_meta`, `ui`, `props`."""


class _Stream:
    """What both directions have in common: they are closed once, and leaving them closes them."""

    async def aclose(self) -> None:
        """Nothing: the descriptors are given back by who took them."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool | None:
        await self.aclose()
        return None


class Outgoing(_Stream):
    """Messages written to a descriptor, a line each. Who reads slowly holds up its own answers and nothing else."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._turn = asyncio.Lock()
        self._poll = select.poll()
        self._poll.register(descriptor, select.POLLOUT)
        self._write_some = _writer(descriptor)
        self._waited_for: set[str | int] = set()  # the ids of requests without an answer
        self._settled = asyncio.Event()

    async def send(self, item: SessionMessage, /) -> None:
        """Writes a message. Raises BrokenResourceError when nobody reads any more."""
        message = item.message
        try:
            await self.write(_line(message))
        finally:
            if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
                self._waited_for.discard(message.id)
                self._settled.set()

    def will_answer(self, asked: str | int) -> None:
        """A request was read, to which there will be an answer."""
        self._waited_for.add(asked)

    async def settle(self) -> None:
        """Waits until every request has its answer; not for ever, as a request that is cancelled gets none."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                while self._waited_for:
                    self._settled.clear()
                    await self._settled.wait()

    async def write(self, line: bytes) -> None:
        """Writes a line; waits while nobody reads."""
        rest = memoryview(line)
        try:
            async with self._turn:
                while rest:
                    if not self._poll.poll(0):
                        await self._until_writable()
                    rest = rest[self._write_some(rest) :]
        except OSError:
            raise anyio.BrokenResourceError from None

    async def _until_writable(self) -> None:
        loop = asyncio.get_running_loop()
        writable = asyncio.Event()
        loop.add_writer(self._descriptor, writable.set)
        try:
            await writable.wait()
        finally:
            loop.remove_writer(self._descriptor)


def _writer(descriptor: int) -> Callable[[memoryview], int]:
    """What writes as much as goes without waiting to what can be written to, and leaves the descriptor as it is.

    Others may have it too, who would be surprised if it did not wait for them any more.
    """
    if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        return lambda data: _send(descriptor, data)
    holds = fcntl.fcntl(descriptor, fcntl.F_GETPIPE_SZ) if _is_sized_pipe(descriptor) else 0
    return lambda data: os.write(descriptor, data[: holds if holds and _is_empty(descriptor) else select.PIPE_BUF])


def _send(descriptor: int, data: memoryview) -> int:
    with socket.socket(fileno=os.dup(descriptor)) as mine:
        try:
            return mine.send(data, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return 0


def _is_sized_pipe(descriptor: int) -> bool:
    """Is it a pipe of which it is known how much it holds?"""
    return stat.S_ISFIFO(os.fstat(descriptor).st_mode) and hasattr(fcntl, "F_GETPIPE_SZ")


def _is_empty(descriptor: int) -> bool:
    """Is there nothing in a pipe that was not read yet? Then all fits in that it holds."""
    waiting = fcntl.ioctl(descriptor, termios.FIONREAD, bytes(4))
    return not any(waiting)


class Incoming(_Stream):
    """Messages read from a descriptor; what is none is answered here, and is not one of them."""

    last_context = None

    def __init__(self, descriptor: int, outgoing: Outgoing) -> None:
        self._descriptor = descriptor
        self._outgoing = outgoing
        self._loop = asyncio.get_running_loop()
        self._lines: deque[bytes] = deque()
        self._begun: list[bytes] = []  # a line whose end has not come yet
        self._size = 0  # its bytes, those included that were let go
        self._ended = False
        self._more = asyncio.Event()
        self._watches = False
        self._waits = True
        self._watch()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def receive(self) -> SessionMessage | Exception:
        """The next message. Raises EndOfStream when stdin has ended."""
        while True:
            while not self._lines:
                if self._ended:
                    await self._outgoing.settle()
                    raise anyio.EndOfStream
                self._more.clear()
                self._watch()
                await self._more.wait()
            line = self._lines.popleft().decode("utf-8", "replace")
            try:
                message = jsonrpc_message_adapter.validate_json(line, by_name=False)
            except ValueError:
                await self._outgoing.write(_refusal(line))
                continue
            if isinstance(message, JSONRPCNotification) and _asks(line):
                await self._outgoing.write(
                    _error(None, INVALID_REQUEST, "The id of a request is a text or a whole number")
                )
                continue
            if isinstance(message, JSONRPCRequest):
                self._outgoing.will_answer(message.id)
            return SessionMessage(message)

    async def aclose(self) -> None:
        self._rest()

    # --- reading

    def _watch(self) -> None:
        """Reads as soon as there is something: by the loop, or of a file, which no loop waits for, in a thread."""
        if self._watches or self._ended or not self._waits:
            return
        try:
            self._loop.add_reader(self._descriptor, self._read)
            self._watches = True
        except OSError:
            self._waits = False
            threading.Thread(target=self._read_all, daemon=True).start()

    def _rest(self) -> None:
        """Stops reading, as there is enough to do."""
        if self._watches:
            self._loop.remove_reader(self._descriptor)
            self._watches = False

    def _read(self) -> None:
        self._take(_read(self._descriptor))
        if len(self._lines) > _AHEAD or self._ended:
            self._rest()

    def _read_all(self) -> None:
        data = b"more"
        while data:
            data = _read(self._descriptor)
            self._loop.call_soon_threadsafe(self._take, data)

    def _take(self, data: bytes) -> None:
        *whole, rest = data.split(b"\n")
        for part in whole:
            self._add(part)
            self._end_line()
        if rest:
            self._add(rest)
        if not data:
            self._ended = True
            if self._size:
                self._end_line()
        self._more.set()

    def _add(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > LONGEST:
            part, self._begun = part[:0], []
        self._begun.append(part)

    def _end_line(self) -> None:
        self._lines.append(b"".join(self._begun) if self._size <= LONGEST else _TOO_LONG)
        self._begun, self._size = [], 0


def _read(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""


# --- what messages are as lines ----------------------------------------------------------------------------------


def _line(message: JSONRPCMessage) -> bytes:
    """A message as a line. One that cannot be written is an error for who waits for it, and not the server's end."""
    try:
        if isinstance(message, JSONRPCResponse) and type(message.result.get("structuredContent")) is Ready:
            text = text_of({"jsonrpc": "2.0", "id": message.id, "result": message.result}, _DEPTH)
        else:
            text = message.model_dump_json(by_alias=True, exclude_unset=True)
        return text.encode() + b"\n"
    except ValueError as fault:
        log.error("an answer cannot be written: %s", type(fault).__name__)
        return _error(getattr(message, "id", None), INTERNAL_ERROR, "The answer cannot be written as JSON")


def _asks(line: str) -> bool:
    """Has what was read as a notification an id after all? Then somebody waits for an answer to it."""
    return '"id"' in line and "id" in json.loads(line)


def _refusal(line: str) -> bytes:
    """The answer to a line that is no message; none to one that wants none."""
    if not line.strip():
        return b""
    try:
        value = json.loads(line)
        half = _HALF.search(json.dumps(value, ensure_ascii=False))
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, "This line is not JSON, or it is nested too deep")
    if isinstance(value, dict) and "id" not in value and "method" in value:
        return b""  # a notification
    asked = value.get("id") if isinstance(value, dict) else None
    asked = asked if isinstance(asked, str | int) and not isinstance(asked, bool) else None
    if isinstance(value, dict) and value.get("jsonrpc") == "2.0" and isinstance(value.get("method"), str):
        cut = half and f"half of a character ({ascii(half[0])[1:-1]}): a text was cut there"
        return _error(asked, PARSE_ERROR, f"Nothing was done: this request holds {cut or 'what is nested too deep'}")
    return _error(asked, INVALID_REQUEST, "This is no request of JSON-RPC 2.0")


def _error(asked: str | int | None, code: int, message: str) -> bytes:
    value: dict[str, Any] = {"jsonrpc": "2.0", "id": asked, "error": {"code": code, "message": message}}
    return json.dumps(value).encode() + b"\n"


# --- stdin and stdout --------------------------------------------------------------------------------------------


@contextlib.contextmanager
def taken() -> Iterator[tuple[int, int]]:
    """Stdin and stdout for the protocol alone: meanwhile there is nothing on stdin, and stdout goes to stderr."""
    wire = os.dup(0), os.dup(1)
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        os.dup2(2, 1)
        yield wire
    finally:
        for descriptor, mine in enumerate(wire):
            os.dup2(mine, descriptor)
            os.close(mine)
