"""The machine: what it asks for and in which order, without any process."""

from typing import Any

import pytest
from support.circuitry import Outcome, played

from circuit_export.formats.circuitry.engine.codecs import encoded
from circuit_export.formats.circuitry.engine.commands import STDERR_KEPT, Command, Exit, Session
from circuit_export.formats.circuitry.engine.failures import Failed, Failure
from circuit_export.formats.circuitry.engine.machine import Machine
from circuit_export.formats.circuitry.engine.state import Emit, Limits, Load, Start, names_program
from circuit_export.formats.circuitry.engine.trace import encode
from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.reading import parse

ADD = 'a source="one" { out $x }\nb source="two" { out $y }\nc source="sum" "$x" "$y" { out $z }\nout $z'


def outcomes(**values: Any) -> Any:
    def outcome(call: str, command: Command) -> Outcome:
        found = values[call]
        return ([], found) if isinstance(found, Failure) else ([found], None)

    return outcome


def test_calls_of_a_generation_come_before_all_that_comes_of_them() -> None:
    found = played(ADD, outcomes(a=1, b=2, c=3))
    assert [record.get("call") or record.get("result", record.get("yield")) for record in found[1:]] == [
        "a",
        "b",
        1,
        1,
        2,
        2,
        "c",
        7,
        7,
        0,
    ]
    assert found[-1]["output"] == 3


def test_commands_are_asked_for_with_all_that_they_need() -> None:
    text = 'in { n $n }\na source="tool" "$n" "n=$n" #true "?no" { (jsonl)in { n $n }; (text)out $x }\nout $x'
    machine = Machine(parse(text), text, input={"n": 1.5}, folder="/here", limits=Limits(output_bytes=9))
    machine.begin("t", "2000-01-01T00:00:00.000Z")
    while machine.work(0):
        pass
    start = next(effect for effect in machine.effects if isinstance(effect, Start))
    assert start.command == Command("tool", ("1.5", "n=1.5", "true"), b'{"n":1.5}\n', "/here", "text", 9)


def test_a_file_is_asked_for_once_and_a_text_is_written_out_once() -> None:
    text = (
        'a source="x/leaf.kdl" { out $a }\nb source="./x/leaf.kdl" { out $b }\nc source="leaf.kdl" { out $c }\nout $a'
    )
    machine = Machine(parse(text), text, folder="/here")
    machine.begin("t", "2000-01-01T00:00:00.000Z")
    loads: list[str] = []
    records = []
    while not machine.finished or machine.effects:
        while machine.effects:
            effect = machine.effects.popleft()
            if isinstance(effect, Load):
                loads.append(effect.path)
                machine.loaded(effect.path, "out 7", 0)
            elif isinstance(effect, Emit):
                records.append(effect.record)
        machine.work(0)
    assert loads == ["/here/x/leaf.kdl", "/here/leaf.kdl"]
    assert [record["source"] for record in records if "call" in record] == ["out 7", 1, 1]


def test_the_first_unhandled_failure_in_the_order_of_declaration_counts() -> None:
    no = Failure("process.exit", "no", {"status": 1})
    for last in (0, -1):
        found = played(
            ADD, outcomes(a=no._replace(message="first"), b=no), choose=lambda count, last=last: last % count
        )
        assert found[-1]["error"]["message"] == "first"
        assert not any(record.get("call") == "c" for record in found)


def test_what_a_generation_binds_is_discarded_with_it() -> None:
    text = 'a source="ok" { out $x }\nb source="no" { out $y }\nout ?x'
    found = played(text, outcomes(a=1, b=Failure("process.exit", "no")))
    assert found[-1]["error"]["code"] == "process.exit"
    assert tree(found)["generations"][0][0]["bindings"] == {"x": 1}


def test_cancelling_waits_for_what_was_started_and_starts_no_more() -> None:
    machine = Machine(parse(ADD), ADD)
    machine.begin("t", "2000-01-01T00:00:00.000Z")
    machine.work(0)
    started = [effect.id for effect in machine.effects if isinstance(effect, Start)]
    machine.cancel(5)
    machine.cancel(6, Failure("run.limit", "too late"))
    machine.yielded(started[0], 1, 7)
    machine.ended(started[0], None, 7)
    assert not machine.finished
    machine.ended(started[1], None, 8)
    while machine.work(8):
        pass
    records = [effect.record for effect in machine.effects if isinstance(effect, Emit)]
    assert [record["error"]["code"] for record in records if "result" in record] == ["run.cancelled"] * 3
    assert not any("yield" in record for record in records)
    assert records[-1]["result"] == 0


def test_numbers_and_booleans_are_told_apart_where_it_counts() -> None:
    text = 'in $v\na source="" { in $v; out #true; error { code $c } }\nout ?c'
    assert played(text, outcomes(), input=1)[-1]["output"] == "match.output"
    again = 'in { v $v }\na source="" "$v" { in 1; out $x }\nb source="" { in 1; out $v }\nout $x'
    assert sum(record.get("call") == "a" for record in played(again, outcomes(), input={"v": True})) == 2


