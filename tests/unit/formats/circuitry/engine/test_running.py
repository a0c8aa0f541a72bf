"""What a run does, sentence by sentence: readiness, identity, commit, failure, nesting, introduction, codecs."""

from collections.abc import Mapping
from typing import Any

import pytest
from support.circuitry import Outcome, played

from circuit_export.formats.circuitry.engine.commands import Command
from circuit_export.formats.circuitry.engine.failures import Failure
from circuit_export.formats.circuitry.engine.state import Limits, Record
from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.values import ABSENT, read_json

NO = Failure("process.exit", "it did not work", {"status": 1, "signal": None, "stderr": "", "stderrTruncated": False})


def echo(call: str, command: Command) -> Outcome:
    """A command gives the JSON of its input, or its arguments."""
    if call.startswith("no"):
        return [], NO
    return [list(command.arguments) if command.stdin is None else read_json(command.stdin.decode())], None


def ran(text: str, input: Any = ABSENT, files: Mapping[str, str] | None = None, **more: Any) -> list[Record]:
    return played(text, echo, input=input, files=files, **more)


def generations(records: list[Record]) -> list[list[str]]:
    return [[call["call"] for call in calls] for calls in tree(records)["generations"]]


def end(records: list[Record]) -> Any:
    last = records[-1]
    return last["output"] if "output" in last else last["error"]["code"]


# --- input and output --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "input", "expected"),
    [
        ("out 1", ABSENT, 1),
        ("out 1", {}, 1),
        ("out 1", None, "match.input"),
        ("out 1", [], "match.input"),
        ("in $x\nout $x", ABSENT, {}),
        ("in $x\nout $x", None, None),
        ("in { a $x }\nout { x $x }", {"a": {"$bytes": "AA=="}}, {"x": {"$bytes": "AA=="}}),
        ("out ?x", ABSENT, "run.quiescent"),
        ("out $x", ABSENT, "run.quiescent"),
        ("out { x ?x }", ABSENT, {}),
        ('out "?$x"', ABSENT, ""),
        ('out "?@No"', ABSENT, "run.quiescent"),
    ],
)
def test_an_input_is_matched_and_an_output_evaluated(text: str, input: Any, expected: Any) -> None:
    found = ran(text, input)
    assert end(found) == expected
    assert ("input" in found[0]) == (input is not ABSENT)


# --- readiness and identity --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What is required blocks wherever it stands; what is optional blocks only where it is all there is.
        ('a source="x" "$no" { out $y }', []),
        ('a source="x" "?no" { out $y }', [["a"]]),
        ('a source="x" "?no" "$no" { out $y }', []),
        ('a source="$no" { out $y }', []),
        ('a source="?no" { out $y }', []),
        ('a source="?$no" { out $y }', [["a"]]),
        ('a source="?@No" { out $y }', []),
        ('a source="" { in ?no; out $y }', []),
        ('a source="" { in { n ?no }; out $y }', [["a"]]),
        ('a source="" { in "?@No"; out $y }', []),
        ('a source="" "?@No" { out $y }', [["a"]]),
        # A call runs once for each invocation, over the whole run.
        ('a source="" { in 1; out $x }\nb source="" { in $x; out $x }', [["a"], ["b"]]),
        ('a source="" { in { x ?x }; out { x ?y } }\nb source="" { in 7; out $x }', [["a", "b"], ["a"]]),
        ('a source="" { in 0; out $n }\nb source="" "$n" { in 1; out $n }\nc source="" "$n" { in 0; out $n }',
         [["a"], ["b", "c"]]),
        # To be at work on the same thing under another name is something else.
        ('a source="x" { out $y }\nb source="x" { out $z }', [["a", "b"]]),
        # So is the input to which a state was brought back.
        ('a source="" { in { n ?n }; out { n ?m } }\nb source="" { in 1; out $n }\nc source="" "$m" { in 1; out $n }',
         [["a", "b"], ["a"], ["c"]]),
    ],
)  # fmt: skip
def test_a_call_runs_when_all_is_there_and_never_twice_alike(text: str, expected: list[list[str]]) -> None:
    assert generations(ran(f"{text}\nout 1")) == expected


@pytest.mark.parametrize(
    ("call", "times"),
    [
        ('source="$v" { out $w }', 2),
        ('source="" "$v" { out $w }', 2),
        ('source="" "x" "$v" { out $w }', 2),
        ('source="" { in $v; out $w }', 2),
        ('source="" { (text)in { v $v }; out $w }', 2),
        ('source="" { in 1; out $w }', 1),
    ],
)
def test_what_a_call_is_given_makes_it_another(call: str, times: int) -> None:
    found = ran(f'in {{ v $v }}\nset source="" {{ in "./1"; out $v }}\na {call}\nout 1', {"v": "./0"})
    assert sum(record.get("call") == "a" for record in found) == times


