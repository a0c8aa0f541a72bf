"""A program performed for the command line: every vector through it, what is said of failures, and fixed answers."""

import json
from typing import Any

import pytest
from support.circuitry import Vector, names, vector

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats import circuitry, performing
from circuit_export.formats.circuitry.document import ProgramDocument
from circuit_export.formats.circuitry.engine.trace import decode
from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.performing import ProgramRun, perform
from circuit_export.formats.circuitry.values import ABSENT
from circuit_export.formats.performing import Bounds, Order
from circuit_export.runs.scenario import Reply, Scenario

# What is cancelled or has no folder is not asked for on a command line.
RUN = [
    name
    for name in names()
    if vector(name).tree is not None and not {"noCwd", "cancelAfterMs"} & set(vector(name).options)
]


def document_of(text: str) -> ProgramDocument:
    return circuitry.FORMAT.load(Definition(text, "circuitry", "p.kdl"))


def order_of(case: Vector) -> Order:
    limits = case.limits
    bounds = Bounds(source_bytes=limits.source_bytes, input_bytes=limits.input_bytes, output_bytes=limits.output_bytes)
    given = case.input is not ABSENT
    return Order(str(case.cwd), case.input if given else None, given, bounds)


def ended(text: str, **more: Any) -> tuple[ProgramRun, str]:
    run = perform(document_of(text), {}, Order("/", **more))
    return run, "".join(run.lines())


@pytest.mark.parametrize("name", RUN)
def test_a_vector_performed_ends_as_it_should(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCUITRY_CORPUS", "yes")
    case = vector(name)
    run = perform(document_of(case.text), {}, order_of(case))
    lines = list(run.lines())
    records = [json.loads(line) for line in lines]
    assert tree(records) == case.tree
    assert len(list(decode(line.encode() for line in lines))) == len(records)
    ending = run.ending
    if "output" in case.tree:
        assert ending == performing.Ending(lines[-1].split('"output":', 1)[1].rsplit(',"result":0}', 1)[0])
    else:
        assert ending.output is None
        assert ending.error is not None
        assert case.tree["error"]["code"] in f"{ending.error.found} match.input"


def test_circuit_programs_are_performed_and_boards_are_not() -> None:
    assert performing.of("circuitry") is circuitry.FORMAT
    assert performing.of("steps") is None
    assert performing.of("skills") is None


def test_a_failure_that_is_handled_later_is_not_blamed() -> None:
    text = (
        '---\na source=(circuitry)"@Inner" { out $r; error { code $c } }\n'
        'c source="false" "$c" { (text)out $z }\nout $z\n---\n'
        '# Inner\nx source="false" { (text)out $x }\ny source="false" { (text)out $y }\nout 1\n'
    )
    run, trace = ended(text)
    assert trace.count('"call":') == 4
    error = run.ending.error
    assert error is not None
    assert error.message == "The program failed at c"
    assert error.position is not None
    assert error.position.line == 3


def test_what_is_over_and_well_is_forgotten() -> None:
    run, _ = ended('a source="" { in "?$a."; out $a }\nout $a\n', bounds=Bounds(generations=300))
    assert not run._calls
    assert run.ending.error is not None
    assert "one of its bounds" in run.ending.error.message


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("out $text\n", "nothing binds $text"),
        ('a source="" { in 1; out $txet }\nout $text\n', "nothing binds $text (did you mean $txet?)"),
        (
            'in { a ?a }\nx source="" { in $a; out $b }\nout $b\n',
            "“x”, which binds $b, never ran: $a was left out by the input",
        ),
        (
            'x source="" { in $c; out $b }\ny source="" { in $d; out $c }\nout $b\n',
            "“x”, which binds $b, never ran: “y”, which binds $c, never ran: nothing binds $d",
        ),
        (
            'x source="" { in $c; out $b }\ny source="" { in $b; out $c }\nout $b\n',
            "“x”, which binds $b, never ran: “y”, which binds $c, never ran",
        ),
        ('x source="" { out { b ?b } }\nout $b\n', "$b was left out by the call “x”"),
    ],
)
def test_what_a_name_that_is_not_bound_was_waiting_for_is_said(text: str, why: str) -> None:
    error = ended(text)[0].ending.error
    assert error is not None
    assert error.found == f"run.quiescent: {why}"


def test_a_long_chain_of_calls_that_wait_is_told_in_part() -> None:
    chain = "".join(f'c{at} source="" {{ in $n{at + 1}; out $n{at} }}\n' for at in range(500))
    error = ended(chain + "out $n0\n")[0].ending.error
    assert error is not None
    assert error.found.count("never ran") == 4


