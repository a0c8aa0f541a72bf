"""Runs that are held between two reports, and their texts."""

import asyncio
import json
from typing import Any

import pytest
from support.serving import Session, talk

from circuit_export.server.held import MOST, HeldRuns, Texts, held_of, text_of_run
from circuit_export.store.base import StoredRun
from circuit_export.store.memory import MemoryStore

NOTHING = Texts([], [], {})
LOOP = [
    {"id": "start", "type": "trigger.ask", "title": "S", "next": [{"to": "each"}]},
    {
        "id": "each",
        "type": "logic.each",
        "title": "E",
        "config": {"list": "trigger.items", "limit": 400},
        "next": [{"to": "look"}, {"port": "done", "to": "tell"}],
    },
    {"id": "look", "type": "tool.call", "title": "L", "config": {"tool": "Wiki:get", "arguments": {"of": "{{item}}"}}},
    {"id": "tell", "type": "note.say", "title": "T", "config": {"template": "{{steps.look}} “é”"}},
]


def run_of(history: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    data = {"trigger": {"items": [1, "“é”"]}, "steps": {"a": [1], "b": None, "c": "\ud800"}, "input": {}, "item": 3}
    return {"id": "r", "history": history, "loops": [{"items": [1, 2]}, {"stepId": "t"}], "data": data, **more}


@pytest.mark.parametrize("count", [0, 1, 5])
def test_the_text_of_a_run_says_what_the_run_says(count: int) -> None:
    run = run_of([{"stepId": str(number)} for number in range(count)], calls=[], endedAt=None)
    assert json.loads(text_of_run(run, NOTHING)[0]) == run


@pytest.mark.parametrize(
    "change",
    [
        lambda run: run["history"].append({"stepId": "new"}),
        lambda run: (run["history"].pop(0), run["history"][0].update(earlier=1)),
        lambda run: run.update(history=[]),
        lambda run: run.update(history=[{"stepId": "other"}]),
        lambda run: run.update(history=[run["history"][0], {"stepId": "other"}]),
        lambda run: run.update(history=run["history"][:1]),
        lambda run: run["data"]["steps"].update(a=[2], d={"x": 1}),
        lambda run: run["data"]["steps"].clear(),
        lambda run: run.update(data={"trigger": None, "steps": {}, "input": {}}),
        lambda run: run["loops"].pop(0),
        lambda run: run["loops"][0].update(at=7),
        lambda run: run.update(loops=[]),
    ],
)
def test_what_is_known_already_is_not_what_was_changed(change: Any) -> None:
    run = run_of([{"stepId": "1"}, {"stepId": "2"}])
    _, known = text_of_run(run, NOTHING)
    change(run)
    text, again = text_of_run(run, known)
    assert json.loads(text) == run
    assert json.loads(text_of_run(run, again)[0]) == run


def test_what_never_changes_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    big = {"text": "x" * 5000}
    run = run_of([{"stepId": "1"}, big])
    _, known = text_of_run(run, NOTHING)
    written: list[Any] = []
    dumps = json.dumps
    monkeypatch.setattr("circuit_export.server.held.json.dumps", lambda value: (written.append(value), dumps(value))[1])
    run["history"].append({"stepId": "3"})
    text_of_run(run, known)
    assert {"stepId": "3"} in written
    assert big not in written
    assert run["data"]["trigger"] not in written


def test_a_run_is_held_for_one() -> None:
    held = HeldRuns()
    held.put("ws", StoredRun({"id": "r"}, 4), NOTHING)
    assert held.take("other", "r") is None
    assert held.take("ws", "r") == StoredRun({"id": "r"}, 4)
    assert held.take("ws", "r") is None


def test_so_many_are_held() -> None:
    held = HeldRuns()
    for number in range(MOST + 1):
        held.put("ws", StoredRun({"id": str(number)}, 1), NOTHING)
    assert held.take("ws", "0") is None
    assert held.take("ws", "1") is not None
    assert held.take("ws", str(MOST)) is not None


def test_each_store_has_its_own() -> None:
    one, other = MemoryStore(), MemoryStore()
    assert held_of(one) is held_of(one)
    assert held_of(one) is not held_of(other)


def test_what_is_stored_is_what_the_next_report_goes_on_from() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=LOOP, inputs=[])
        items = {"items": list(range(300))}
        said = await session.good("run", workflowId=board_id, trigger=items)
        store = session.desk.store
        for number in range(300):
            said = await session.good("step", runId=said.run_id, stepId="look", result=[number, "\u2028"])
            held = held_of(store).take("local", said.run_id)
            stored = await store.get_run("local", said.run_id)
            assert stored is not None
            assert held is not None
            assert held == stored
            if number % 7:  # else it is read anew
                held_of(store).put("local", held, NOTHING)
        assert said.next["act"] == "say"
        assert "299" in json.dumps(said.next)

    talk(script)


def test_a_run_that_another_server_moved_on_is_read_anew() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=LOOP, inputs=[])
        said = await session.good("run", workflowId=board_id, trigger={"items": ["a", "b", "c"]})
        said = await session.good("step", runId=said.run_id, stepId="look", result=1)
        store = session.desk.store
        stored = await store.get_run("local", said.run_id)
        assert stored is not None
        stored.run["data"]["trigger"]["said"] = "elsewhere"
        assert await store.save_run("local", stored.run, expected=stored.revision) is not None
        said = await session.good("step", runId=said.run_id, stepId="look", result=2)
        assert said.next["arguments"] == {"of": "c"}
        stored = await store.get_run("local", said.run_id)
        assert stored is not None
        assert stored.run["data"]["trigger"] == {"items": ["a", "b", "c"], "said": "elsewhere"}

    talk(script)


@pytest.mark.parametrize("known", [0, 1, 2])
def test_a_store_is_asked_for_what_is_not_known(known: int) -> None:
    async def ask() -> StoredRun | None:
        store = MemoryStore()
        run = {"id": "r", "workflowId": "w", "status": "running", "mode": "live", "startedAt": "now", "awaiting": None}
        assert await store.add_run("ws", run) == 1
        return await store.get_run("ws", "r", known=known)

    found = asyncio.run(ask())
    assert found is not None
    assert found.revision == 1
    assert (found.run == {}) is (known == 1)


def test_a_run_that_ended_is_held_no_longer() -> None:
    async def script(session: Session) -> None:
        board_id = await session.design(steps=LOOP, inputs=[])
        said = await session.good("run", workflowId=board_id, trigger={"items": ["a"]})
        said = await session.good("step", runId=said.run_id, stepId="look", result=1)
        store = session.desk.store
        held = held_of(store).take("local", said.run_id)
        assert held is not None
        assert (await session.good("step", runId=said.run_id, stepId="tell", result={})).next["act"] == "done"
        assert held_of(store).take("local", said.run_id) is None
        assert held_of(store).texts("local", said.run_id) == NOTHING

    talk(script)
