"""What every store promises, asked of each of them."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from support.stores import at, content, run_of, with_store

from circuit_export.diagnostics import CircuitError
from circuit_export.store.base import (
    ARMED,
    KEPT_VERSIONS,
    NEW,
    Binding,
    BoundTool,
    Facts,
    Grant,
    RunHead,
    Schedule,
    Store,
    Version,
    stamp,
)

Ask = Callable[[Callable[[Store], Awaitable[Any]]], Any]


@pytest.fixture
def ask(address: str) -> Ask:
    """Runs a coroutine function on an empty store."""
    return lambda question: with_store(address, question)


# --- boards


def test_a_board_comes_back_as_it_was_put(ask: Ask) -> None:
    text = '{"circuit": 1,\n "name": "Pöst 📮 \\ud800 \\u0000"}\n'
    facts = Facts("nul \0, half \ud800, whole 📮", "about", 3, ("Gmail:send", "x\0y"), ("other",))
    schedule = Schedule("0 9 * * 1", "mondays", "task-1", at(1))

    async def question(store: Store) -> None:
        put = content(text)._replace(facts=facts, status=ARMED, schedule=schedule, format="skills")
        head = await store.put_board("ws", "a/../b", put, expected=NEW, at=at(2))
        assert head is not None
        kept = await store.get_board("ws", "a/../b")
        assert kept is not None
        assert (kept.head, kept.text, kept.content) == (head, text, put)
        assert head == ("ws", "a/../b", "skills", facts, ARMED, schedule, 1, head.revision, at(2), at(2), "")
        assert await store.list_boards("ws") == [head]
        assert type(kept.head.facts) is Facts
        assert type(kept.head.schedule) is Schedule

    ask(question)


def test_what_is_not_there_is_none(ask: Ask) -> None:
    async def question(store: Store) -> None:
        assert await store.list_boards("ws") == []
        assert await store.armed_boards() == []
        assert await store.get_board("ws", "a") is None
        assert await store.list_versions("ws", "a") == []
        assert await store.get_version("ws", "a", 1) is None
        assert await store.delete_board("ws", "a", expected=1) is False
        assert await store.get_run("ws", "r") is None
        assert await store.save_run("ws", run_of("r"), expected=1) is None
        assert await store.list_runs("ws") == []
        assert await store.get_binding("ws") is None
        assert await store.get_grant("code", "k", now=at(1)) is None
        assert await store.use_grant("code", "k", now=at(1)) is None
        assert await store.drop_grant("code", "k") is False
        await store.ping()

    ask(question)


def test_a_revision_wins_once(ask: Ask) -> None:
    async def question(store: Store) -> None:
        first = await store.put_board("ws", "a", content("1"), expected=NEW, at=at(1))
        assert first is not None
        assert await store.put_board("ws", "a", content("2"), expected=NEW, at=at(2)) is None
        assert await store.put_board("ws", "b", content("2"), expected=7, at=at(2)) is None
        second = await store.put_board("ws", "a", content("2"), expected=first.revision, at=at(2))
        assert second is not None
        assert second.revision > first.revision
        assert await store.put_board("ws", "a", content("3"), expected=first.revision, at=at(3)) is None
        kept = await store.get_board("ws", "a")
        assert kept is not None
        assert kept.text == "2"
        assert await store.delete_board("ws", "a", expected=first.revision) is False
        assert await store.delete_board("ws", "a", expected=second.revision) is True
        assert await store.get_board("ws", "a") is None
        assert await store.list_versions("ws", "a") == []

    ask(question)


@pytest.mark.parametrize("number", [-1, 2**63, 10**30])
def test_what_is_no_revision_never_wins(ask: Ask, number: int) -> None:
    async def question(store: Store) -> None:
        await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        await store.add_run("ws", run_of("r"))
        assert await store.put_board("ws", "a", content("2"), expected=number, at=at(2)) is None
        assert await store.delete_board("ws", "a", expected=number) is False
        assert await store.save_run("ws", run_of("r"), expected=number) is None

    ask(question)


def test_a_board_made_anew_has_none_of_its_old_revisions(ask: Ask) -> None:
    async def question(store: Store) -> None:
        old = await store.put_board("ws", "a", content("1"), expected=NEW, at=at(1))
        assert old is not None
        await store.delete_board("ws", "a", expected=old.revision)
        new = await store.put_board("ws", "a", content("2"), expected=NEW, at=at(2))
        assert new is not None
        assert new.version == 1
        assert await store.put_board("ws", "a", content("3"), expected=old.revision, at=at(3)) is None

    ask(question)


def test_only_a_changed_text_is_a_new_version(ask: Ask) -> None:
    async def question(store: Store) -> None:
        async def put(text: str, second: int, **more: Any) -> int:
            kept = await store.get_board("ws", "a")
            revision = kept.head.revision if kept else NEW
            minor = more.pop("minor", False)
            put = content(text)._replace(**more)
            head = await store.put_board("ws", "a", put, expected=revision, at=at(second), minor=minor)
            assert head is not None
            assert head.updated_at == at(second)
            assert head.created_at == at(1)
            return head.version

        assert await put("1", 1) == 1
        assert await put("1", 2, status=ARMED, schedule=Schedule("* * * * *")) == 1
        assert await put("2", 3) == 2
        assert await put("2 moved", 4, minor=True) == 2
        assert await put("3", 5) == 3
        versions = [Version(3, at(5), "3"), Version(2, at(3), "2 moved"), Version(1, at(1), "1")]
        assert await store.list_versions("ws", "a") == versions
        for version in versions:
            assert await store.get_version("ws", "a", version.version) == version
        for absent in (0, 4, -1, 10**30):
            assert await store.get_version("ws", "a", absent) is None

    ask(question)


def test_the_last_fifty_earlier_versions_are_kept(ask: Ask) -> None:
    async def question(store: Store) -> None:
        revision = NEW
        for number in range(1, KEPT_VERSIONS + 4):
            head = await store.put_board("ws", "a", content(str(number)), expected=revision, at=at(number))
            assert head is not None
            revision = head.revision
        versions = await store.list_versions("ws", "a")
        assert [version.version for version in versions] == list(range(KEPT_VERSIONS + 3, 2, -1))
        assert len(versions) == KEPT_VERSIONS + 1 == 51

    ask(question)


def test_the_last_changed_board_comes_first(ask: Ask) -> None:
    async def question(store: Store) -> None:
        for name, second in (("b", 1), ("a", 1), ("c", 3), ("Z", 2)):
            await store.put_board("ws", name, content(), expected=NEW, at=at(second))
        assert [head.id for head in await store.list_boards("ws")] == ["c", "Z", "a", "b"]

    ask(question)


def test_armed_boards_of_all_workspaces(ask: Ask) -> None:
    async def question(store: Store) -> None:
        for workspace, name, status in (("2", "x", ARMED), ("1", "y", ARMED), ("1", "n", "draft"), ("1", "a", ARMED)):
            await store.put_board(workspace, name, content()._replace(status=status), expected=NEW, at=at(1))
        assert [head[:2] for head in await store.armed_boards()] == [("1", "a"), ("1", "y"), ("2", "x")]

    ask(question)


# --- runs


def test_a_run_moves_on_one_revision_at_a_time(ask: Ask) -> None:
    async def question(store: Store) -> None:
        run = run_of("r", data={"trigger": {"text": "nul \0, half \ud800, 📮", "n": 2**70, "f": 0.1}})
        revision = await store.add_run("ws", run)
        assert revision is not None
        assert await store.add_run("ws", run) is None
        kept = await store.get_run("ws", "r")
        assert kept == (run, revision)
        kept.run["status"] = "failed"  # what was read is the reader's own
        assert await store.get_run("ws", "r") == (run, revision)
        run["awaiting"] = {"stepId": "s\0", "act": "ask"}
        after = await store.save_run("ws", run, expected=revision)
        assert after is not None
        assert await store.save_run("ws", run, expected=revision) is None
        assert await store.get_run("ws", "r") == (run, after)
        assert await store.list_runs("ws") == [RunHead("r", "a", "running", "live", at(1), "", "s\0")]

    ask(question)


@pytest.mark.parametrize("other", [NEW, -1, 99, 2**63])
def test_a_run_that_is_known_already_is_not_read(ask: Ask, other: int) -> None:
    async def question(store: Store) -> None:
        run = run_of("r", data={"trigger": "half \ud800"})
        first = await store.add_run("ws", run)
        assert first is not None
        assert await store.get_run("ws", "r", known=first) == ({}, first)
        assert await store.get_run("ws", "r", known=other) == (run, first)
        run["status"] = "failed"
        second = await store.save_run("ws", run, expected=first, text=json.dumps(run))
        assert second is not None
        assert await store.get_run("ws", "r", known=first) == (run, second)
        assert await store.get_run("ws", "r", known=second) == ({}, second)
        assert await store.get_run("ws", "s", known=second) is None

    ask(question)


def test_the_last_started_run_comes_first(ask: Ask) -> None:
    async def question(store: Store) -> None:
        for run_id, workflow, second in (("1", "a", 1), ("3", "b", 3), ("2", "a", 2), ("2 too", "a", 2)):
            await store.add_run("ws", run_of(run_id, workflow, started=at(second)))
        assert [head.id for head in await store.list_runs("ws")] == ["3", "2 too", "2", "1"]
        assert [head.id for head in await store.list_runs("ws", "a", limit=2)] == ["2 too", "2"]
        assert await store.list_runs("ws", "c") == []
        assert await store.list_runs("ws", limit=-1) == []
        assert len(await store.list_runs("ws", limit=10**30)) == 4

    ask(question)


def test_only_a_run_that_counts_moves_the_last_run_of_its_board(ask: Ask) -> None:
    async def question(store: Store) -> None:
        head = await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        assert head is not None

        async def last() -> str:
            kept = await store.get_board("ws", "a")
            assert kept is not None
            assert kept.head.revision == head.revision  # whoever edits meanwhile loses nothing by it
            return kept.head.last_run_at

        await store.add_run("ws", run_of("1", started=at(2)))
        assert await last() == ""
        await store.add_run("ws", run_of("2", started=at(5)), fired=True)
        assert await last() == at(5)
        await store.add_run("ws", run_of("3", started=at(4)), fired=True)
        assert await last() == at(5)
        await store.add_run("ws", run_of("2", started=at(9)), fired=True)  # its id is taken: nothing was started
        await store.add_run("ws", run_of("4", "gone", started=at(9)), fired=True)
        assert await last() == at(5)
        again = await store.put_board("ws", "a", content("2"), expected=head.revision, at=at(6))
        assert again is not None
        assert again.last_run_at == at(5)

    ask(question)


# --- bindings and keys


def test_a_binding_replaces_the_one_before(ask: Ask) -> None:
    async def question(store: Store) -> None:
        for tools in ((BoundTool("Gmail:send", "mail"), BoundTool("x\0")), (BoundTool("CRM:add"),)):
            binding = Binding(at(1), tools)
            await store.put_binding("ws", binding)
            assert await store.get_binding("ws") == binding

    ask(question)


def test_a_key_is_told_once_in_its_window(ask: Ask) -> None:
    async def question(store: Store) -> None:
        assert await store.once("ws", "k", now=at(1), until=at(10)) is True
        assert await store.once("ws", "k", now=at(9), until=at(99)) is False
        assert await store.once("ws", "other", now=at(9), until=at(99)) is True
        assert await store.once("ws", "k", now=at(10), until=at(20)) is True
        assert await store.once("ws", "k", now=at(19), until=at(20)) is False

    ask(question)


def test_a_tally_counts_within_its_window(ask: Ask) -> None:
    async def question(store: Store) -> None:
        told = [await store.tally("ws", "k", now=at(second), until=at(second + 3)) for second in (1, 2, 3, 4, 5)]
        assert told == [1, 2, 3, 1, 2]

    ask(question)


# --- sign-in


def test_a_grant_is_used_once(ask: Ask) -> None:
    async def question(store: Store) -> None:
        grant = Grant("code", "digest", {"who": "ws", "nul": "\0"}, at(10), "family")
        assert await store.add_grant(grant) is True
        assert await store.add_grant(grant._replace(value={})) is False
        assert await store.get_grant("code", "digest", now=at(1)) == grant
        assert await store.get_grant("refresh", "digest", now=at(1)) is None
        assert await store.get_grant("code", "digest", now=at(10)) is None
        assert await store.use_grant("code", "digest", now=at(10)) is None
        used = grant._replace(used_at=at(2))
        assert await store.use_grant("code", "digest", now=at(2)) == used
        assert await store.use_grant("code", "digest", now=at(3)) is None
        assert await store.get_grant("code", "digest", now=at(3)) == used
        assert await store.drop_grant("code", "digest") is True
        assert await store.get_grant("code", "digest", now=at(3)) is None

    ask(question)


def test_a_revoked_family_has_no_grants_any_more(ask: Ask) -> None:
    async def question(store: Store) -> None:
        kept = Grant("client", "c", {})
        for grant in (kept, Grant("refresh", "1", {}, at(99), "f"), Grant("refresh", "2", {}, "", "other")):
            assert await store.add_grant(grant)
        await store.revoke_family("f", until=at(50))
        await store.revoke_family("f", until=at(40))
        assert await store.get_grant("refresh", "1", now=at(1)) is None
        assert await store.use_grant("refresh", "1", now=at(1)) is None
        assert await store.add_grant(Grant("refresh", "3", {}, at(99), "f")) is False
        assert await store.use_grant("refresh", "2", now=at(1)) is not None
        assert await store.get_grant("client", "c", now=at(1)) == kept
        assert await store.prune(before=at(0), now=at(45)) == (0, 0, 1)
        assert await store.add_grant(Grant("refresh", "3", {}, at(99), "f")) is False
        await store.prune(before=at(0), now=at(51))
        assert await store.add_grant(Grant("refresh", "3", {}, at(99), "f")) is True

    ask(question)


# --- workspaces


def test_a_workspace_sees_nothing_of_another(ask: Ask) -> None:
    async def question(store: Store) -> None:
        head = await store.put_board("one", "a", content("1"), expected=NEW, at=at(1))
        assert head is not None
        await store.put_board("one", "a", content("2"), expected=head.revision, at=at(1))
        await store.add_run("one", run_of("r"))
        await store.put_binding("one", Binding(at(1), ()))
        await store.once("one", "k", now=at(1), until=at(9))
        assert await store.get_board("two", "a") is None
        assert await store.list_boards("two") == []
        assert await store.list_versions("two", "a") == []
        assert await store.get_version("two", "a", 1) is None
        assert await store.delete_board("two", "a", expected=head.revision + 1) is False
        assert await store.get_run("two", "r") is None
        assert await store.save_run("two", run_of("r"), expected=1) is None
        assert await store.list_runs("two") == []
        assert await store.get_binding("two") is None
        assert await store.once("two", "k", now=at(1), until=at(9)) is True
        other = await store.put_board("two", "a", content("other"), expected=NEW, at=at(1))
        assert other is not None
        assert other.version == 1
        assert await store.add_run("two", run_of("r"), fired=True) is not None
        mine = await store.get_board("one", "a")
        assert mine is not None
        assert (mine.text, mine.head.last_run_at) == ("2", "")

    ask(question)


@pytest.mark.parametrize("name", ["", ".", "..", "x" * 201, "a\0b", "a\nb", "\ud800", "\x7f"])
def test_what_cannot_be_a_name_is_nowhere_and_refused(ask: Ask, name: str) -> None:
    async def question(store: Store) -> None:
        assert await store.get_board(name, "a") is None
        assert await store.get_board("ws", name) is None
        assert await store.get_run("ws", name) is None
        assert await store.list_boards(name) == []
        assert await store.list_runs("ws", name) == []
        assert await store.get_version("ws", name, 1) is None
        assert await store.get_grant("code", name, now=at(1)) is None
        assert await store.delete_board("ws", name, expected=1) is False
        for refused in (
            store.put_board("ws", name, content(), expected=NEW, at=at(1)),
            store.put_board(name, "a", content(), expected=NEW, at=at(1)),
            store.add_run("ws", run_of(name)),
            store.once("ws", name, now=at(1), until=at(2)),
            store.add_grant(Grant("code", name, {})),
            store.put_binding(name, Binding(at(1), ())),
            store.revoke_family(name, until=at(1)),
        ):
            with pytest.raises(CircuitError, match="cannot be the name"):
                await refused
        assert await store.list_boards("ws") == []

    ask(question)


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "a b", "'; DROP TABLE circuit_board; --", "%s :id", "ünï", "x" * 200]
)
def test_any_plain_name_is_only_a_name(ask: Ask, name: str) -> None:
    async def question(store: Store) -> None:
        await store.put_board(name, name, content(name), expected=NEW, at=at(1))
        kept = await store.get_board(name, name)
        assert kept is not None
        assert kept.text == name
        assert len(await store.list_boards(name)) == 1

    ask(question)


@pytest.mark.parametrize("text", ["nul \0", "half \ud83d"])
def test_a_text_that_cannot_be_kept_is_refused(ask: Ask, text: str) -> None:
    async def question(store: Store) -> None:
        with pytest.raises(CircuitError, match="cannot be kept"):
            await store.put_board("ws", "a", content(text), expected=NEW, at=at(1))
        assert await store.get_board("ws", "a") is None

    ask(question)


# --- keeping house


def test_info_counts(ask: Ask) -> None:
    async def question(store: Store) -> None:
        for workspace in ("1", "2"):
            head = await store.put_board(workspace, "a", content("1"), expected=NEW, at=at(1))
            assert head is not None
            await store.put_board(workspace, "a", content("2"), expected=head.revision, at=at(2))
        await store.add_run("3", run_of("r"))
        info = await store.info()
        assert (info.kind, info.workspaces, info.boards, info.versions, info.runs) == (store.kind, 3, 2, 4, 1)
        assert (info.size > 0) is store.durable

    ask(question)


def test_prune_takes_what_ended_and_what_expired(ask: Ask) -> None:
    async def question(store: Store) -> None:
        await store.put_board("ws", "a", content(), expected=NEW, at=at(1))
        ended = {"status": "succeeded", "endedAt": at(5)}
        for run_id, more in (
            ("old", ended),
            ("cancelled", {"status": "cancelled"}),
            ("late", {**ended, "endedAt": at(50)}),
            ("failed", {"status": "failed"}),
            ("open", {}),
        ):
            await store.add_run("ws", run_of(run_id, started=at(2), **more))
        await store.once("ws", "k", now=at(1), until=at(3))
        await store.once("ws", "k2", now=at(1), until=at(300))
        await store.add_grant(Grant("code", "1", {}, at(3)))
        await store.add_grant(Grant("code", "2", {}, at(300)))
        await store.add_grant(Grant("client", "3", {}))
        assert await store.prune(before="", now=at(1), dry=True) == (0, 0, 0)
        for dry in (True, False):
            assert await store.prune(before=at(10), now=at(20), dry=dry) == (2, 1, 1)
        assert await store.prune(before=at(10), now=at(20)) == (0, 0, 0)
        assert {head.id for head in await store.list_runs("ws")} == {"late", "failed", "open"}
        assert await store.prune(before=at(10), now=at(20), unfinished=True) == (2, 0, 0)
        assert [head.id for head in await store.list_runs("ws")] == ["late"]
        assert len(await store.list_boards("ws")) == 1
        assert await store.get_grant("code", "2", now=at(20)) is not None
        assert await store.get_grant("client", "3", now=at(20)) is not None

    ask(question)


def test_closing_twice_is_fine(ask: Ask) -> None:
    async def question(store: Store) -> None:
        await store.open()
        await store.open()
        await store.close()

    ask(question)


def test_a_thousand_boards(ask: Ask) -> None:
    async def question(store: Store) -> None:
        for number in range(1000):
            await store.put_board("ws", f"wf_{number}", content(), expected=NEW, at=at(number))
        listed = await store.list_boards("ws")
        assert [head.id for head in listed[:2]] == ["wf_999", "wf_998"]
        assert len(listed) == 1000

    ask(question)


def test_a_board_of_ten_thousand_steps(ask: Ask) -> None:
    text = '{"steps": [' + ", ".join(['{"id": "é", "type": "note.say"}'] * 10_000) + "]}"

    async def question(store: Store) -> None:
        await store.put_board("ws", "a", content(text), expected=NEW, at=at(1))
        kept = await store.get_board("ws", "a")
        assert kept is not None
        assert kept.text == text

    ask(question)


@pytest.mark.parametrize(
    "time",
    [
        datetime(2026, 1, 2, 3, 4, 5, 6789),  # noqa: DTZ001 - one without a zone is UTC
        datetime(2026, 1, 2, 3, 4, 5, 6789, UTC),
        datetime(2026, 1, 2, 5, 4, 5, 6789, timezone(timedelta(hours=2))),
    ],
)
def test_a_stamp_is_utc_and_always_as_wide(time: datetime) -> None:
    assert stamp(time) == "2026-01-02T03:04:05.006Z"
