"""Every fix that a rule offers mends what it is about, and nothing else changes in the text."""

import json
from typing import Any

import pytest
from support.skills import graph, node

from circuit_export.diagnostics import Diagnostic
from circuit_export.formats.skills.rules import check_value, rules
from circuit_export.validation.fixes import apply

FIXABLE = {
    rule.code: [found for found in check_value(json.loads(rule.bad)) if found.fix is not None]
    for rule in rules()
    if rule.check is not None and rule.bad.startswith(("{", "["))
}
SAFE = {"C702", "C706", "C744", "C745"}


def mended(text: str, found: list[Diagnostic], *, unsafe: bool) -> str:
    return apply(text, found, unsafe=unsafe).text


def test_which_rules_offer_a_fix_for_their_example() -> None:
    offered = {code for code, found in FIXABLE.items() if found}
    assert offered == {*SAFE, "C704", "C708", "C717", "C721", "C724", "C730", "C731"}


@pytest.mark.parametrize("code", [code for code, found in FIXABLE.items() if found])
def test_a_fix_mends_the_bad_example(code: str) -> None:
    rule = next(rule for rule in rules() if rule.code == code)
    text = mended(rule.bad, FIXABLE[code], unsafe=True)
    assert code not in {found.code for found in check_value(json.loads(text))}
    assert (mended(rule.bad, FIXABLE[code], unsafe=False) == rule.bad) is (code not in SAFE)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"type": None}, "C714"),
        ({"input": None}, "C726"),
    ],
)
def test_safe_fixes_of_nodes(change: dict[str, Any], code: str) -> None:
    item = {**node("a"), **change}
    if code == "C714":
        del item["type"]
    text = json.dumps(graph([item]), indent=2)
    found = check_value(json.loads(text))
    assert [one.code for one in found] == [code]
    assert check_value(json.loads(mended(text, found, unsafe=False))) == []


def test_a_misspelt_end_is_respelled_only_when_asked() -> None:
    text = json.dumps(graph(["draft", "check"], [("draft", "chekc")]))
    found = check_value(json.loads(text))
    assert mended(text, found, unsafe=False) == text
    assert check_value(json.loads(mended(text, found, unsafe=True))) == []


def test_a_placeholder_is_mended_inside_its_text() -> None:
    text = json.dumps(graph(["a", node("b", input={"p": "é “${steps.a.Output}” and more"})], [("a", "b")]))
    found = check_value(json.loads(text))
    value = json.loads(mended(text, found, unsafe=True))
    assert value["nodes"][1]["input"]["p"] == "é “${steps.a.output}” and more"