@pytest.mark.parametrize(
    ("out", "gave"),
    [
        ("{ y $y }", 'a gave {"x":1}'),
        ("{ y $y; z   {\n w $w } }", 'a gave {"x":1}'),
    ],
)
def test_what_a_call_gave_is_shown_beside_what_its_out_takes(out: str, gave: str) -> None:
    error = ended(f'a source="" {{ in {{ x 1 }}; out {out} }}\nout 1\n')[0].ending.error
    assert error is not None
    assert (error.found, error.expected) == (f"match.output: {gave}", " ".join(f"out {out}".split()))


@pytest.mark.parametrize(
    ("out", "hint"),
    [
        ("hi", "this out takes the text “hi” and nothing else; out $hi binds what the call gives"),
        ('"a b"', "change its out"),
        ("1", "change its out"),
    ],
)
def test_a_name_without_its_dollar_is_seen(out: str, hint: str) -> None:
    error = ended(f'a source="" {{ in 2; out {out} }}\nout 1\n')[0].ending.error
    assert error is not None
    assert error.hint.startswith(hint)


@pytest.mark.parametrize(
    ("call", "code", "hint"),
    [
        ('a source=(circuitry)"b; out 1" { out $a }', "program.invalid", "circuit validate"),
        ('a source=(circuitry)"in { x 1 }; out 1" { out $a }', "match.input", "the in of the call"),
        ('a source=(circuitry)"in { x ?x }; out ?x" { out $a }', "run.quiescent", "by itself"),
        ('b source="" { in 1; out $n }\na source="$n" { out $a }', "call.source", "the text of a command"),
        ('a source="printf" "x" { (bytes)in "x"; out $a }', "codec.bytes", "--trace"),
    ],
)
def test_a_failure_comes_with_a_way_on(call: str, code: str, hint: str) -> None:
    error = ended(f"{call}\nout $a\n")[0].ending.error
    assert error is not None
    assert (error.found.partition(":")[0], hint in error.hint) == (code, True), error.block()


def test_of_much_that_a_call_gave_the_beginning_is_shown() -> None:
    error = ended('a source="seq" "1" "3" { (jsonl)out { y $y } }\nout 1\n')[0].ending.error
    assert error is not None
    assert error.found == "match.output: a gave 1, and 2 more values"
    error = ended('a source="printf" "%01000d" "0" { (text)out { y $y } }\nout 1\n')[0].ending.error
    assert error is not None
    assert error.found == f'match.output: a gave "{"0" * 299}…'


@pytest.mark.parametrize(
    ("codec", "output", "said", "hint"),
    [
        ("json", "", "The output is not one JSON value: it is empty", "(text)out"),
        ("json", "hello", "found “hello” at line 1, column 1 (", "(text)out"),
        ("json", "[1,", "it ends at line 1, column 4 (", "(text)out"),
        ("jsonl", "1", "does not end with a line feed", "(text)out"),
        ("text", "\\\\377", "is not UTF-8", "(bytes)out"),
    ],
)
def test_an_output_in_another_form_is_shown_and_which_form_would_take_it(
    codec: str, output: str, said: str, hint: str
) -> None:
    error = ended(f'a source="printf" "{output}" {{ ({codec})out $a }}\nout $a\n')[0].ending.error
    assert error is not None
    assert said in error.found
    assert hint in error.hint


def test_a_bound_is_said_in_plain_words() -> None:
    run, _ = ended('a source="" { in "?$a."; out $a }\nout $a\n', bounds=Bounds(generations=1))
    assert run.ending.error is not None
    assert run.ending.error.found == "run.limit: The run needs more than 1 generation"
    assert "--max-generations" in run.ending.error.hint


def test_an_order_that_no_run_can_have() -> None:
    with pytest.raises(CircuitError, match="cannot be run so"):
        perform(document_of("out 1"), {}, Order("here"))
    with pytest.raises(CircuitError, match="cannot be run so"):
        perform(document_of("out 1"), {}, Order("/", object(), True))


def test_an_answer_that_cannot_be_one_is_said() -> None:
    document = document_of('a source="x" { out $x }\nout $x\n')
    scenario = Scenario(0, "s", answers={"a": (Reply("results", {}),)})
    with pytest.raises(CircuitError, match="is not taken"):
        circuitry.FORMAT.play(document, {}, Order("/"), scenario)
