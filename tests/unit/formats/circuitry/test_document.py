"""Programs as documents: recognised strictly, carried byte for byte, described, and told what they could start."""

import subprocess
import sys

import pytest
from support.circuitry import names, vector

from circuit_export.definition import Bundle, Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.circuitry import FORMAT
from circuit_export.formats.circuitry.commands import Startable, startable
from circuit_export.formats.circuitry.document import FENCES, ProgramDocument, load
from circuit_export.formats.circuitry.ignoring import ignored
from circuit_export.formats.circuitry.rules import check

PROGRAM = 'a source="echo" "hi" { (text)out $x }\nout $x\n'
PASTE = f"Here is the program:\n\n```kdl\n{PROGRAM}```\n\nRun it.\n"


def document(text: str, path: str = "program.kdl") -> ProgramDocument:
    return load(Definition(text, "circuitry", path))


@pytest.mark.parametrize(
    "text",
    [
        PROGRAM,
        PROGRAM.replace("\n", "\r\n"),
        "out 1",
        "out",
        'out "a text"',
        "in $x\nout { got $x }",
        f"---\n{PROGRAM}---\n# Section\n",
        "---\nout text\n---\n",
        "// a comment\n\n" + PROGRAM,
        '/* one */ "out" 1',
        "out 1 a=1",
        "out { a #inf }",
    ],
)
def test_a_program_is_recognised(text: str) -> None:
    assert FORMAT.recognise(text)
    assert FORMAT.claims(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "out of milk",
        "go\nout of the way",
        "in doubt\nout of luck",
        PASTE,
        f"```kdl\n{PROGRAM}```\n",
        "# Notes\nout 1\n",
        "---\ntitle: A post\nout: 3\n---\n# A post\n",
        '{"out": 1}',
        "[out]",
        "<!doctype html>\n<pre>\nout 1\n</pre>",
        "hello world",
        "a source=1",
    ],
)
def test_what_is_no_program_is_not_recognised(text: str) -> None:
    assert not FORMAT.recognise(text)


def test_a_broken_program_is_claimed_and_its_errors_have_a_place() -> None:
    broken = 'a source="echo" {\n  out $x\nout $x\n'
    assert FORMAT.claims(broken)
    assert not FORMAT.claims(PASTE)
    assert not FORMAT.claims('{"circuit": 1, "note": "source= out"}')
    with pytest.raises(CircuitError) as caught:
        document(broken)
    assert caught.value.position == (4, 1)
    with pytest.raises(CircuitError) as caught:
        document(f"---\r\n{broken}\r\n---\r\n# S\r\n")
    assert caught.value.position is not None
    assert caught.value.position.line == 5


@pytest.mark.parametrize("name", [name for name in names() if FORMAT.recognise(vector(name).text)])
def test_a_program_comes_back_from_its_page_byte_for_byte(name: str) -> None:
    from circuit_export.board.layout import layout
    from circuit_export.board.page import render_page
    from circuit_export.board.routing import route
    from circuit_export.board.theme import load_theme
    from circuit_export.restore import find, single

    text = vector(name).text
    read = document(text, "program" + FORMAT.suffix(text))
    board = FORMAT.picture(read, {})
    cells = layout(board)
    page = render_page(board, Bundle(read.definition), load_theme("copper"), layout=cells, drawing=route(board, cells))
    found = single(find(page, lambda text: "circuitry" if FORMAT.recognise(text) else None), None)
    assert found.bundle.main.text == text


def test_a_name_and_a_description_come_from_the_file() -> None:
    read = document(f"// Says hello,\n//  politely.\n{PROGRAM}", "some/hello.kdl")
    assert (read.id, read.name, read.description) == ("hello", "hello", "Says hello, politely.")
    assert document(f"---\n{PROGRAM}---\nSays *hello*.\n\n# S\nx\n").description == "Says *hello*."
    facts = FORMAT.synopsis(read)
    assert (facts.steps, facts.connectors, facts.inputs) == (1, ("echo",), ())
    assert FORMAT.suffix(PROGRAM) == ".kdl"
    assert FORMAT.suffix("---\nout 1\n---\n") == ".md"


def test_the_programs_it_needs_are_named_from_the_main_folder() -> None:
    text = 'a source="b/../leaf.kdl" { out $x }\nb source="../up.md" { out $y }\nc source="me.kdl" { out $z }\n'
    needs = FORMAT.needs(document(text + "out $x $y $z", "sub/me.kdl"))
    assert [need.path for need in needs] == ["sub/leaf.kdl", "up.md"]


def test_the_picture_has_wires_by_name_and_says_which_are_optional() -> None:
    read = document(
        'in { n $n }\na source="one" "$n" { out { x $x; y ?y }; error { code $why } }\n'
        'b source="" { in { x $x; y ?y; why ?why }; out $z }\nout $z'
    )
    board = FORMAT.picture(read, {})
    assert [chip.verb for chip in board.chips] == ["input", "command", "pass", "output"]
    wires = {(wire.source, wire.port, wire.target): wire.optional for wire in board.wires}
    assert wires == {
        (0, "n", 1): False,
        (1, "x", 2): False,
        (1, "y", 2): True,
        (1, "error why", 2): True,
        (2, "z", 3): False,
    }


