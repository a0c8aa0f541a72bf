"""`circuit serve --http`: real clients over HTTP, and strangers who are turned away."""

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from support.command import Circuit
from support.hosting import LIST, Server, serving
from support.serving import Session

posix = pytest.mark.skipif(os.name == "nt", reason="the signals of POSIX")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that leave it as it is."""
    place = tmp_path_factory.mktemp("served")
    store = str(place / "boards.db")
    more = ("--allow-origin", "https://board.example", "--public-url", "https://circuit.example")
    with serving(place, "--store", store, *more) as running:
        yield running


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_run_over_http(server: Server, mode: str) -> None:
    async def script(session: Session) -> None:
        assert len((await session.client.list_tools()).tools) == 27
        said = await session.good("run", workflowId=await session.design(), input={"voice": "warm"})
        while said.next["act"] != "done":
            result: Any = {"decision": "approve"} if said.next["act"] == "ask" else {"text": "well"}
            said = await session.good("step", runId=said.run_id, stepId=said.next["stepId"], result=result)
        assert said.props["run"]["status"] == "succeeded"
        assert (await session.client.list_resources()).resources

    server.talk(script, mode)


def test_two_servers_on_one_file_are_as_one(tmp_path: Path) -> None:
    store = str(tmp_path / "boards.db")
    run: dict[str, Any] = {}

    async def first(session: Session) -> None:
        said = await session.good("run", workflowId=await session.design(), input={"voice": "warm"})
        run.update(runId=said.run_id, stepId=said.next["stepId"], turn=said.next["turn"])

    async def second(session: Session) -> None:
        assert (await session.good("step", **run, result={})).next["stepId"] == "write"

    async def again(session: Session) -> None:
        assert (await session.good("step", **run, result={})).next["act"] == "blocked"

    with serving(tmp_path, "--store", store) as one, serving(tmp_path, "--store", store, name="log2") as other:
        one.talk(first)
        other.talk(second)
        one.talk(again)


def test_it_says_how_it_is(server: Server, tmp_path: Path) -> None:
    health = httpx2.get(f"{server.base}/health", timeout=60).json()
    assert health["ok"] is True
    assert (health["storage"], health["durable"], health["auth"]) == ("sqlite", True, "open")
    assert "warning" not in health
    assert httpx2.get(f"{server.base}/ready", timeout=60).json() == {"ready": True, "storage": "sqlite"}
    assert httpx2.get(f"{server.base}/nothing", timeout=60).status_code == 404


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "127.0.0.1:80@evil.example"}, 421),
        ({"host": "circuit.example"}, 200),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "https://board.example"}, 200),
        ({"origin": "https://board.example.evil.example"}, 403),
        ({"content-type": "text/plain"}, 400),
    ],
)
def test_whom_it_answers(server: Server, headers: dict[str, str], status: int) -> None:
    answer = server.post(LIST, **headers)
    assert answer.status_code == status
    allowed = answer.headers.get("access-control-allow-origin")
    assert allowed == (headers.get("origin") if status == 200 and "origin" in headers else None)


def test_who_comes_back_is_told_what_comes_from_now_on(server: Server) -> None:
    headers = {"accept": "text/event-stream", "last-event-id": "5"}
    with httpx2.stream("GET", server.url, headers=headers, timeout=60) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"].startswith("text/event-stream")


def test_a_page_of_its_own_may_ask_and_one_from_another_port_may_not(server: Server) -> None:
    assert server.post(LIST, origin=server.base).status_code == 200
    assert server.post(LIST, origin=server.base.replace("127.0.0.1", "localhost")).status_code == 200
    assert server.post(LIST, origin="http://127.0.0.1:1").status_code == 403


def test_a_page_that_may_ask_asks_first(server: Server) -> None:
    asking = {"access-control-request-method": "POST", "access-control-request-headers": "mcp-protocol-version"}
    good = httpx2.options(server.url, headers={**asking, "origin": "https://board.example"}, timeout=60)
    assert good.status_code == 200
    assert good.headers["access-control-allow-origin"] == "https://board.example"
    bad = httpx2.options(server.url, headers={**asking, "origin": "https://evil.example"}, timeout=60)
    assert "access-control-allow-origin" not in bad.headers


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{", 400),
        (b"[]", 400),
        (b"\xff\xfe", 400),
        (b'{"jsonrpc": "1.0"}', 400),
        (b" " * (5 * 1024 * 1024 + 1), 413),
        (b"[" * 100_000, 400),
    ],
    ids=["half", "list", "bytes", "version", "large", "deep"],
)
def test_what_is_no_message_is_refused_and_it_goes_on(server: Server, body: bytes, status: int) -> None:
    assert server.post(body).status_code == status
    assert server.post(LIST).status_code == 200


def test_its_log_is_json_without_what_was_said(server: Server) -> None:
    async def script(session: Session) -> None:
        await session.design(name="a secret name", description="a secret text")
        await session.bad("open", workflowId="a secret id")

    server.talk(script)
    text = server.log.read_text()
    lines = [json.loads(line) for line in text.splitlines()]
    assert {"method", "path", "status"} <= set(lines[-1])
    assert "secret" not in text


@posix
def test_it_ends_when_it_is_asked_to(tmp_path: Path) -> None:
    with serving(tmp_path, "--store", "memory") as running:
        assert "warning" in httpx2.get(f"{running.base}/health", timeout=60).json()
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(60) == 128 + signal.SIGTERM
        assert "Traceback" not in running.log.read_text()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--http", "--host", "0.0.0.0"], "--open"),
        (["--http", "--host", "0.0.0.0", "--open"], "--public-url"),
        (["--http", "--public-url", "circuit.example"], "no address of a web server"),
        (["--http", "--allow-origin", "https://a.example/page"], "An origin has no path"),
        (["--port", "9"], "--port is for --http only"),
        (["--open"], "--open is for --http only"),
    ],
)
def test_what_it_does_not_start_with(circuit: Circuit, args: list[str], said: str) -> None:
    ended = circuit("serve", "--store", "memory", *args)
    assert ended.code == 2
    assert said in ended.err


def test_a_port_that_is_taken(server: Server, circuit: Circuit) -> None:
    port = server.base.rpartition(":")[2]
    ended = circuit("serve", "--store", "memory", "--http", "--port", port)
    assert ended.code == 1
    assert f"cannot listen on 127.0.0.1, port {port}" in ended.err


def test_the_settings_of_a_client_over_http(circuit: Circuit) -> None:
    ended = circuit("serve", "--http", "--print-config", "--public-url", "https://circuit.example/")
    assert json.loads(ended.text)["mcpServers"]["circuit"] == {"type": "http", "url": "https://circuit.example/mcp"}
