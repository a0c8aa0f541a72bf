"""Messages over pipes, sockets and files: whole lines both ways, whatever the other end does."""

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="there the library's own transport is used")
if os.name != "nt":
    from mcp.shared.message import SessionMessage
    from mcp.types import JSONRPCRequest, JSONRPCResponse

    from circuit_export.server import pipes
    from circuit_export.server.pipes import Incoming, Outgoing
    from circuit_export.server.ready import ready

KINDS = ["pipe", "socket"]


@pytest.fixture(autouse=True)
def nobody_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is asked in these tests answers at once or never."""
    if os.name != "nt":
        monkeypatch.setattr(pipes, "GRACE", 0.01)


@contextlib.contextmanager
def ends(kind: str) -> Iterator[tuple[Any, Any]]:
    """Two ends, which have a `fileno` and can be closed: what is written to the second is read from the first."""
    made: tuple[Any, Any]
    if kind == "pipe":
        reading, writing = os.pipe()
        made = os.fdopen(reading, "rb", 0), os.fdopen(writing, "wb", 0)
    else:
        made = socket.socketpair()
    with made[0], made[1]:
        yield made


def ping(number: int) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}).encode()


def received(data: bytes, kind: str = "pipe") -> tuple[list[Any], list[Any]]:
    """What is read of some bytes after which the other end leaves: the ids of messages, and what was answered."""

    async def read(reading: int, answers: int) -> list[Any]:
        incoming = Incoming(reading, Outgoing(answers))
        return [item.message.id async for item in incoming if isinstance(item, SessionMessage)]  # type: ignore[union-attr]

    with ends(kind) as (reading, writing), ends("pipe") as (said, answers):
        feeder = subprocess.Popen(
            [sys.executable, "-c", "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"],
            stdin=subprocess.PIPE,
            stdout=writing,
        )
        writing.close()
        assert feeder.stdin is not None
        feeder.stdin.write(data)
        feeder.stdin.close()
        ids = asyncio.run(read(reading.fileno(), answers.fileno()))
        assert feeder.wait() == 0
        answers.close()
        return ids, [json.loads(line) for line in said]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("end", [b"", b"\n", b"\r\n\n \n"], ids=["none", "line", "lines"])
def test_each_line_is_a_message(kind: str, end: bytes) -> None:
    assert received(b"\n".join(map(ping, range(5))) + end, kind) == ([0, 1, 2, 3, 4], [])


def test_more_than_is_read_ahead() -> None:
    ids, _ = received(b"\n".join(map(ping, range(1000))))
    assert ids == list(range(1000))


def test_a_line_of_many_parts() -> None:
    long = json.dumps({"jsonrpc": "2.0", "id": "a", "method": "x", "params": {"text": "y" * 1_000_000}}).encode()
    assert received(ping(1) + b"\n" + long + b"\n" + ping(2)) == ([1, "a", 2], [])


@pytest.mark.parametrize(
    ("line", "code", "asked"),
    [
        (b"{", -32700, None),
        (b"\xff\xfe\x00", -32700, None),
        (b"[" * 100_000, -32700, None),
        (b'{"id": 3, "params": ' + b'{"a":' * 100_000, -32700, None),
        (b"null", -32600, None),
        (b"[]", -32600, None),
        (b'[{"jsonrpc": "2.0", "id": 3, "method": "ping"}]', -32600, None),
        (b'{"jsonrpc": "2.0", "id": 3}', -32600, 3),
        (b'{"jsonrpc": "1.0", "id": "a", "method": "ping"}', -32600, "a"),
        (b'{"jsonrpc": "2.0", "id": 3, "method": 5}', -32600, 3),
        (b'{"jsonrpc": "2.0", "id": true, "method": 5}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": {"a": 1}, "params": []}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "ping"}', -32600, None),
        (b'{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600, None),
    ],
)
def test_what_is_no_message_is_answered(line: bytes, code: int, asked: Any) -> None:
    ids, (answer,) = received(ping(1) + b"\n" + line + b"\n" + ping(2))
    assert ids == [1, 2]
    assert (answer["error"]["code"], answer["id"], answer["jsonrpc"]) == (code, asked, "2.0")


@pytest.mark.parametrize(
    ("argument", "says"),
    [
        (r'"caf\ud83d"', r"\ud83d"),
        (r'"\uDE00 caf"', r"\ude00"),
        (r'"\ud83d\ude00 \uD83D\ud83d\ude00"', r"\ud83d"),
        ("[" * 500 + "]" * 500, "nested too deep"),
    ],
)
def test_what_is_wrong_with_a_request_is_said_to_who_waits_for_it(argument: str, says: str) -> None:
    line = f'{{"jsonrpc": "2.0", "id": 3, "method": "x", "params": {{"a": {argument}}}}}'
    ids, (answer,) = received(line.encode() + b"\n" + ping(2))
    assert (ids, answer["id"], answer["error"]["code"]) == ([2], 3, -32700)
    assert says in answer["error"]["message"]


@pytest.mark.parametrize("line", [b"", b"  \r", b'{"jsonrpc": "2.0", "method": 5}'], ids=["empty", "blank", "notice"])
def test_what_wants_no_answer_gets_none(line: bytes) -> None:
    assert received(line + b"\n" + ping(2)) == ([2], [])


def test_a_line_that_is_too_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "LONGEST", 10_000)
    ids, (answer,) = received(ping(1) + b"\n" + b'{"a": "' + b"x" * 500_000 + b'"}\n' + ping(2))
    assert ids == [1, 2]
    assert answer["error"]["code"] == -32700


def test_a_file_is_read_too(tmp_path: Path) -> None:
    (tmp_path / "lines").write_bytes(b"\n".join(map(ping, range(3))))
    (tmp_path / "out").touch()

    async def read() -> list[Any]:
        with (tmp_path / "lines").open("rb") as lines, (tmp_path / "out").open("wb") as out:
            incoming = Incoming(lines.fileno(), Outgoing(out.fileno()))
            return [item.message.id async for item in incoming if isinstance(item, SessionMessage)]  # type: ignore[union-attr]

    assert asyncio.run(read()) == [0, 1, 2]


# --- writing


def response(number: int, size: int) -> "SessionMessage":
    return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=number, result={"text": "é" * size}))


def sent(kind: str, script: Callable[["Outgoing", Callable[[], bytes]], Awaitable[None]]) -> bytes:
    """What arrives of what a script sends; it may read some of it itself."""
    with ends(kind) as (reading, writing):
        os.set_blocking(reading.fileno(), False)
        got: list[bytes] = []

        def take() -> bytes:
            with contextlib.suppress(BlockingIOError):
                while data := os.read(reading.fileno(), 1 << 20):
                    got.append(data)
            return b"".join(got)

        asyncio.run(asyncio.wait_for(script(Outgoing(writing.fileno()), take), 60))
        assert os.get_blocking(writing.fileno())
        return take()


@pytest.mark.parametrize("kind", KINDS)
def test_answers_arrive_whole_and_in_turn_though_nobody_reads_at_first(kind: str) -> None:
    async def script(outgoing: "Outgoing", take: Callable[[], bytes]) -> None:
        sending = [asyncio.create_task(outgoing.send(response(number, 30_000))) for number in range(12)]
        for _ in range(20):
            await asyncio.sleep(0)
        assert not sending[-1].done()
        while not all(task.done() for task in sending):
            take()
            await asyncio.sleep(0.001)

    lines = sent(kind, script).splitlines()
    assert [json.loads(line)["id"] for line in lines] == list(range(12))
    assert {len(json.loads(line)["result"]["text"]) for line in lines} == {30_000}


@pytest.mark.parametrize("kind", KINDS)
def test_who_has_left_is_no_fault(kind: str) -> None:
    async def script() -> None:
        with ends(kind) as (reading, writing):
            outgoing = Outgoing(writing.fileno())
            reading.close()
            with pytest.raises(anyio.BrokenResourceError):
                await outgoing.send(response(1, 10))

    asyncio.run(script())


def test_what_is_ready_is_not_written_again() -> None:
    async def script(outgoing: "Outgoing", take: Callable[[], bytes]) -> None:
        props = ready({"a": "é"})
        props.text = '{"as": "it is"}'
        meta = {"ui/props": props, "ui": {"props": props}}
        result = {"content": [], "structuredContent": props, "_meta": meta}
        await outgoing.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id="é", result=result)))

    made = json.loads(sent("pipe", script))
    assert made["id"] == "é"
    assert made["result"]["structuredContent"] == {"as": "it is"}
    assert made["result"]["_meta"] == {"ui/props": {"as": "it is"}, "ui": {"props": {"as": "it is"}}}


def test_an_answer_that_cannot_be_written_is_an_error_for_who_waits() -> None:
    async def script(outgoing: "Outgoing", take: Callable[[], bytes]) -> None:
        for message in (
            JSONRPCResponse(jsonrpc="2.0", id=7, result={"text": "\ud800"}),
            JSONRPCRequest(jsonrpc="2.0", id=8, method="ping"),
        ):
            await outgoing.send(SessionMessage(message))

    first, second = map(json.loads, sent("pipe", script).splitlines())
    assert (first["id"], first["error"]["code"]) == (7, -32603)
    assert second["method"] == "ping"


def test_the_end_comes_when_every_question_has_its_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipes, "GRACE", 60)

    async def script() -> list[str]:
        with ends("pipe") as (reading, writing), ends("pipe") as (_said, answers):
            writing.write(ping(1) + b"\n" + ping(2) + b"\n")
            writing.close()
            outgoing = Outgoing(answers.fileno())
            incoming = Incoming(reading.fileno(), outgoing)
            happened = []

            async def read() -> None:
                async for _ in incoming:
                    happened.append("asked")  # noqa: PERF401 - at once, not when all are there
                happened.append("end")

            reader = asyncio.create_task(read())
            while len(happened) < 2:
                await asyncio.sleep(0)
            for number in (2, 1):
                for _ in range(5):
                    await asyncio.sleep(0)
                happened.append("answered")
                await outgoing.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=number, result={})))
            await asyncio.wait_for(reader, 30)
            return happened

    assert asyncio.run(script()) == ["asked", "asked", "answered", "answered", "end"]