def test_a_value_that_is_nested_beyond_all_bounds_fails_the_run_cleanly() -> None:
    value: Any = 1
    for _ in range(50_000):
        value = [value]
    text = 'in $v\na source="" { in { more "<$v>" }; out $x }\nout $x'
    assert played(text, outcomes(), input=value)[-1]["error"]["code"] == "value.invalid"
    grow = 'a source="" { in { more ?x }; out $x }\nout $x'
    found = played(grow, outcomes())
    assert found[-1]["error"]["code"] == "value.invalid"
    assert all(encode(record) for record in found)


def test_which_sources_are_programs() -> None:
    programs = ["a.kdl", "A.KDL", "x/y.md", "/a/b.Md", "..kdl", "a.b.kdl", "dir/a.kdl/"]
    commands = [".kdl", "x/.md", "a.kdl ", "kdl", "a.md5", "", "a.kdl/b", "a.kdlx"]
    assert [name for name in (*programs, *commands) if names_program(name)] == programs


@pytest.mark.parametrize(
    ("codec", "value", "written"),
    [
        ("json", {"b": [1.0, "é"], "a": b"x"}, '{"a":{"$bytes":"eA=="},"b":[1,"é"]}'),
        ("jsonl", [1, 2], "[1,2]\n"),
        ("text", "as it is\n", "as it is\n"),
        ("text", [1, "x"], '[1,"x"]'),
        ("text", None, "null"),
        ("bytes", b"\x01", "\x01"),
    ],
)
def test_a_value_is_written_as_its_codec_says_within_a_limit(codec: str, value: Any, written: str) -> None:
    data = written.encode()
    assert encoded(codec, value, len(data)) == data
    with pytest.raises(Failed) as caught:
        encoded(codec, value, len(data) - 1)
    assert caught.value.failure.code == "input.limit"


@pytest.mark.parametrize("value", ["text", None, [1], {"$bytes": "AA=="}])
def test_only_bytes_are_written_as_bytes(value: Any) -> None:
    with pytest.raises(Failed) as caught:
        encoded("bytes", value, 100)
    assert caught.value.failure.code == "codec.bytes"


def session(codec: str, *chunks: bytes, exit: Exit = Exit(), limit: int = 1000) -> tuple[list[Any], str | None]:  # noqa: B008
    """The values of a command, and the code of its failure."""
    one = Session(Command("tool", (), None, None, codec, limit))
    values = [value for chunk in chunks for value in one.stdout(chunk)]
    last, failure = one.ended(exit)
    return [*values, *last], None if failure is None else failure.code


def test_codecs_read_what_they_should() -> None:
    assert session("json", b"\xef\xbb\xbf {", b'"a":1}\n') == ([{"a": 1}], None)
    assert session("json", b"") == ([], "codec.json")
    assert session("json", b"1 2") == ([], "codec.json")
    assert session("json", b"1e999") == ([], "codec.json")
    assert session("json", b"NaN") == ([], "codec.json")
    assert session("json", b'{"$bytes":"AB"}') == ([b"\x00"], None)
    assert session("json", b'{"$bytes":"A"}') == ([], "codec.json")
    assert session("text", b"\xc3", b"\xa4") == (["ä"], None)
    assert session("text", b"\xff") == ([], "codec.utf8")
    assert session("bytes", b"\xff") == ([b"\xff"], None)
    assert session("jsonl", b"1\r\n2", b"\n") == ([1, 2], None)
    assert session("jsonl", b"1\n\n") == ([1], "codec.jsonl")
    assert session("jsonl", b"1\n2") == ([1], "codec.jsonl")
    assert session("jsonl", b"") == ([], None)
    assert session("text", b"12345", limit=5) == (["12345"], None)
    assert session("text", b"12345", b"6", limit=5) == ([], "output.limit")


def test_what_beats_what_when_a_command_ends_badly() -> None:
    bad = Exit(3, None, True)
    assert session("text", b"x", exit=bad) == (["x"], "process.exit")
    assert session("text", b"x", exit=Exit(0, None, True)) == (["x"], "process.input")
    assert session("json", b"x", exit=bad) == ([], "codec.json")
    assert session("text", exit=Exit(not_started="gone")) == ([""], "process.spawn")
    assert session("json", exit=Exit(not_started="gone")) == ([], "process.spawn")


def test_standard_error_is_kept_from_its_end() -> None:
    one = Session(Command("tool", (), None, None, "text", 10))
    for _ in range(5):
        one.stderr(b"x" * STDERR_KEPT)
    one.stderr(b"\xffend")
    _, failure = one.ended(Exit(None, "SIGKILL"))
    assert failure is not None
    assert failure.message == "tool exited with SIGKILL"
    assert failure.data["stderr"].endswith("x�end")
    assert len(failure.data["stderr"].encode()) == STDERR_KEPT + 2  # a byte that is none is told by three
    assert failure.data["stderrTruncated"] is True
    assert (failure.data["status"], failure.data["signal"]) == (None, "SIGKILL")


def test_standard_error_that_fits_is_kept_whole() -> None:
    one = Session(Command("tool", (), None, None, "text", 10))
    one.stderr(b"a" + b"x" * (STDERR_KEPT - 1))
    _, failure = one.ended(Exit(2))
    assert failure is not None
    assert failure.data == {
        "status": 2, "signal": None, "stderr": "a" + "x" * (STDERR_KEPT - 1), "stderrTruncated": False
    }  # fmt: skip
    assert failure.message == "tool exited with 2"
