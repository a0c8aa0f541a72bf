"""Conditions and branches on values of every kind."""

import pytest

from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine.conditions import case_port, condition_holds, holds
from circuit_export.formats.steps.engine.settings import Unfit

YES, NO = True, False


@pytest.mark.parametrize(
    ("value", "op", "wanted", "outcome"),
    [
        ("Yes", "equals", "yEs", YES),
        ("straße", "equals", "STRASSE", YES),
        (5, "equals", "5", YES),
        (5.0, "equals", 5, YES),
        (True, "equals", "TRUE", YES),
        (None, "equals", "", YES),
        ([1, 2], "equals", "[1,2]", YES),
        ("a", "equals", "b", NO),
        ("the Invoice", "contains", "INVOICE", YES),
        (["A", 5], "contains", "a", YES),
        (["A", 5], "contains", "5", YES),
        (["ab"], "contains", "a", NO),
        ([{"a": 1}], "contains", {"a": 1}, YES),
        (12345, "contains", 234, YES),
        (None, "contains", "x", NO),
        ("Invoice 17", "matches", r"^invoice \d+$", YES),
        ("see Invoice 17 there", "matches", r"invoice \d", YES),
        ("x", "matches", "(", NO),
        ("x", "matches", r"(?=x)", NO),
        ("x", "matches", r"\1", NO),
        ("a" * 50_000, "matches", "(a+)+$", YES),
        ("a" * 50_000 + "b", "matches", "(a+)+$", NO),
        ("\ud800x", "matches", "x", YES),
        (None, "matches", "^$", YES),
        ("x", "exists", None, YES),
        (0, "exists", None, YES),
        (False, "exists", None, YES),
        ([], "exists", None, YES),
        ("", "exists", None, NO),
        (None, "exists", None, NO),
        ("", "missing", None, YES),
        (None, "missing", None, YES),
        (" ", "missing", None, NO),
        (6, "gt", 5, YES),
        ("10", "gt", "9", YES),
        (" 1e3 ", "gt", 999, YES),
        (5, "gt", 5, NO),
        (9007199254740993, "gt", 9007199254740992, YES),
        ("six", "gt", 5, NO),
        (True, "gt", 0, NO),
        (None, "lt", 5, NO),
        (5, "lt", None, NO),
        ("", "lt", 5, NO),
        ([3], "lt", 5, NO),
        (-1, "lt", "-0.5", YES),
    ],
)
def test_a_condition(value, op, wanted, outcome):
    assert condition_holds({"field": "v", "op": op, "value": wanted}, {"v": value}) is outcome


@pytest.mark.parametrize("op", ["exists", "equals", "contains", "matches", "gt", "lt"])
def test_nothing_at_the_path(op):
    assert not condition_holds({"field": "no.where", "op": op, "value": "x"}, {})
    assert condition_holds({"field": "no.where", "op": "missing"}, {})


def test_values_and_fields_may_be_templates():
    data = {"input": {"n": 5, "key": "b"}, "steps": {"b": {"x": 6}}}
    assert condition_holds({"field": "{{steps.b.x}}", "op": "gt", "value": "{{input.n}}"}, data)
    assert condition_holds({"field": "steps.{{input.key}}.x", "op": "equals", "value": "{{steps.b.x}}"}, data)


@pytest.mark.parametrize(
    "condition", ["x", {}, {"field": "v"}, {"field": "v", "op": "is"}, {"field": 5, "op": "equals"}, None]
)
def test_what_is_no_condition_is_said(condition):
    with pytest.raises(Unfit):
        condition_holds(condition, {})


def only(type, **config):
    return load_value(
        {"circuit": 1, "name": "x", "steps": [{"id": "s", "type": type, "title": "S", "config": config}]}
    ).steps[0]


def test_all_and_any():
    yes, no = {"field": "v", "op": "exists"}, {"field": "v", "op": "missing"}
    data = {"v": 1}
    assert holds(only("logic.filter"), data)
    assert holds(only("logic.filter", all=[yes, yes], any=[no, yes]), data)
    assert not holds(only("logic.filter", all=[yes, no]), data)
    assert not holds(only("logic.filter", any=[no]), data)
    assert not holds(only("logic.filter", all=[no], any=[yes]), data)
    with pytest.raises(Unfit):
        holds(only("logic.filter", all="v"), data)


def test_cases_are_tried_in_order():
    cases = [{"equals": "a", "port": "one"}, {"equals": "A", "port": "two"}, {"equals": 5, "port": "three"}]
    branch = only("logic.branch", field="v", cases=cases)
    assert case_port(branch, {"v": "A"}) == ("one", "A")
    assert case_port(branch, {"v": "5"}) == ("three", "5")
    assert case_port(branch, {"v": "b"}) == ("else", "b")
    assert case_port(branch, {}) == ("else", None)
    assert case_port(only("logic.branch", field="{{v}}", cases=cases, fallback="{{x}}"), {}) == ("{{x}}", None)


@pytest.mark.parametrize(
    "config",
    [
        {},
        {"field": "v"},
        {"field": "v", "cases": []},
        {"field": "v", "cases": [{"equals": 1}]},
        {"cases": [{"equals": 1, "port": "a"}]},
        {"field": "v", "cases": ["a"]},
    ],
)
def test_a_branch_that_is_none_is_said(config):
    with pytest.raises(Unfit):
        case_port(only("logic.branch", **config), {"v": 1})
