"""A program as a picture: chips, wires by name, facts, sections, and words that anybody understands."""

from typing import Any

import pytest

from circuit_export import api
from circuit_export.board.model import Actor, Board, Section
from circuit_export.definition import Definition
from circuit_export.formats.circuitry.document import ProgramDocument, load
from circuit_export.formats.circuitry.picture import picture

PROGRAM = """in { topic $topic; words ?words }
draft source="writer" "--fast" "$topic" 3 "two words" {
  in { topic $topic; words ?words; advice ?advice }
  out { text $text }
}
review source="reviewer.kdl" {
  (text)in $text
  (jsonl)out { advice ?advice; verdict $verdict }
  error { code $why }
}
again source=(circuitry)"$text" { out $result }
same source="" { out $nothing }
out { essay $text; verdict ?verdict; result ?result }
"""
REVIEWER = 'in $t\na source="checker" { (text)in $t; out $v }\nb source="style" { out $w }\nout { verdict $v }\n'


def document(text: str, path: str = "essay.kdl") -> ProgramDocument:
    return load(Definition(text, "circuitry", path))


def drawn(text: str = PROGRAM, **called: str) -> Board:
    inside = {f"{name}.kdl": document(inner, f"{name}.kdl") for name, inner in called.items()}
    return picture(document(text), inside)


def text(cell: Any) -> str:
    return "".join(span.text for span in cell)


def section(board: Board, slug: str) -> Section:
    return next(one for one in board.sections if one.slug == slug)


def rows(board: Board, slug: str) -> list[list[str]]:
    return [[text(cell) for cell in row] for row in section(board, slug).rows]


def test_a_call_is_a_chip_by_what_it_runs() -> None:
    board = drawn(reviewer=REVIEWER)
    assert [(chip.id, chip.verb, chip.summary) for chip in board.chips] == [
        ("in", "input", "takes “topic” and “words”"),
        ("draft", "command", 'runs writer --fast $topic 3 "two words"'),
        ("review", "nested", "runs reviewer.kdl, 2 calls"),
        ("again", "generated", "runs the program in “text”"),
        ("same", "pass", "hands on an empty object"),
        ("out", "output", "gives what is made of “text”, “verdict” and “result”"),
    ]
    assert {chip.actor for chip in board.chips[1:-1]} == {Actor.CIRCUIT}
    assert (board.chips[0].actor, board.chips[-1].actor) == (Actor.YOU, Actor.YOU)
    assert board.order == (0, 1, 2, 3, 4, 5)


def test_ports_are_what_a_call_binds_and_a_failure_is_told_apart() -> None:
    board = drawn()
    assert [chip.labels for chip in board.chips] == [
        ("topic", "words"), ("text",), ("advice", "verdict", "error why"), ("result",), ("nothing",), (),
    ]  # fmt: skip


def test_a_wire_carries_a_name_to_everybody_who_needs_it() -> None:
    board = drawn()
    wires = {(board.chips[a].id, port, board.chips[b].id, optional) for a, port, b, optional in board.wires}
    assert wires == {
        ("in", "topic", "draft", False),
        ("in", "words", "draft", True),
        ("review", "advice", "draft", True),
        ("draft", "text", "review", False),
        ("draft", "text", "again", False),
        ("draft", "text", "out", False),
        ("review", "verdict", "out", True),
        ("again", "result", "out", True),
    }


def test_a_chip_says_when_it_runs_and_what_becomes_of_a_failure() -> None:
    notes = {chip.id: chip.notes for chip in drawn(reviewer=REVIEWER).chips}
    assert notes["draft"] == (
        "It runs when “topic” is there, and again after a change.",
        "It takes “words” and “advice” too, when there.",
    )
    assert notes["review"] == (
        "It runs when “text” is there, and again after a change.",
        "A failure of the right shape is handled here, and the run goes on.",
    )
    assert notes["same"] == ("It needs nothing, so it runs at once.",)
    assert "The program reviewer.kdl is not on this page." in next(c for c in drawn().chips if c.id == "review").notes


def test_the_settings_are_the_source_with_codecs_where_they_are_not_the_usual_ones() -> None:
    config = dict(drawn().chips[2].config)
    assert config == {
        "source": '"reviewer.kdl"',
        "in · text": "$text",
        "out · jsonl": "{ advice ?advice; verdict $verdict }",
        "error": "{ code $why }",
    }
    assert dict(drawn().chips[0].config) == {"in": "{ topic $topic; words ?words }"}


def test_the_facts() -> None:
    facts = dict(drawn(reviewer=REVIEWER).facts)
    assert facts == {
        "calls": "4",
        "commands": "1",
        "written as": "KDL",
        "runs programs": "1 nested and 1 generated",
        "asks for": "topic and words",
    }


