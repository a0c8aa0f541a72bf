"""Boards in a store as workflows: what is found around one, and two who push at the same moment."""

import asyncio
import json
from typing import Any

import pytest
from support.command import BOARD
from support.stores import asked, at, content

from circuit_export import formats
from circuit_export.cli.pull import fetch
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.base import Document
from circuit_export.store.base import ARMED, NEW, BoardHead, Schedule
from circuit_export.store.memory import MemoryStore
from circuit_export.store.shelf import NotRemoved, Outcome, called_by, checkups, document_of, facts_of, push, remove


def document(board_id: str, *calls: str, **more: Any) -> Document:
    """A workflow that calls others."""
    steps = [{"id": "s", "type": "trigger.ask", "title": "Start", "next": [{"to": f"c{n}"} for n in range(len(calls))]}]
    for number, callee in enumerate(calls):
        config = {"workflowId": callee, "input": {"voice": "mine"}}
        steps.append({"id": f"c{number}", "type": "flow.call", "title": "Call", "config": config})  # type: ignore[dict-item]
    value = {"circuit": 1, "name": board_id, "steps": steps, **more}
    return formats.get("steps").load(Definition(json.dumps(value), "steps", f"{board_id}.json"))


def outcomes(pushed: Any) -> list[Outcome]:
    return [one.outcome for one in pushed]


def test_what_a_store_keeps_beside_a_text() -> None:
    text = json.dumps(BOARD)
    facts = facts_of(formats.get("steps").load(Definition(text, "steps", "post.json")))
    assert facts.name == "Morning post"
    assert (facts.steps, facts.tools) == (5, ("Gmail:search_threads", "Gmail:send_message"))
    assert facts_of(document("a", "b", "c", "b")).calls == ("b", "c")


def test_calls_are_followed_through_the_store() -> None:
    async def question() -> None:
        store = MemoryStore()
        await push(store, "ws", [document("c"), document("b", "c")], at=at(1))
        await store.put_board("ws", "broken", content("{"), expected=NEW, at=at(1))
        await store.put_board("other", "d", content("{}"), expected=NEW, at=at(1))
        found = await called_by(store, "ws", [document("a", "b", "gone", "broken", "d")])
        assert sorted(found) == ["b", "c"]
        beside = document("c", name="Another c")
        found = await called_by(store, "ws", [document("a", "b")], {"c": beside})
        assert found["c"] is beside
        found = await called_by(store, "ws", [document("a", "a")])
        assert found == {}

    asked(question())


def test_a_ring_of_calls_is_refused_whole() -> None:
    async def question() -> None:
        store = MemoryStore()
        ring = [document("a", "b"), document("b", "c"), document("c", "a")]
        pushed = await push(store, "ws", ring, at=at(1))
        assert outcomes(pushed) == [Outcome.REFUSED] * 3
        assert await store.list_boards("ws") == []

    asked(question())


def test_of_two_who_push_at_once_one_is_told() -> None:
    async def question() -> None:
        store = MemoryStore()
        await push(store, "ws", [document("a")], at=at(1))
        real = store.get_board

        async def slowly(workspace: str, board_id: str) -> Any:
            board = await real(workspace, board_id)
            await asyncio.sleep(0)  # both have read before either writes
            return board

        store.get_board = slowly  # type: ignore[method-assign]
        texts = [document("a", description=str(number)) for number in range(8)]
        pushed = await asyncio.gather(*(push(store, "ws", [one], at=at(2)) for one in texts))
        said = [one.outcome for many in pushed for one in many]
        assert sorted(said) == [Outcome.CHANGED] + [Outcome.LOST] * 7

    asked(question())


def test_an_id_with_a_slash_is_read_again() -> None:
    async def question() -> None:
        store = MemoryStore()
        await push(store, "ws", [document("x", id="team/a")], at=at(1))
        board = await store.get_board("ws", "team/a")
        assert board is not None
        assert document_of(board).id == "team/a"

    asked(question())


def test_a_format_of_a_later_version_is_said() -> None:
    async def question() -> None:
        store = MemoryStore()
        await store.put_board("ws", "a", content()._replace(format="later"), expected=NEW, at=at(1))
        board = await store.get_board("ws", "a")
        assert board is not None
        with pytest.raises(CircuitError, match="not known here"):
            document_of(board)
        assert await called_by(store, "ws", [document("b", "a")]) == {}
        pulled, errors = await fetch(store, "ws", (), None)
        assert pulled == []
        assert [error.found for error in errors] == ["later"]

    asked(question())


def test_an_id_that_cannot_be_kept_is_refused() -> None:
    with pytest.raises(CircuitError, match="cannot be the name"):
        asked(push(MemoryStore(), "ws", [document("x", id="a\0b")], at=at(1)))


def test_a_board_that_somebody_changes_meanwhile_is_not_removed() -> None:
    async def question() -> None:
        store = MemoryStore()
        await push(store, "ws", [document("a")], at=at(1))
        real = store.list_boards

        async def meanwhile(workspace: str) -> list[BoardHead]:
            await push(store, "ws", [document("a", description="new")], at=at(2))
            return await real(workspace)

        store.list_boards = meanwhile  # type: ignore[method-assign]
        with pytest.raises(NotRemoved, match="changed by somebody else"):
            await remove(store, "ws", "a")
        assert len(await real("ws")) == 1

    asked(question())


def test_what_needs_attention_comes_first() -> None:
    from datetime import UTC, datetime

    from support.stores import run_of

    async def question() -> None:
        store = MemoryStore()
        for name in ("all well", "a", "b", "draft"):
            armed = content()._replace(schedule=Schedule("* * * * *", "", "task"))
            status = "draft" if name == "draft" else ARMED
            await store.put_board("ws", name, armed._replace(status=status), expected=NEW, at=at(1))
        await store.add_run("ws", run_of("r", "all well", started=at(60)), fired=True)
        found = await checkups(store, "ws", datetime(2026, 1, 5, 0, 2, tzinfo=UTC))
        assert [(one.head.id, one.is_fine) for one in found] == [("a", False), ("b", False), ("all well", True)]

    asked(question())


def test_a_board_calls_nothing_of_another_format() -> None:
    async def run() -> dict[str, Document]:
        store = MemoryStore()
        program = formats.get("circuitry").load(Definition("out 1\n", "circuitry", "leaf.kdl"))
        assert outcomes(await push(store, "w", [program], at=at(0))) == [Outcome.ADDED]
        return await called_by(store, "w", [document("a", "leaf")])

    assert asyncio.run(run()) == {}
