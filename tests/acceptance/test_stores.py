"""`circuit ls | open | push | pull | rm | health | store`: a folder of workflows and a store kept in step."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from support.command import BOARD, Circuit, Ended, text_of
from support.postgres import Cluster
from support.stores import at, run_of, with_store

from circuit_export.store.base import ARMED, Binding, BoundTool, Schedule, Store, StoredBoard, stamp

Run = Callable[..., Ended]


@pytest.fixture
def store(tmp_path: Path) -> str:
    return str(tmp_path / "kept" / "store.db")


@pytest.fixture
def run(circuit: Circuit, store: str) -> Run:
    """Runs a command on the store of this test."""
    return lambda *args, **more: circuit(*args, env={"CIRCUIT_STORE": store}, **more)


def kept(store: str, board_id: str = "board", workspace: str = "local") -> StoredBoard:
    board = with_store(store, lambda asked: asked.get_board(workspace, board_id))
    assert board is not None
    return board


def changed(board_file: Path, **more: Any) -> str:
    text = text_of({**json.loads(board_file.read_text("utf-8")), **more})
    board_file.write_text(text, "utf-8", newline="")
    return text


def arm(store: str, board_id: str = "board", *, ran: datetime | None = None, task: str = "task-1") -> None:
    async def do(asked: Store) -> None:
        board = await asked.get_board("local", board_id)
        assert board is not None
        armed = board.content._replace(status=ARMED, schedule=Schedule("0 * * * *", "hourly", task))
        assert await asked.put_board("local", board_id, armed, expected=board.head.revision, at=at(1))
        if ran is not None:
            await asked.add_run("local", run_of("r", board_id, started=stamp(ran)), fired=True)

    with_store(store, do)


def a_caller(file: Path, callee: str, **more: Any) -> None:
    call = {"id": "call", "type": "flow.call", "title": "Call", "config": {"workflowId": callee, **more}}
    start = {"id": "s", "type": "trigger.ask", "title": "Start", "next": [{"to": "call"}]}
    file.write_text(text_of({"circuit": 1, "name": "Caller", "steps": [start, call]}), "utf-8")


# --- push


def test_push_keeps_the_exact_text(run: Run, store: str, board_file: Path) -> None:
    ended = run("push", board_file)
    assert (ended.code, ended.out, ended.err) == (0, b"", "board: a new board\n")
    board = kept(store)
    assert board.text == board_file.read_text("utf-8")
    assert board.head.facts.tools == ("Gmail:search_threads", "Gmail:send_message")
    assert (board.head.version, board.head.status, board.head.facts.steps) == (1, "draft", 5)


def test_push_of_a_change_is_the_next_version(run: Run, store: str, board_file: Path) -> None:
    first = board_file.read_text("utf-8")
    run("push", board_file)
    assert "the store holds it already, as version 1" in run("push", board_file).err
    second = changed(board_file, name="Evening post")
    assert run("push", board_file).err == "board: version 2, after 1\n"
    versions = with_store(store, lambda asked: asked.list_versions("local", "board"))
    assert [(one.version, one.text) for one in versions] == [(2, second), (1, first)]


def test_push_does_not_put_an_old_text_back_unless_forced(run: Run, store: str, board_file: Path) -> None:
    old = board_file.read_text("utf-8")
    run("push", board_file)
    changed(board_file, name="Evening post")
    run("push", board_file)
    board_file.write_text(old, "utf-8", newline="")
    ended = run("push", board_file)
    assert ended.code == 1
    assert "the store is ahead of it" in ended.err
    assert "the text of version 1" in ended.err
    assert kept(store).head.version == 2
    assert run("push", board_file, "--force").err == "board: version 3, after 2\n"


def test_push_refuses_what_has_errors_and_takes_the_rest(
    run: Run, store: str, board_file: Path, tmp_path: Path
) -> None:
    steps = [*BOARD["steps"], {**BOARD["steps"][1]}]  # type: ignore[misc]
    (tmp_path / "twice.json").write_text(text_of({**BOARD, "steps": steps}), "utf-8")
    (tmp_path / "broken.json").write_text('{"circuit": 1, "name": ', "utf-8")
    ended = run("push", "twice.json", "broken.json", "absent.json", board_file)
    assert ended.code == 1
    assert "“twice” was not pushed: it has errors" in ended.err
    assert "[C202]" in ended.err or "fetch" in ended.err
    assert "broken.json:1:" in ended.err
    assert "There is no such file" in ended.err
    assert "board: a new board" in ended.err
    assert [head.id for head in with_store(store, lambda asked: asked.list_boards("local"))] == ["board"]


def test_push_wants_what_a_workflow_calls(run: Run, store: str, board_file: Path, tmp_path: Path) -> None:
    a_caller(tmp_path / "caller.json", "board", input={"voice": "mine"})
    ended = run("push", "caller.json")
    assert ended.code == 1
    assert "[C212]" in ended.err
    assert run("push", "caller.json", board_file).code == 0  # together, in any order
    assert kept(store, "caller").head.facts.calls == ("board",)
    (tmp_path / "caller.json").write_text((tmp_path / "caller.json").read_text().replace("Caller", "Called"))
    assert run("push", "caller.json").code == 0  # the store has the other


def test_push_refuses_with_one_those_that_call_it(run: Run, store: str, tmp_path: Path) -> None:
    steps = [*BOARD["steps"], {**BOARD["steps"][1]}]  # type: ignore[misc]
    (tmp_path / "callee.json").write_text(text_of({**BOARD, "steps": steps}), "utf-8")
    a_caller(tmp_path / "caller.json", "callee", input={"voice": "mine"})
    assert run("push", "caller.json", "callee.json").code == 1
    assert with_store(store, lambda asked: asked.list_boards("local")) == []


def test_push_says_which_tools_nobody_has_and_keeps_the_board(run: Run, store: str, board_file: Path) -> None:
    binding = Binding(at(1), (BoundTool("Gmail:send_message"),))
    with_store(store, lambda asked: asked.put_binding("local", binding))
    ended = run("push", board_file)
    assert ended.code == 0
    assert "[C401]" in ended.err
    assert "Gmail:search_threads" in ended.err


def test_push_takes_a_folder_a_page_and_stdin(run: Run, store: str, board_file: Path, tmp_path: Path) -> None:
    text = board_file.read_text("utf-8")
    (tmp_path / "boards").mkdir()
    for name in ("one", "two"):
        (tmp_path / "boards" / f"{name}.json").write_text(text, "utf-8")
    assert run("push", "boards").code == 0
    run("export", board_file)
    assert run("push", "board.html").code == 0
    assert run("push", "-", stdin=text_of({**BOARD, "id": "piped"}).encode()).code == 0
    heads = with_store(store, lambda asked: asked.list_boards("local"))
    assert sorted(head.id for head in heads) == ["board", "one", "piped", "two"]
    assert kept(store).text == text


def test_push_of_nothing_and_of_two_with_one_id(run: Run, board_file: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("push", "empty").code == 3
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "board.json").write_text(board_file.read_text("utf-8"), "utf-8")
    ended = run("push", board_file, "other")
    assert ended.code == 1
    assert "Two of these workflows have the id “board”" in ended.err


def test_a_pushed_board_keeps_its_standing_and_its_task(run: Run, store: str, board_file: Path) -> None:
    changed(board_file, schedule={"cron": "0 9 * * 1", "note": "mondays"})
    run("push", board_file)
    assert kept(store).head.schedule == Schedule("0 9 * * 1", "mondays")
    assert kept(store).head.status == "draft"
    arm(store)
    changed(board_file, name="Evening post")
    run("push", board_file)
    assert (kept(store).head.status, kept(store).head.schedule) == (ARMED, Schedule("0 * * * *", "hourly", "task-1"))


# --- ls and open


def test_ls_lists_and_says_when_there_is_nothing(run: Run, board_file: Path) -> None:
    run("push", board_file, "--workspace", "other")
    ended = run("ls")
    assert (ended.code, ended.out) == (0, b"")
    assert "there is no board in the workspace “local”" in ended.err
    run("push", board_file)
    head, line = run("ls").text.splitlines()
    assert head.split() == ["Id", "Status", "Version", "Steps", "Changed", "Name"]
    assert line.split()[:4] == ["board", "draft", "1", "5"]
    assert line.endswith("Morning post")


def test_ls_for_programs(run: Run, store: str, board_file: Path) -> None:
    run("push", board_file)
    assert json.loads(run("ls", "--format", "json", "--workspace", "other").text) == []
    arm(store)
    (value,) = json.loads(run("ls", "--format", "json").text)
    assert value["id"] == "board"
    assert value["schedule"] == {"cron": "0 * * * *", "note": "hourly", "taskId": "task-1", "confirmedAt": None}
    assert value["tools"] == ["Gmail:search_threads", "Gmail:send_message"]
    assert value["lastRunAt"] is None


def test_workspaces_are_apart(run: Run, store: str, board_file: Path) -> None:
    run("push", board_file, "--workspace", "team")
    assert run("ls").out == b""
    assert "board" in run("ls", "--workspace", "team").text
    assert run("pull", "board").code == 1
    assert kept(store, workspace="team").head.workspace == "team"


def test_open_shows_steps_ways_and_the_newest_run(run: Run, store: str, board_file: Path) -> None:
    changed(board_file, steps=[*BOARD["steps"][:-1], {**BOARD["steps"][-1], "enabled": False}])  # type: ignore[misc]
    run("push", board_file)
    shown = run("open", "board").text
    assert shown.startswith("Morning post (board)\ndraft, version 1, 5 steps\nReads what came in overnight")
    assert "  fetch  do       “Fetch the post” → write\n" in shown
    assert "“Send it” (muted)\n" in shown
    assert shown.endswith("It has not been run.\n")
    arm(store, ran=datetime(2026, 1, 5, 9, tzinfo=UTC), task="")
    shown = run("open", "board").text
    assert "every hourly (0 * * * *); no task was confirmed\n" in shown
    assert "Newest run: r, live, running, started 2026-01-05T09:00:00.000Z\n" in shown


def test_open_lists_versions(run: Run, board_file: Path) -> None:
    run("push", board_file)
    changed(board_file, name="Evening post")
    run("push", board_file)
    lines = run("open", "board", "--versions").text.splitlines()
    assert [line.split()[0] for line in lines] == ["Version", "2", "1"]


@pytest.mark.parametrize("command", ["open", "pull", "rm"])
def test_an_unknown_id_is_said_with_the_likely_one(run: Run, board_file: Path, command: str) -> None:
    run("push", board_file)
    ended = run(command, "borad")
    assert ended.code == 1
    assert "There is no workflow “borad”" in ended.err
    assert "did you mean “board”?" in ended.err


# --- pull


def test_pull_writes_exactly_what_the_store_holds(run: Run, board_file: Path, tmp_path: Path) -> None:
    text = board_file.read_text("utf-8").replace("Morning post", "Mörgen 📮 \\ud83d")
    board_file.write_text(text, "utf-8", newline="")
    assert run("push", board_file).code == 0
    ended = run("pull", "-o", "back/")
    assert (ended.code, ended.err) == (0, "wrote back/board.json, version 1\n".replace("/", str(Path("/"))))
    assert (tmp_path / "back" / "board.json").read_bytes() == text.encode()
    assert "holds version 1 already" in run("pull", "-o", "back/").err
    assert run("pull", "board", "-o", "-").out == text.encode()
    assert run("pull", "board", "-o", "named.txt").code == 0
    assert (tmp_path / "named.txt").read_bytes() == text.encode()


def test_pull_brings_an_earlier_version_up_to_date_and_keeps_anything_else(run: Run, board_file: Path) -> None:
    old = board_file.read_text("utf-8")
    run("push", board_file)
    new = changed(board_file, name="Evening post")
    run("push", board_file)
    board_file.write_text(old, "utf-8", newline="")
    ended = run("pull")
    assert (ended.code, ended.err) == (0, "wrote board.json, version 2 after 1\n")
    assert board_file.read_text("utf-8") == new
    mine = changed(board_file, name="Mine")
    ended = run("pull")
    assert ended.code == 1
    assert "something that the store never had" in ended.err
    assert board_file.read_text("utf-8") == mine
    assert run("pull", "--force").code == 0
    assert board_file.read_text("utf-8") == new


def test_pull_of_an_earlier_version(run: Run, board_file: Path) -> None:
    old = board_file.read_bytes()
    run("push", board_file)
    changed(board_file, name="Evening post")
    run("push", board_file)
    assert run("pull", "board", "--version", "1", "-o", "-").out == old
    ended = run("pull", "board", "--version", "7")
    assert ended.code == 1
    assert "“board” has no version 7" in ended.err
    assert run("pull", "--version", "1").code == 2


def test_pull_of_ids_that_cannot_be_files(run: Run, store: str, tmp_path: Path) -> None:
    ids = ["../../up", "CON", "a/b", "a-b", "A-B", "~root", "C:\\x"]
    for number, name in enumerate(ids):
        text = text_of({**BOARD, "id": name, "description": str(number)})
        assert run("push", "-", stdin=text.encode()).code == 0
    ended = run("pull", "-o", "back")
    assert ended.code == 2  # it would be one file
    ended = run("pull", "-o", "back/")
    assert ended.code == 0
    files = sorted((tmp_path / "back").iterdir())
    assert len({file.name.lower() for file in files}) == len(ids)
    assert {json.loads(file.read_text("utf-8"))["id"] for file in files} == set(ids)
    assert "its id cannot be a file's name here" in ended.err
    assert not (tmp_path.parent / "up.json").exists()
    assert run("push", "back").code == 0  # and all of them find their boards again
    assert len(with_store(store, lambda asked: asked.list_boards("local"))) == len(ids)


def test_pull_of_nothing(run: Run, board_file: Path) -> None:
    run("push", board_file, "--workspace", "other")
    assert run("pull").code == 3


def test_a_folder_and_a_store_in_step(run: Run, tmp_path: Path) -> None:
    """All the examples go in and come back, byte for byte."""
    examples = Path(__file__).resolve().parents[2] / "examples"
    assert run("push", examples).code == 0
    assert run("pull", "-o", "back/").code == 0
    back = sorted((tmp_path / "back").iterdir())
    assert len(back) > 5
    for file in back:
        assert file.read_bytes() == next(examples.rglob(file.name)).read_bytes()


@pytest.mark.postgres
def test_a_database_as_the_store(circuit: Circuit, postgres: Cluster, board_file: Path, tmp_path: Path) -> None:
    """DATABASE_URL names it; everything is as with a file."""
    env = {"DATABASE_URL": postgres.database(), "CIRCUIT_STORE": ""}
    assert circuit("push", board_file, env=env).err == "board: a new board\n"
    assert "Morning post" in circuit("ls", env=env).text
    assert circuit("pull", "-o", "back/", env=env).code == 0
    assert (tmp_path / "back" / "board.json").read_bytes() == board_file.read_bytes()
    changed(board_file, name="Evening post")
    assert circuit("push", board_file, env=env).err == "board: version 2, after 1\n"
    assert circuit("open", "board", env=env).text.startswith("Evening post (board)\ndraft, version 2")
    assert circuit("store", "info", env=env).text.startswith("postgres at postgresql://")
    assert "pg_dump" in circuit("store", "backup", "copy", env=env).err
    assert circuit("rm", "board", env=env).err == "removed board\n"


# --- rm


def test_rm_removes_what_nothing_counts_on(run: Run, store: str, board_file: Path, tmp_path: Path) -> None:
    a_caller(tmp_path / "caller.json", "board", input={"voice": "mine"})
    run("push", "caller.json", board_file)
    ended = run("rm", "board")
    assert ended.code == 1
    assert "“board” is called by “caller”" in ended.err
    arm(store, "caller")
    assert "“caller” is armed" in run("rm", "caller").err
    assert run("rm", "caller", "--force").err == "removed caller\n"
    assert run("rm", "board").code == 0
    assert with_store(store, lambda asked: asked.list_boards("local")) == []


# --- health


def test_health_says_what_has_stopped(run: Run, store: str, board_file: Path) -> None:
    run("push", board_file)
    ended = run("health")
    assert (ended.code, ended.out) == (3, b"")
    assert "nothing is armed" in ended.err
    arm(store, task="")
    ended = run("health")
    assert ended.code == 1
    assert "board  Morning post: never confirmed." in ended.text
    arm(store)
    assert "never run" in run("health").text
    arm(store, ran=datetime.now(UTC) - timedelta(hours=5))
    assert "overdue" in run("health").text
    with_store(
        store,
        lambda asked: asked.add_run("local", run_of("now", "board", started=stamp(datetime.now(UTC))), fired=True),
    )
    ended = run("health")
    assert ended.code == 0
    assert ended.text.startswith("ok board  Morning post: fine.")
    (value,) = json.loads(run("health", "--format", "json").text)
    assert (value["id"], value["state"], value["cron"]) == ("board", "fine", "0 * * * *")


# --- store


def test_store_info_and_backup(run: Run, store: str, board_file: Path) -> None:
    run("push", board_file)
    said = run("store", "info").text.splitlines()
    assert said[0] == f"sqlite at {store}, tables of version 2"
    assert said[1] == "1 board in 1 version, 0 runs, 1 workspace"
    assert json.loads(run("store", "info", "--format", "json").text)["boards"] == 1
    assert run("store", "backup", "copy.db").err == "wrote copy.db\n"
    assert "There is a file already" in run("store", "backup", "copy.db").err
    assert "Morning post" in run("ls", "--store", "copy.db").text


def test_store_prune(run: Run, store: str, board_file: Path) -> None:
    run("push", board_file)
    old = run_of("old", "board", started=at(1), status="succeeded", endedAt=at(2))
    with_store(store, lambda asked: asked.add_run("local", old))
    assert "would forget 1 run, 0 expired keys" in run("store", "prune", "--older-than", "1h", "--dry-run").err
    ended = run("store", "prune", "--older-than", "1h")
    assert (ended.code, ended.err) == (0, "forgot 1 run, 0 expired keys, 0 expired grants\n")
    assert run("store", "prune").code == 3
    ended = run("store", "prune", "--older-than", "soon")
    assert ended.code == 2
    assert "such as 30d" in ended.err


# --- what is wrong with a store


@pytest.mark.parametrize(
    "command", ["ls", "open x", "pull", "rm x", "health", "store info", "store backup b", "store prune"]
)
def test_only_push_makes_a_store(run: Run, store: str, command: str) -> None:
    ended = run(*command.split())
    assert ended.code == 1
    assert "There is no store here yet" in ended.err
    assert not Path(store).exists()


def test_a_store_that_cannot_be_used_is_said(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "letter.db").write_text("This is a letter. " * 100)
    for address, says in (
        ("letter.db", "no SQLite file"),
        ("postgresql://me:s3cret@127.0.0.1:1/db", "does not answer"),
    ):
        ended = circuit("ls", "--store", address)
        assert ended.code == 1
        assert says in ended.err
        assert "s3cret" not in ended.err
    for address, says in (("memory", "is gone when this command ends"), ("mysql://h/d", "no such kind of store")):
        ended = circuit("ls", "--store", address)
        assert ended.code == 2
        assert says in ended.err


def test_a_shell_is_offered_the_ids_there_are(run: Run, circuit: Circuit, store: str, board_file: Path) -> None:
    run("push", board_file)

    def offered(words: str, address: str) -> list[str]:
        asked = {"_CIRCUIT_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)}
        lines = circuit(env={**asked, "CIRCUIT_STORE": address}).text.splitlines()
        return [line.partition(",")[2] for line in lines if line]

    for command in ("open", "pull", "rm"):
        assert offered(f"circuit {command} bo", store) == ["board"]
        assert offered(f"circuit {command} bo", f"{store}.not-there") == []
    assert offered("circuit open bo", "postgresql://127.0.0.1:1/db") == []
    assert offered("circuit open bo", str(board_file)) == []