def test_the_state_is_listed_with_who_binds_and_reads_it() -> None:
    listed = {row[0]: row[1:] for row in rows(drawn(), "state")}
    assert listed["text"] == ["draft", "review, again, Output"]
    assert listed["topic"] == ["Input", "draft"]
    assert listed["nothing"] == ["same", "nobody"]
    lost = drawn('a source="run" "$gone" { out $x }\nout $x\n')
    assert ["gone", "nobody", "a"] in rows(lost, "state")


def test_every_command_is_listed_also_of_programs_inside() -> None:
    assert rows(drawn(reviewer=REVIEWER), "commands") == [
        ["writer", "draft"],
        ["checker", "review → a"],
        ["style", "review → b"],
        ["what only the run tells", "again"],
    ]
    assert section(drawn("out 1\n"), "commands").rows == ()


def test_the_programs_inside_are_listed_with_where_they_are() -> None:
    assert [row[:2] for row in rows(drawn(reviewer=REVIEWER), "programs")] == [
        ["reviewer.kdl", "on this page, 2 calls"],
        ['(circuitry)"$text"', "made by the run"],
    ]
    itself = drawn('a source="essay.kdl" { out $x }\nb source="gone.md" { out $y }\nout ?x ?y\n')
    assert [row[1] for row in rows(itself, "programs")] == ["this program itself", "not on this page"]


def test_sections_are_listed_with_whether_they_are_used() -> None:
    board = drawn('---\nout "@Task"\n---\nWhat it is for.\n\n# Task\nSum it up.\n\n# Tone\n')
    assert rows(board, "sections") == [["Task", "Sum it up.", "yes"], ["Tone", "(empty)", "no"]]
    assert (board.name, board.description) == ("essay", "What it is for.")


def test_what_is_wrong_is_on_the_page_and_the_call_is_not() -> None:
    board = drawn('a source="run" { inn 1; out $x }\nb source="run" { out $y }\nout ?y\n')
    assert [chip.id for chip in board.chips] == ["in", "b", "out"]
    assert rows(board, "wrong")[0][0] == "program.call.child"


@pytest.mark.parametrize("name", ["", " ", "a\nb", "\u202egnp", "in\u200b", "x" * 5_000])
def test_any_name_is_drawn(name: str) -> None:
    quoted = name.replace("\n", "\\n").replace("\u202e", "\\u{202e}")
    text = f'"{quoted}" source="" {{ in 1; out $x }}\nout $x\n'
    assert drawn(text).chips[1].title == (name or "(no name)")
    page = api.export_page(api.loads(text, path="a.kdl"))
    assert page.count('class="chip ') == 3
    assert api.restore(page).bundle.main.text == text


def test_a_summary_says_what_is_written_and_no_more() -> None:
    board = drawn(
        'in { tool $tool }\na source="$tool" "$tool" { out $x }\nb source="./$tool.sh" { out $y }\n'
        'c source="" { in { n 1 }; out { n $n } }\nd source="" { in "is $n"; out $m }\n'
        'e source=(circuitry)"out 1" { out $p }\nf source=(circuitry)"out $n" { out $q }\nout $x $y $m $p $q\n'
    )
    assert [chip.summary for chip in board.chips[1:-1]] == [
        "runs $tool $tool",
        "runs ./$tool.sh",
        "gives what is always the same",
        "hands on what it is given",
        "runs a program written out for it",
        "runs a program made for it",
    ]


@pytest.mark.parametrize(
    ("text", "input", "output", "wrong"),
    [
        ("in #inf\nout 1", "takes what cannot be made out", "gives what is always the same", "1 thing is wrong"),
        ("(t)in $x\n(t)out $x", "takes what cannot be made out", "gives what cannot be made out", "2 things are wrong"),
        ("in $x", "takes “x”", "is not there: nothing says what the result is", "1 thing is wrong"),
        ("in $x\nout $x\nout 2", "takes “x”", "gives what is made of “x”", "1 thing is wrong"),
        ("in $x\nout $x\na source=1", "takes “x”", "gives what is made of “x”", "1 thing is wrong"),
    ],
)
def test_what_is_wrong_is_not_drawn_as_something_else(text: str, input: str, output: str, wrong: str) -> None:
    board = drawn(text)
    assert [board.chips[0].summary, board.chips[-1].summary] == [input, output]
    assert [fact.value for fact in board.facts if fact.label == "cannot run"] == [wrong]


def test_what_never_runs_is_not_said_to_run() -> None:
    board = drawn(
        '---\na source="" { in "?@No"; out $x }\nb source="" { in 1; out $y }\nout { x ?x; y $y }\n---\n# Other\n'
    )
    assert [chip.notes[0].split(":")[0] for chip in board.chips[1:3]] == [
        "It never runs",
        "It needs nothing, so it runs at once.",
    ]
