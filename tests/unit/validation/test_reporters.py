"""Every reporter gives a valid document, for findings and for none, whatever they say."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Position, Related, Severity
from circuit_export.validation.catalogue import every_rule
from circuit_export.validation.report import Report
from circuit_export.validation.reporters import REPORTERS, reporter
from circuit_export.validation.reporters.github import job_summary

SARIF = jsonschema.Draft4Validator(
    json.loads((Path(__file__).parents[2] / "data" / "sarif-2.1.0.schema.json").read_text("utf-8"))
)
TEXT = '{\n "circuit": 1,\n "wörks": "日本 {{x}}"\n}\n'
FINDING = Diagnostic(
    "C201",
    "unknown-wire-target",
    Severity.ERROR,
    "Step “a” leads to “b”, which is no step",
    "/steps/0/next/0/to",
    step="a",
    wire="out → b",
    hint="did you mean “c”?",
    file="boards/x.json",
    start=Position(3, 15),
    end=Position(3, 20),
    related=(Related("here", Place("/steps/1"), "boards/x.json", Position(2, 2)),),
    fix=Fix("write “c”", (Edit(Action.REPLACE, Place("/x"), "c"),)),
)
REPORT = Report((FINDING,), ("boards/x.json", "boards/y.json"), texts={"boards/x.json": TEXT}, rules=every_rule())
EMPTY = Report(rules=every_rule())

names = st.text(max_size=12)
positions = st.builds(Position, st.integers(1, 5), st.integers(1, 30))
findings = st.builds(
    Diagnostic,
    st.sampled_from(["C001", "C201", "C999"]),
    st.sampled_from(["not-json", "x"]),
    st.sampled_from(list(Severity)),
    names,
    names,
    step=st.none() | names,
    wire=st.none() | names,
    hint=names,
    file=names,
    start=st.none() | positions,
    end=st.none() | positions,
    key=st.just(False),
    part=st.none(),
    fix=st.none(),
    related=st.lists(st.builds(Related, names, st.just(Place()), names, st.none() | positions), max_size=2).map(tuple),
)
reports = st.builds(
    lambda found, text, fail_on: Report(
        tuple(found), tuple({one.file for one in found}), texts={one.file: text for one in found}, fail_on=fail_on
    ),
    st.lists(findings, max_size=4),
    st.text(max_size=60),
    st.sampled_from(["error", "warning", "note", "never"]),
)


def test_text_shows_the_line_and_a_caret() -> None:
    assert reporter("text")(REPORT, False) == (
        "error[C201]: Step “a” leads to “b”, which is no step\n"
        " --> boards/x.json:3:15\n"
        "  |\n"
        '3 |  "wörks": "日本 {{x}}"\n'
        "  |                 ^^^^^\n"
        "  = boards/x.json:2:2: here\n"
        "  = try: did you mean “c”?\n"
        "  = unknown-wire-target, --fix --unsafe-fixes: write “c”\n"
        "\n"
        "1 error in 2 files; 1 fixable with --fix --unsafe-fixes.\n"
    )


def test_text_in_colour_says_the_same() -> None:
    plain = reporter("text")(REPORT, False)
    coloured = reporter("text")(REPORT, True)
    assert coloured != plain
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_a_long_line_is_cut_around_its_place() -> None:
    line = "a" * 500 + "HERE" + "b" * 500
    found = Diagnostic("C1", "x", Severity.NOTE, "m", file="f", start=Position(1, 501), end=Position(1, 505))
    shown = reporter("text")(Report((found,), ("f",), texts={"f": line}), False).split("\n")
    assert len(shown[3]) < 140
    caret = shown[4].index("^")
    assert shown[3][caret : caret + 4] == "HERE"


def test_concise_is_one_line_a_finding() -> None:
    assert reporter("concise")(REPORT, False) == (
        "boards/x.json:3:15: error[C201] Step “a” leads to “b”, which is no step (did you mean “c”?)\n"
    )


def test_json_has_all_members() -> None:
    value = json.loads(reporter("json")(REPORT, False))
    assert value["version"] == 1
    assert value["findings"] == [
        {
            "code": "C201",
            "name": "unknown-wire-target",
            "severity": "error",
            "message": FINDING.message,
            "file": "boards/x.json",
            "pointer": "/steps/0/next/0/to",
            "line": 3,
            "column": 15,
            "endLine": 3,
            "endColumn": 20,
            "step": "a",
            "wire": "out → b",
            "hint": "did you mean “c”?",
            "related": [{"message": "here", "file": "boards/x.json", "pointer": "/steps/1", "line": 2, "column": 2}],
            "fix": {"title": "write “c”", "safe": False},
        }
    ]
    assert value["summary"]["errors"] == 1
    assert value["summary"]["files"] == 2


def test_sarif_names_the_rule() -> None:
    run = json.loads(reporter("sarif")(REPORT, False))["runs"][0]
    (rule,) = run["tool"]["driver"]["rules"]
    assert rule["id"] == "C201"
    assert run["results"][0]["ruleIndex"] == 0


def test_github_escapes_what_a_command_would_obey() -> None:
    found = Diagnostic("C1", "x", Severity.WARNING, "50%\n::error::no", file="a,b:c", start=Position(2, 3))
    assert reporter("github")(Report((found,)), False) == (
        "::warning file=a%2Cb%3Ac,line=2,col=3,title=C1 x::50%25%0A::error::no\n"
    )


def test_the_job_summary_lists_every_finding() -> None:
    said = job_summary(REPORT)
    assert "1 error in 2 files" in said
    assert "| error C201 | boards/x.json:3:15 |" in said


def test_junit_has_a_case_for_each_file() -> None:
    root = ElementTree.fromstring(reporter("junit")(REPORT, False))
    cases = {case.get("name"): case for case in root.iter("testcase")}
    assert set(cases) == {"boards/x.json", "boards/y.json"}
    assert cases["boards/x.json"].find("failure") is not None
    assert cases["boards/y.json"].find("failure") is None


def test_gitlab_fingerprints_do_not_hold_the_line() -> None:
    moved = FINDING._replace(start=Position(90, 1))
    (one,) = json.loads(reporter("gitlab")(REPORT, False))
    (other,) = json.loads(reporter("gitlab")(Report((moved,)), False))
    assert one["fingerprint"] == other["fingerprint"]
    assert one["location"]["lines"]["begin"] != other["location"]["lines"]["begin"]


def test_two_alike_findings_have_two_fingerprints() -> None:
    listed = json.loads(reporter("gitlab")(Report((FINDING, FINDING)), False))
    assert len({issue["fingerprint"] for issue in listed}) == 2


def check(name: str, said: str) -> None:
    """Whether a report is a valid document of its kind."""
    said.encode("utf-8")
    match name:
        case "json":
            assert json.loads(said)["version"] == 1
        case "sarif":
            SARIF.validate(json.loads(said))
        case "junit":
            ElementTree.fromstring(said.encode("utf-8"))
        case "gitlab":
            assert isinstance(json.loads(said), list)
        case "github":
            assert all(line.startswith("::") for line in said.splitlines())
        case "text":
            assert said.endswith(".\n")
        case _:
            assert said == "" or said.endswith("\n")


@pytest.mark.parametrize("name", REPORTERS)
def test_no_files_give_a_valid_document(name: str) -> None:
    check(name, reporter(name)(EMPTY, False))


@pytest.mark.parametrize("name", REPORTERS)
def test_findings_give_a_valid_document(name: str) -> None:
    check(name, reporter(name)(REPORT, False))


@pytest.mark.parametrize("name", REPORTERS)
@settings(max_examples=25, deadline=None)
@given(report=reports)
def test_any_findings_give_a_valid_document(name: str, report: Report) -> None:
    check(name, reporter(name)(report, False))


def test_an_unknown_reporter_is_none() -> None:
    with pytest.raises(KeyError):
        reporter("html")
