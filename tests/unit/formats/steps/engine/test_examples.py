"""Our own boards by their own scenarios: nothing found, every step and every wire reached."""

import json
from pathlib import Path

import pytest

from circuit_export.formats.steps.document import load_value
from circuit_export.formats.steps.engine import Machine
from circuit_export.runs.findings import findings
from circuit_export.runs.outline import Reached, reached
from circuit_export.runs.scenario import play
from circuit_export.runs.scenario_file import load
from circuit_export.validation.coverage import measure

EXAMPLES = Path(__file__).resolve().parents[5] / "examples"
BOARDS = {
    path: load_value(json.loads(path.read_text("utf-8")), path.name)
    for path in sorted(EXAMPLES.glob("*.json"))
    if ".scenarios." not in path.name
}
CALLED = {board.id: board for board in BOARDS.values()}


@pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
def test_an_example_is_reached_whole(path):
    machine = Machine(BOARDS[path], CALLED)
    got = Reached()
    for scenario in load(path.with_suffix(".scenarios.json").read_text("utf-8")):
        played = play(machine, scenario)
        assert findings(machine.outline(), played) == ()
        got |= reached(played.run)
    assert measure(path.name, machine.outline(), got).which == ()
