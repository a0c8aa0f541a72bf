"""Checks of a format that is no JSON: places, codes of its own, comments that ignore, and what it calls by path."""

import json
from pathlib import Path

import pytest

from circuit_export import api
from circuit_export.validation.report import Report, Request, Runs
from circuit_export.validation.reporters import reporter
from circuit_export.validation.run import validate


def checked(folder: Path, **files: str) -> Report:
    """A project of these files, `__` in a name being a folder's end and `_` the dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return validate(Request((folder,), runs=Runs.ALSO))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "circuit.toml").write_text("", "utf-8")
    return tmp_path


def test_kdl_that_cannot_be_read_is_a_finding_of_the_format_with_its_place(project: Path) -> None:
    (found,) = checked(project, a_kdl='a source="run" {\n  out $x\nout "\n').findings
    assert (found.code, found.name, found.reference, found.file) == ("C801", "kdl-syntax", "program.kdl", "a.kdl")
    assert found.start is not None and found.start.line >= 3


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16"])
def test_a_program_that_is_not_utf_8_is_an_error_and_not_guessed(project: Path, encoding: str) -> None:
    text = 'out "Größe"\n'
    for name, whole in (("a.kdl", text), ("b.md", f"---\n{text}---\n# Text\n")):
        (project / name).write_bytes(whole.encode(encoding))
        (found,) = validate(Request((project / name,), runs=Runs.ALSO)).findings
        assert (found.code, found.hint) == ("C002", "save it as UTF-8")


def test_a_page_with_a_program_may_be_in_any_encoding(project: Path) -> None:
    page = api.export_page(api.loads('in { x $x }\nout { "Größe" $x }\n', path="a.kdl"))
    page = page.replace('charset="utf-8"', 'charset="windows-1252"')
    (project / "page.html").write_bytes(page.encode("cp1252", "xmlcharrefreplace"))
    report = validate(Request((project / "page.html",), runs=Runs.ALSO))
    assert (report.files, report.findings) == (("page.html",), ())


def test_the_code_of_the_language_is_told_by_the_reports(project: Path) -> None:
    report = checked(project, a_kdl='a source="run" { inn 1; out $x }\nout $x\n')
    (told,) = json.loads(reporter("json")(report, False))["findings"]
    assert (told["code"], told["reference"]) == ("C814", "program.call.child")
    assert (told["line"], told["column"]) == (1, 18)
    assert "= call-child (program.call.child)" in reporter("text")(report, False)
    (run,) = json.loads(reporter("sarif")(report, False))["runs"]
    assert run["results"][0]["properties"] == {"reference": "program.call.child"}


def test_what_a_board_is_found_to_have_has_no_code_of_a_language(project: Path) -> None:
    report = checked(project, b_json='{"circuit": 1, "name": "", "steps": []}')
    assert report.findings
    assert all("reference" not in one for one in json.loads(reporter("json")(report, False))["findings"])


def test_a_comment_ignores_a_finding_with_a_reason(project: Path) -> None:
    text = 'a source="run" { out $x }\n{}b source="run" { out $y }\nout $x\n'
    (found,) = checked(project, a_kdl=text.replace("{}", "")).findings
    assert (found.code, found.step) == ("C841", "b")
    report = checked(project, a_kdl=text.replace("{}", "// circuit: ignore C841 kept for the log\n"))
    assert (report.findings, report.suppressed) == ((), 1)
    (bare,) = [
        one
        for one in checked(project, a_kdl=text.replace("{}", "// circuit: ignore C841\n")).findings
        if one.code == "C011"
    ]
    assert bare.start == (2, 1)
    vain = checked(project, a_kdl=text.replace("{}", "// circuit: ignore C842 why\n")).findings
    assert [(one.code, one.start) for one in vain if one.code == "C012"] == [("C012", (2, 1))]


def test_a_comment_for_one_call_leaves_the_others(project: Path) -> None:
    text = 'a source="run" { out $x } // circuit: ignore C841 why\nb source="run" { out $y }\nout 1\n'
    assert [one.step for one in checked(project, a_kdl=text).findings if one.code == "C841"] == ["b"]


def test_what_no_scenario_reaches_stands_where_the_call_is(project: Path) -> None:
    program = 'in { x ?x }\n\nnever source="run" "$x" { out $y }\nout ?y\n'
    found = checked(project, a_kdl=program, a_scenarios_json='{"scenarios": [{"name": "nothing"}]}').findings
    assert [(one.step, one.start) for one in found if one.code == "C921"] == [("never", (3, 1))]
    assert [(one.step, one.start) for one in found if one.code == "C922"] == [("in", (1, 1))]


def test_a_program_inside_is_found_by_its_path_from_the_one_that_runs_it(project: Path) -> None:
    main = 'a source="parts/inner.kdl" { out $x }\nout $x\n'
    inner = 'b source="../leaf.kdl" { out $x }\nout $x\n'
    report = checked(project, here__a_kdl=main, here__parts__inner_kdl=inner, here__leaf_kdl="out 1\n")
    assert report.findings == ()
    scenarios = '{"scenarios": [{"name": "all"}]}'
    report = checked(project, here__a_scenarios_json=scenarios)
    assert [one.code for one in report.findings] == ["C912"]
    assert [played.status for one in report.traced for played in one.played] == ["succeeded"]


def test_a_program_inside_that_is_not_there_or_outside_is_said(project: Path) -> None:
    main = 'a source="inner.kdl" { out $x }\nb source="../../x.kdl" { out $y }\nout $x $y\n'
    found = checked(project, here__a_kdl=main).findings
    assert [(one.code, one.step) for one in found] == [("C845", "a"), ("C846", "b")]


@pytest.mark.parametrize(
    ("name", "sign"),
    [
        ("a.kdl", "a program says what its out is"),
        ("a.md", "exactly ---"),
        ("a.json", "a graph of skills has"),
        ("a", "a board has"),
    ],
)
def test_a_file_that_is_no_workflow_is_told_what_one_of_its_name_is_known_by(
    project: Path, name: str, sign: str
) -> None:
    (project / name).write_text("[1]" if name == "a.json" else "", "utf-8")
    (found,) = validate(Request((project / name,), runs=Runs.ALSO)).findings
    assert (found.code, sign in found.hint) == ("C004", True)
