"""A workflow's scenarios, played and checked as a whole."""

import json

from circuit_export.diagnostics import Spot
from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.validation.traces import Files, check, scenarios_path

BOARD = load_value(
    {
        "circuit": 1, "id": "b", "name": "B",
        "steps": [
            {"id": "ask", "type": "trigger.ask", "title": "Ask", "next": [{"to": "sort"}]},
            {"id": "sort", "type": "model.classify", "title": "Sort", "config": {"labels": ["x", "y"]},
             "next": [{"port": "x", "to": "one"}, {"port": "y", "to": "two"}]},
            {"id": "one", "type": "note.say", "title": "One", "config": {"template": "1"}},
            {"id": "two", "type": "note.say", "title": "Two", "config": {"template": "2"}},
        ],
    }
)  # fmt: skip
BOTH = {"scenarios": [{"name": "x"}, {"name": "y", "answers": {"sort": {"result": {"label": "y"}}}}]}
GOLDEN = "# x\nthink sort classify\nsay one\ndone\n\n# y\nthink sort classify\nsay two\ndone\n"


def checked(scenarios, golden=GOLDEN, **more):
    text = scenarios if scenarios is None or isinstance(scenarios, str) else json.dumps(scenarios, indent=1)
    files = Files("b.json", "b.scenarios.json", "goldens/traces/b.trace", text, golden)
    return check(Machine(BOARD), files, lambda step: Spot(f"/steps/{BOARD.by_id[step]}"), **more)


def codes(result):
    return [(finding.code, finding.file) for finding in result.findings]


def test_where_scenarios_lie():
    assert scenarios_path("a.b/c.d.json") == "a.b/c.d.scenarios.json"
    assert scenarios_path("c.json") == "c.scenarios.json"


def test_all_in_order():
    result = checked(BOTH)
    assert codes(result) == []
    assert result.row.percent == 100
    assert result.updated() == GOLDEN
    assert result.diffs == ()


def test_a_drift_and_what_is_not_reached():
    result = checked({"scenarios": BOTH["scenarios"][:1]}, GOLDEN.replace("say one", "say three"))
    assert codes(result) == [
        ("C911", "goldens/traces/b.trace"),
        ("C913", "goldens/traces/b.trace"),
        ("C921", "b.json"),
        ("C922", "b.json"),
    ]
    assert result.findings[0].start.line == 3
    assert "-say three\n+say one" in result.diffs[0]
    assert result.updated("x") == GOLDEN


def test_findings_about_scenarios_have_their_line():
    result = checked({"scenarios": [*BOTH["scenarios"], {"name": "z", "answers": {"sotr": {"result": "x"}}}]})
    by_code = {finding.code: finding for finding in result.findings}
    assert by_code["C902"].start.line == 19
    assert by_code["C912"].start.line == 17
    assert by_code["C902"].file == "b.scenarios.json"


def test_scenarios_that_cannot_be_read():
    result = checked('{"scenarios": [\n{"name": 5}]}')
    assert codes(result) == [("C901", "b.scenarios.json")]
    assert result.findings[0].start.line == 2
    assert codes(checked("{")) == [("C901", "b.scenarios.json")]


def test_a_workflow_without_scenarios():
    assert codes(checked(None, None)) == []
    assert codes(checked(None, None, required=True)) == [("C914", "b.json")]
    assert codes(checked({"scenarios": []}, None, required=True)) == [("C914", "b.json")]
    assert codes(checked(None)) == [("C913", "goldens/traces/b.trace")] * 2
