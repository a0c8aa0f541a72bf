"""The vectors: what is wrong with programs, and the order-free trees of runs."""

import json
import threading

import pytest
from support.circuitry import Vector, names, vector

from circuit_export.formats.circuitry.engine.trace import decode, encode
from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.program import InvalidProgram
from circuit_export.formats.circuitry.reading import inspect, parse
from circuit_export.formats.circuitry.runner import BadTerms, Cancel, Terms, run

WRONG = [name for name in names() if name.startswith("bad-")]
REFUSED = {"opt-bad-limit": "run.limits", "opt-relative-cwd": "run.cwd"}
RUN = [name for name in names() if name not in (*WRONG, *REFUSED)]


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_program_is_said_to_be_wrong(name: str) -> None:
    case = vector(name)
    said = inspect(case.text).said
    places = [f"{one.start.line}:{one.start.column}" if one.start else "-" for one in said]
    assert [f"{one.code}\t{place}" for one, place in zip(said, places, strict=True)] == case.codes
    with pytest.raises(InvalidProgram) as caught:
        parse(case.text)
    assert caught.value.said == said


@pytest.mark.parametrize("name", RUN)
def test_a_program_runs_as_it_should(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCUITRY_CORPUS", "yes")
    case = vector(name)
    text = "".join(map(encode, run(case.text, input=case.input, terms=_terms(case), cancel=_cancel(case))))
    records = [json.loads(line) for line in text.splitlines()]
    assert tree(records) == case.tree
    assert len(list(decode([text.encode()]))) == len(records)


@pytest.mark.parametrize("name", REFUSED)
def test_terms_that_are_none_are_refused_before_any_record(name: str) -> None:
    case = vector(name)
    with pytest.raises(BadTerms) as caught:
        run(case.text, input=case.input, terms=_terms(case))
    assert caught.value.code == REFUSED[name]


def _terms(case: Vector) -> Terms:
    return Terms(case.cwd, case.limits)


def _cancel(case: Vector) -> Cancel:
    cancel = Cancel()
    after = case.options.get("cancelAfterMs")
    if after == 0:
        cancel()
    elif after is not None:
        threading.Timer(after / 1000, cancel).start()
    return cancel
