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
