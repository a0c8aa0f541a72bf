"""Several servers on one store are as one, and one that dies, or loses its database, has lost nothing it said."""

import contextlib
import json
import os
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from support.command import BOARD
from support.postgres import Cluster, binaries, running
from support.stores import with_store
from support.talking import Called, Serving, Web

pytestmark = pytest.mark.skipif(os.name == "nt", reason="kills as POSIX does")
REPORTS = 200
LOOP = [
    {"id": "start", "type": "trigger.ask", "title": "Start", "next": [{"to": "each"}]},
    {
        "id": "each",
        "type": "logic.each",
        "title": "Each",
        "config": {"list": "trigger.items", "limit": REPORTS},
        "next": [{"to": "look"}],
    },
    {
        "id": "look",
        "type": "tool.call",
        "title": "Look",
        "config": {"tool": "Wiki:get", "arguments": {"of": "{{item}}"}},
    },
]
DESIGN = {key: value for key, value in BOARD.items() if key != "circuit"}
RACERS = 8


@contextlib.contextmanager
def servers(place: Path, store: str, count: int) -> Iterator[list[Serving]]:
    """So many servers on one store."""
    with ThreadPoolExecutor(count) as pool, contextlib.ExitStack() as stack:
        logs = [place / f"log{number}" for number in range(count)]
        made = list(pool.map(lambda log: Serving(log, "--store", store), logs))
        for server in made:
            stack.enter_context(server)
        yield made
        for log in logs:
            assert "Traceback" not in log.read_text()


KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def address_of(request: pytest.FixtureRequest, place: Path) -> str:
    """The address of an empty store that processes share."""
    if request.param == "sqlite":
        return str(place / "boards.db")
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.database()


@pytest.fixture(params=KINDS)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return address_of(request, tmp_path)


@pytest.fixture(scope="module", params=KINDS)
def several(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Serving]]:
    """Two servers on one file, or four on one database, for all tests of this module."""
    place = tmp_path_factory.mktemp("several")
    with servers(place, address_of(request, place), 2 if request.param == "sqlite" else 4) as made:
        yield made


# --- as one ------------------------------------------------------------------------------------------------------


class Tour:
    """Calls in a row, each to the next server; what they answered, without what differs from time to time."""

    def __init__(self, servers: list[Serving]) -> None:
        self._turns = cycle([server.web() for server in servers])
        self._names: dict[str, str] = {}
        self.heard: list[Any] = []

    def call(self, tool: str, /, **arguments: Any) -> Called:
        said = next(self._turns).call(tool, **arguments)
        self.heard.append((tool, json.loads(self._plain(json.dumps(said, ensure_ascii=False)))))
        return said

    def read(self, uri: str) -> None:
        answer = next(self._turns).ask("resources/read", {"uri": uri})
        self.heard.append((uri[:15], json.loads(self._plain(json.dumps({**answer, "id": 0}, ensure_ascii=False)))))

    def _plain(self, text: str) -> str:
        text = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)", "TIME", text)
        text = re.sub(r'"(drawing|digest)": "[0-9a-f]+"', r'"\1": "of its text"', text)
        return re.sub(r"\b(wf|run)_[0-9a-f]{6,}", lambda found: self._name(found[0]), text)

    def _name(self, found: str) -> str:
        return self._names.setdefault(found, f"{found.partition('_')[0]}_{len(self._names)}")

    def to_the_end(self, said: Called) -> Called:
        """Answers whatever a run asks."""
        while said.props["directive"]["act"] != "done":
            at = said.props["directive"]
            result: Any = {"decision": "approve", "edit": "as it is"} if at["act"] == "ask" else {"text": "well"}
            named = {"runId": said.props["run"]["id"], "stepId": at["stepId"], "turn": at["turn"]}
            said = self.call("step", **named, result=result)
        return said


