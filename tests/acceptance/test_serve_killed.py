"""A server that is killed in the middle of a run: what it acknowledged is there, and nothing is there twice."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from support.serving import Session
from support.stores import with_store

from circuit_export.server.desk import Desk
from circuit_export.store.memory import MemoryStore

ITEMS = 200
BOARD = [
    {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "each"}]},
    {
        "id": "each",
        "type": "logic.each",
        "title": "Each",
        "config": {"list": "trigger.items", "limit": ITEMS},
        "next": [{"to": "look"}],
    },
    {"id": "look", "type": "tool.call", "title": "Look", "config": {"tool": "Wiki:get_page"}},
]
# Starts the server and kills it, without warning, once it has written so many bytes of answers.
KILLED = """
import os, subprocess, sys, threading
server = subprocess.Popen([sys.executable, "-m", "circuit_export", "serve", "--store", sys.argv[1]],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE)
def pass_on():
    for line in sys.stdin.buffer:
        try:
            server.stdin.write(line); server.stdin.flush()
        except OSError:
            return
threading.Thread(target=pass_on, daemon=True).start()
for number, line in enumerate(server.stdout):
    if number == int(sys.argv[2]):
        server.kill()
        break
    sys.stdout.buffer.write(line); sys.stdout.buffer.flush()
server.wait()
os._exit(0)
"""


def talked(command: list[str], script: Any) -> None:
    async def talk() -> None:
        async with Client(StdioServerParameters(command=sys.executable, args=command)) as client:
            await script(Session(client, Desk(MemoryStore(), "unused"), []))

    asyncio.run(talk())


@pytest.mark.skipif(os.name == "nt", reason="kills as POSIX does")
def test_what_was_acknowledged_is_there_and_nothing_twice(tmp_path: Path) -> None:
    store = str(tmp_path / "boards.db")
    acknowledged: list[int] = []
    run: dict[str, Any] = {}

    async def until_it_dies(session: Session) -> None:
        await session.good("design", workflowId="b", name="b", steps=BOARD)
        said = await session.good("run", workflowId="b", trigger={"items": list(range(ITEMS))})
        run.update(runId=said.run_id, stepId="look")
        for number in range(ITEMS):
            said = await session.good("step", **run, turn=said.next["turn"], result=number)
            acknowledged.append(number)

    async def to_the_end(session: Session) -> None:
        said = await session.good("open", workflowId="b")
        awaiting = said.props["run"]["awaiting"]
        assert awaiting["turn"] - 1 in (len(acknowledged), len(acknowledged) + 1)
        left, turn = ITEMS - (awaiting["turn"] - 1), awaiting["turn"]
        for _ in range(left):
            said = await session.good("step", **run, turn=turn, result="after")
            turn = said.next["turn"]
        assert said.next["act"] == "done"

    with pytest.raises(BaseException, match=r".") as died:
        talked(["-c", KILLED, store, "100"], until_it_dies)
    assert not isinstance(died.value, KeyboardInterrupt | AssertionError)
    assert 50 < len(acknowledged) < ITEMS
    talked(["-m", "circuit_export", "serve", "--store", store], to_the_end)
    kept = with_store(store, lambda asked: asked.get_run("local", run["runId"]))
    assert kept is not None
    assert kept.run["status"] == "succeeded"
    assert kept.run["directives"] == ITEMS + 1
