"""Coverage: what counts, and how it is shown."""

import json
from xml.etree import ElementTree

import pytest

from circuit_export.diagnostics import Position, Spot
from circuit_export.runs.outline import Branch, Outline, Reached, Way
from circuit_export.validation.coverage import REPORTS, as_text, falls_short, findings, measure, percent, total

WIRES = (Way("a", "out", "b"), Way("b", "x", "c"), Way("b", "y", "c"), Way("c", "out", "d"))
OUTLINE = Outline(("a", "b", "c", "d"), WIRES, {})
ALL = measure("all.json", OUTLINE, Reached(frozenset("abcd"), frozenset(WIRES)))
RULE = "-" * len("some.json       4      1       4      2     63%   d, b:y → c, c:out → d")
SOME = measure("some.json", OUTLINE, Reached(frozenset("abc"), frozenset(WIRES[:2])))


def test_what_is_missed():
    assert SOME.missed_steps == ("d",)
    assert SOME.which == ("d", "b:y → c", "c:out → d")
    assert SOME.percent == 63
    assert ALL.percent == 100


def test_a_wire_out_of_a_missed_step_goes_without_saying():
    none = measure("none.json", OUTLINE, Reached())
    assert none.which == ("a", "b", "c", "d")
    assert none.percent == 0
    assert len(findings(none, lambda step: Spot(f"/steps/{'abcd'.index(step)}"))) == 4


@pytest.mark.parametrize(
    ("reached", "of", "shown"), [(999, 1000, 99), (1, 1000, 1), (0, 10, 0), (0, 0, 100), (5, 10, 50)]
)
def test_percent_is_never_rounded_to_all_or_none(reached, of, shown):
    assert percent(reached, of) == shown


def test_falling_short_is_judged_exactly():
    assert falls_short([SOME], 62.6)
    assert not falls_short([SOME], 62.5)
    assert not falls_short([], 100)


def test_the_table():
    assert as_text([ALL, SOME]) == (
        "Name        Steps   Miss   Wires   Miss   Cover   Missing\n"
        f"{RULE}\n"
        "all.json        4      0       4      0    100%\n"
        "some.json       4      1       4      2     63%   d, b:y → c, c:out → d\n"
        f"{RULE}\n"
        "TOTAL           8      1       8      2     81%\n"
    )


def test_what_is_covered_can_be_left_out_of_the_table():
    table = as_text([ALL, SOME], skip_covered=True)
    assert "all.json" not in table
    assert "1 workflow is covered whole" in table
    assert "TOTAL           8" in table


def test_findings_have_their_places():
    found = findings(SOME, lambda step: Spot(f"/steps/{'abcd'.index(step)}"))
    assert [(d.code, d.pointer, d.step) for d in found] == [
        ("C921", "/steps/3", "d"),
        ("C922", "/steps/1", "b"),
        ("C922", "/steps/2", "c"),
    ]
    assert found[1].wire == "b:y → c"


def test_branches_count_and_have_columns_where_there_are_any():
    outline = Outline(("a", "b"), (), {}, branches=(Branch("a", "without x"), Branch("b", "without y")))
    row = measure("p.kdl", outline, Reached(frozenset("a"), frozenset(), frozenset((Branch("a", "without x"),))))
    assert (row.total, row.missed, row.percent) == (4, 2, 50)
    assert row.which == ("b",)
    assert [one.code for one in findings(row, lambda step: Spot(start=Position(1, 1)))] == ["C921"]
    both = row._replace(missed_steps=())
    (found,) = findings(both, lambda step: Spot(start=Position(2, 1)))
    assert (found.code, found.step, found.start) == ("C923", "b", (2, 1))
    heads, _rule, *_ = as_text([ALL, both]).splitlines()
    assert heads.split() == ["Name", "Steps", "Miss", "Wires", "Miss", "Branches", "Miss", "Cover", "Missing"]
    assert as_text([both]).splitlines()[2].split(maxsplit=8) == [
        *("p.kdl", "2", "0", "0", "0", "2", "1", "75%", "b without y"),
    ]
    (told,) = json.loads(REPORTS["json"]([both], False))["workflows"]
    assert told["missedBranches"] == [{"step": "b", "what": "without y"}]


def test_reports_for_programs():
    value = json.loads(REPORTS["json"]([ALL, SOME], False))
    assert value["summary"] == {
        "workflows": 2, "steps": 8, "missedSteps": 1, "wires": 8, "missedWires": 2, "branches": 0, "missedBranches": 0,
        "percent": total([ALL, SOME]),
    }  # fmt: skip
    assert value["workflows"][1]["missedWires"][0] == {"step": "b", "port": "y", "to": "c"}
    suite = ElementTree.fromstring(REPORTS["junit"]([ALL, SOME], False))
    assert suite.get("failures") == "1"
    assert [case.get("name") for case in suite.iter("testcase")] == ["all.json", "some.json"]
    assert REPORTS["github"]([ALL, SOME], False).startswith("::warning file=some.json,title=Coverage 63%25::")


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_whole_without_workflows_and_with_odd_names(name):
    odd = measure("odd|\x00\ud800<&>\n.json", Outline(("s|<&\x01",), (), {}), Reached())
    for rows in ([], [odd]):
        text = REPORTS[name](rows, False)
        if name == "json":
            json.loads(text)
        if name == "junit":
            ElementTree.fromstring(text)


def test_what_a_terminal_would_obey_or_a_table_break_is_not_shown():
    odd = measure("o.json", Outline(("a\x1b[2J\nb",), (), {}), Reached())
    for report in ("text", "markdown"):
        told = REPORTS[report]([odd], False)
        assert "a\ufffd[2J\ufffdb" in told
        assert "\x1b" not in told
