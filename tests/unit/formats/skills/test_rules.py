"""The rules: each documented by a bad and a good example that behave so, and what no vector shows."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.skills import VECTORS, graph, hostile_repository, node

from circuit_export.definition import Definition
from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.document import Unreadable, load
from circuit_export.formats.skills.rules import NAMES, Profile, Terms, check, check_value, rules

# What only a run or a command can get wrong is told in words, which cannot be tried.
SHOWN = [rule for rule in rules() if rule.bad.startswith(("{", "["))]


def test_every_rule_has_both_examples() -> None:
    assert all(rule.bad.endswith("\n") and rule.good.endswith("\n") for rule in rules())
    assert {rule.code for rule in rules()} - {rule.code for rule in SHOWN} == {"C760", *(f"C77{n}" for n in range(5))}


def found_in(text: str, terms: Terms) -> list[Diagnostic]:
    try:
        document = load(Definition(text, "skills", "example.json"))
    except Unreadable as error:
        return list(error.findings)
    return [*document.notes, *check(document, terms=terms)]


@pytest.fixture(scope="module")
def terms(tmp_path_factory: pytest.TempPathFactory) -> Terms:
    return Terms(root=hostile_repository(tmp_path_factory.mktemp("rules")))


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.name)
def test_the_bad_example_has_just_this_finding(rule: Rule, terms: Terms) -> None:
    assert [found.code for found in found_in(rule.bad, terms if rule.code > "C760" else Terms())] == [rule.code]


@pytest.mark.parametrize("rule", SHOWN, ids=lambda rule: rule.name)
def test_the_good_example_has_none(rule: Rule, terms: Terms) -> None:
    assert found_in(rule.good, terms if rule.code > "C760" else Terms()) == []


def test_every_rule_is_a_module_named_after_it() -> None:
    assert [rule.name.replace("-", "_") for rule in rules()] == list(NAMES)
    folder = Path(__file__).parents[4] / "circuit_export" / "formats" / "skills" / "rules"
    assert {path.stem for path in folder.glob("*.py")} == {
        *NAMES,
        "__init__",
        "survey",
        "examples",
        "relevance",
        "alike",
        "display",
    }


def test_codes_are_in_order_and_no_two_the_same() -> None:
    codes = [rule.code for rule in rules()]
    assert codes == sorted(set(codes))
    assert all(re.fullmatch("C7[0-9]{2}", code) for code in codes)


def codes(value: Any, **terms: Any) -> list[tuple[str, str, str]]:
    return [(found.code, found.severity, found.pointer) for found in check_value(value, Terms(**terms))]


def test_the_application_refuses_more() -> None:
    value = graph([node("a", skillRef={"provider": "git", "skillFile": ".git/skills/a/SKILL.md"}), "b"], id="a b")
    assert codes(value) == [
        ("C704", "warning", "/id"),
        ("C718", "warning", "/nodes/0/skillRef/provider"),
        ("C751", "warning", "/edges"),
    ]
    assert {severity for _, severity, _ in codes(value, profile=Profile.APP)} == {"error"}


def test_a_repository_that_is_none() -> None:
    assert codes(graph(["a"]), root=Path("/")) == [("C760", "error", "")]


def test_hostile_files_are_findings(tmp_path: Path) -> None:
    root = hostile_repository(tmp_path)
    names = ["draft", "folder", "linked", "linkedfile", "circle", "huge", "latin", "bare", "nothing"]
    value = graph(names, [("draft", name) for name in names[1:]])
    assert [(code, pointer.split("/")[2]) for code, _, pointer in codes(value, root=root)] == [
        ("C761", "1"),
        ("C762", "2"),
        ("C762", "3"),
        ("C761", "4"),
        ("C763", "5"),
        ("C764", "6"),
        ("C765", "7"),
        ("C761", "8"),
    ]


def test_a_cycle_is_spelled() -> None:
    (found,) = [found for found in check_value(graph(["a", "b"], [("a", "b"), ("b", "a")])) if found.code == "C750"]
    assert "“a” → “b” → “a”" in found.message


LOOP = [("write", "review"), ("review", "write")]


def loop(reads_in_write: str, reads_in_review: str) -> dict[str, Any]:
    write = node("write", input={"prompt": reads_in_write})
    review = node("review", input={"prompt": reads_in_review})
    return graph([write, review], LOOP, **{"x-circuit": {"allowCycles": True}})


def test_a_document_can_say_that_its_cycle_is_meant() -> None:
    assert codes(loop("", "${steps.write.output}")) == [("C750", "warning", "/edges")]


def test_in_a_loop_what_comes_later_is_a_warning() -> None:
    found = codes(loop("${steps.review.output}", "${steps.review.output}"))
    assert [(code, severity) for code, severity, _ in found] == [
        ("C732", "warning"),
        ("C732", "warning"),
        ("C750", "warning"),
    ]


def test_nothing_is_said_of_placeholders_while_there_is_no_order() -> None:
    value = loop("${steps.review.output}", "")
    del value["x-circuit"]
    assert codes(value) == [("C750", "error", "/edges")]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("${steps.a}", "did you mean ${steps.a.output}?"),
        ("${steps.a.Output}", "did you mean ${steps.a.output}?"),
        ("${steps.a.output }", "did you mean ${steps.a.output}?"),
        ("${steps.a.output.name}", "only the whole output can be read: write ${steps.ID.output}"),
        ("${steps.zz}", "write ${steps.ID.output}, with nothing else between the braces"),
    ],
)
def test_a_malformed_placeholder_says_what_was_meant(text: str, hint: str) -> None:
    (found,) = check_value(graph(["a", node("b", input={"p": f"see {text}"})], [("a", "b")]))
    assert (found.code, found.hint, found.part) == ("C730", hint, (4, 4 + len(text)))


def test_nested_placeholders_can_be_left_to_the_application() -> None:
    value = graph([node("a", input={"o": {"p": "${steps.a}"}})])
    assert codes(value) == [("C730", "error", "/nodes/0/input/o/p")]
    assert codes(value, nested=False) == []


def test_near_names_are_suggested() -> None:
    value = graph([node("draft"), node("check", input={"p": "${steps.darft.output}"})], [("draft", "chekc")])
    hints = {found.code: found.hint for found in check_value(value)}
    assert hints["C731"] == "did you mean “draft”?"
    assert hints["C743"] == "did you mean “check”?"


def test_a_duplicate_is_not_another_beginning() -> None:
    assert [code for code, _, _ in codes(graph(["a", "b", "a"], [("a", "b")]))] == ["C712"]


@pytest.mark.parametrize("value", [None, 1, "x", [], {}, {"nodes": 1, "edges": {}}, {"nodes": [[]], "edges": [3, {}]}])
def test_any_value_has_findings(value: Any) -> None:
    assert any(found.severity is Severity.ERROR for found in check_value(value))


def test_the_vectors_have_no_other_pointers_than_they_can() -> None:
    for file in sorted((VECTORS / "cases").glob("[0-9]*.json")):
        text = file.read_text("utf-8")
        for found in check_value(json.loads(text)):
            assert found.pointer == "" or found.pointer.split("/")[1] in {"id", "repositoryId", "nodes", "edges"}
