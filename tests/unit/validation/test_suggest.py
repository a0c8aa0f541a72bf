"""Suggested scenarios: all that can be reached, and a word on what cannot."""

import json
from pathlib import Path

import pytest

from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.formats.steps.engine.conditions import condition_holds
from circuit_export.formats.steps.engine.suggesting.samples import sample
from circuit_export.runs.findings import findings
from circuit_export.runs.outline import Reached, reached
from circuit_export.runs.record import Limits
from circuit_export.runs.scenario import play
from circuit_export.runs.scenario_file import dump, load
from circuit_export.validation.suggest import suggest

TESTS = Path(__file__).resolve().parents[2]
VECTORS = json.loads((TESTS / "conformance" / "boards.json").read_text("utf-8"))
EXAMPLES = [path for path in sorted((TESTS.parent / "examples").glob("*.json")) if ".scenarios." not in path.name]
BOARDS = {path.stem: load_value(json.loads(path.read_text("utf-8")), path.name) for path in EXAMPLES}


ROUTE = {"do": "route"}
GONE = {"field": "trigger.x", "op": "missing"}


def step(id, type, config=None, *next, **more):
    wires = [{"port": wire[0], "to": wire[1]} if isinstance(wire, tuple) else {"to": wire} for wire in next]
    return {"id": id, "type": type, "title": id.title(), "config": config or {}, "next": wires, **more}


def board(*steps, **more):
    return load_value(
        {
            "circuit": 1,
            "id": "b",
            "name": "B",
            "steps": [step("ask", "trigger.ask", None, steps[0]["id"]), *steps],
            **more,
        }
    )


def say(id):
    return step(id, "note.say", {"template": "x"})


def suggested(document, flows=None):
    """The suggestion, and what running it (as it would be written) reaches and finds."""
    machine = Machine(document, flows or {}, Limits(directives=2000))
    suggestion = suggest(machine, machine.proposer())
    runs = [play(machine, scenario) for scenario in load(dump(suggestion.scenarios))]
    got = Reached()
    for played in runs:
        got |= reached(played.run)
    outline = machine.outline()
    missed = [id for id in outline.steps if id not in got.steps] + [str(w) for w in outline.wires if w not in got.wires]
    return suggestion, missed, [finding for played in runs for finding in findings(outline, played)]


@pytest.mark.parametrize("name", BOARDS)
def test_our_own_boards_are_reached_whole(name):
    suggestion, missed, found = suggested(BOARDS[name], {document.id: document for document in BOARDS.values()})
    assert missed == []
    assert found == []
    assert suggestion.unreached == ()


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_what_is_missed_is_said_with_the_reason(vector):
    suggestion, missed, found = suggested(load_value(vector["board"]))
    assert sorted(missed) == sorted(str(target) for target, _why in suggestion.unreached)
    assert found == []
    for _target, why in suggestion.unreached:
        assert why.endswith(".")
    names = [scenario.name for scenario in suggestion.scenarios]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize(
    "condition",
    [
        {"field": "trigger.n", "op": "gt", "value": 5},
        {"field": "trigger.n", "op": "lt", "value": "-3"},
        {"field": "trigger.a.b.c", "op": "equals", "value": "Yes"},
        {"field": "trigger.list.length", "op": "gt", "value": 2},
        {"field": "trigger.list.1.name", "op": "contains", "value": "x"},
        {"field": "trigger.mail", "op": "matches", "value": r"^(inv|bill)[-_ ]?\d{3,5}$"},
        {"field": "trigger.x", "op": "exists"},
        {"field": "trigger.x", "op": "missing"},
        {"field": "input.limit", "op": "gt", "value": "{{input.least}}"},
        {"field": "steps.fetch.total", "op": "gt", "value": 10},
    ],
)
def test_conditions_are_solved(condition):
    fetch = step("fetch", "tool.call", {"tool": "A:get"}, "only")
    only = step("only", "logic.filter", {"all": [condition]}, "end")
    inputs = [{"name": "limit"}, {"name": "least"}]
    assert suggested(board(fetch, only, say("end"), inputs=inputs))[1] == []


