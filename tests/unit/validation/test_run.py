"""Whole validations: discovery, selection, suppression, baselines, fixes, and what is around a workflow."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from support.skills import graph, write_skill

from circuit_export.diagnostics import Severity, UsageError
from circuit_export.validation.report import Outcome, Report, Request, Source
from circuit_export.validation.run import validate

ASK = {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]}
SAY = {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Hello."}}


def board(*steps: dict[str, Any], **head: Any) -> dict[str, Any]:
    return {"circuit": 1, "name": "Example", **head, "steps": list(steps or (ASK, SAY))}


def put(file: Path, value: Any) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(value if isinstance(value, str) else json.dumps(value, indent=1), "utf-8")
    return file


def codes(report: Report) -> list[str]:
    return [found.code for found in report.findings]


def run(*paths: Path, **more: Any) -> Report:
    return validate(Request(paths, **more))


WRITE = {"id": "say", "type": "tool.call", "title": "Send", "config": {"tool": "Slack:send_message"}}


# --- discovery ---------------------------------------------------------------------------------------------------


def test_a_folder_is_searched_for_workflows(tmp_path: Path) -> None:
    put(tmp_path / "a.json", board())
    put(tmp_path / "deep" / "b.json", board())
    put(tmp_path / "package.json", {"name": "x", "keywords": ["circuit"]})
    put(tmp_path / "notes.json", {"a": 1})
    put(tmp_path / "broken.json", '{"circuit": 1,')
    put(tmp_path / ".hidden" / "c.json", board())
    report = run(tmp_path)
    assert report.files == ("a.json", "broken.json", "deep/b.json")
    assert codes(report) == ["C001"]
    assert {skipped.path: skipped.why for skipped in report.skipped} == {
        "package.json": "no workflow",
        "notes.json": "no workflow",
        ".hidden/": "hidden",
    }


def test_our_own_hidden_folder_is_searched(tmp_path: Path) -> None:
    put(tmp_path / ".circuit" / "workflows" / "a.json", board())
    put(tmp_path / ".circuit" / ".cache" / "b.json", board())
    report = run(tmp_path)
    assert report.files == (".circuit/workflows/a.json",)
    assert {skipped.path: skipped.why for skipped in report.skipped} == {".circuit/.cache/": "hidden"}


@pytest.mark.skipif(os.name != "posix", reason="pipes and devices lie among the files")
def test_what_is_no_plain_file_is_passed_over_or_bounded(tmp_path: Path) -> None:
    put(tmp_path / "a.json", board())
    os.mkfifo(tmp_path / "pipe.json")
    report = run(tmp_path)
    assert report.files == ("a.json",)
    assert {skipped.path: skipped.why for skipped in report.skipped} == {"pipe.json": "no plain file"}
    endless = run(Path("/dev/zero"))
    assert codes(endless) == ["C006"]
    assert "no plain file" in endless.findings[0].message


def test_links_out_of_the_project_are_not_followed(tmp_path: Path) -> None:
    outside = put(tmp_path / "outside" / "secret.json", board(id="secret"))
    call = {"id": "say", "type": "flow.call", "title": "Call", "config": {"workflowId": "secret"}}
    file = put(tmp_path / "in" / "a.json", board(ASK, call))
    (tmp_path / "in" / "link.json").symlink_to(outside)
    (tmp_path / "in" / "again.json").symlink_to("again.json")
    assert codes(run(file)) == codes(run(tmp_path / "in")) == ["C212"]
    put(tmp_path / "in" / "circuit.toml", 'workflows = {secret = "link.json"}\n')
    assert codes(run(file)) == ["C212"]


@pytest.mark.parametrize("pattern", ["a**b", "***", "**", "[", "a[", "!", "{a"])
def test_any_pattern_in_the_configuration_is_taken_or_refused(tmp_path: Path, pattern: str) -> None:
    put(tmp_path / "a.json", board())
    for key in ("paths", "exclude"):
        put(tmp_path / "circuit.toml", f'{key} = ["{pattern}"]\n')
        try:
            run(tmp_path)
        except UsageError as error:
            assert key in error.message
    put(tmp_path / "circuit.toml", f'per-file-ignores = {{"{pattern}" = ["C5"]}}\n')
    try:
        run(tmp_path)
    except UsageError as error:
        assert "per-file-ignores" in error.message


def test_gitignore_is_respected(tmp_path: Path) -> None:
    put(tmp_path / ".gitignore", "build/\n*.tmp.json\n")
    put(tmp_path / "sub" / ".gitignore", "!keep.tmp.json\n")
    for name in ("build/a.json", "b.tmp.json", "sub/keep.tmp.json", "sub/c.json"):
        put(tmp_path / name, board())
    assert run(tmp_path).files == ("sub/c.json", "sub/keep.tmp.json")


def test_the_configuration_names_and_excludes(tmp_path: Path) -> None:
    put(tmp_path / "circuit.toml", 'paths = ["flows/*"]\nexclude = ["old/"]\n')
    put(tmp_path / "flows" / "x.txt", "hello")
    put(tmp_path / "old" / "y.json", board())
    report = run(tmp_path)
    assert report.files == ("flows/x.txt",)
    assert codes(report) == ["C004"]


def test_nothing_to_check_is_said(tmp_path: Path) -> None:
    assert run(tmp_path).outcome is Outcome.NOTHING


def test_a_missing_path_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        run(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "C001"),
        (b"hello", "C001"),
        (b"{", "C001"),
        (b"[1]", "C004"),
        (b'{"steps": []}', "C004"),
        (b'{"circuit": 2, "steps": []}', "C005"),
        (b'{"circuit": 1, "name": "x", "steps": []}', "C101"),
        (b'{"circuit": 1, "name": "caf\xe9"}', "C002"),
        ("{}".encode("utf-16"), "C002"),
        (b'{"circuit": 1, "x": ' + b"[" * 100_000, "C006"),
    ],
)
def test_what_cannot_be_read_is_a_finding(tmp_path: Path, data: bytes, code: str) -> None:
    file = tmp_path / "x.json"
    file.write_bytes(data)
    assert codes(run(file)) == [code]


def test_named_files_of_another_kind_can_be_passed_over(tmp_path: Path) -> None:
    other = put(tmp_path / "package.json", {"name": "circuit"})
    file = put(tmp_path / "a.json", board())
    assert codes(run(file, other)) == ["C004"]
    report = run(file, other, skip_others=True)
    assert (report.files, codes(report)) == (("a.json",), [])


def test_a_note_that_holds_a_workflow(tmp_path: Path) -> None:
    text = f"# Notes\n\n```json\n{json.dumps(board(ASK, WRITE), indent=1)}\n```\n"
    report = run(put(tmp_path / "note.md", text))
    assert (report.files, codes(report)) == (("note.md",), ["C501"])


def test_stdin_and_other_sources(tmp_path: Path) -> None:
    report = validate(Request(sources=(Source("-", json.dumps(board()).encode()),), config=None))
    assert report.files == ("-",)
    assert report.outcome is Outcome.FINE


def test_scenarios_have_their_shape_checked(tmp_path: Path) -> None:
    put(tmp_path / "a.json", board())
    put(tmp_path / "a.scenarios.json", {"scenarios": [{"name": "x", "answer": {}}]})
    (found,) = run(tmp_path).findings
    assert (found.file, found.code, found.hint) == ("a.scenarios.json", "C101", "did you mean “answers”?")


def test_names_are_told_from_a_folder_and_known_from_the_root(tmp_path: Path) -> None:
    put(tmp_path / "flows" / "circuit.toml", '[per-file-ignores]\n"deep/*" = ["C103"]\n')
    file = put(tmp_path / "flows" / "deep" / "a.json", board(ASK, WRITE, colour="red"))
    baseline = tmp_path / "baseline.txt"
    run(file, base=tmp_path, baseline=baseline, write_baseline=True)
    assert json.loads(baseline.read_text("utf-8"))["findings"][0]["file"] == "deep/a.json"
    report = run(file, base=tmp_path / "elsewhere")
    assert [(found.file, found.code) for found in report.findings] == [("../flows/deep/a.json", "C501")]
    assert report.files == ("../flows/deep/a.json",)
    assert set(report.texts) == {"../flows/deep/a.json"}


# --- selection ---------------------------------------------------------------------------------------------------


def test_severities_decide_the_outcome(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board(ASK, SAY, colour="red"))
    assert codes(run(file)) == ["C103"]
    assert run(file).outcome is Outcome.FINE
    assert run(file, fail_on="note").outcome is Outcome.FINDINGS
    assert run(file, fail_on="never").outcome is Outcome.FINE


@pytest.mark.parametrize(
    ("select", "ignore", "left"),
    [
        (("C5",), (), ["C501"]),
        ((), ("C5",), ["C103"]),
        (("C5", "C1"), ("unguarded-write",), ["C103"]),
        (("C501",), ("C5",), ["C501"]),
        (("unknown-key",), (), ["C103"]),
    ],
)
def test_select_and_ignore(tmp_path: Path, select: Any, ignore: Any, left: list[str]) -> None:
    file = put(tmp_path / "a.json", board(ASK, WRITE, colour="red"))
    assert codes(run(file, select=select, ignore=ignore)) == left


def test_a_selection_that_means_nothing_is_a_usage_error(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board())
    with pytest.raises(UsageError) as raised:
        run(file, select=("unguarded-writes",))
    assert raised.value.hint == "did you mean “unguarded-write”?"


@pytest.mark.parametrize("key", ["select", "ignore"])
def test_a_wrong_selection_is_said_with_where_it_stands(tmp_path: Path, key: str) -> None:
    put(tmp_path / "a.json", board())
    with pytest.raises(UsageError, match=f"--{key} names no finding"):
        run(tmp_path, **{key: ("C5O1",)})
    put(tmp_path / "circuit.toml", f'{key} = ["C5O1"]\n')
    with pytest.raises(UsageError, match=r"circuit\.toml names no finding"):
        run(tmp_path)


def test_ignores_by_file(tmp_path: Path) -> None:
    put(tmp_path / "circuit.toml", '[per-file-ignores]\n"old/*" = ["C501"]\n')
    put(tmp_path / "old" / "a.json", board(ASK, WRITE))
    put(tmp_path / "new" / "a.json", board(ASK, WRITE))
    assert [(found.file, found.code) for found in run(tmp_path).findings] == [("new/a.json", "C501")]


# --- suppression -------------------------------------------------------------------------------------------------


def ignoring(**codes: Any) -> dict[str, Any]:
    return {"x-circuit": {"ignore": codes}}


@pytest.mark.parametrize("where", ["board", "step"])
def test_a_finding_is_ignored_with_a_reason(tmp_path: Path, where: str) -> None:
    ignore = ignoring(C501="Only we read it.")
    value = board(ASK, WRITE, **ignore) if where == "board" else board(ASK, {**WRITE, **ignore})
    report = run(put(tmp_path / "a.json", value))
    assert codes(report) == []
    assert report.suppressed == 1


def test_on_another_step_it_ignores_nothing(tmp_path: Path) -> None:
    report = run(put(tmp_path / "a.json", board({**ASK, **ignoring(C501="Why not.")}, WRITE)))
    assert codes(report) == ["C012", "C501"]


def test_without_a_reason_it_is_not_ignored(tmp_path: Path) -> None:
    report = run(put(tmp_path / "a.json", board(ASK, WRITE, **ignoring(C501=" "))))
    assert codes(report) == ["C011", "C501"]


def test_a_misspelt_one_is_found(tmp_path: Path) -> None:
    (found,) = run(
        put(tmp_path / "a.json", board(ASK, SAY, **{"x-circuit": {"ignore": {"unguarded-wirte": "x"}}}))
    ).findings
    assert (found.code, found.hint, found.start.line if found.start else 0) == (
        "C012",
        "did you mean “unguarded-write”?",
        6,
    )


def test_what_was_not_looked_for_is_not_ignored_in_vain(tmp_path: Path) -> None:
    report = run(put(tmp_path / "a.json", board(ASK, SAY, **ignoring(C401="No connectors here."))))
    assert codes(report) == []


# --- baseline ----------------------------------------------------------------------------------------------------


def test_a_baseline_lets_only_new_findings_through(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board(ASK, WRITE))
    baseline = tmp_path / "baseline.txt"
    assert run(file, baseline=baseline, write_baseline=True).outcome is Outcome.FINE
    put(
        file,
        board(
            {"id": "first", "type": "trigger.ask", "title": "x", "next": [{"to": "ask"}]}, SAY | {"id": "z"}, ASK, WRITE
        ),
    )
    report = run(file, baseline=baseline)
    assert codes(report) == ["C207"]
    assert report.known == 1


def test_a_stale_entry_is_said(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board(ASK, WRITE))
    baseline = tmp_path / "baseline.txt"
    run(file, baseline=baseline, write_baseline=True)
    put(file, board())
    assert codes(run(file, baseline=baseline)) == ["C013"]
    other = put(tmp_path / "b.json", board())
    assert codes(run(other, baseline=baseline)) == []


@pytest.mark.parametrize("text", ["", "[]", '{"version": 2}', '{"version": 1, "findings": [1]}'])
def test_a_file_that_is_no_baseline_is_a_usage_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError):
        run(put(tmp_path / "a.json", board()), baseline=put(tmp_path / "b.txt", text))


# --- fixes -------------------------------------------------------------------------------------------------------

MISPLACED = {**WRITE, "writes": False, "config": {"tool": "Wiki:frobnicate"}}


def test_a_safe_fix_is_written(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board(ASK, MISPLACED))
    before = file.read_text("utf-8")
    shown = run(file, diff=True)
    assert file.read_text("utf-8") == before
    assert '-   "writes": false' in shown.diff
    report = run(file, fix=True)
    assert (report.fixed, codes(report)) == (1, [])
    assert json.loads(file.read_text("utf-8"))["steps"][1]["config"] == {"tool": "Wiki:frobnicate", "writes": False}


def test_spelling_is_only_mended_when_asked_for(tmp_path: Path) -> None:
    wired = {**ASK, "next": [{"port": "out", "to": "sayy"}]}
    file = put(tmp_path / "a.json", board(wired, SAY))
    assert codes(run(file, fix=True)) == ["C201"]
    assert codes(run(file, fix=True, unsafe_fixes=True)) == []


def test_a_misspelt_key_is_mended_when_asked_for(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board(ASK, {**SAY, "enabeld": True}))
    assert run(file, fix=True, unsafe_fixes=True).fixed == 1
    assert json.loads(file.read_text("utf-8"))["steps"][1]["enabled"] is True


def test_line_ends_and_mark_survive_a_fix(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    text = json.dumps(board(ASK, MISPLACED), indent=1).replace("\n", "\r\n")
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    run(file, fix=True)
    data = file.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf{\r\n")
    assert data.count(b"\n") == data.count(b"\r\n")


# --- what is around ----------------------------------------------------------------------------------------------

CALL = {"id": "say", "type": "flow.call", "title": "Run it", "config": {"workflowId": "child"}}


def test_a_called_workflow_is_found_beside_the_file(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board(ASK, CALL))
    assert codes(run(file)) == ["C212"]
    put(tmp_path / "child.json", board(inputs=[{"name": "who"}]))
    assert codes(run(file)) == ["C215"]


def test_the_configuration_says_where_a_workflow_is(tmp_path: Path) -> None:
    put(tmp_path / "circuit.toml", '[workflows]\nchild = "elsewhere/some.json"\n')
    put(tmp_path / "elsewhere" / "some.json", board(id="other"))
    assert codes(run(put(tmp_path / "a" / "a.json", board(ASK, CALL)))) == []


def test_a_lone_text_is_not_asked_for_what_it_calls() -> None:
    data = json.dumps(board(ASK, CALL)).encode()
    assert codes(validate(Request(sources=(Source("-", data),)))) == []


def test_the_binding_comes_from_the_configuration_or_the_request(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board(ASK, WRITE, **ignoring(C501="x")))
    tools = put(tmp_path / "tools.json", {"tools": [{"name": "Slack:send_messages", "hint": "x"}]})
    assert codes(run(file)) == []
    (found,) = run(file, tools=tools).findings
    assert (found.code, found.hint) == ("C401", "did you mean “Slack:send_messages”?")
    put(tmp_path / "circuit.toml", 'tools = "tools.json"\n')
    assert codes(run(file)) == ["C401"]


def test_a_file_that_lists_no_tools_is_a_usage_error(tmp_path: Path) -> None:
    file = put(tmp_path / "a.json", board())
    with pytest.raises(UsageError, match="does not list tools"):
        run(file, tools=put(tmp_path / "tools.json", {"a": 1}))


@pytest.mark.parametrize("line", ["!", "\\", "[z-a]", "[[:foo:]]", "a" * 100_000, "\0", "***"])
def test_any_gitignore_is_read_as_far_as_it_means_something(tmp_path: Path, line: str) -> None:
    put(tmp_path / ".gitignore", f"{line}\nold.json\n")
    for name in ("old.json", "new.json"):
        put(tmp_path / name, board())
    assert "old.json" not in run(tmp_path).files


# --- what a graph is looked at with ------------------------------------------------------------------------------


def test_a_graph_is_checked_against_its_repository_on_the_terms_that_are_said(tmp_path: Path) -> None:
    file = put(tmp_path / ".circuit" / "workflows" / "w.json", graph(["a", "b"], [("a", "b"), ("b", "a")]))
    for id in "ab":
        write_skill(tmp_path, id)
    severities = [[one.severity for one in run(file, allow_cycles=allowed).findings] for allowed in (False, True)]
    assert severities == [[Severity.ERROR], [Severity.WARNING]]
    put(file, graph(["a", "b"]))
    [ours], [theirs] = (run(file, profile=profile).findings for profile in ("", "app"))
    assert ours.name == theirs.name == "graph-multiple-roots"
    assert ours.severity is not Severity.ERROR
    assert theirs.severity is Severity.ERROR
    put(file, graph(["a", "b"], [("a", "b")]))
    assert codes(run(file)) == []
    other = tmp_path / "other"
    other.mkdir()
    assert {found.name for found in run(file, root=other).findings} == {"skill-file-not-found"}


def test_a_graph_whose_skill_is_gone_is_not_remembered_as_right(tmp_path: Path) -> None:
    file = put(tmp_path / ".circuit" / "workflows" / "w.json", graph(["a"]))
    skill = write_skill(tmp_path, "a")
    cache = tmp_path / "cache"
    assert codes(run(file, cache=cache)) == []
    skill.unlink()
    assert [found.name for found in run(file, cache=cache).findings] == ["skill-file-not-found"]
