"""A run record on a board: what becomes of its steps, moments and wires, and what is refused."""

from typing import Any

import pytest

from circuit_export.board.model import Actor, Board, Chip, Fact, Wire
from circuit_export.diagnostics import CircuitError
from circuit_export.runs.record import Run
from circuit_export.runs.shown import shown, text

CHIPS = tuple(Chip(name, "do", name.title(), "", Actor.CLAUDE, ports=("out", "error")) for name in ("a", "b", "c"))
BOARD = Board("flow", "Flow", "", CHIPS, (Wire(0, "out", 1), Wire(0, "error", 2), Wire(1, "out", 2)))


def moment(step: str, state: str = "done", at: str = "2026-01-02T03:04:05Z", **more: Any) -> dict[str, Any]:
    return {"stepId": step, "at": at, "state": state, **more}


def run_of(*history: dict[str, Any], trace: Any = (), taken: Any = (), **more: Any) -> Run:
    return {
        "id": "r",
        "workflowId": "flow",
        "status": "succeeded",
        "mode": "live",
        "startedAt": "2026-01-02T03:04:05Z",
        "trace": list(trace),
        "history": list(history),
        "taken": list(taken),
        **more,
    }


def test_steps_become_chips_and_values_texts() -> None:
    trace = [
        {"stepId": "a", "state": "done", "summary": "2 threads"},
        {"stepId": "b", "state": "failed", "error": "no"},
    ]
    run = run_of(
        moment("a", port="out", input="plain", output={"n": 1}),
        moment("b", "failed", error="no", item=[1]),
        trace=trace,
        taken=[{"step": "a", "port": "out", "to": "b"}],
    )
    view, remarks = shown(run, BOARD)
    assert view.states == ("done", "failed", "idle")
    assert view.notes == ("2 threads", "no", "")
    assert view.taken == (0,)
    first, second = view.moments
    assert (first.chip, first.given, first.answer, first.item) == (0, "plain", '{\n  "n": 1\n}', None)
    assert (second.chip, second.error, second.given, second.item) == (1, "no", None, "[\n  1\n]")
    assert view.about == "A run, begun 2026-01-02T03:04:05Z"
    assert view.facts == (Fact("run", "succeeded"), Fact("moments", "2"))
    assert remarks == ()


def test_a_moment_of_a_called_workflow_is_of_the_step_that_calls() -> None:
    run = run_of(
        moment("b", "running"),
        moment("write", path=["b", "sub", "write"]),
        trace=[{"stepId": "b", "state": "running"}, {"stepId": "b", "path": ["b", "b"], "state": "failed"}],
        taken=[{"path": ["b", "a"], "step": "a", "port": "out", "to": "b"}],
    )
    view = shown(run, BOARD).view
    assert [(one.chip, one.inner) for one in view.moments] == [(1, ""), (1, "sub › write")]
    assert view.states == ("idle", "running", "idle")
    assert view.taken == ()


def test_times_are_shown_only_where_they_differ() -> None:
    same = shown(run_of(moment("a"), moment("b")), BOARD).view
    assert {one.at for one in same.moments} == {""}
    differ = shown(run_of(moment("a"), moment("b", at="2026-01-02T03:04:06Z")), BOARD).view
    assert [one.at[-3:] for one in differ.moments] == ["05Z", "06Z"]


def test_only_the_newest_moments_are_shown_and_the_others_counted() -> None:
    history = [moment("a", earlier=7), *(moment("b") for _ in range(250))]
    view = shown(run_of(*history), BOARD).view
    assert len(view.moments) == 240
    assert view.earlier == 7 + 11


def test_redacted_no_value_is_left() -> None:
    run = run_of(
        moment("a", input={"to": "ada@example.org"}, output="dear Ada", item=["Ada"], summary="took “Ada”"),
        moment("b", "failed", error="Ada is unknown"),
        trace=[
            {"stepId": "a", "state": "done", "summary": "took “Ada”"},
            {"stepId": "b", "state": "failed", "error": "Ada"},
        ],
    )
    view = shown(run, BOARD, redact=True).view
    assert view.redacted
    assert "ada" not in repr(view).lower()
    assert view.moments[0].given == '{\n  "to": "text of 15"\n}'
    assert view.moments[0].answer == "text of 8"


def test_what_the_board_does_not_have_is_said_and_left_out() -> None:
    run = run_of(moment("a"), moment("gone"), trace=[{"stepId": "gone", "state": "done"}], workflowId="old")
    view, remarks = shown(run, BOARD)
    assert len(view.moments) == 1
    assert remarks == (
        "the run is of “old”, the workflow is “flow”",
        "the run has the step “gone”, which this workflow does not have: left out",
    )


def test_a_run_of_which_nothing_is_on_the_board_is_refused() -> None:
    with pytest.raises(CircuitError, match="another workflow") as caught:
        shown(run_of(moment("v"), moment("w"), moment("x"), moment("y"), workflowId="other"), BOARD)
    assert caught.value.found == "“other”, with the steps “v”, “w”, “x” and 1 more"
    assert "“flow”" in caught.value.expected


def test_a_run_that_has_not_begun_is_shown() -> None:
    view = shown(run_of(status="running", mode="test"), BOARD).view
    assert view.states == ("idle",) * 3
    assert [fact.value for fact in view.facts] == ["not finished", "0", "a test: nothing outside was changed"]


@pytest.mark.parametrize("stopped", [{"reason": "No tool."}, {"directive": {"act": "blocked", "reason": "No tool."}}])
def test_why_it_stands_still_is_said_but_not_when_redacted(stopped: Any) -> None:
    run = run_of(moment("a"), status="failed", stopped=stopped)
    assert shown(run, BOARD).view.reason == "No tool."
    assert shown(run, BOARD, redact=True).view.reason == ""


@pytest.mark.parametrize("stopped", [None, [], "x", {}, {"directive": 3}, {"reason": 3}, {"summary": "well"}])
def test_what_does_not_stand_still_has_no_reason(stopped: Any) -> None:
    assert shown(run_of(moment("a"), stopped=stopped), BOARD).view.reason == ""


@pytest.mark.parametrize(
    ("part", "entry", "said"),
    [
        ("history", "x", "history/0 is no object"),
        ("history", {"stepId": "a", "state": "done"}, "history/0 has no text in “at”"),
        ("history", moment("a", summary=3), "history/0 has no text in “summary”"),
        ("history", moment("a", path=[]), "history/0 has no list of steps in “path”"),
        ("history", moment("a", path="ab"), "history/0 has no list of steps in “path”"),
        ("history", moment("a", earlier="9"), "history/0 has no number in “earlier”"),
        ("trace", {"stepId": 1, "state": "done"}, "trace/0 has no text in “stepId”"),
        ("taken", {"step": "a", "port": "out"}, "taken/0 has no text in “to”"),
    ],
)
def test_an_entry_of_another_shape_is_refused_with_its_place(part: str, entry: Any, said: str) -> None:
    run = run_of()
    run[part] = [entry]
    with pytest.raises(CircuitError) as caught:
        shown(run, BOARD)
    assert caught.value.found == said


def test_a_text_is_shown_as_it_is() -> None:
    assert text("“a”\n") == "“a”\n"
    assert text(None) == "null"
    assert text({"ä": True}) == '{\n  "ä": true\n}'
