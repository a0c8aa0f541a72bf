"""Boards are loaded with all they hold; odd ones with what there is to say, undrawable ones not at all."""

import json
from pathlib import Path
from typing import Any

import pytest

from circuit_export.board.model import Place
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Severity
from circuit_export.formats.json_text import Number
from circuit_export.formats.steps import FORMAT
from circuit_export.formats.steps.document import Input, Next, OnError, Schedule, dump, load, load_value, recognise

BOARDS = json.loads((Path(__file__).parents[3] / "conformance" / "boards.json").read_text("utf-8"))


def board(*steps: Any, **more: Any) -> dict[str, Any]:
    return {"circuit": 1, "name": "B", **more, "steps": list(steps) or [step()]}


def step(id: Any = "a", type: Any = "tool.call", **more: Any) -> dict[str, Any]:
    return {"id": id, "type": type, "title": "T", **more}


def said(value: Any) -> list[tuple[str, str]]:
    return [(note.name, note.pointer) for note in load_value(value).notes]


def refused(text: str) -> CircuitError:
    with pytest.raises(CircuitError) as caught:
        load(Definition(text, "steps", "b.json"))
    return caught.value


@pytest.mark.parametrize("case", BOARDS, ids=[case["name"] for case in BOARDS])
def test_clean_boards_load_without_a_word_and_dump_to_the_same_value(case: dict[str, Any]) -> None:
    document = load_value(case["board"])
    assert document.notes == ()
    assert json.loads(document.definition.text) == case["board"]
    assert [item.id for item in document.steps] == list(document.by_id)
    assert document.start.id == case["board"]["entry"]


def test_everything_is_read() -> None:
    document = load_value(
        board(
            step("t", "trigger.ask", next=[{"to": "a"}]),
            step(
                "a",
                config={"tool": "Gmail:reply"},
                next=[{"port": "out", "to": "t"}, {"port": "oops", "to": "nowhere"}],
                enabled=False,
                onError={"do": "route", "port": "oops"},
                position={"col": 3, "lane": 1.0},
            ),
            id="my-board",
            description="D",
            inputs=[{"name": "x"}, {"name": "y", "description": "Y", "required": False, "default": None}],
            schedule={"cron": "0 8 * * *", "note": "at eight"},
        )
    )
    assert (document.id, document.name, document.description, document.entry) == ("my-board", "B", "D", 0)
    assert document.inputs == (Input("x"), Input("y", "Y", False, None, True))
    assert [item.must_be_given for item in document.inputs] == [True, False]
    assert document.schedule == Schedule("0 8 * * *", "at eight")
    first, second = document.steps
    assert first.next == (Next("out", "a"),)
    assert (first.enabled, first.on_error, first.position) == (True, None, None)
    assert second.next == (Next("out", "t"), Next("oops", "nowhere"))
    assert (second.enabled, second.on_error, second.position) == (False, OnError("route", 2, "oops"), Place(3, 1))
    assert document.step("a") is second
    assert document.step("nowhere") is None
    assert document.notes == ()


def test_the_id_is_the_stem_when_there_is_none() -> None:
    assert load_value(board(), "folder/weekly.digest.json").id == "weekly.digest"
    assert load_value(board(id=""), "x.json").id == "x"


def test_the_entry_is_the_first_trigger_else_the_first_step() -> None:
    steps = [step("a"), step("b", "trigger.watch"), step("c", "trigger.ask")]
    assert load_value(board(*steps)).entry == 1
    assert load_value(board(*steps, entry="c")).entry == 2
    assert load_value(board(step("a"), step("b"))).entry == 0
    document = load_value(board(step("first"), step("second", "trigger.ask"), entry="frist"))
    assert document.entry == 1
    (note,) = document.notes
    assert (note.name, note.pointer, note.hint) == ("unknown-entry", "/entry", "did you mean “first”?")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (board(step("a"), step("a")), [("duplicate-step-id", "/steps/1/id")]),
        (board(step(type="tool.cal")), [("unknown-step-type", "/steps/0/type")]),
        (board(step(config=[1])), [("wrong-shape", "/steps/0/config")]),
        (board(step(enabled="no")), [("wrong-shape", "/steps/0/enabled")]),
        (board(step(enabled=None)), [("wrong-shape", "/steps/0/enabled")]),
        (board(step(onError="skip")), [("wrong-shape", "/steps/0/onError")]),
        (board(step(onError={"do": "explode"})), [("wrong-shape", "/steps/0/onError/do")]),
        (board(step(onError={"do": "retry", "attempts": 9})), [("wrong-shape", "/steps/0/onError/attempts")]),
        (board(step(onError={"do": "retry", "attempts": True})), [("wrong-shape", "/steps/0/onError/attempts")]),
        (board(step(onError={"do": "route", "port": 1})), [("wrong-shape", "/steps/0/onError/port")]),
        (board(step(position=[1, 2])), [("wrong-shape", "/steps/0/position")]),
        (board(step(position={"col": 1.5, "lane": 0})), [("wrong-shape", "/steps/0/position")]),
        (board(step(position={"col": True, "lane": 0})), [("wrong-shape", "/steps/0/position")]),
        (board(step(title=7)), [("wrong-shape", "/steps/0/title")]),
        (board({"id": "a", "type": "note.say"}), [("wrong-shape", "/steps/0")]),
        (board(inputs={}), [("wrong-shape", "/inputs")]),
        (board(inputs=[{"name": 1}, 2]), [("wrong-shape", "/inputs/0"), ("wrong-shape", "/inputs/1")]),
        (board(schedule="daily"), [("wrong-shape", "/schedule")]),
        (board(entry=3), [("wrong-shape", "/entry")]),
        (board(description=3), [("wrong-shape", "/description")]),
        (board(x=1), [("unknown-key", "/x")]),
        (board(step(writes=True)), [("misplaced-key", "/steps/0/writes")]),
        (board(step(next=[{"to": "a", "label": "x"}])), [("unknown-key", "/steps/0/next/0/label")]),
        (board(step(config={"tol": "x"})), [("unknown-key", "/steps/0/config/tol")]),
        (
            board(step(type="logic.filter", config={"all": [{"field": "x", "op": "exists", "a/b~": 1}]})),
            [("unknown-key", "/steps/0/config/all/0/a~1b~0")],
        ),
        (board(step(type="magic.do", config={"any": 1})), [("unknown-step-type", "/steps/0/type")]),
        (board(step(**{"x-circuit": {}}), **{"x-circuit": {}, "$schema": "s"}), []),
    ],
)
def test_what_is_odd_is_carried_and_said(value: dict[str, Any], expected: list[tuple[str, str]]) -> None:
    assert said(value) == expected