def test_kinds_are_told_apart_in_what_a_call_is_given() -> None:
    text = 'in { v $v }\na source="x" "$v" { out $y }\nset source="" { in %s; out $v }\nout 1'
    for before, after, times in (("1", '"1"', 2), ("#true", "1", 2), ("1", "1.0", 1), ('""', "#null", 2)):
        given = {"#true": True, '""': ""}.get(before, 1)
        found = ran(text % after, {"v": given})
        assert sum(record.get("call") == "a" for record in found) == times


# --- commit ------------------------------------------------------------------------------------------------------


def test_what_is_declared_later_wins_and_all_becomes_visible_at_once() -> None:
    text = 'a source="" { in 1; out $x }\nb source="" { in 2; out $x }\nc source="" "$x" { in $x; out $y }\nout $x $y'
    found = ran(text)
    assert (generations(found), end(found)) == ([["a", "b"], ["c"]], [2, 2])
    assert end(ran(text, choose=lambda count: count - 1)) == [2, 2]


def test_a_name_that_is_not_captured_keeps_its_old_value() -> None:
    assert end(ran('in { x $x }\na source="" { in { y 1 }; out { x ?x; y $y } }\nout $x $y', {"x": 0})) == [0, 1]


def test_calls_come_in_the_order_of_declaration_and_all_are_waited_for() -> None:
    text = (
        'b source="1" { out $x }\nno source="2" { out $y }\na source="3" { out $z }\n'
        'c source="4" "$x" { out $w }\nout 1'
    )
    for choose in (lambda count: 0, lambda count: count - 1):
        found = ran(text, choose=choose)
        assert [record["call"] for record in found if "call" in record] == ["b", "no", "a"]
        assert sum("result" in record for record in found) == 4
        assert end(found) == "process.exit"


# --- failures ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "bindings"),
    [
        ("error", {}),
        ("error { }", {}),
        ('error { code "process.exit" }', {}),
        ("error { code $c; data { status $s } }", {"c": "process.exit", "s": 1}),
        ("error $f", {"f": NO.value()}),
        ("error { more ?m }", {}),
        ('error { code "other" }', None),
        ("error { data { more $m } }", None),
        ("error { data { status 2 } }", None),
        ('error "process.exit"', None),
        ("", None),
    ],
)
def test_a_failure_of_the_right_shape_is_handled(error: str, bindings: Any) -> None:
    found = ran(f'no source="x" {{ out $x; {error} }}\nout {{ x ?x }}')
    (result,) = [record for record in found if record.get("result")]
    assert result["error"] == NO.value()
    assert result.get("bindings") == bindings
    assert end(found) == ({} if bindings is not None else "process.exit")


def test_a_handled_failure_is_not_tried_again_unless_something_has_changed() -> None:
    text = 'no source="x" "?n" { out $x; error { code $c } }\nset source="" "$c" { in 1; out $n }\nout { c $c }'
    assert generations(ran(text)) == [["no"], ["set"], ["no"]]


def test_an_output_that_does_not_match_says_all_that_was_given() -> None:
    (result,) = [one for one in ran('a source="" { in 1 2; out 3 }\nout 1') if one.get("result")]
    assert (result["error"]["code"], result["error"]["data"]) == ("match.output", [[1, 2]])
    handled = ran('a source="" { in 1; out { x 1 }; error { code $c; data $d } }\nout $c $d')
    assert end(handled) == ["match.output", [1]]


def test_the_source_of_a_call_has_to_be_a_text() -> None:
    for value in (5, None, ["x"], {"a": 1}, b"x"):
        for source in ("source=$s", "source=(circuitry)$s"):
            found = ran(f"in {{ s $s }}\na {source} {{ out $x; error {{ code $c }} }}\nout $c", {"s": value})
            assert end(found) == "call.source"
            assert not any("source" in record for record in found[1:])


# --- identity, nested and generated programs ---------------------------------------------------------------------


def test_an_empty_source_hands_on_its_input_as_it_is() -> None:
    assert end(ran('in $b\na source="" { (bytes)in $b; (text)out $x }\nout $x', [1, b"x"])) == [1, b"x"]
    assert end(ran('a source="" { out $x }\nout $x')) == {}
    assert end(ran('a source="" { in "x"; (jsonl)out $x }\nout $x')) == ["x"]
    assert end(ran('a source="" { in "xxxxxxxx"; out $x }\nout $x', limits=Limits(1, 1, 1))) == "xxxxxxxx"
    assert end(ran('a source=(circuitry)"" { out $x; error { code $c } }\nout $c')) == "program.invalid"


