"""The example repository: its graphs are clean, their skills are there, and their scenarios reach everything."""

import json
from pathlib import Path

import pytest

from circuit_export.definition import Definition
from circuit_export.formats.skills import FORMAT
from circuit_export.formats.skills.engine import Machine
from circuit_export.formats.skills.repository import discover
from circuit_export.formats.skills.rules import Terms, check
from circuit_export.runs.outline import Reached, reached
from circuit_export.runs.scenario import Played, play
from circuit_export.runs.scenario_file import read
from circuit_export.validation.coverage import measure

ROOT = Path(__file__).parents[4] / "examples" / "handbook"
GRAPHS = [path for path in sorted((ROOT / ".circuit" / "workflows").glob("*.json")) if ".scenarios" not in path.name]


def loaded(path: Path) -> Definition:
    return Definition(path.read_text("utf-8"), "skills", path.name)


def played(path: Path) -> list[Played]:
    engine = Machine(FORMAT.load(loaded(path)))
    scenarios = read(json.loads(path.with_suffix(".scenarios.json").read_text("utf-8")))
    return [play(engine, scenario) for scenario in scenarios]


def test_there_are_three() -> None:
    assert [path.stem for path in GRAPHS] == ["nightly-tidy", "polish-guide", "release-notes"]


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_a_graph_is_clean_and_its_skills_are_there(path: Path) -> None:
    document = FORMAT.load(loaded(path))
    assert document.notes == ()
    assert document.id == path.stem
    ignored = document.value.get("x-circuit", {}).get("ignore", {})
    assert [found for found in check(document, terms=Terms(root=ROOT)) if found.code not in ignored] == []


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_a_graph_is_written_as_the_format_is(path: Path) -> None:
    text = path.read_text("utf-8")
    assert FORMAT.dump(json.loads(text)) + "\n" == text


@pytest.mark.parametrize("path", GRAPHS, ids=lambda path: path.stem)
def test_the_scenarios_reach_everything_and_end_as_they_say(path: Path) -> None:
    plays = played(path)
    everything = Reached()
    for one in plays:
        found = reached(one.run)
        everything |= found
        assert one.refused == ""
        assert one.status == one.scenario.expect.status
        assert set(one.scenario.expect.reaches) <= found.steps
        assert found.steps.isdisjoint(one.scenario.expect.never)
    row = measure(path.name, Machine(FORMAT.load(loaded(path))).outline(), everything)
    assert (row.percent, row.which) == (100, ())


def test_every_skill_is_used_and_introduces_itself() -> None:
    found = discover(ROOT)
    assert found.unread == ()
    assert all(skill.card.has_front_matter and skill.card.name == skill.folder for skill in found.skills)
    used = {node.ref.file for path in GRAPHS for node in FORMAT.load(loaded(path)).nodes}
    assert {skill.file for skill in found.skills} <= used


def test_with_the_repository_the_picture_says_what_skills_do() -> None:
    document = FORMAT.load(loaded(GRAPHS[2]))
    assert set(FORMAT.furnish(document, ROOT).skills) == {node.ref.file for node in document.nodes}
