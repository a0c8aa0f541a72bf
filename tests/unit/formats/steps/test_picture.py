"""A board as the neutral picture: chips, wires, facts and the sections of its page."""

import json
from pathlib import Path
from typing import Any

import pytest

from circuit_export.board.model import Actor, Board, Fact, LooseWire, Place, Scope, Section, Wire
from circuit_export.definition import Definition
from circuit_export.formats.steps.document import load, load_value
from circuit_export.formats.steps.picture import picture

BOARDS = json.loads((Path(__file__).parents[3] / "conformance" / "boards.json").read_text("utf-8"))


def step(id: str, type: str, *to: str | tuple[str, str], config: dict[str, Any] | None = None, **more: Any) -> Any:
    wires = [{"port": port, "to": target} for port, target in (t if isinstance(t, tuple) else ("out", t) for t in to)]
    return {"id": id, "type": type, "title": id.upper(), "config": config or {}, "next": wires, **more}


def draw(*steps: Any, called: dict[str, Any] | None = None, **more: Any) -> Board:
    value = {"circuit": 1, "name": "B", **more, "steps": list(steps)}
    return picture(load_value(value), {id: load_value(item) for id, item in (called or {}).items()})


def section(board: Board, slug: str) -> Section:
    return next(item for item in board.sections if item.slug == slug)


def texts(found: Section) -> list[list[str]]:
    return [["".join(span.text for span in cell) for cell in row] for row in found.rows]


@pytest.mark.parametrize("case", BOARDS, ids=[case["name"] for case in BOARDS])
def test_every_wire_and_step_is_in_the_picture(case: dict[str, Any]) -> None:
    board = picture(load_value(case["board"]), {})
    assert [chip.id for chip in board.chips] == [item["id"] for item in case["board"]["steps"]]
    written = [(item["id"], wire["port"], wire["to"]) for item in case["board"]["steps"] for wire in item["next"]]
    drawn = [(board.chips[w.source].id, w.port, board.chips[w.target].id) for w in board.wires]
    assert sorted(drawn) == sorted(written)
    assert all(wire.port in board.chips[wire.source].ports for wire in board.wires)
    assert [found.slug for found in board.sections] == ["connectors", "changes", "inputs", "calls"]


def test_a_chip_holds_what_is_drawn_and_listed() -> None:
    tool = {"tool": "Gmail:reply", "arguments": {"body": "{{item.ü}}", "n": 1}}
    board = draw(
        step("l", "logic.each", config={"list": "trigger.x"}),
        step("w", "tool.call", ("error", "l"), config=tool, onError={"do": "route"}, position={"col": 2, "lane": 1}),
    )
    loop, write = board.chips
    assert (loop.verb, loop.title, loop.actor, loop.ports) == ("for each", "L", Actor.CIRCUIT, ("out", "done"))
    assert (loop.scope, loop.writes, loop.position, loop.notes) == (Scope("out", "done"), False, None, ())
    assert (write.ports, write.writes, write.position) == (("out", "error"), True, Place(2, 1))
    assert write.config == (("tool", "Gmail:reply"), ("arguments", '{"body": "{{item.ü}}", "n": 1}'))
    assert write.notes == ("If it fails, the run goes on by the port “error”.",)


def test_ports_that_only_wires_know_are_drawn_and_said() -> None:
    chip = draw(step("a", "tool.call", ("lost", "a"))).chips[0]
    assert chip.ports == ("out", "lost")
    assert chip.notes == ("A wire leaves it by “lost”, a port that it does not have: no run takes that wire.",)


def test_the_one_plain_wire_of_a_decision_is_no_mistake() -> None:
    chip = draw(step("a", "model.classify", "a", config={"labels": ["x", "y"]})).chips[0]
    assert chip.ports == ("x", "y", "out")
    assert chip.notes == ("Whatever it decides, the run goes on by its one wire, “out”.",)


def test_muted_steps_say_what_a_run_does_there() -> None:
    board = draw(
        step("l", "logic.each", ("done", "g"), enabled=False),
        step("g", "gate.approve", enabled=False),
        step("s", "tool.call", config={"tool": "A:send"}, enabled=False),
    )
    assert board.chips[0].notes == ("It is switched off: a run does nothing here and goes straight on by “done”.",)
    assert board.chips[1].notes == (
        "It is switched off: a run does nothing here and ends this way here.",
        "So nobody is asked: what follows happens without an approval.",
    )
    assert texts(section(board, "changes")) == [["S (A · send): switched off, so not now."]]


def test_an_error_route_that_leads_nowhere_is_said() -> None:
    chip = draw(step("a", "tool.call", onError={"do": "route"})).chips[0]
    assert chip.notes == (
        "If it fails, the run goes on by the port “error”; nothing is wired there, so the run stops.",
    )


def test_what_the_loader_said_of_a_step_is_with_the_step() -> None:
    board = draw(step("a", "note.say"), step("b", "tool.cal"))
    assert board.chips[0].notes == ()
    assert board.chips[1].notes[0].endswith("did you mean “tool.call”?")
    assert (board.chips[1].verb, board.chips[1].ports) == ("step", ("out",))


def test_wires_to_nowhere_are_listed() -> None:
    board = draw(step("a", "note.say", "gone", "b"), step("b", "note.say"))
    assert board.loose == (LooseWire(0, "out", "gone"),)
    assert board.wires == (Wire(0, "out", 1),)


def test_a_blank_title_shows_the_id() -> None:
    assert draw({"id": "a", "type": "note.say", "title": "  "}).chips[0].title == "a"
    assert draw({"id": "", "type": "note.say", "title": ""}).chips[0].title == "step 1"