def test_an_unknown_key_is_said_once_however_often_it_occurs() -> None:
    document = load_value(board(*(step(str(index), colour="red") for index in range(50))))
    (note,) = document.notes
    assert "(50 times)" in note.message
    assert (note.pointer, note.step, note.severity) == ("/steps/0/colour", "0", Severity.NOTE)


def test_spelling_is_guessed() -> None:
    hints = [note.hint for note in load_value(board(step(type="tool.cal", config={}), nmae="x")).notes]
    assert hints == ["did you mean “tool.call”?", "did you mean “name”?"]


def test_a_setting_on_the_step_says_where_it_belongs() -> None:
    (note,) = load_value(board(step(writes=False))).notes
    assert note.severity is Severity.WARNING
    assert note.hint == "move “writes” into the step's “config”"


def test_a_missing_name_is_the_stem() -> None:
    document = load_value({"circuit": 1, "steps": [step()]}, "x.json")
    assert document.name == "x"
    assert [note.pointer for note in document.notes] == [""]


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("", "b.json:1:1", "not JSON"),
        ('{"circuit": 1,\n "steps": [}', "b.json:2:12", "not JSON"),
        ("[]", "b.json:1:1", "not a Circuit board"),
        ('{"steps": []}', "b.json:1:1", "not a Circuit board"),
        ('{"circuit": 2, "steps": [1]}', "b.json:1:13", "version"),
        ('{"circuit": true, "steps": [1]}', "b.json:1:13", "version"),
        ('{"circuit": "1", "steps": [1]}', "b.json:1:13", "version"),
        ('{"circuit": 1}', "b.json:1:1", "no “steps”"),
        ('{"circuit": 1, "steps": []}', "b.json:1:25", "no steps"),
        ('{"circuit": 1, "steps": {}}', "b.json:1:25", "“steps” is no list"),
        ('{"circuit": 1,\n "steps": [\n  7]}', "b.json:3:3", "Step 1 is no step"),
        ('{"circuit": 1, "steps": [{"type": "x"}]}', "b.json:1:26", "no “id”"),
        ('{"circuit": 1, "steps": [{"id": 5, "type": "x"}]}', "b.json:1:33", "“id” is no text"),
        ('{"circuit": 1, "steps": [{"id": "é", "type": null}]}', "b.json:1:46", "(“é”): its “type” is no text"),
        ('{"circuit": 1, "steps": [{"id": "a", "type": "x", "next": null}]}', "b.json:1:59", "no list of wires"),
        ('{"circuit": 1, "steps": [{"id": "a", "type": "x", "next": "b"}]}', "b.json:1:59", "no list of wires"),
        ('{"circuit": 1, "steps": [{"id": "a", "type": "x", "next": ["b"]}]}', "b.json:1:60", "is no wire"),
        ('{"circuit": 1, "steps": [{"id": "a", "type": "x", "next": [{}]}]}', "b.json:1:60", "leads nowhere"),
        ('{"circuit": 1, "steps": [{"id": "a", "type": "x", "next": [{"to": 1}]}]}', "b.json:1:67", "“to” is no text"),
        (
            '{"circuit": 1, "steps": [{"id": "a", "type": "x", "next": [{"to": "a", "port": 1}]}]}',
            "b.json:1:80",
            "“port” is no text",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused_with_its_place(text: str, where: str, message: str) -> None:
    error = refused(text).located("b.json")
    assert message in error.message
    assert error.where == where
    assert error.expected


@pytest.mark.parametrize(
    ("text", "where", "meant"),
    [
        ('{"circuit": 1, "setps": []}', "1:16", "steps"),
        ('{"circuit": 1, "Steps": []}', "1:16", "steps"),
        ('{"circuit": 1, "steps": [{"ID": "a", "type": "x"}]}', "1:27", "id"),
        ('{"circuit": 1, "steps": [{"id": "a", "tpye": "x"}]}', "1:38", "type"),
        ('{"circuit": 1, "steps": [{"id": "a", "type": "x", "next": [{"To": "b"}]}]}', "1:61", "to"),
    ],
)
def test_a_missing_key_that_is_there_misspelt_is_named_where_it_stands(text: str, where: str, meant: str) -> None:
    error = refused(text)
    assert error.where == f"b.json:{where}"
    assert error.hint == f"did you mean “{meant}”?"
    assert f"“{meant}”" in error.expected


def test_deep_nesting_is_a_clear_error() -> None:
    assert "nested too deeply" in refused("[" * 200_000).message


def test_a_repeated_member_is_said_and_the_last_one_counts() -> None:
    config = '{"template": "x", "template": "y"}'
    step = f'{{"id": "a", "type": "note.say", "title": "T", "config": {config}}}'
    text = f'{{"circuit": 1, "name": "old", "name": "new", "steps": [{step}]}}'
    document = load(Definition(text, "steps"))
    assert document.name == "new"
    assert [(note.name, note.pointer) for note in document.notes] == [
        ("duplicate-member", "/name"),
        ("duplicate-member", "/steps/0/config/template"),
    ]


def test_version_one_may_be_spelt_as_a_float() -> None:
    assert load(Definition(json.dumps({**board(), "circuit": 1.0}), "steps")).notes == ()


def test_a_dump_is_indented_by_one_space_and_keeps_order_and_characters() -> None:
    value = {"b": [], "a": {"ü": "日本", "\u2028": "\ud800"}, "n": [1, 1.0, -0.0, 10**30, None, True]}
    text = dump(value)
    assert text.startswith(
        '{\n "b": [],\n "a": {\n  "ü": "日本",\n  "\u2028": "\\ud800"\n },\n "n": [\n  1,\n  1.0,\n  -0.0,'
    )
    assert json.loads(text) == value


@pytest.mark.parametrize(
    "literal", ["1e400", "-1e400", "1.50", "0.1000000000000000055511151231257827", "9" * 5000, "1E5"]
)
def test_numbers_keep_their_digits(literal: str) -> None:
    text = dump(board(step(config={"arguments": {"n": 0}}))).replace('"n": 0', f'"n": {literal}')
    document = load(Definition(text, "steps"))
    assert isinstance(document.steps[0].config["arguments"]["n"], Number)
    assert dump(document.value) == text


def test_what_json_cannot_hold_is_a_clear_error() -> None:
    for value in (float("nan"), float("inf"), {1, 2}, {"a": b"x"}):
        with pytest.raises(CircuitError):
            dump(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"circuit": 1, "steps": []}', True),
        (' \n{"steps": [], "circuit": 2}', True),
        ('{"c\\u0069rcuit": 1, "steps": []}', True),
        ('{"circuit": true, "steps": []}', False),
        ('{"circuit": 1}', False),
        ('{"circuit": 1, "steps": {}}', False),
        ('{"version": "0.1", "nodes": [{"circuit": 1, "steps": []}]}', False),
        ('[{"circuit": 1, "steps": []}]', False),
        ('{"circuit": 1, "steps": []', False),
        ('{"circuit": ' * 100_000, False),
        ("", False),
        ("circuit", False),
    ],
)
def test_recognising(text: str, expected: bool) -> None:
    assert recognise(text) is expected
    assert FORMAT.recognise(text) is expected


def test_the_format_in_a_few_facts() -> None:
    document = load_value(
        board(
            step("a", config={"tool": "Gmail:reply"}),
            step("b", "flow.call", config={"workflowId": "other"}),
            step("c", "flow.call", config={"workflowId": "other"}),
            step("d", "flow.call", config={"workflowId": "{{input.which}}"}),
            inputs=[{"name": "which"}],
        )
    )
    assert [(need.id, need.path) for need in FORMAT.needs(document)] == [("other", "")]
    synopsis = FORMAT.synopsis(document)
    assert (synopsis.kind, synopsis.name, synopsis.steps) == ("Circuit board", "B", 4)
    assert (synopsis.connectors, synopsis.inputs) == (("Gmail:reply",), ("which",))
    assert FORMAT.normalise("a\r\nb\rc") == "a\nb\nc"
    assert FORMAT.claims(' {"steps": [], "circuit" : 1,')
    assert FORMAT.claims('{"circuit": "1"}')
    assert not FORMAT.claims('{"name": "circuit", "of": ["circuit"]}')
    assert not FORMAT.claims('A board has "circuit": 1 in it.')
    assert FORMAT.suffix("") == FORMAT.suffixes[0] == ".json"