def taken(servers: list[Serving]) -> list[Any]:
    """What all tools answer in the course of a tour."""
    tour = Tour(servers)
    call = tour.call
    for tool in ("catalog", "list", "tools", "health", "runs"):
        call(tool)
    call("bind", tools=[{"name": "Gmail:search_threads"}, {"name": "Gmail:send_message", "hint": "sends"}])
    board = call("design", **DESIGN, workflowId="post").props["workflow"]["id"]
    for step in (*BOARD["steps"][:1], {"id": "new"}):  # type: ignore[index]
        call("patch", workflowId=board, ops=[{"op": "update_step", "stepId": step["id"], "title": "Other"}])
    call("rename", workflowId=board, name="Post")
    call("set_enabled", workflowId=board, stepId="fetch", enabled=False)
    call("set_enabled", workflowId=board, stepId="fetch", enabled=True)
    call("move", workflowId=board, stepId="fetch", col=1, lane=0)
    call("diff", workflowId=board)
    call("open", workflowId=board)
    call("run", workflowId=board)  # an input is missing
    tour.to_the_end(call("run", workflowId=board, input={"voice": "warm"}))
    tour.to_the_end(call("run", workflowId=board, input={"voice": "warm"}, mode="test"))
    call("design", workflowId="loop", name="Loop", steps=LOOP)
    call("bind", tools=[{"name": "Wiki:get"}, {"name": "Gmail:send_message"}, {"name": "Gmail:search_threads"}])
    said = call("run", workflowId="loop", trigger={"items": ["a", "b", "c", "d"]})
    run = said.props["run"]["id"]
    call("step", runId=run, stepId="look", result=1, turn=1)
    call("step", runId=run, stepId="look", result=1, turn=1)  # late
    call("step", runId=run, stepId="look", error="no net")
    call("step", runId=run, stepId="look", result=1)
    call("resume", runId=run)
    call("step", runId=run, stepId="look", error="no net")
    tour.to_the_end(call("resume", runId=run, skip=True))
    call("answer", runId=run, decision="approve")
    call("runs", workflowId="loop")
    call("arm", workflowId=board)
    call("arm", workflowId=board, force=True)
    call("scheduled", workflowId=board, taskId="t1")
    call("health")
    call("delete", workflowId=board)
    call("disarm", workflowId=board)
    page = call("export", workflowId=board).text
    copy = call("import", source=page, name="Copy").props["workflow"]["id"]
    for workflow in (board, copy):
        call("validate", workflowId=workflow)
        call("trace", workflowId=workflow)
        tour.read(f"circuit://workflow/{workflow}")
    tour.read(f"circuit://run/{run}")
    call("delete", workflowId=copy)
    call("open", workflowId=copy)
    call("list")
    return tour.heard


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What one server answers that has its boards for itself."""
    with servers(tmp_path_factory.mktemp("alone"), "memory", 1) as alone:
        return taken(alone)


def test_several_servers_answer_as_one(several: list[Serving], expected: list[Any]) -> None:
    heard = json.dumps(taken(several))
    for kind in ("sqlite", "postgres"):
        heard = heard.replace(f'"storage": "{kind}"', '"storage": "memory"')
    assert json.loads(heard) == json.loads(json.dumps(expected))
    assert len(expected) > 50
    assert sum(bool(said.get("isError")) for _, said in expected) >= 5


def racing(several: list[Serving]) -> list[Web]:
    return [several[number % len(several)].web() for number in range(RACERS)]


def test_of_many_who_report_at_once_one_counts(several: list[Serving]) -> None:
    with ThreadPoolExecutor(RACERS) as pool:
        racers = racing(several)
        racers[0].call("design", workflowId="race", name="Race", steps=LOOP)
        said = racers[0].call("run", workflowId="race", trigger={"items": list(range(12))})
        run = said.props["run"]["id"]
        for turn in range(1, 11):
            given = {"runId": run, "stepId": "look", "turn": turn}
            answers = list(
                pool.map(lambda one: one[1].call("step", **given, result=[turn, one[0]]), enumerate(racers))  # noqa: B023
            )
            moved = [number for number, said in enumerate(answers) if not said.failed and _counts(said, turn)]
            assert len(moved) >= 1
            present = racers[-1].call("open", workflowId="race").props["run"]
            assert present["awaiting"]["turn"] == turn + 1
            outputs = [moment["output"] for moment in present["history"] if _is_result(moment)]
            assert len(outputs) == turn
            winner = outputs[-1][1]
            assert winner in moved
            assert all(said.props["directive"] == answers[winner].props["directive"] for said in _others(answers, turn))


def _counts(said: Called, turn: int) -> bool:
    """Did it get the directive after the one that it answered, without being told that another was quicker?"""
    at = said.props["directive"]
    return bool(at["act"] == "call_tool" and at["turn"] == turn + 1 and "quicker" not in said.text)


def _is_result(moment: Any) -> bool:
    return bool(moment["stepId"] == "look" and isinstance(moment.get("output"), list))


def _others(answers: list[Called], turn: int) -> list[Called]:
    """Those who lost and were told where the run is now."""
    return [said for said in answers if "quicker" in said.text]


def test_of_many_who_change_a_board_at_once_all_are_heard(several: list[Serving]) -> None:
    with ThreadPoolExecutor(RACERS) as pool:
        racers = racing(several)
        racers[0].call("design", workflowId="changed", name="Changed", steps=LOOP)

        def add(numbered: tuple[int, Web]) -> Called:
            number, web = numbered
            step = {"id": f"s{number}", "type": "note.say", "title": "T", "config": {"template": "x"}}
            return web.call("patch", workflowId="changed", ops=[{"op": "add_step", "step": step, "after": "look"}])

        answers = list(pool.map(add, enumerate(racers)))
        assert not [said.text for said in answers if said.failed]
        workflow = racers[-1].call("open", workflowId="changed").props["workflow"]
        assert {step["id"] for step in workflow["steps"]} == {
            "start",
            "each",
            "look",
            *(f"s{n}" for n in range(RACERS)),
        }
        assert workflow["version"] == 1 + RACERS


# --- sudden ends -------------------------------------------------------------------------------------------------


def reported(web: Web, run: dict[str, Any], turn: int, upto: int = REPORTS, at: threading.Event | None = None) -> int:
    """Reports turn by turn; the turn that comes next in the end, or when the connection fails. `at` turn 70 is told."""
    while turn <= upto:
        if at is not None and turn == 70:
            at.set()
        try:
            said = web.call("step", **run, turn=turn, result=turn)
        except OSError:
            return turn
        if said.failed:
            assert "The database does not answer" in said.text
            turn = standing(web)
            continue
        assert said.props["directive"]["act"] == ("done" if turn == REPORTS else "call_tool"), said.text
        turn += 1
    return turn


def standing(web: Web) -> int:
    """The turn that the run waits at."""
    while (said := web.call("open", workflowId="loop")).failed:
        assert "The database does not answer" in said.text
    return int((said.props["run"]["awaiting"] or {"turn": REPORTS + 1})["turn"])


def started(web: Web) -> dict[str, Any]:
    web.call("design", workflowId="loop", name="Loop", steps=LOOP)
    said = web.call("run", workflowId="loop", trigger={"items": list(range(REPORTS))})
    return {"runId": said.props["run"]["id"], "stepId": "look"}


def each_is_there_once(store: str, run_id: str) -> None:
    kept = with_store(store, lambda asked: asked.get_run("local", run_id))
    assert kept is not None
    assert kept.run["status"] == "succeeded"
    assert kept.run["directives"] == REPORTS + 1
    results = [moment["output"] for moment in kept.run["history"] if moment["stepId"] == "look" and "output" in moment]
    assert results == list(range(REPORTS + 1 - len(results), REPORTS + 1))
    assert len(results) > 50


def test_a_server_that_is_killed_has_kept_what_it_acknowledged(store: str, tmp_path: Path) -> None:
    with Serving(tmp_path / "log", "--store", store) as server, ThreadPoolExecutor(1) as pool:
        web, midst = server.web(), threading.Event()
        run = started(web)
        reporting = pool.submit(reported, web, run, 1, REPORTS, midst)
        assert midst.wait(60)
        server.process.kill()
        turn = reporting.result()
    assert 70 <= turn < REPORTS
    with Serving(tmp_path / "log2", "--store", store) as server:
        web = server.web()
        assert standing(web) in (turn, turn + 1)  # what was under way when it died may have been done
        assert reported(web, run, standing(web)) == REPORTS + 1
    each_is_there_once(store, run["runId"])


BREAK = """
SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""


