"""Templates, and values as text."""

import json

import pytest

from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.numbers import number_of, number_text, whole_of
from circuit_export.runs.templates import compact, fill, fill_all, path_of, text_of

DATA = {"trigger": {"n": 5, "s": "text", "none": None, "list": [1, "a"], "t": "{{trigger.s}}"}, "a b": 1}


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("{{trigger.n}}", 5),
        ("{{ trigger.list }}", [1, "a"]),
        ("{{trigger.none}}", None),
        ("{{trigger.nothing}}", MISSING),
        ("n: {{trigger.n}}", "n: 5"),
        (" {{trigger.n}}", " 5"),
        ("{{trigger.none}}{{trigger.nothing}}", ""),
        ("{{trigger.s}}: {{trigger.list}}", 'text: [1,"a"]'),
        ("{{trigger.t}}!", "{{trigger.s}}!"),
        ("{{}} {{ }}", "{{}} {{ }}"),
        ("{{{trigger.n}}}", "{5}"),
        ("{{trigger.n}", "{{trigger.n}"),
        ("{{a b}}", 1),
        ("\\{{trigger.s}}\\1", "\\text\\1"),
    ],
)
def test_one_literal_pass(text, filled):
    assert fill(text, DATA) == filled


def test_missing_is_left_out_of_objects_and_null_in_lists():
    value = {"a": "{{no}}", "b": ["{{no}}", "{{trigger.none}}", "x{{no}}"], "{{trigger.s}}": {"c": "{{trigger.n}}"}}
    before = json.dumps(value)
    assert fill_all(value, DATA) == {"b": [None, None, "x"], "{{trigger.s}}": {"c": 5}}
    assert json.dumps(value) == before
    assert fill_all("{{no}}", DATA) is None


def test_keys_keep_their_order():
    value = {"z": 1, "a": {"y": "{{trigger.n}}", "b": 2}, "m": ["{{trigger.n}}"]}
    assert list(fill_all(value, DATA)) == ["z", "a", "m"]
    assert list(fill_all(value, DATA)["a"]) == ["y", "b"]


def test_deep_values_are_filled_in():
    value: object = "{{trigger.n}}"
    for _ in range(20_000):
        value = [value]
    filled = fill_all(value, DATA)
    for _ in range(20_000):
        filled = filled[0]
    assert filled == 5


@pytest.mark.parametrize("written", [" trigger.n ", "{{trigger.n}}", "{{ trigger.n }}"])
def test_a_path_setting(written):
    assert path_of(written, DATA) == "trigger.n"


def test_a_path_with_a_template_inside_is_filled_in():
    assert path_of("steps.{{trigger.s}}.x", DATA) == "steps.text.x"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (MISSING, ""),
        (True, "true"),
        (False, "false"),
        (5.0, "5"),
        (-0.0, "0"),
        (0.1, "0.1"),
        (1e21, "1e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e-7, "1e-7"),
        (0.00001, "0.00001"),
        (1.5e300, "1.5e+300"),
        (-2.5e-9, "-2.5e-9"),
        (10**30, "1" + "0" * 30),
        ({"ä": [1.0, 2.5, "1.0", None, True]}, '{"ä":[1,2.5,"1.0",null,true]}'),
        ({"e-9": 1e-9}, '{"e-9":1e-9}'),
        (["\ud800", "\u2028", '"\\'], '["\\ud800","\u2028","\\"\\\\"]'),
        ("\ud800", "\ud800"),
    ],
)
def test_values_as_text(value, text):
    assert text_of(value) == text


def test_compact_json_is_json():
    value = {"a": [1e-7, 1e22, -0.0, 3.0, "5e+1.0", 12345678901234567890], "\\": '"1.0"'}
    assert json.loads(compact(value)) == value


@pytest.mark.parametrize(
    ("value", "number"),
    [(5, 5), (2.5, 2.5), ("5", 5), (" -5.5 ", -5.5), ("1e3", 1000.0), (".5", 0.5), ("5.", 5.0), ("+3", 3),
     ("9007199254740993", 9007199254740993), ("", None), (" ", None), ("5a", None), ("0x10", None), ("1_000", None),
     ("٣", None), (True, None), (None, None), ([5], None), ("Infinity", None), ("nan", None)],
)  # fmt: skip
def test_numbers(value, number):
    assert number_of(value) == number


@pytest.mark.parametrize(
    ("value", "whole"), [(5, 5), (5.0, 5), ("5", 5), ("5.0", 5), (5.5, None), ("1e400", None), (True, None), ("", None)]
)
def test_whole_numbers(value, whole):
    assert whole_of(value) == whole


def test_a_number_of_many_digits_is_no_reason_to_fail():
    assert number_of("9" * 5000) == float("inf")
    assert number_text(5.0) == "5"
    with pytest.raises(OverflowError):
        fill_all([float("inf")], {})
