"""A server that is treated badly: it refuses clearly, goes on answering everybody else, and its log tells nothing."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support.command import BOARD, text_of
from support.stores import at, with_store
from support.talking import Called, Piped, Serving, Silence, Web

from circuit_export.server.app import FAULT
from circuit_export.store.base import NEW, Content, Facts, Schedule, Store

SECRET = "xyzzy-9f3"
BOARDS = 1000


async def _crowd(store: Store) -> None:
    text = text_of(BOARD)
    for number in range(BOARDS):
        armed = number % 2 == 0
        facts = Facts(f"Board {number}", "", 5, ("Gmail:send_message",))
        schedule = Schedule(f"{number % 60} 7 * * 1-{1 + number % 5}", "", f"task {number}", at(1)) if armed else None
        content = Content(text, "steps", facts, "armed" if armed else "draft", schedule)
        assert await store.put_board("local", f"board-{number:04}", content, expected=NEW, at=at(number))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """One server for all tests, with a thousand boards."""
    place = tmp_path_factory.mktemp("load")
    with_store(str(place / "boards.db"), _crowd)
    with Serving(place / "log", "--store", str(place / "boards.db")) as server:
        yield server


@pytest.fixture
def web(served: Serving) -> Iterator[Web]:
    """A connection. After each test the server is there, answers, and has logged nothing that it was told."""
    connection = served.web()
    yield connection
    connection.close()
    after = served.web()
    assert not after.call("tools").failed
    after.close()
    assert served.process.poll() is None
    log = served.log.read_text()
    assert SECRET not in log.lower()
    assert "Traceback" not in log
    assert all(line.startswith("{") for line in log.splitlines())


def call_of(arguments: str, tool: str = "circuit_open") -> bytes:
    """A call with arguments that no library would write."""
    params = f'{{"name": "{tool}", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {params}}}'.encode()


PING = '{"jsonrpc": "2.0", "id": 1, "method": "ping"}'
NO_MESSAGES = {
    "null": b"null",
    "number": b"5",
    "text": f'"{SECRET}"'.encode(),
    "batch": f"[{PING}, {PING}]".encode(),
    "method": f'{{"jsonrpc": "2.0", "id": 1, "method": ["{SECRET}"]}}'.encode(),
    "params": f'{{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": "{SECRET}"}}'.encode(),
    "version": f'{{"id": 1, "method": "{SECRET}"}}'.encode(),
    "utf-16": PING.encode("utf-16"),
    "nul": PING.encode().replace(b"ping", b"pi\0ng"),
    "half a character": call_of('{"workflowId": "\\ud800"}'),
    "a number of 5,000 digits": call_of('{"limit": 1' + "0" * 5000 + "}", "circuit_runs"),
    "deep": call_of('{"result": ' + "[" * 100_000 + "]" * 100_000 + "}", "circuit_step"),
    "deep objects": call_of('{"result": ' + '{"a":' * 100_000 + "1" + "}" * 100_000 + "}", "circuit_step"),
    "arguments": call_of(f'"{SECRET}"'),
    "a list of arguments": call_of(f'["{SECRET}"]'),
    "name": f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": {{"{SECRET}": 1}}}}}}'.encode(),
    "nothing to call": b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call"}',
    "no method": f'{{"jsonrpc": "2.0", "id": 1, "method": "{SECRET}/list"}}'.encode(),
}


@pytest.mark.parametrize("body", NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_what_is_no_message_is_an_error(web: Web, body: bytes) -> None:
    status, said = web.post(body)
    assert status in (200, 400)
    message = json.loads(said) if said.startswith(b"{") else json.loads(said.partition(b"data: ")[2])
    assert message["error"]["code"] in (-32700, -32600, -32601, -32602)
    assert message["error"]["message"]


@pytest.mark.parametrize("body", NO_MESSAGES.values(), ids=NO_MESSAGES)
def test_so_it_is_over_pipes(piped: Piped, body: bytes) -> None:
    piped.send(body.replace(b"\n", b" "))
    message = json.loads(piped.line())
    assert message["error"]["code"] in (-32700, -32600, -32601, -32602)
    assert not piped.call("list").failed


@pytest.fixture(scope="module")
def piped() -> Iterator[Piped]:
    with Piped("--store", "memory") as server:
        yield server
        assert SECRET not in server.close()


def exchanged(served: Serving, data: bytes, more: Callable[[socket.socket], None] = lambda connection: None) -> bytes:
    """What the server says to some bytes."""
    with socket.create_connection(Web(served.url).address, 30) as connection:
        with contextlib.suppress(OSError):
            connection.sendall(data)
            more(connection)
        return connection.recv(4096)


def head(served: Serving, method: str, **headers: str) -> bytes:
    host, port = Web(served.url).address
    lines = [f"{method} /mcp HTTP/1.1", f"host: {host}:{port}", *(f"{name}: {text}" for name, text in headers.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").replace("_", "-").encode()


def test_a_body_is_counted_though_nobody_said_how_long_it_is(served: Serving, web: Web) -> None:
    def endless(connection: socket.socket) -> None:
        for _ in range(1000):
            connection.sendall(b"10000\r\n" + b" " * 65536 + b"\r\n")

    start = head(served, "POST", content_type="application/json", transfer_encoding="chunked")
    assert b" 413 " in exchanged(served, start, endless)[:40]


@pytest.mark.parametrize("data", [b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"\0" * 5000 + b"\r\n\r\n"])
def test_what_is_no_http(served: Serving, web: Web, data: bytes) -> None:
    assert b" 400 " in exchanged(served, data)[:40]


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE", "HEAD", SECRET.upper()])
def test_other_methods(served: Serving, web: Web, method: str) -> None:
    assert b" 405 " in exchanged(served, head(served, method))[:40]


def test_many_who_only_begin_to_ask(served: Serving, web: Web) -> None:
    with contextlib.ExitStack() as opened:
        for number in range(200):
            connection = opened.enter_context(socket.create_connection(web.address, 30))
            connection.sendall(head(served, "POST", content_length="50")[: 20 + number])
        assert len(web.call("list").text.splitlines()) == BOARDS


def test_who_leaves_in_the_middle(served: Serving, web: Web) -> None:
    for number in range(1, 60):
        with socket.create_connection(web.address, 30) as connection:
            body = call_of('{"workflowId": "board-0001"}')
            request = head(served, "POST", content_type="application/json", content_length=str(len(body))) + body
            connection.sendall(request[: number * 5])
    assert len(web.call("list").text.splitlines()) == BOARDS


IDS = (
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%2e%2e",
    "..",
    "/etc/passwd",
    "C:\\Windows",
    "CON",
    "other/board-0001",
    "../other/board-0001",
    "board-0001/../board-0002",
    "board-0001\0",
    "board-0001\n",
    "BOARD-0001",
    "board-0001 ",
    "%",
    "_",
    "' OR 1=1 --",
    "*",
    "\u202e",
    "x" * 100_000,
    "",
)
BY_ID: dict[str, dict[str, Any]] = {
    "open": {},
    "export": {},
    "run": {},
    "arm": {"force": True},
    "disarm": {},
    "delete": {"force": True},
    "diff": {},
    "trace": {},
    "validate": {},
    "rename": {"name": "x"},
    "scheduled": {"taskId": "t"},
    "patch": {"ops": [{"op": "remove_step", "stepId": "start"}]},
}


def test_an_id_is_an_id_whatever_it_looks_like(piped: Piped, web: Web) -> None:
    piped.call(
        "design", workflowId="board-0001", name="b", steps=[{"id": "start", "type": "trigger.ask", "title": "T"}]
    )
    for board_id in IDS:
        for tool, more in BY_ID.items():
            said = piped.call(tool, workflowId=board_id, **more)
            assert said.failed, tool
            assert FAULT not in said.text
            assert len(said.text) < 1000
            assert "root:" not in said.text
        for tool, more in (("step", {"stepId": board_id}), ("resume", {}), ("answer", {"decision": "approve"})):
            assert piped.call(tool, runId=board_id, **more).failed
        for kind in ("workflow/{}", "workflow/{}/page", "run/{}"):
            uri = f"circuit://{kind.format(board_id)}"
            assert piped.ask("resources/read", {"uri": uri})["error"]["code"] == -32602
        assert web.call("delete", workflowId=board_id, force=True).failed
    assert not piped.call("open", workflowId="board-0001").failed
    assert len(web.call("list").text.splitlines()) == BOARDS


def test_a_thousand_boards(web: Web) -> None:
    assert len(web.call("list").text.splitlines()) == BOARDS
    health = web.call("health").text
    assert health.startswith(f"{BOARDS // 2} workflows need attention")
    assert all(f"board-{number:04}" in health for number in range(0, BOARDS, 2))
    listed = web.ask("resources/list")["result"]["resources"]
    assert sum(one["uri"].startswith("circuit://workflow/board-") for one in listed) == BOARDS
    asked = {"ref": {"type": "ref/resource", "uri": "circuit://workflow/{id}"}}
    found = web.ask("completion/complete", {**asked, "argument": {"name": "id", "value": "board-09"}})
    assert found["result"]["completion"] == {
        "values": found["result"]["completion"]["values"],
        "total": 100,
        "hasMore": True,
    }
    assert len(found["result"]["completion"]["values"]) == 20
    said = web.call("bind", tools=[{"name": "Slack:post"}])
    assert not said.failed
    assert web.call("bind", tools=[{"name": "Wiki:send_message"}]).failed is False


def answered_meanwhile(served: Serving, long: Callable[[Web], Called]) -> Called:
    """What a long call answers, while another client asks on and on and is answered each time."""
    done = threading.Event()

    def work() -> Called:
        try:
            with contextlib.closing(served.web()) as other:
                return long(other)
        finally:
            done.set()

    with ThreadPoolExecutor(1) as pool, contextlib.closing(served.web()) as web:
        working = pool.submit(work)
        while not done.is_set():
            assert not web.call("tools").failed
        return working.result()


def test_others_are_answered_beside_a_design_of_ten_thousand_steps(served: Serving, web: Web) -> None:
    said = {"type": "note.say", "title": "T", "config": {"template": "x"}}
    steps: list[dict[str, Any]] = [{"id": f"s{number}", **said} for number in range(10_000)]
    for number, step in enumerate(steps[:-1]):
        step["next"] = [{"to": f"s{number + 1}"}]
    made = answered_meanwhile(served, lambda other: other.call("design", workflowId="large", name=SECRET, steps=steps))
    assert not made.failed
    assert len(made.props["workflow"]["steps"]) == 10_000
    ran = web.call("run", workflowId="large")
    assert ran.props["directive"]["stepId"] == "s0"
    after = web.call("step", runId=ran.props["run"]["id"], stepId="s0", result={})
    assert after.props["directive"]["stepId"] == "s1"
    page = answered_meanwhile(served, lambda other: other.call("export", workflowId="large"))
    assert page.text.count("data-step=") >= 10_000
    assert not web.call("delete", workflowId="large").failed


def test_others_are_answered_beside_a_pattern_that_takes_long(served: Serving, web: Web) -> None:
    condition = {"field": "trigger.text", "op": "matches", "value": "(a?){1,50}" * 12 + "b"}
    steps = [
        {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "filter"}]},
        {"id": "filter", "type": "logic.filter", "title": "F", "config": {"all": [condition]}, "next": [{"to": "say"}]},
        {"id": "say", "type": "note.say", "title": "N", "config": {"template": "x"}},
    ]
    web.call("design", workflowId="pattern", name="p", steps=steps)
    text = "a" * 100_000
    said = answered_meanwhile(served, lambda other: other.call("run", workflowId="pattern", trigger={"text": text}))
    assert said.props["run"]["status"] == "succeeded"
    for pattern in ("(a+)+$", "((a*)*)*$", "(a|aa)+$", "(?=a)b", "[", "\\", "a{1000}{1000}", "(?P<x>a)(?P=x)"):
        condition["value"] = pattern
        web.call("design", workflowId="pattern", name="p", steps=steps)
        said = web.call("run", workflowId="pattern", trigger={"text": "a" * 5_000 + "!"})
        assert said.props["directive"]["act"] in ("say", "done"), pattern
    assert not web.call("delete", workflowId="pattern").failed


def test_what_is_handed_in_to_be_rebuilt_may_be_large(piped: Piped) -> None:
    for source in ("a" * 25_000_000, '{"circuit": ' * 1_000_000, "<" * 3_000_000):
        said = piped.call("import", source=source)
        assert said.failed
        assert FAULT not in said.text
        assert len(said.text) < 2000
    with pytest.raises(Silence):
        piped.send(b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "none"}}')
        piped.line(0.2)
    assert piped.call("list").text


NONSENSE: tuple[Any, ...] = (
    *(None, True, -1, 0, 2**70, 1e308, 0.1, "", "\0", "x" * 10_000, [], {}, [[[[]]]], [None], {"a": {"b": []}}),
    *("{{item}}", "../..", "\u2028", "{}", '{"circuit": 1, "name": "\\ud800", "steps": [{"id": "\\udc00"}]}', "kept"),
    *([{"id": "a", "type": "trigger.ask", "title": "\0"}], [{"op": "add_step", "step": 5}], [{"name": "\0"}], "live"),
)


def test_every_tool_with_nonsense_for_every_argument(piped: Piped) -> None:
    piped.call("design", workflowId="kept", name="k", steps=[{"id": "a", "type": "trigger.ask", "title": "T"}])
    tools = piped.ask("tools/list")["result"]["tools"]
    calls = 0
    for tool in tools:
        arguments = tool["inputSchema"]["properties"]
        for name in (*arguments, "nothing"):
            for value in NONSENSE:
                given = dict.fromkeys(tool["inputSchema"].get("required", ()), "kept") | {name: value}
                answer = piped.ask("tools/call", {"name": tool["name"], "arguments": given})
                said = Called(answer["result"])
                assert said.text, (tool["name"], given)
                assert FAULT not in said.text, (tool["name"], given)
                calls += 1
    assert calls > 1500
    assert not piped.call("list").failed