def test_facts() -> None:
    board = draw(
        step("a", "trigger.watch", config={"tool": "Google_Calendar:list"}),
        step("b", "tool.call", config={"tool": "Gmail:send"}),
        inputs=[{"name": "x"}, {"name": "y"}],
        schedule={"cron": "0 8 * * *"},
    )
    assert board.facts == (
        Fact("steps", "2"),
        Fact("connectors", "Google Calendar and Gmail"),
        Fact("asks for", "x and y"),
        Fact("runs", "0 8 * * *"),
    )
    assert draw(step("a", "trigger.ask")).facts[1:] == (Fact("connectors", "none"), Fact("asks for", "nothing"))


def test_empty_sections_say_so() -> None:
    board = draw(step("a", "trigger.ask"))
    assert [found.rows for found in board.sections] == [()] * 4
    assert all(found.empty.endswith(".") and not found.intro for found in board.sections)


def test_connectors_it_needs() -> None:
    board = draw(
        step("a", "tool.call", config={"tool": "Gmail:list"}),
        step("b", "tool.call", config={"tool": "Gmail:send"}),
        step("c", "tool.call", config={"tool": "Gmail:send", "writes": False}),
        step("d", "tool.call", config={"tool": "Weather:today"}),
    )
    assert texts(section(board, "connectors")) == [
        ["Gmail:list", "A", "only reads"],
        ["Gmail:send", "B, C", "writes, at some of these steps"],
        ["Weather:today", "D", "not known to only read, so it counts as a write"],
    ]


def test_what_it_can_change() -> None:
    child = {
        "circuit": 1,
        "name": "Child",
        "steps": [step("t", "trigger.ask", "u"), step("u", "tool.call", config={"tool": "X:post"})],
    }
    board = draw(
        step("a", "trigger.ask", "g", "free", "c"),
        step("g", "gate.approve", "sent"),
        step("sent", "tool.call", config={"tool": "Gmail:send"}),
        step("free", "tool.call", config={"tool": "Weather:today"}),
        step("c", "flow.call", config={"workflowId": "child"}),
        step("lost", "tool.call", config={"tool": "Gmail:send"}),
        called={"child": child},
    )
    found = section(board, "changes")
    assert found.intro == "2 of these 4 happen without asking you."
    assert texts(found) == [
        ["SENT (Gmail · send): only after you approve at G."],
        ["FREE (Weather · today): not known to only read, so it counts as a write; happens without asking you."],
        ["LOST (Gmail · send): no way leads here, so it never happens."],
        ["U in “Child”, which C runs (X · post): happens without asking you."],
    ]
    links = [(span.text, span.chip) for row in found.rows for span in row[0] if span.kind == "step"]
    assert links == [("SENT", 2), ("G", 1), ("FREE", 3), ("LOST", 5), ("C", 4)]


@pytest.mark.parametrize(
    ("gated", "alone", "intro"),
    [
        (1, 0, "It asks you before it changes anything."),
        (2, 0, "Nothing is changed without asking you."),
        (0, 1, "This happens without asking you."),
        (0, 2, "All 2 of these happen without asking you."),
        (2, 1, "1 of these 3 happens without asking you."),
    ],
)
def test_the_short_answer(gated: int, alone: int, intro: str) -> None:
    send = {"tool": "Gmail:send"}
    board = draw(
        step("a", "trigger.ask", "g", *[f"f{n}" for n in range(alone)]),
        step("g", "gate.approve", *[f"w{n}" for n in range(gated)]),
        *[step(f"w{n}", "tool.call", config=send) for n in range(gated)],
        *[step(f"f{n}", "tool.call", config=send) for n in range(alone)],
    )
    assert section(board, "changes").intro == intro


def test_what_it_asks_for() -> None:
    board = draw(
        step("a", "trigger.ask"),
        inputs=[
            {"name": "must", "description": "M"},
            {"name": "may", "required": False},
            {"name": "five", "default": 5},
            {"name": "empty", "default": ""},
        ],
    )
    assert texts(section(board, "inputs")) == [
        ["must", "M", "it must be given"],
        ["may", "", "it runs without"],
        ["five", "", "5"],
        ["empty", "", "empty"],
    ]


def test_workflows_it_calls() -> None:
    child = {"circuit": 1, "name": "Child", "description": "Does it.", "steps": [step("t", "trigger.ask")]}
    board = draw(
        step("a", "flow.call", config={"workflowId": "child"}),
        step("b", "flow.call", config={"workflowId": "gone"}),
        step("c", "flow.call", config={"workflowId": "child"}),
        called={"child": child},
    )
    assert texts(section(board, "calls")) == [
        ["Child child", "A, C", "Does it."],
        ["gone", "B", "Not found: a run stops there until it is."],
    ]


def test_lone_surrogates_show_as_the_replacement_character() -> None:
    text = json.dumps(
        {"circuit": 1, "name": "a\ud800", "steps": [step("\udfff", "note.say", config={"\ud801": ["\ud802"]})]}
    )
    board = picture(load(Definition(text, "steps")), {})
    repr_ = f"{board!r}"
    assert board.name == "a�"
    assert board.chips[0].id == "�"
    assert board.chips[0].config == (("�", '["�"]'),)
    assert board.chips[0].actor is Actor.CLAUDE
    assert "\\ud8" not in repr_


def test_numbers_that_no_float_holds_are_shown_as_written() -> None:
    text = '{"circuit": 1, "name": "n", "steps": [{"id": "a", "type": "x", "title": "A", "config": {"n": [1e400]}}]}'
    assert "1e400" in picture(load(Definition(text, "steps")), {}).chips[0].config[0][1]
