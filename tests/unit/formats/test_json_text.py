"""JSON as both formats write and show it."""

import json
from typing import Any

import pytest

from circuit_export.formats.json_text import parse, setting_text, write


def test_settings_are_shown_as_they_are_or_as_json_on_one_line() -> None:
    assert setting_text("a\nb") == "a\nb"
    assert setting_text({"a": ["ü", 1, None]}) == '{"a": ["ü", 1, null]}'
    deep: Any = []
    for _ in range(5000):
        deep = [deep]
    assert setting_text(deep).count("[") == 5001


@pytest.mark.parametrize("indent", [1, 2])
def test_a_value_is_written_as_the_library_does(indent: int) -> None:
    value = {"a": [1, {"b": []}, "ü"], "c": {}}
    assert write(value, indent) == json.dumps(value, indent=indent, ensure_ascii=False)


@pytest.mark.parametrize("indent", [1, 2])
def test_digits_that_no_float_holds_are_kept_at_every_depth(indent: int) -> None:
    text = json.dumps({"a": [{"b": 0}, []], "c": "x"}, indent=indent).replace("0", "1e400")
    assert write(parse(text).value, indent) == text


def test_a_lone_surrogate_stays_an_escape() -> None:
    assert write(["\ud800"], 2) == '[\n  "\\ud800"\n]'
