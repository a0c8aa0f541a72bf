"""Suggested scenarios reach all that a run of the graph can reach, and what they do not is explained."""

from pathlib import Path
from typing import Any

import pytest
from support.skills import graph, node

from circuit_export.definition import Definition
from circuit_export.formats.skills.document import load, load_value
from circuit_export.formats.skills.engine import Machine, Options
from circuit_export.formats.skills.engine.suggesting import GraphProposer
from circuit_export.validation.suggest import Suggestion, suggest

WORKFLOWS = Path(__file__).parents[5] / "examples" / "handbook" / ".circuit" / "workflows"


def suggested(engine: Machine) -> Suggestion:
    return suggest(engine, GraphProposer(engine))


@pytest.mark.parametrize("name", ["nightly-tidy", "release-notes"])
def test_one_scenario_reaches_all_of_an_ordinary_graph(name: str) -> None:
    text = (WORKFLOWS / f"{name}.json").read_text("utf-8")
    found = suggested(Machine(load(Definition(text, "skills"))))
    assert [scenario.name for scenario in found.scenarios] == ["all goes well"]
    assert found.unreached == ()


def test_a_loop_goes_round_twice() -> None:
    text = (WORKFLOWS / "polish-guide.json").read_text("utf-8")
    found = suggested(Machine(load(Definition(text, "skills"))))
    assert [scenario.name for scenario in found.scenarios] == ["done in the second round"]
    assert found.unreached == ()


def test_what_cannot_be_reached_is_explained() -> None:
    blocked: dict[str, Any] = {"provider": "shell", "skillFile": ".shell/skills/b/SKILL.md"}
    value = graph(["a", node("b", skillRef=blocked), "c"], [("a", "b"), ("b", "c")])
    found = suggested(Machine(load_value(value)))
    assert {str(target) for target, _ in found.unreached} == {"c", "b:out → c"}
    assert all("nobody can run a skill of “shell”" in why for _, why in found.unreached)
    assert [scenario.name for scenario in found.scenarios] == ["as far as it comes"]


def test_a_loop_that_breaks_off_is_given_no_answer_that_nobody_asks_for() -> None:
    reads = node("a", input={"prompt": "${steps.b.output}"})
    value = graph([reads, "b"], [("a", "b"), ("b", "a")], **{"x-circuit": {"allowCycles": True}})
    found = suggested(Machine(load_value(value)))
    assert [(scenario.name, dict(scenario.answers)) for scenario in found.scenarios] == [("as far as it comes", {})]


def test_a_graph_that_is_refused_reaches_nothing() -> None:
    value = graph(["a", "b"], [("a", "b"), ("b", "a")])
    found = suggested(Machine(load_value(value)))
    assert found.scenarios == ()
    assert len(found.unreached) == 4
    assert suggested(Machine(load_value(value), Options(allow_cycles=True))).unreached == ()
