"""Traces: the encoder writes canonical lines, and the decoder says what is wrong with each kind of line."""

from typing import Any

import pytest

from circuit_export.formats.circuitry.engine.trace import Decoder, TraceError, decode, encode
from circuit_export.formats.circuitry.values import canonical

HEADER = '{"at":"2000-01-01T00:00:00.000Z","source":"out 1","trace":"t"}'
CALL = '{"at":1,"call":"a"}'
NESTED = '{"at":1,"call":"a","source":"out 1"}'
RESULT = '{"at":2,"bindings":{},"result":1}'
END = '{"at":3,"output":1,"result":0}'


def decoded(*lines: str) -> int:
    return len(list(decode(["".join(line + "\n" for line in lines).encode()])))


@pytest.mark.parametrize(
    "lines",
    [
        (),
        (HEADER,),
        (HEADER, CALL),
        (HEADER, CALL, '{"at":1,"value":null,"yield":1}', RESULT, END),
        (HEADER, NESTED, '{"at":1,"call":"b","parent":1,"source":0}', '{"at":1,"call":"c","source":1}'),
        (HEADER, CALL, '{"at":1,"error":{"code":"c","message":"m"},"result":1}'),
        (HEADER, CALL, '{"at":0,"bindings":{},"error":{"code":"c","data":1,"message":"m"},"result":1}', END),
        (HEADER, '{"at":3,"error":{"code":"c","message":"m"},"result":0}'),
    ],
)
def test_a_trace_that_is_one(lines: tuple[str, ...]) -> None:
    assert decoded(*lines) == len(lines)


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("record", (HEADER, "")),
        ("record", (HEADER, "[1]")),
        ("record", (HEADER, '{"at":1}')),
        ("json", (HEADER, "{")),
        ("json", (HEADER, '{"at":1e999,"call":"a"}')),
        ("header", ('{"at":1,"call":"a"}',)),
        ("header", (HEADER.replace(".000Z", "Z"),)),
        ("header", (HEADER.replace('"t"', '""'),)),
        ("header", (HEADER.replace("}", ',"more":1}'),)),
        ("header", (HEADER, HEADER)),
        ("call", (HEADER, '{"at":-1,"call":"a"}')),
        ("call", (HEADER, '{"at":1.5,"call":"a"}')),
        ("call", (HEADER, '{"at":true,"call":"a"}')),
        ("call", (HEADER, '{"at":1,"call":"a","more":1}')),
        ("parent", (HEADER, '{"at":1,"call":"a","parent":0}')),
        ("parent", (HEADER, CALL, RESULT, '{"at":1,"call":"b","parent":1}')),
        ("source", (HEADER, CALL, '{"at":1,"call":"b","source":1}')),
        ("source", (HEADER, '{"at":1,"call":"b","source":null}')),
        ("yield", (HEADER, '{"at":1,"value":1,"yield":0}')),
        ("yield", (HEADER, CALL, '{"at":1,"yield":1}')),
        ("yield", (HEADER, CALL, '{"at":1,"more":1,"value":1,"yield":1}')),
        ("yield", (HEADER, CALL, '{"at":-1,"value":1,"yield":1}')),
        ("yield", (HEADER, CALL, RESULT, '{"at":1,"value":1,"yield":1}')),
        ("result", (HEADER, '{"at":1,"bindings":{},"result":1}')),
        ("result", (HEADER, CALL, '{"at":1,"bindings":{},"output":1,"result":1}')),
        ("result", (HEADER, CALL, END)),
        ("result", (HEADER, '{"at":1,"result":0}')),
        ("result", (HEADER, '{"at":1,"bindings":{},"output":1,"result":0}')),
        ("bindings", (HEADER, CALL, '{"at":1,"result":1}')),
        ("bindings", (HEADER, CALL, '{"at":1,"bindings":[],"result":1}')),
        ("error", (HEADER, CALL, '{"at":1,"error":{"code":"c"},"result":1}')),
        ("error", (HEADER, CALL, '{"at":1,"error":{"code":"c","message":"m","more":1},"result":1}')),
        ("complete", (HEADER, END, CALL)),
    ],
)
def test_a_line_that_a_trace_cannot_have(code: str, lines: tuple[str, ...]) -> None:
    with pytest.raises(TraceError) as caught:
        decoded(*lines)
    assert (caught.value.code, caught.value.line) == (f"trace.{code}", len(lines))


def test_an_unfinished_last_line_is_left_out_until_it_is_finished() -> None:
    decoder = Decoder()
    assert list(decoder.feed((HEADER + "\n" + CALL).encode())) == [
        {"at": "2000-01-01T00:00:00.000Z", "source": "out 1", "trace": "t"}
    ]
    assert list(decoder.feed(b"\n")) == [{"at": 1, "call": "a"}]


def test_bytes_come_back_as_bytes() -> None:
    record = {"at": 1, "value": {"b": b"\x00\xff"}, "yield": 1}
    line = encode(record)
    assert line == '{"at":1,"value":{"b":{"$bytes":"AP8="}},"yield":1}\n'
    (*_, found) = decode([f"{HEADER}\n{CALL}\n{line}".encode()])
    assert found == record


@pytest.mark.parametrize(
    "record",
    [
        {"at": 3, "value": {"b": 1, "a": b"x"}, "yield": 1},
        {"yield": 1, "value": "é\x00\ud800", "at": 0},
        {"at": True, "value": None, "yield": 1},
        {"at": 1.5, "value": None, "yield": 1},
        {"at": 1, "value": None, "yield": 1, "more": 1},
        {"at": 1, "yield": 1},
    ],
)
def test_a_record_is_written_as_canonical_json_whatever_it_holds(record: Any) -> None:
    assert encode(record) == canonical(record) + "\n"