@pytest.mark.postgres
def test_connections_that_break_are_made_again(postgres: Cluster, tmp_path: Path) -> None:
    import psycopg

    store = postgres.database()
    with Serving(tmp_path / "log", "--store", store) as server, ThreadPoolExecutor(1) as pool:
        web = server.web()
        run = started(web)
        reporting = pool.submit(reported, web, run, 1)
        with psycopg.connect(postgres.address, autocommit=True) as breaker:
            for _ in range(5):
                breaker.execute(BREAK)
                breaker.execute("SELECT pg_sleep(0.1)")
        assert reporting.result() == REPORTS + 1
    each_is_there_once(store, run["runId"])


@pytest.mark.postgres
@pytest.mark.skipif(binaries() is None, reason="no Postgres")
def test_a_database_that_is_away_is_said_and_missed_no_longer_than_it_is_away(tmp_path: Path) -> None:
    with running() as cluster:
        store = cluster.database()
        with Serving(tmp_path / "log", "--store", store) as server:
            web = server.web()
            run = started(web)
            assert reported(web, run, 1, 20) == 21
            cluster.stop()
            said = web.call("step", **run, turn=21, result=21)
            assert said.failed
            assert "The database does not answer" in said.text
            assert "circuit@" not in said.text
            assert web.call("list").failed
            cluster.start()
            assert reported(web, run, 21) == REPORTS + 1
            assert server.process.poll() is None
            assert "Traceback" not in (tmp_path / "log").read_text()
        each_is_there_once(store, run["runId"])
