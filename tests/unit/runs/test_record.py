"""The run record, its timeline and clipping."""

import json

import pytest

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.runs.clipping import clip, redact
from circuit_export.runs.record import DEEPEST, NotPlain, load, plain, redacted, save
from circuit_export.runs.timeline import MOMENTS, Moment, Timeline


def nested(depth):
    value = []
    for _ in range(depth - 1):
        value = [value]
    return value


@pytest.mark.parametrize("value", [None, True, 5, 2.5, "text", "\ud800", [1, {"a": None}], {"a": {}}, nested(DEEPEST)])
def test_plain_values_stay_what_they_are(value):
    assert plain(value) == value
    if isinstance(value, dict | list):
        assert plain(value) is not value


def test_tuples_become_lists():
    assert plain({"a": (1, 2)}) == {"a": [1, 2]}


CIRCULAR: list = []
CIRCULAR.append(CIRCULAR)


@pytest.mark.parametrize(
    "value", [float("nan"), [float("inf")], {1, 2}, object(), b"x", nested(DEEPEST + 1), nested(100_000), CIRCULAR]
)
def test_what_is_not_plain_is_said(value):
    with pytest.raises(NotPlain):
        plain(value)


def test_brackets_in_texts_are_no_nesting():
    assert plain(['"' + "[{" * 500 + "\\"]) == ['"' + "[{" * 500 + "\\"]


def test_long_texts_keep_their_ends():
    text = "a" * 340 + "b" * 100 + "c" * 40
    assert clip("x" * 400) == "x" * 400
    assert clip(text) == "a" * 340 + "… 100 more characters …" + "c" * 40


def test_long_lists_and_objects_say_how_much_is_left_out():
    assert clip(list(range(9))) == [0, 1, 2, 3, 4, "… 4 more of 9"]
    clipped = clip({f"k{n}": n for n in range(25)})
    assert len(clipped) == 21
    assert clipped["…"] == "… 5 more of 25"


def test_depth_ends():
    assert clip({"a": {"b": {"c": {"d": {"e": 1}}}}}) == {"a": {"b": {"c": {"d": "… 1 more of 1"}}}}
    assert clip([[[[[]]]]]) == [[[[[]]]]]


def test_redacting_keeps_the_shape_alone():
    value = {"mail": "secret", "n": 5, "yes": True, "none": None, "list": [{"a": "b"}, {"a": "c"}], "empty": []}
    assert redact(value) == {
        "mail": "text of 6", "n": "number", "yes": "true or false", "none": None,
        "list": [{"a": "text of 1"}, "2 in all"], "empty": [],
    }  # fmt: skip


def test_the_oldest_moments_go_and_the_first_left_says_how_many():
    history: list = []
    for round_ in range(3):
        timeline = Timeline()
        for number in range(150):
            timeline.add(Moment(f"s{round_}.{number}", "now", "done"))
        timeline.flush(history)
    assert len(history) == MOMENTS
    assert history[0] == {"stepId": "s1.60", "at": "now", "state": "done", "earlier": 210}
    assert [moment for moment in history[1:] if "earlier" in moment] == []
    timeline.flush(history)
    assert len(history) == MOMENTS


def test_more_moments_at_once_than_are_kept():
    timeline, history = Timeline(), [{"stepId": "old", "at": "", "state": "done", "earlier": 5}]
    for number in range(1000):
        timeline.add(Moment(str(number), "now", "done"))
    timeline.flush(history)
    assert len(history) == MOMENTS
    assert history[0]["stepId"] == "760"
    assert history[0]["earlier"] == 766


def test_a_run_is_saved_and_loaded():
    run = {
        "id": "r", "workflowId": "w", "status": "running", "mode": "live", "data": {}, "queue": [], "loops": [],
        "calls": [], "trace": [], "history": [], "directives": 0, "taken": [],
    }  # fmt: skip
    assert load(save(run)) == run


def test_half_a_character_is_kept_as_an_escape():
    run = {
        "id": "r", "workflowId": "w", "status": "running", "mode": "live", "data": {"\udfff": "cut \ud83d", "é": "é"},
        "queue": [], "loops": [], "calls": [], "trace": [], "history": [], "directives": 0, "taken": [],
    }  # fmt: skip
    text = save(run)
    assert text.encode("utf-8").decode("utf-8") == text
    assert load(text) == run
    assert "é" in text


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"id": 5}', "[" * 100_000, json.dumps({"id": "r"}), "null"])
def test_what_is_no_run_is_said(text):
    with pytest.raises(CircuitError) as caught:
        load(text, "run.json")
    assert caught.value.file == "run.json"


def test_a_redacted_run_tells_nothing_of_what_came_from_outside():
    secret = "the secret word"
    heads = [{"id": h, "type": "tool.call", "title": h, "config": {"tool": "A:get"}, "next": []} for h in ("h1", "h2")]
    board = {
        "circuit": 1, "name": "B",
        "steps": [
            {"id": "w", "type": "trigger.watch", "title": "W", "config": {"tool": "A:list"}, "next": [{"to": "e"}]},
            {"id": "e", "type": "logic.each", "title": "E", "config": {"list": "trigger"}, "next": [{"to": "c"}]},
            {"id": "c", "type": "flow.call", "title": "C", "config": {"workflowId": "k", "trigger": "{{item}}"}},
        ],
    }  # fmt: skip
    called = {
        "circuit": 1, "id": "k", "name": "K",
        "steps": [
            {"id": "sort", "type": "model.classify", "title": "S", "config": {"labels": ["a", "b"]},
             "next": [{"port": "b", "to": "say"}]},
            {"id": "say", "type": "note.say", "title": "S", "config": {"template": "{{trigger}}"},
             "next": [{"to": "all"}]},
            {"id": "all", "type": "logic.branches", "title": "A", "config": {"together": True},
             "next": [{"to": "h1"}, {"to": "h2"}]},
            *heads,
        ],
    }  # fmt: skip
    machine = Machine(load_value(board), {"k": load_value(called)})
    run = machine.start("r", "now", input={"x": secret})
    machine.advance(run, "now")
    machine.report(run, "now", "w", [secret, {"deep": secret}])
    assert secret not in save(redacted(run))
    machine.report(run, "now", "sort", secret)
    machine.report(run, "now", "say", {"said": secret})
    machine.report_many(run, "now", "all", {"h1": secret}, {"h2": secret})
    assert secret in save(run)
    shown = redacted(run)
    assert secret not in save(shown)
    assert [moment["stepId"] for moment in shown["history"]] == [moment["stepId"] for moment in run["history"]]


def test_a_redacted_run_may_have_stopped_in_any_engines_words():
    run = {
        "data": {"given": {"value": "secret"}},
        **dict.fromkeys(("history", "trace", "loops", "calls"), ()),
        "awaiting": None,
        "stopped": {"act": "blocked", "stepId": "a", "reason": "process.exit: secret"},
        "log": [{"result": "secret", "at": "now"}, {"error": {"code": "x", "message": "secret"}, "at": "now"}],
    }
    shown = redacted(run)
    assert "secret" not in save(shown)
    assert shown["stopped"]["stepId"] == "a"
    assert [sorted(entry) for entry in shown["log"]] == [["at", "result"], ["at", "error"]]
