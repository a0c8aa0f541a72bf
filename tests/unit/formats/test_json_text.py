"""JSON as both formats write and show it."""

import json
import re
from typing import Any

import pytest

from circuit_export.diagnostics import CircuitError
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


# --- what is said of a text that is not JSON ---------------------------------------------------------------------

SLIPS = {
    "a trailing comma": ("[1, 2,]", "]", "remove the comma before it"),
    "a comma left out": ('{"a": 1\n "b": 2}', '"b": 2}', "put a comma before it"),
    "a quote inside a text": ('{"a": "say "hi" now"}', 'hi" now"}', "quote inside"),
    "a comment": ('{\n # why\n "a": 1}', "# why", "no comments"),
    "single quotes": ("{'a': 1}", "'a': 1}", "double quotes"),
    "a curly apostrophe": ("{‘a’: 1}", "‘a’", "word processor"),
    "a name without quotes": ("{a: 1}", "a: 1}", 'put it in quotes: "a"'),
    "a value without quotes": ('{"a": later}', "later}", 'put it in quotes: "later"'),
    "None of Python": ('{"a": None}', "None}", "write null"),
    "True of Python": ('{"a": True}', "True}", "write true"),
    "undefined of JavaScript": ('{"a": undefined}', "undefined}", "write null"),
    "a path of Windows": (r'{"a": "C:\Users"}', r'\Users"}', "twice"),
    "a path of Windows that looks like an escape": (r'{"a": "C:\work"}', r'\work"}', "twice"),
    "a line break in a text": ('{"a": "b\nc"}', "a line break", r"\n"),
    "a tab in a text": ('{"a": "b\tc"}', "a tab", r"\t"),
    "a no-break space": ('{\u00a0"a": 1}', "a no-break space", "word processor"),
    "a text that is cut off": ('{"a": "bcd', '"bcd', "ends too early"),
    "a document that is cut off": ('{"a": [1,\n', "the end of the text", "ends too early"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_shown_with_what_to_do_in_our_words(slip: str) -> None:
    text, found, hint = SLIPS[slip]
    with pytest.raises(CircuitError) as caught:
        parse(text)
    error = caught.value
    assert error.position is not None
    assert found in error.found
    assert hint in error.hint
    assert not re.search("Expecting|Invalid|Unterminated|Illegal|escape\\b.*char \\d", error.expected)
