"""One of several definitions is chosen, or an error lists them all."""

import json

import pytest

from circuit_export.definition import Bundle, Definition
from circuit_export.diagnostics import CircuitError, Position
from circuit_export.restore import Digest, Findings, Found, single


def found(name: str, digest: Digest = Digest.ABSENT) -> Found:
    return Found(Bundle(Definition(json.dumps({"name": name}), "steps")), digest, ("page", "block"))


def test_the_only_one_is_taken() -> None:
    only = found("a")
    assert single(Findings((only,))) is only
    assert single(Findings((only,)), 1) is only


def test_several_are_listed_with_their_names_and_digests() -> None:
    findings = Findings((found("Inbox\n triage", Digest.MATCHES), found("Digest", Digest.DIFFERS)))
    with pytest.raises(CircuitError) as caught:
        single(findings)
    block = caught.value.block()
    assert "1. steps: “Inbox triage”, untouched (page → block)" in block
    assert "2. steps: “Digest”, changed since it was exported" in block
    assert "--pick N" in block
    assert single(findings, 2) is findings.found[1]


@pytest.mark.parametrize("pick", [0, -1, 3])
def test_a_number_that_is_none_of_them_is_refused(pick: int) -> None:
    with pytest.raises(CircuitError, match=f"no workflow number {pick}"):
        single(Findings((found("a"), found("b"))), pick)


def test_a_long_list_is_cut() -> None:
    with pytest.raises(CircuitError, match="… 80 more"):
        single(Findings(tuple(found(str(number)) for number in range(100))))


def test_a_text_that_is_not_json_is_shown_by_its_start() -> None:
    item = Found(Bundle(Definition("out \x1b[31m{\n}" + "x" * 200, "program")), Digest.ABSENT, ("fence",))
    with pytest.raises(CircuitError) as caught:
        single(Findings((item, found("b"))))
    assert "program: out �[31m{ }xxx" in caught.value.block()
    assert "\x1b" not in caught.value.block()


def test_none_says_what_it_looked_like() -> None:
    with pytest.raises(CircuitError) as caught:
        single(Findings((), "a PDF document", "import the page", Position(2, 3)))
    assert caught.value.located("x.pdf").block() == (
        "x.pdf:2:3: The workflow in it cannot be read\n"
        "  found: a PDF document\n"
        "  expected: an exported page, or a workflow's own text\n"
        "  try: import the page"
    )
