"""The engine against the vectors: 40 generated boards with their scenario, and the public boards with their goldens."""

import json
from pathlib import Path

import pytest

from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.runs.directives import golden_text
from circuit_export.runs.record import step_states
from circuit_export.runs.scenario import play
from circuit_export.runs.scenario_file import read

TESTS = Path(__file__).resolve().parents[4]
VECTORS = json.loads((TESTS / "conformance" / "boards.json").read_text("utf-8"))
PUBLIC = TESTS.parent.parent / "shared" / "conformance" / "steps" / "examples"


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_vector_is_walked_as_it_says(vector):
    (scenario,) = read({"scenarios": [vector["scenario"]]})
    played = play(Machine(load_value(vector["board"])), scenario)
    expected = vector["expect"]
    assert list(played.lines) == expected["trace"]
    given = [
        {key: directive[key] for key in wanted}
        for directive, wanted in zip(played.directives, expected["directives"], strict=True)
    ]
    assert given == expected["directives"]
    assert played.status == expected["status"]
    assert step_states(played.run) == expected["states"]


if PUBLIC.is_dir():  # not in a clone alone

    @pytest.mark.parametrize("golden", sorted(PUBLIC.glob("*.trace")), ids=lambda path: path.stem)
    def test_the_public_boards_give_their_traces(golden):
        board = load_value(json.loads(golden.with_suffix(".json").read_text("utf-8")))
        scenarios = read(json.loads(golden.with_suffix(".scenarios.json").read_text("utf-8")))
        traces = [(scenario.name, play(Machine(board), scenario).lines) for scenario in scenarios]
        assert golden_text(traces) == golden.read_text("utf-8")
