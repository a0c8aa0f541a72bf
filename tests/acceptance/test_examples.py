"""The examples are boards that somebody would use: clean, guarded, drawn whole, and walked from end to end."""

import json
from pathlib import Path
from typing import Any

import pytest

from circuit_export import api
from circuit_export.formats.base import Surroundings
from circuit_export.formats.steps import rules
from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.formats.steps.document import StepsDocument, dump
from circuit_export.formats.steps.engine import Machine
from circuit_export.formats.steps.guards import all_writes
from circuit_export.runs.record import step_states
from circuit_export.runs.scenario import play
from circuit_export.runs.scenario_file import SUFFIX, read

EXAMPLES = Path(__file__).parents[2] / "examples"
BOARDS = sorted(path for path in EXAMPLES.glob("*.json") if not path.name.endswith(SUFFIX))
each_board = pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)


def document(path: Path) -> StepsDocument:
    found: Any = api.load(path).document
    return found


def test_there_are_enough_of_them_and_they_use_every_type_of_step() -> None:
    documents = [document(path) for path in BOARDS]
    assert len(documents) >= 8
    assert {step.type for item in documents for step in item.steps} == set(CATALOG)
    assert max(len(item.steps) for item in documents) >= 60


@each_board
def test_an_example_is_written_as_its_format_is_written(path: Path) -> None:
    text = path.read_text("utf-8")
    assert dump(json.loads(text)) + "\n" == text
    board = document(path)
    assert board.notes == ()
    assert board.id == path.stem
    assert board.value["$schema"] == "../schemas/steps.schema.json"


@each_board
def test_nothing_is_changed_without_an_approval(path: Path) -> None:
    workflow = api.load(path)
    assert workflow.missing == ()
    called: Any = workflow.called
    assert [write.step.id for write in all_writes(document(path), called) if not write.guarded] == []


@each_board
def test_no_rule_finds_anything(path: Path) -> None:
    workflow = api.load(path)
    found = rules.check(document(path), Surroundings(workflows=workflow.called))
    assert [(finding.code, finding.message) for finding in found] == []


@each_board
def test_titles_are_short_enough_for_a_chip(path: Path) -> None:
    assert [step.title for step in document(path).steps if len(step.title) > 30] == []


@each_board
def test_the_scenarios_walk_every_step_and_every_wire(path: Path) -> None:
    workflow = api.load(path)
    board, called = document(path), dict(workflow.called)
    states: set[str] = set()
    taken: set[tuple[str, str, str]] = set()
    for scenario in read(json.loads(path.with_name(path.stem + SUFFIX).read_text("utf-8"))):
        played = play(Machine(board, called), scenario)
        reached = {id for id, state in step_states(played.run).items() if state != "idle"}
        assert (played.status, played.refused) == (scenario.expect.status, "")
        assert set(scenario.expect.reaches) <= reached
        assert reached.isdisjoint(scenario.expect.never)
        states |= reached
        taken |= {(wire["step"], wire["port"], wire["to"]) for wire in played.run["taken"] if not wire.get("path")}
    assert {step.id for step in board.steps} - states == set()
    assert {(step.id, wire.port, wire.to) for step in board.steps for wire in step.next} - taken == set()