def test_a_picture_of_many_names_between_many_calls_stays_small() -> None:
    calls = [f'c{at} source="run" "?x" {at} {{ out $x }}' for at in range(300)]
    assert len(FORMAT.picture(document("\n".join([*calls, "out $x"])), {}).wires) < 1_000


def test_what_a_program_could_start_is_told_without_starting_it() -> None:
    leaf = document('w source="work" { out $y }\nme source="leaf.kdl" { out $z }\nout $y ?z', "leaf.kdl")
    text = 'a source="git" "log" "$n" { out $p }\nb source="$p" { out $q }\nc source="leaf.kdl" { out $r }\n'
    text += 'd source=(circuitry)"$p" { out $s }\ne source="gone.kdl" { out $t }\nin { n $n }\nout $q $r $s $t'
    assert startable(document(text), {"leaf.kdl": leaf}) == (
        Startable(("a",), "git", '"log" "$n"'),
        Startable(("b",), '"$p"', known=False),
        Startable(("c", "w"), "work"),
        Startable(("d",), '(circuitry)"$p"', known=False),
        Startable(("e",), "gone.kdl", known=False),
    )


def test_comments_ask_to_leave_findings_out() -> None:
    text = "---\n// circuit: ignore C841 for later\nout 1\n---\n<!-- circuit: ignore C843 a note -->\n# S\n"
    found = ignored(document(text))
    assert [(one.word, one.reason, one.start.line) for one in found] == [
        ("C841", "for later", 2),
        ("C843", "a note", 5),
    ]
    assert [one.reason for one in ignored(document("out 1 // circuit: ignore C841"))] == [""]


def test_the_format_is_light_until_it_is_used() -> None:
    code = (
        "import sys\n"
        "from circuit_export.formats.circuitry import FORMAT\n"
        'FORMAT.recognise(\'{"circuit": 1, "name": "out"}\'), FORMAT.claims(\'{"a": "out source="}\')\n'
        "print([name for name in ('kdlquery', 'markdown_it', 'asyncio', 'subprocess') if name in sys.modules])\n"
        "FORMAT.recognise('out 1')\n"
        "print([name for name in ('kdlquery', 'markdown_it', 'asyncio', 'subprocess') if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n['kdlquery']\n"


def test_the_picture_tells_a_name_that_is_all_of_a_value_from_one_that_may_be_missing() -> None:
    board = FORMAT.picture(document('in { x ?x }\na source="" { in ?x; out $y }\nout ?y\n'), {})
    assert [wire.optional for wire in board.wires] == [False, False]
    assert board.chips[1].notes[0].startswith("It runs when “x” is there")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("out true\n", "write #true, or “true” in quotes for the text"),
        ("---\nout { a null }\n---\n", "write #null, or “null” in quotes for the text"),
        ("out {\n", "look at the line above too: a quote or a brace may be open"),
    ],
)
def test_what_is_no_kdl_comes_with_a_way_on(text: str, hint: str) -> None:
    with pytest.raises(CircuitError) as caught:
        load(Definition(text, "circuitry", "a.kdl"))
    assert (caught.value.hint, caught.value.code) == (hint, "C801")
    assert "(line" not in caught.value.found


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\n// Says hello.\n// Twice.\nout 1\n// Not this.\n", "Says hello. Twice."),
        ("// circuit: ignore C841 why\n// Says hello.\nout 1\n", "Says hello."),
        ("---\nout 1\n---\n<!-- circuit: ignore C843\nwhy -->\nSays hello.\n\n# A\n", "Says hello."),
        ("out 1 // no\n", ""),
    ],
)
def test_what_the_author_says_first_is_the_description_and_nothing_for_checks(text: str, said: str) -> None:
    assert load(Definition(text, "circuitry", "a.kdl")).description == said


@pytest.mark.parametrize(
    "text",
    [
        '--- \na source="" { out $x }\nout $x\n---\n# S\n',
        '---\na source="" { out $x }\nout $x\n---\t\n# S\n',
        '\n---\na source="" { out $x }\nout $x\n---\n# S\n',
        '  ---\r\na source="" { out $x }\r\nout $x\r\n---\r\n# S\n',
    ],
)
def test_front_matter_with_a_blank_too_many_is_told_what_its_fences_are(text: str) -> None:
    assert FORMAT.claims(text)
    with pytest.raises(CircuitError) as caught:
        load(Definition(text, "circuitry", "a.md"))
    assert caught.value.hint == FENCES


def test_so_is_a_fence_that_is_taken_for_a_call() -> None:
    read = load(Definition('--- \na source="" { out $x }\nout $x\n---\n', "circuitry", "a.md"))
    assert {one.hint for one in check(read) if one.code == "C811"} == {FENCES}


@pytest.mark.parametrize("needs", ['"?x" "$x"', '"$x" "?x"', '"?x and $x"', '"?$x $x"'])
def test_a_name_that_is_needed_once_is_needed(needs: str) -> None:
    board = FORMAT.picture(document(f'in {{ x ?x }}\na source="run" {needs} {{ out $y }}\nout $y\n'), {})
    assert [wire.optional for wire in board.wires] == [False, False]
