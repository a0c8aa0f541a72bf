"""Values: canonical JSON byte for byte, and JSON read into values."""

import math
from typing import Any

import pytest

from circuit_export.formats.circuitry.engine.trace import encode
from circuit_export.formats.circuitry.values import NotAValue, canonical, read_json, same, text_of, value_of


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        ([True, False, 1, 1.0, 0, -0.0], "[true,false,1,1,0,0]"),
        ([0.1, 1e-6, 1e-7, 1.5e-9], "[0.1,0.000001,1e-7,1.5e-9]"),
        ([1e20, 1e21, 1.5e300, 5e-324], "[100000000000000000000,1e+21,1.5e+300,5e-324]"),
        (12345678901234567890, "12345678901234567000"),
        (2**53 + 1, "9007199254740992"),
        (-(2**53) - 1, "-9007199254740992"),
        ({"b": 1, "a": {}, "c": []}, '{"a":{},"b":1,"c":[]}'),
        ({"10": 1, "9": 2, "a": 3, "01": 4, "-1": 5}, '{"9":2,"10":1,"-1":5,"01":4,"a":3}'),
        ({"4294967295": 1, "4294967294": 2, "5": 3}, '{"5":3,"4294967294":2,"4294967295":1}'),
        # By UTF-16 code units U+1F600 comes before U+FF01, by code points after it.
        ({"\uff01": 1, "\U0001f600": 2, "z": 3}, '{"z":3,"\U0001f600":2,"\uff01":1}'),
        ({"é": 1, "z": 2}, '{"z":2,"é":1}'),
        ('"\\/\b\t\n\f\r\x00\x1f\x7f\u2028é', '"\\"\\\\/\\b\\t\\n\\f\\r\\u0000\\u001f\x7f\u2028é"'),
        ("\ud83d", '"\\ud83d"'),
        ("\U0001f600", '"\U0001f600"'),
        ({"\ud83d": 1}, '{"\\ud83d":1}'),
        (b"", '{"$bytes":""}'),
        (b"\x00\xff\xfe", '{"$bytes":"AP/+"}'),
        ({"$bytes": "AA=="}, '{"$bytes":"AA=="}'),
    ],
)
def test_canonical_json_is_exact(value: Any, expected: str) -> None:
    assert canonical(value) == expected


def test_the_text_of_a_value_is_its_json_unless_it_is_a_text() -> None:
    assert [text_of(value) for value in ("$a", 1.0, None, True, ["x"], b"\0")] == [
        *("$a", "1", "null", "true", '["x"]', '{"$bytes":"AA=="}'),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (' \t\r\n{"a": [1, -0, -0.0, 1E2]} ', {"a": [1, 0, 0, 100]}),
        ("9007199254740993", 9007199254740992.0),
        ('{"a": 1, "a": 2}', {"a": 2}),
        ('{"$bytes": "AA=="}', b"\0"),
        ('{"$bytes": "AA"}', b"\0"),
        ('{"$bytes": ""}', b""),
        ('{"$bytes": 1}', {"$bytes": 1}),
        ('{"$bytes": "AA==", "x": 1}', {"$bytes": "AA==", "x": 1}),
        ('{"$bytes": "?", "x": 1}', {"$bytes": "?", "x": 1}),
        ('[{"$bytes": "/+8="}]', [b"\xff\xef"]),
        ('"\\ud83d"', "\ud83d"),
    ],
)
def test_json_is_read_into_a_value(text: str, value: Any) -> None:
    found = read_json(text)
    assert found == value
    assert canonical(found) == canonical(value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "1 2", "{", "nul", "01", "[1,]", "'a'", "\x00", "[" * 100_000),
        *("NaN", "Infinity", "-Infinity", "1e400", "-1e400", "1" + "0" * 400),
        *('{"$bytes": "A"}', '{"$bytes": "A?=="}', '{"$bytes": "A A="}', '{"$bytes": "AAA?A"}', '{"$bytes": "_-8="}'),
    ],
)
def test_what_is_no_json_value_is_refused(text: str) -> None:
    with pytest.raises(ValueError):
        read_json(text)


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (math.nan, "value.number"),
        ([math.inf], "value.number"),
        (10**400, "value.number"),
        ({1: 2}, "value.invalid"),
        ({"a": {1, 2}}, "value.invalid"),
        (object(), "value.invalid"),
    ],
)
def test_what_is_no_value_is_refused(item: Any, code: str) -> None:
    for take in (value_of, canonical, lambda one: encode({"at": 1, "value": one, "yield": 1})):
        with pytest.raises(NotAValue) as caught:
            take(item)
        assert caught.value.code == code


def test_a_value_is_a_new_one_with_numbers_as_doubles() -> None:
    given = {"a": [1, (2, 2**60 + 1)]}
    found = value_of(given)
    given["a"].append(3)
    assert canonical(found) == '{"a":[1,[2,1152921504606847000]]}'


def test_scalars_are_the_same_when_they_are_of_one_kind_and_equal() -> None:
    scalars = [None, True, False, 1, 0, 1.5, "1", "", b"", b"1", "true"]
    for at, one in enumerate(scalars):
        assert [same(one, other) for other in scalars] == [at == place for place in range(len(scalars))]
    assert same(1, 1.0)
    assert same(0, -0.0)
