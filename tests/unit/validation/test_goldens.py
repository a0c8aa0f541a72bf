"""Golden traces: comparing, explaining, accepting."""

import pytest

from circuit_export.runs.directives import golden_text
from circuit_export.validation.goldens import (
    compare,
    diff,
    explain,
    findings,
    golden_path,
    read,
    updated,
    workflow_stems,
)

ONE = ("one", ("call_tool a T:get", "think b write", "done"))
TWO = ("two", ("done",))
GOLDEN = "# one\ncall_tool a T:get\nthink b write\ndone\n\n# two\ndone\n"


def test_a_golden_is_written_and_read():
    assert golden_text([ONE, TWO]) == GOLDEN
    assert dict(read(GOLDEN).traces) == dict([ONE, TWO])
    assert compare(GOLDEN, [ONE, TWO]).agrees


def test_a_golden_of_no_scenarios_is_empty():
    assert golden_text([]) == ""
    assert compare("", []).agrees


def test_where_goldens_lie():
    assert golden_path("goldens", "boards/mail/triage.json") == "goldens/traces/boards/mail/triage.trace"
    assert workflow_stems("goldens", ["goldens/traces/boards/triage.trace"]) == {
        "goldens/traces/boards/triage.trace": "boards/triage"
    }


def test_a_drift_names_its_line_and_says_what_happens():
    (drift,) = compare(GOLDEN, [("one", ("call_tool a T:get", "think c write", "done")), TWO]).drifts
    assert drift.line == 3
    assert "“c”" in drift.explained
    assert "“b”" in drift.explained
    shown = diff(drift, "goldens/traces/x.trace")
    assert "-think b write\n+think c write\n" in shown
    assert "# one" in shown


@pytest.mark.parametrize(
    ("expected", "found", "words"),
    [
        (("say a", "done"), ("done",), ["the run is done", "say a"]),
        (("done",), ("say a", "done"), ["the golden is done", "say a"]),
        (("say a",), ("blocked a — it broke",), ["stops at “a”", "say a"]),
        (("call_tool a T:x",), ("call_tool a T:y",), ["“a”", "T:y", "T:x"]),
        (("call_tool a T:x",), ("preview a T:x",), ["preview", "call_tool"]),
        (("say a", "say b"), ("say a",), ["the run ended", "say b"]),
        (("say a",), ("say a", "say b"), ["the golden ends", "say b"]),
        (("nonsense",), ("say a",), ["say a", "nonsense"]),
    ],
)
def test_the_first_difference_is_explained(expected, found, words):
    at = next((n for n, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), 1)
    said = explain(expected, found, at)
    assert said.startswith(f"Directive {at + 1}: ")
    for word in words:
        assert word in said


def test_missing_and_stale():
    comparison = compare(GOLDEN, [ONE, ("three", ("done",))])
    assert comparison.missing == ("three",)
    assert comparison.stale == (("two", 6),)
    assert compare(None, [ONE]).missing == ("one",)
    found = findings(comparison, "g.trace", "s.json", {"three": 1})
    assert [(d.code, d.file, d.pointer) for d in found] == [
        ("C912", "s.json", "/scenarios/1/name"),
        ("C913", "g.trace", ""),
    ]
    assert found[1].start.line == 6


@pytest.mark.parametrize(
    "text",
    [
        "# two\ndone\n\n# one\ncall_tool a T:get\nthink b write\ndone\n",
        GOLDEN + "\n",
        GOLDEN.rstrip(),
        GOLDEN.replace("\n", "\r\n"),
        "loose\n" + GOLDEN,
    ],
)
def test_a_golden_is_compared_byte_for_byte(text):
    comparison = compare(text, [ONE, TWO])
    assert comparison.untidy
    assert not comparison.agrees
    assert [d.code for d in findings(comparison, "g", "s", {})] == ["C911"]


def test_accepting_one_leaves_the_others():
    new_one, new_two = ("one", ("done",)), ("two", ("say z", "done"))
    assert updated(GOLDEN, [new_one, new_two]) == golden_text([new_one, new_two])
    assert updated(GOLDEN, [new_one, new_two], "two") == golden_text([ONE, new_two])
    assert updated(GOLDEN, [new_one], "one") == golden_text([new_one, TWO])
    assert updated(None, [new_one, new_two], "two") == golden_text([new_two])


@pytest.mark.parametrize(
    ("expected", "found", "words"),
    [
        (("generation 1", "  call a"), ("generation 1", "  call b"), ["Line 2", "has `call b`", "golden `call a`"]),
        (("generation 1", "  call a", "output 1"), ("generation 1", "  call a"), ["Line 3", "ended", "`output 1`"]),
        (("generation 1", "  call a"), ("generation 1", "  call a", "output 1"), ["golden ends", "`output 1`"]),
    ],
)
def test_what_tells_of_a_run_in_another_way_is_not_called_a_directive(expected, found, words):
    at = next((n for n, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), 2)
    said = explain(expected, found, at)
    assert all(word in said for word in words)
    assert "irective" not in said
