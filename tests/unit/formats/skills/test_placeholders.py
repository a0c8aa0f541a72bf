"""Placeholders: what is one, where they are, and that filling them in is one literal pass."""

import pytest

from circuit_export.formats.skills.placeholders import Placeholder, Refused, ids, placeholders, substitute, uses

OK = {"a": {"status": "success", "output": "x"}, "n": {"status": "success", "output": None}}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("${steps.a.output}", ["a"]),
        ("${steps.a b-c.output}", ["a b-c"]),
        ("$${steps.a.output}", ["a"]),
        ("${steps.a.output}${steps.b.output}", ["a", "b"]),
        ("${steps.a.output.field}", [None]),
        ("${steps.a.output[0]}", [None]),
        ("${steps.a.Output}", [None]),
        ("${steps. a.output}", [" a"]),
        ("${steps.a.output }", [None]),
        ("${steps..output}", [None]),
        ("${steps.}", [None]),
        ("${steps.${steps.a.output}", [None]),
        ("${steps.a.output", []),
        ("${step.a.output} ${ steps.a.output } $steps.a.output}", []),
    ],
)
def test_what_a_text_holds(text: str, found: list[str | None]) -> None:
    assert [placeholder.id for placeholder in placeholders(text)] == found


def test_where_it_is() -> None:
    assert placeholders("see ${steps.a.output}!") == [Placeholder(4, 21, "a")]


def test_many_that_never_close_are_read_once() -> None:
    assert placeholders("${steps." * 200_000) == []


def test_uses_are_in_document_order_with_pointers() -> None:
    value = {"b/c": ["${steps.a.output}", {"~": "${steps.b.output}"}], "${steps.k.output}": 1, "z": "${steps.a.output}"}
    assert [(use.pointer, use.id) for use in uses(value, "/input")] == [
        ("/input/b~1c/0", "a"),
        ("/input/b~1c/1/~0", "b"),
        ("/input/z", "a"),
    ]
    assert ids(value) == ("a", "b")


def test_null_is_an_output() -> None:
    assert substitute({"v": "${steps.n.output}", "w": "n=${steps.n.output}"}, OK) == {"v": None, "w": "n=null"}


def test_as_the_application_sees_it_only_direct_members_count() -> None:
    given = {"v": "${steps.a.output}", "o": ["${steps.zz.output}"], "n": 1}
    assert [use.id for use in uses(given, nested=False)] == ["a"]
    assert substitute(given, OK, nested=False) == {"v": "x", "o": ["${steps.zz.output}"], "n": 1}
    assert str(substitute(given, OK)) == "zz:never-run"


def test_what_is_put_in_is_taken_literally() -> None:
    results = {"a": {"status": "success", "output": r"\1 $1 ${steps.b.output}"}}
    assert substitute({"v": "<${steps.a.output}>"}, results) == {"v": r"<\1 $1 ${steps.b.output}>"}


def test_the_input_is_not_changed() -> None:
    given = {"o": {"p": ["${steps.a.output}"]}}
    assert substitute(given, OK) == {"o": {"p": ["x"]}}
    assert given == {"o": {"p": ["${steps.a.output}"]}}


@pytest.mark.parametrize(
    ("text", "why"), [("${steps.zz.output}", "zz:never-run"), ("${steps.a}", "${steps.a}:malformed")]
)
def test_what_cannot_be_filled_in_is_refused(text: str, why: str) -> None:
    refused = substitute({"deep": [{"v": text}]}, OK)
    assert isinstance(refused, Refused)
    assert (str(refused), refused.pointer) == (why, "/deep/0/v")


def test_depth_is_no_reason_to_run_out_of_stack() -> None:
    value: object = "${steps.a.output}"
    for _ in range(100_000):
        value = [value]
    filled = substitute({"v": value}, OK)
    assert isinstance(filled, dict)
    inner = filled["v"]
    while isinstance(inner, list):
        inner = inner[0]
    assert inner == "x"
