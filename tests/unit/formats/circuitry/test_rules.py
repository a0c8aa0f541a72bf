"""Every rule: its bad example has exactly its finding, its good one none; and what no rule cries wolf at."""

from pathlib import Path

import pytest
from support.circuitry import names, vector

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Diagnostic, Severity
from circuit_export.formats.base import Rule, Surroundings
from circuit_export.formats.circuitry.document import load
from circuit_export.formats.circuitry.rules import check, references, rules
from circuit_export.formats.ground import Ground

EVERY = [rule for rule in rules() if rule.check is not None]


def found(text: str, root: Path | None = None) -> list[Diagnostic]:
    return check(
        load(Definition(text, "circuitry", "here/program.kdl")),
        Surroundings(ground=Ground(root, root) if root else None),
    )


@pytest.mark.parametrize("rule", EVERY, ids=lambda rule: rule.name)
def test_an_example_shows_what_a_rule_finds(rule: Rule, tmp_path: Path) -> None:
    said = found(rule.bad, tmp_path)
    assert {one.code for one in said} == {rule.code}
    assert all(one.start is not None or rule.name in ("output-wrong", "section-duplicate") for one in said)
    assert found(rule.good, tmp_path) == []


def test_kdl_that_cannot_be_read_is_said_by_the_loader() -> None:
    rule = next(rule for rule in rules() if rule.code == "C801")
    with pytest.raises(CircuitError) as caught:
        load(Definition(rule.bad, "circuitry"))
    assert caught.value.position is not None
    assert found(rule.good) == []


def test_codes_and_names_are_each_there_once_and_in_order() -> None:
    codes = [rule.code for rule in rules()]
    assert codes == sorted(set(codes))
    assert len({rule.name for rule in rules()}) == len(codes)


def test_every_code_of_the_language_has_one_of_ours() -> None:
    said = {line.split("\t")[0] for name in names() for line in vector(name).codes or () if line.startswith("prog")}
    assert said <= set(references().values())


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("bad-")])
def test_whatever_is_wrong_with_a_program_is_found(name: str) -> None:
    case = vector(name)
    try:
        said = [one for one in found(case.text) if one.code in references()]
    except CircuitError:
        assert [line.split("\t")[0] for line in case.codes or ()] == ["program.kdl"]
        return
    assert sorted(references()[one.code] for one in said) == sorted(line.split("\t")[0] for line in case.codes or ())
    assert all(one.severity is Severity.ERROR for one in said)


@pytest.mark.parametrize("name", [name for name in names() if vector(name).tree and "output" in vector(name).tree])
def test_nothing_that_runs_to_its_end_is_an_error_unless_it_is_about_what_never_ran(name: str) -> None:
    case = vector(name)
    ran = {call["call"] for generation in case.tree["generations"] for call in generation}
    for one in found(case.text):
        assert one.severity is not Severity.ERROR or one.step not in ran


def test_a_place_is_where_it_is_in_the_whole_document() -> None:
    text = '---\n\na source="" {\n  inn 1\n  out $x\n}\nout ?x\n---\n# Task\n'
    (one, *_) = found(text)
    assert (one.code, one.start) == ("C814", (4, 3))


def test_a_section_inside_one_that_is_named_is_not_unused() -> None:
    text = '---\nout "@All"\n---\n# All\n## Part\nx\n'
    assert found(text) == []


@pytest.mark.parametrize(
    ("markdown", "unused"),
    [
        ("# All\n\n## Part\nx\n", []),
        ("All\n===\n\n## Part\nx\n", []),
        ("# All\nIts own words, of Part too.\n\n## Part\nx\n", ["All"]),
        ("# All\n\n## Other\ny\n\n## Part\nx\n", ["Other"]),
        ("# All\n\n# Part\nx\n", ["All"]),
        ("# Part\nx\n\n## Inside\ny\n\n# After\n", ["After"]),
    ],
)
def test_a_section_that_only_holds_others_is_not_unused(markdown: str, unused: list[str]) -> None:
    said = found(f'---\nout "@Part"\n---\n{markdown}')
    assert [one.message.split("“")[1].split("”")[0] for one in said if one.code == "C843"] == unused


def test_a_loop_that_an_optional_name_ends_is_none() -> None:
    text = 'a source="run" "?more" { out { more ?more } }\nout { more ?more }\n'
    assert found(text) == []


def test_a_nested_program_beside_is_there(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "leaf.kdl").write_text("out 1\n", "utf-8")
    assert found('a source="leaf.kdl" { out $x }\nout $x\n', tmp_path) == []
    (missing,) = found('a source="laef.kdl" { out $x }\nout $x\n', tmp_path)
    assert (missing.code, missing.hint) == ("C845", "did you mean “leaf.kdl”?")
    (outside,) = found('a source="../../leaf.kdl" { out $x }\nout $x\n', tmp_path)
    assert outside.code == "C846"