def test_several_conditions_on_one_value_are_solved_together():
    conditions = [{"field": "trigger.n", "op": "gt", "value": 3}, {"field": "trigger.n", "op": "lt", "value": 4}]
    only = step("only", "logic.filter", {"all": conditions}, "end")
    assert suggested(board(only, say("end")))[1] == []


def test_a_loop_inside_a_loop_and_its_items():
    inner = step("inner", "logic.each", {"list": "item.members"}, "only", ("done", "after"))
    only = step("only", "logic.filter", {"all": [{"field": "item.kind", "op": "equals", "value": "a"}]}, "end")
    outer = step("outer", "logic.each", {"list": "trigger.groups"}, "inner", ("done", "last"))
    suggestion, missed, _found = suggested(board(outer, inner, only, say("end"), say("after"), say("last")))
    assert missed == []
    assert any("nothing for “Outer”" in scenario.name for scenario in suggestion.scenarios)


def test_errors_are_injected_and_gates_rejected():
    fetch = step("fetch", "tool.call", {"tool": "A:get"}, "gate", ("error", "sorry"), onError=ROUTE)
    suggestion, missed, _found = suggested(
        board(fetch, step("gate", "gate.approve", None, "end"), say("sorry"), say("end"))
    )
    assert missed == []
    assert [scenario.name for scenario in suggestion.scenarios] == [
        "all goes well",
        "“Fetch” fails",
        "“Gate” is rejected",
    ]
    assert suggestion.scenarios[2].expect.status == "cancelled"


def test_a_way_round_is_gone_once_and_left():
    sort = step("sort", "model.classify", {"labels": ["again", "enough"]}, ("again", "more"), ("enough", "end"))
    more = step("more", "tool.call", {"tool": "A:get"}, "sort")
    suggestion, missed, _found = suggested(board(sort, more, say("end")))
    assert missed == []
    assert len(suggestion.scenarios) == 1
    assert [reply.value["label"] for reply in suggestion.scenarios[0].answers["sort"]] == ["again", "enough"]


@pytest.mark.parametrize(
    ("steps", "target", "words"),
    [
        ([say("a"), say("lost")], "lost", "No wire leads to it"),
        ([step("a", "note.say", {"template": "x"}, ("z", "lost")), say("lost")], "a:z → lost", "never left by “z”"),
        ([step("a", "logic.filter", {}, ("error", "lost"), onError=ROUTE), say("lost")], "lost", "never left by"),
        ([step("a", "logic.each", {"list": "trigger"}, "lost", enabled=False), say("lost")], "a:out → lost", "muted"),
        (
            [step("a", "logic.filter", {"all": [{"field": "trigger.x", "op": "exists"}, GONE]}, "lost"), say("lost")],
            "lost", "there and missing",
        ),
        ([step("a", "tool.call", {}, "lost"), say("lost")], "lost", "it has no “tool”"),
    ],
)  # fmt: skip
def test_why_something_is_out_of_reach(steps, target, words):
    suggestion, _missed, _found = suggested(board(*steps))
    reasons = {str(what): why for what, why in suggestion.unreached}
    assert words in reasons[target]


@pytest.mark.parametrize(
    "pattern",
    [
        "abc",
        "^a+$",
        r"\d{4}-\d\d",
        "(?i)hello|bye",
        "[^abc]x",
        "a.c?",
        r"\bword\b",
        "(ab){2,}",
        "x{0,3}y",
        r"\.",
        "[]a]",
        "(?:a|b)+c",
    ],
)
def test_a_text_is_found_for_a_pattern(pattern):
    assert condition_holds({"field": "v", "op": "matches", "value": pattern}, {"v": sample(pattern)})


@pytest.mark.parametrize("pattern", ["(" * 3000, "[", "a{", "\\", "(?", "a{99999999}", "*", "|||", ")("])
def test_odd_patterns_do_no_harm(pattern):
    assert isinstance(sample(pattern), str)
