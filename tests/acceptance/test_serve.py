"""`circuit serve`: a real client starts it and talks to it over stdin and stdout."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client, StdioServerParameters
from support.command import BOARD, Circuit
from support.serving import SHOWS, Session

from circuit_export.server.desk import Desk
from circuit_export.store.memory import MemoryStore

T = TypeVar("T")
posix = pytest.mark.skipif(os.name == "nt", reason="the signals of POSIX")


def served(
    store: str, script: Callable[[Session], Awaitable[T]], *args: str, mode: str = "auto", extensions: Any = None
) -> T:
    """Starts a server of its own on a store, and runs a script of calls against it."""

    async def talked() -> T:
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "circuit_export", "serve", "--store", store, *args]
        )
        async with Client(command, mode=mode, extensions=extensions) as client:  # type: ignore[arg-type]
            return await script(Session(client, Desk(MemoryStore(), "unused"), []))

    return asyncio.run(talked())


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_run_from_nothing_to_its_end_and_another_server_knows_it(tmp_path: Path, mode: str) -> None:
    store = str(tmp_path / "boards.db")

    async def first(session: Session) -> tuple[str, str]:
        await session.bind()
        said = await session.good("run", workflowId=await session.design(), input={"voice": "warm"})
        while said.next["act"] != "done":
            result: Any = {"decision": "approve"} if said.next["act"] == "ask" else {"text": "well"}
            said = await session.good(
                "step", runId=said.run_id, stepId=said.next["stepId"], result=result, turn=said.next["turn"]
            )
        return said.board_id, said.run_id

    async def second(session: Session) -> None:
        said = await session.good("open", workflowId=board_id)
        assert said.props["run"]["id"] == run_id
        assert said.props["run"]["status"] == "succeeded"
        assert said.props["storage"] == "sqlite"

    board_id, run_id = served(store, first, mode=mode)
    served(store, second, mode=mode)


def test_what_was_pushed_is_served(tmp_path: Path, circuit: Circuit, board_file: Path) -> None:
    store = str(tmp_path / "boards.db")
    assert circuit("push", board_file, "--store", store, "--workspace", "team").code == 0

    async def listed(session: Session) -> str:
        return (await session.good("list")).text

    assert served(store, listed, "--workspace", "team").startswith("board  draft  Morning post")
    assert served(store, listed).startswith("There are no workflows")


def test_a_gate_that_only_the_board_answers(tmp_path: Path) -> None:
    async def script(session: Session) -> None:
        steps = [{**BOARD["steps"][0], "next": [{"to": "gate"}]}, {**BOARD["steps"][3], "next": []}]  # type: ignore[index]
        said = await session.good("run", workflowId=await session.design(steps=steps, inputs=[]), input={"voice": "x"})
        text = await session.bad("step", runId=said.run_id, stepId="gate", result="approve")
        assert "a person answers this gate" in text
        said = await session.good("answer", runId=said.run_id, decision="approve")
        assert said.next["act"] == "done"

    served("memory", script, "--gate-answers", "board", extensions=SHOWS)


def test_nothing_but_the_protocol_is_on_stdout(circuit: Circuit) -> None:
    ended = circuit("serve", "--store", "memory", stdin=b"this is no message\n\n")
    assert ended.code == 0
    for line in ended.text.splitlines():
        assert json.loads(line)["jsonrpc"] == "2.0"


def test_a_store_that_cannot_be_used_is_said_at_once(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "no.db").write_text("this is no database, whatever its name says " * 50)
    ended = circuit("serve", "--store", str(tmp_path / "no.db"))
    assert ended.code == 1
    assert "no.db" in ended.err
    assert ended.out == b""


def test_the_settings_of_a_client(circuit: Circuit, tmp_path: Path) -> None:
    ended = circuit("serve", "--print-config", "--store", "team.db", "--workspace", "team", "--gate-answers", "board")
    assert ended.code == 0
    server = json.loads(ended.text)["mcpServers"]["circuit"]
    assert server["command"] == "circuit"
    place = str(tmp_path / "team.db")
    assert server["args"] == ["serve", "--store", place, "--workspace", "team", "--gate-answers", "board"]
    assert json.loads(circuit("serve", "--print-config").text)["mcpServers"]["circuit"]["args"] == ["serve"]
    assert not (tmp_path / "team.db").exists()


def test_the_settings_say_what_the_environment_says_here(circuit: Circuit, tmp_path: Path) -> None:
    def settings(*args: str, **env: str) -> Any:
        ended = circuit("serve", "--print-config", *args, env=env)
        assert ended.code == 0
        assert all(name in ended.err for name in json.loads(ended.text)["mcpServers"]["circuit"].get("env", {}))
        return json.loads(ended.text)["mcpServers"]["circuit"]

    url = "postgresql://circuit:s3cret@db/circuit"
    place = str(tmp_path / "team.db")
    both = settings(CIRCUIT_STORE="team.db", CIRCUIT_WORKSPACE="team", DATABASE_URL=url)
    assert both["env"] == {"CIRCUIT_STORE": place, "CIRCUIT_WORKSPACE": "team"}
    assert settings(DATABASE_URL=url)["env"] == {"DATABASE_URL": url}
    told = settings("--store", "team.db", "--workspace", "team", CIRCUIT_STORE="x.db", CIRCUIT_WORKSPACE="x")
    assert told == {"command": "circuit", "args": ["serve", "--store", place, "--workspace", "team"]}


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["term", "int"])
def test_it_ends_when_it_is_asked_to_though_it_waits(number: signal.Signals) -> None:
    hello = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
    }
    with subprocess.Popen(
        [sys.executable, "-m", "circuit_export", "serve", "--store", "memory"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(hello).encode() + b"\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        assert answer["result"]["serverInfo"]["name"] == "circuit"
        assert answer["result"]["protocolVersion"] == "2025-06-18"
        server.send_signal(number)
        assert server.wait(60) == 128 + number
        assert server.stderr is not None
        assert server.stderr.read() == b""


@posix
def test_who_types_it_is_told_what_it_is_for() -> None:
    import pty

    master, slave = pty.openpty()
    command = [sys.executable, "-m", "circuit_export", "serve", "--store", "memory"]
    with subprocess.Popen(command, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as server:
        os.close(slave)
        assert server.stderr is not None
        assert server.stdout is not None
        assert b"nothing to type" in server.stderr.readline()
        assert b"circuit serve --print-config" in server.stderr.readline()
        os.write(master, b"\x04")  # Ctrl-D: there is no more
        assert server.wait(60) == 0
        assert server.stdout.read() == b""
    os.close(master)
