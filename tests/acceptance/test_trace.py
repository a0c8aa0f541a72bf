"""Scenarios against their goldens and what they reach, as somebody types it."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from support.command import Circuit

ROOT = Path(__file__).resolve().parents[2]
STEPS: list[dict[str, Any]] = [
    {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"to": "sort"}]},
    {
        "id": "sort",
        "type": "model.classify",
        "title": "Sort it",
        "config": {"labels": ["sales", "other"]},
        "next": [{"port": "sales", "to": "draft"}, {"port": "other", "to": "say"}],
    },
    {
        "id": "draft",
        "type": "model.write",
        "title": "Write",
        "config": {"instructions": "Answer."},
        "next": [{"to": "say"}],
    },
    {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "Done."}},
]
SALES = {"name": "a sales mail"}
OTHER = {"name": "another mail", "answers": {"sort": {"result": {"label": "other"}}}}


def board(**changes: Any) -> str:
    steps = [{**step, **changes.get(str(step["id"]), {})} for step in STEPS]
    return json.dumps({"circuit": 1, "name": "Mail", "steps": steps})


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    """A project with a board, two scenarios that reach all of it, and no golden yet."""
    (tmp_path / "mail.json").write_text(board(), "utf-8")
    scenarios(tmp_path, SALES, OTHER)
    return tmp_path


@pytest.fixture
def kept(mail: Path, circuit: Circuit) -> Path:
    """The same with its golden."""
    assert circuit("trace", "--update").code == 0
    return mail


def scenarios(folder: Path, *items: dict[str, Any]) -> None:
    (folder / "mail.scenarios.json").write_text(json.dumps({"scenarios": items}, indent=1), "utf-8")


def golden(folder: Path) -> str:
    return (folder / "goldens" / "traces" / "mail.trace").read_text("utf-8")


def test_a_scenario_without_a_golden_is_a_finding_until_it_is_written(mail: Path, circuit: Circuit) -> None:
    first = circuit("trace")
    assert first.code == 1
    assert "error[C912]: The 2 scenarios have no golden traces yet, so nothing notices when a run changes" in first.text
    assert "write it to goldens/traces/mail.trace: `circuit trace --update`" in first.text
    assert "`circuit validate --static` leaves scenarios out" in first.text
    assert first.text.endswith("2 scenarios without a golden.\n")
    written = circuit("trace", "--update")
    assert (written.code, written.err) == (0, "wrote goldens/traces/mail.trace\n")
    assert golden(mail) == (
        "# a sales mail\nthink sort classify\nthink draft write\nsay say\ndone\n\n"
        "# another mail\nthink sort classify\nsay say\ndone\n"
    )
    assert circuit("trace", "--update").err == "the goldens were up to date\n"


def test_the_table_is_as_coverage_prints_it(kept: Path, circuit: Circuit) -> None:
    ended = circuit("trace")
    assert (ended.code, ended.text) == (
        0,
        "Name        Steps   Miss   Wires   Miss   Cover   Missing\n"
        "---------------------------------------------------------\n"
        "mail.json       4      0       4      0    100%\n"
        "---------------------------------------------------------\n"
        "TOTAL           4      0       4      0    100%\n"
        "\n"
        "All as it should be: 2 scenarios in 1 workflow.\n",
    )
    assert "mail.json" not in circuit("trace", "--skip-covered").text


def test_a_walk_that_changed_is_shown_and_explained(kept: Path, circuit: Circuit) -> None:
    (kept / "mail.json").write_text(board(draft={"enabled": False}), "utf-8")
    ended = circuit("trace")
    assert ended.code == 1
    assert (
        "error[C911]: “a sales mail” runs another way than its golden. Directive 2: the run comes to “say”"
        in ended.text
    )
    assert "goldens/traces/mail.trace:3:1" in ended.text
    assert "--- goldens/traces/mail.trace # a sales mail\n+++ run # a sales mail\n" in ended.text
    assert "\n-think draft write\n" in ended.text
    assert "another mail" not in ended.text
    assert "1 of 2 scenarios in 1 workflow does not run as it should." in ended.text


def test_one_scenario_can_be_accepted_alone(kept: Path, circuit: Circuit) -> None:
    (kept / "mail.json").write_text(board(say={"id": "tell"}).replace('"to": "say"', '"to": "tell"'), "utf-8")
    assert circuit("trace").text.count("error[C911]") == 2
    ended = circuit("trace", "--accept", "another mail")
    assert ended.code == 1
    assert "# a sales mail\nthink sort classify\nthink draft write\nsay say\n" in golden(kept)
    assert "# another mail\nthink sort classify\nsay tell\n" in golden(kept)
    assert circuit("trace", "--accept", "a sales mail").code == 0


def test_a_name_that_is_none_or_several(kept: Path, circuit: Circuit) -> None:
    ended = circuit("trace", "--accept", "a sails mail")
    assert ended.code == 2
    assert "did you mean “a sales mail”?" in ended.err
    (kept / "post.json").write_text(board(), "utf-8")
    (kept / "post.scenarios.json").write_text(json.dumps({"scenarios": [SALES]}), "utf-8")
    both = circuit("trace", "--accept", "a sales mail")
    assert both.code == 2
    assert "mail.json, post.json" in both.err
    assert not (kept / "goldens" / "traces" / "post.trace").exists()


def test_a_golden_without_its_scenario_goes_with_an_update(kept: Path, circuit: Circuit) -> None:
    scenarios(kept, SALES)
    ended = circuit("trace")
    assert ended.code == 1
    assert "error[C913]: The golden has a trace of “another mail”, and there is no such scenario" in ended.text
    circuit("trace", "--update")
    assert "another mail" not in golden(kept)


def test_a_golden_without_its_workflow_is_found_and_removed_and_nothing_else(kept: Path, circuit: Circuit) -> None:
    stranger = kept / "goldens" / "traces" / "notes.txt"
    stranger.write_text("mine", "utf-8")
    (kept / "mail.json").rename(kept / "post.json")
    ended = circuit("trace")
    assert ended.code == 1
    assert "There is no workflow for this golden" in ended.text
    assert "error[C915]: There is no workflow beside these scenarios" in ended.text
    assert circuit("trace", "--update").err == "removed goldens/traces/mail.trace\n"
    assert stranger.read_text("utf-8") == "mine"


def test_what_is_not_reached_is_named_and_fails(kept: Path, circuit: Circuit) -> None:
    scenarios(kept, OTHER)
    ended = circuit("trace", "--update")
    assert ended.code == 1
    assert "mail.json       4      1       4      2     63%   draft, sort:sales → draft" in ended.text
    assert "2 of the steps and wires not reached" in ended.text


def test_a_percentage_decides_about_wires(kept: Path, circuit: Circuit) -> None:
    to_say = {"next": [{"port": "sales", "to": "draft"}, {"port": "other", "to": "say"}]}
    (kept / "mail.json").write_text(board(sort=to_say), "utf-8")
    scenarios(kept, SALES)
    circuit("trace", "--update")
    assert circuit("trace").code == 1
    assert circuit("trace", "--fail-under", "85").code == 0
    short = circuit("trace", "--fail-under", "88")
    assert short.code == 1
    assert "87.5% of steps and wires are reached, and at least 88% are to be" in short.err
    (kept / "circuit.toml").write_text("fail-under = 95\n", "utf-8")
    assert circuit("trace").code == 1


def test_scenarios_are_asked_for_only_where_the_project_does(tmp_path: Path, circuit: Circuit) -> None:
    (tmp_path / "mail.json").write_text(board(), "utf-8")
    ended = circuit("trace")
    assert ended.code == 3
    assert ended.text.startswith("Nothing to trace: no workflow here has scenarios.")
    (tmp_path / "circuit.toml").write_text("require-scenarios = true\n", "utf-8")
    asked = circuit("trace")
    assert asked.code == 1
    assert "error[C914]" in asked.text


def test_the_goldens_lie_where_the_project_says_whoever_asks(mail: Path, circuit: Circuit) -> None:
    (mail / "circuit.toml").write_text('goldens = "kept"\n', "utf-8")
    (mail / "below").mkdir()
    circuit("trace", "--update", "../mail.scenarios.json", cwd=mail / "below")
    assert (mail / "kept" / "traces" / "mail.trace").is_file()
    assert circuit("trace", "../mail.json", cwd=mail / "below").code == 0


@pytest.mark.parametrize(
    "text", ["{", '{"scenarios": [{}]}', "\ufffd", "[]", '{"scenarios": [{"name": "a", "mode": "x"}]}']
)
def test_scenarios_that_cannot_be_read_leave_the_golden_alone(kept: Path, circuit: Circuit, text: str) -> None:
    (kept / "mail.scenarios.json").write_text(text, "utf-8")
    before = golden(kept)
    ended = circuit("trace", "--update")
    assert ended.code == 1
    assert "error[C901]" in ended.text
    assert golden(kept) == before


def test_scenarios_that_do_not_hold(kept: Path, circuit: Circuit) -> None:
    wrong = {
        "name": "all wrong",
        "answers": {"drft": {"result": {}}, "say": {"error": "no"}},
        "expect": {"never": ["sort"]},
    }
    scenarios(kept, SALES, OTHER, wrong)
    ended = circuit("trace", "--update")
    assert ended.code == 1
    for code in ("C902", "C905", "C906"):
        assert f"error[{code}]" in ended.text


def test_reports_for_programs(kept: Path, circuit: Circuit) -> None:
    (kept / "mail.json").write_text(board(draft={"enabled": False}), "utf-8")
    told = json.loads(circuit("trace", "--format", "json").out)
    assert [(item["name"], item["ok"]) for item in told["scenarios"]] == [
        ("a sales mail", False),
        ("another mail", True),
    ]
    assert told["scenarios"][0]["diff"].startswith("--- goldens/traces/mail.trace")
    assert [item["code"] for item in told["findings"]] == ["C911"]
    assert told["summary"]["percent"] == 100
    suites = ET.fromstring(circuit("trace", "--format", "junit").out)
    assert {suite.get("name"): suite.get("failures") for suite in suites} == {"scenarios": "1", "coverage": "0"}
    summary = kept / "summary.md"
    github = circuit("trace", "--format", "github", env={"GITHUB_STEP_SUMMARY": str(summary)}).text
    assert "| mail.json | 4 |" in summary.read_text("utf-8")
    assert github.startswith("::error file=goldens/traces/mail.trace,line=3,")
    markdown = circuit("trace", "--format", "markdown").text
    assert "| mail.json | 4 | 0 | 4 | 0 | 100% |" in markdown
    assert "```diff\n--- goldens/traces/mail.trace" in markdown


def test_validate_plays_them_too_unless_it_is_to_be_static(kept: Path, circuit: Circuit) -> None:
    assert circuit("validate", "--ignore", "C2,C3").code == 0
    scenarios(kept, SALES)
    ended = circuit("validate", "--ignore", "C2,C3", "--format", "concise")
    assert ended.code == 1
    assert "C913" in ended.text
    assert "C922" in ended.text
    assert "C922" in circuit("validate", "--fix", "--ignore", "C2,C3", "--format", "concise").text
    assert circuit("validate", "--ignore", "C2,C3", "--static").code == 0


def test_what_was_right_once_is_not_played_again_and_what_changed_is(kept: Path, circuit: Circuit) -> None:
    cache = {"CIRCUIT_CACHE_DIR": str(kept / ".cache")}
    assert [circuit("validate", env=cache).code for _ in range(2)] == [0, 0]
    file = kept / "goldens" / "traces" / "mail.trace"
    file.write_text(golden(kept).replace("think draft write\n", ""), "utf-8")
    assert circuit("validate", env=cache).code == 1


def test_a_finding_can_be_ignored_with_a_reason(kept: Path, circuit: Circuit) -> None:
    scenarios(kept, SALES)
    value = json.loads((kept / "mail.json").read_text("utf-8"))
    value["x-circuit"] = {"ignore": {"C922": "nobody writes about anything else"}}
    (kept / "mail.json").write_text(json.dumps(value), "utf-8")
    ended = circuit("trace", "--update")
    assert ended.code == 0
    assert "1 ignored with a reason" in ended.text


def test_usage(kept: Path, circuit: Circuit) -> None:
    assert circuit("trace", "none.json").code == 2
    assert circuit("trace", "--fail-under", "101").code == 2
    assert circuit("trace", "--format", "yaml").code == 2


def test_the_projects_own_examples_run_as_their_goldens_say(circuit: Circuit) -> None:
    ended = circuit("trace", cwd=ROOT)
    assert (ended.code, ended.err) == (0, "")
    assert "TOTAL" in ended.text
    assert ended.text.count("100%") == len(list((ROOT / "goldens" / "traces").rglob("*.trace"))) + 1
