"""Who only begins to ask is not waited for without end; who asks is."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import uvicorn

from circuit_export.server.patience import PatientProtocol

BEGUN = b"POST / HTTP/1.1\r\nhost: x\r\n"
ASKED = BEGUN + b"content-length: 2\r\n\r\n"


class Hasty(PatientProtocol):
    patience = 0.05


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Reads what it is sent, and answers after a while in which nobody sends anything."""
    if scope["type"] != "http":
        return
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
    await asyncio.sleep(Hasty.patience * 6)
    await send({"type": "http.response.body", "body": b"done"})


def visited(visit: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]) -> None:
    """Serves, and visits: nobody has to be thrown out in the end."""

    async def served() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            server = uvicorn.Server(uvicorn.Config(app, http=Hasty, lifespan="off", log_config=None))
            serving = asyncio.create_task(server.serve(sockets=[listening]))
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            try:
                await asyncio.wait_for(visit(reader, writer), 30)
            finally:
                writer.close()
                with contextlib.suppress(OSError):
                    await writer.wait_closed()
                server.should_exit = True
                await serving

    asyncio.run(served())


@pytest.mark.parametrize("begun", [b"", BEGUN, ASKED, ASKED + b"x"], ids=["nothing", "head", "no body", "half a body"])
def test_who_only_begins_to_ask_is_let_go(begun: bytes) -> None:
    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(begun)
        with contextlib.suppress(OSError):
            assert await reader.read() == b""

    visited(visit)


def test_who_drips_is_let_go_too() -> None:
    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(BEGUN)
        with pytest.raises(ConnectionError):
            for _ in range(1000):
                writer.write(b"x-a: b\r\n")
                await writer.drain()
                await asyncio.sleep(0.01)
                if reader.at_eof():
                    raise ConnectionResetError

    visited(visit)


def test_an_answer_may_take_its_time_and_a_second_question_is_answered() -> None:
    async def visit(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(2):
            writer.write(ASKED + b"{}")
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            assert await reader.readexactly(4) == b"done"
        writer.write(BEGUN)
        with contextlib.suppress(OSError):
            assert await reader.read() == b""

    visited(visit)
