"""JSON that is written once."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.server.ready import Ready, ready, text_of, whole

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.text(max_size=3), JSON, max_size=4))
def test_a_text_says_what_its_object_says(value: dict[str, Any]) -> None:
    made = ready(value)
    assert made == value
    assert json.loads(made.text) == value
    around = ready({"inner": made, "more": [1]})
    assert json.loads(around.text) == {"inner": value, "more": [1]}
    assert json.loads(text_of({"a": {"b": {"c": made}}}, 4)) == {"a": {"b": {"c": value}}}


def test_what_is_ready_goes_in_as_it_is() -> None:
    made = Ready({"a": 1})
    made.text = '{"a": "other"}'
    assert ready(made) is made
    assert '{"x":{"a": "other"}}' in text_of({"result": {"x": made}}, 2)
    assert text_of({"result": {"x": made}}, 0) == '{"result":{"x":{"a":1}}}'


@pytest.mark.parametrize(
    ("text", "told"),
    [("a\ud800b", "a\ufffdb"), ("\udc00", "\ufffd"), ("\ud83d\udce8", "📨"), ("é 📨 \0", "é 📨 \0"), ("", "")],
)
def test_half_characters_are_sent_to_nobody(text: str, told: str) -> None:
    assert whole(text) == told
    made = ready({"deep": [{text: text}]})
    assert made == {"deep": [{told: told}]}
    assert json.loads(made.text.encode()) == made


def test_a_number_that_json_has_not_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        ready({"n": float("nan")})