@pytest.mark.parametrize(
    ("call", "files", "expected"),
    [
        ('"leaf.kdl" { in 5; out $x }', {"/here/leaf.kdl": "in $n\nout $n"}, 5),
        ('"leaf.kdl" { out $x }', {"/here/leaf.kdl": "in $n\nout $n"}, {}),
        ('"leaf.kdl" { in 5; (jsonl)out $x }', {"/here/leaf.kdl": "in $n\nout $n"}, [5]),
        ('"leaf.kdl" { (bytes)in 5; (bytes)out $x }', {"/here/leaf.kdl": "in $n\nout $n"}, 5),
        ('"/there/leaf.MD" { out $x }', {"/there/leaf.MD": '---\nout "@S"\n---\n# S\nhi'}, "hi"),
        ('"a/../leaf.kdl" { out $x }', {"/here/leaf.kdl": "out 1"}, 1),
        ('"sub/a.kdl" { out $x }',
         {"/here/sub/a.kdl": 'b source="b.kdl" { out $y }\nout $y', "/here/sub/b.kdl": "out 3"}, 3),
        ('(circuitry)"out 7" { out $x }', {}, 7),
        ('(circuitry)"b source=leaf.kdl { out ?y }; out { y ?y }" { out $x }', {"/here/leaf.kdl": "out 1"}, {"y": 1}),
    ],
)  # fmt: skip
def test_a_program_in_a_program_has_state_of_its_own(call: str, files: dict[str, str], expected: Any) -> None:
    found = ran(f"a source={call}\nout $x".replace("source=(circuitry)", "source=(circuitry)"), files=files)
    assert end(found) == expected
    parent = next(at for at, record in enumerate(found) if record.get("call") == "a")
    assert [record["value"] for record in found if record.get("yield") == parent] == [
        expected if expected != [5] else 5
    ]


@pytest.mark.parametrize(
    ("inner", "code"),
    [
        ("in 1\nout 1", "match.input"),
        ("out $x", "run.quiescent"),
        ('no source="x" { out $x }\nout $x', "process.exit"),
        ('a source="" { in 1; out 2 }\nout 1', "match.output"),
        ("out {", "program.invalid"),
        ("", "program.invalid"),
    ],
)
def test_a_failure_in_a_program_is_that_of_the_call_and_may_be_handled(inner: str, code: str) -> None:
    text = 'a source="leaf.kdl" { out $x%s }\nout { c ?c }'
    assert end(ran(text % "", files={"/here/leaf.kdl": inner})) == code
    found = ran(text % "; error { code $c }", files={"/here/leaf.kdl": inner})
    assert end(found) == {"c": code}
    assert next(record for record in found if record.get("call") == "a")["source"] == inner


def test_what_is_wrong_with_a_program_comes_with_its_failure() -> None:
    found = ran('a source=(circuitry)"a 1; out 1" { out $x; error { data $d } }\nout $d')
    (one,) = end(found)
    assert (one["code"], one["range"]["start"]) == ("program.call.source", {"line": 1, "column": 1, "offset": 0})


def test_a_file_that_cannot_be_had_is_not_introduced() -> None:
    found = ran('a source="gone.kdl" { out $x; error { code $c } }\nout $c')
    assert end(found) == "source.read"
    assert "source" not in next(record for record in found if "call" in record)


def test_each_text_is_written_out_once_at_whatever_depth() -> None:
    leaf = "out 1"
    files = {"/here/a.kdl": 'x source="b.kdl" { out $y }\nout $y', "/here/b.kdl": leaf, "/here/c.kdl": leaf}
    text = (
        'a source="a.kdl" { out $x }\nb source="b.kdl" "$x" { out $y }\n'
        'c source=(circuitry)"out 1" "$y" { out $z }\nd source="c.kdl" "$z" { out $w }\nout $x $w'
    )
    found = ran(text, files=files)
    calls = {record["call"]: (at, record) for at, record in enumerate(found) if "call" in record}
    inner = calls["x"][0]
    assert calls["x"][1]["source"] == leaf
    assert calls["x"][1]["parent"] == calls["a"][0]
    assert [calls[name][1]["source"] for name in "bcd"] == [inner] * 3
    itself = 'in { more ?more }\nagain source="here.kdl" "$more" { in 1; out; error }\nout 1'
    found = ran(itself, {"more": 1}, files={"/here/here.kdl": itself})
    assert next(record for record in found if "call" in record)["source"] == 0
