"""On boards that nobody broke the rules say only what is so."""

import json
from pathlib import Path
from typing import Any

import pytest

from circuit_export.definition import Definition
from circuit_export.formats.base import Surroundings
from circuit_export.formats.steps import document, rules
from circuit_export.formats.steps.connectors import Effect, effect

ROOT = Path(__file__).parents[5]
BOARDS = json.loads((ROOT / "tests" / "conformance" / "boards.json").read_text("utf-8"))
PUBLIC = ROOT.parent / "shared" / "conformance" / "steps" / "examples"

# What the generated boards do have: labels and cases without a wire, parts of results that there are not, results of
# filters and routes, cases that are there twice, writes that nobody approves, gates that show nothing, retried writes.
TRUE_OF_THE_GENERATED = {"C208", "C308", "C309", "C315", "C501", "C503", "C505"}
TRUE_OF_THE_PUBLIC = {
    ("inbox-triage.json", "C307"): "limit",
    ("inbox-triage.json", "C501"): "label",
    ("lead-intake.json", "C501"): "record",
}


@pytest.mark.parametrize("case", BOARDS, ids=lambda case: case["name"])
def test_on_generated_boards_only_what_they_do_have_is_found(case: dict[str, Any]) -> None:
    board = document.load_value(case["board"])
    found = [*board.notes, *rules.check(board)]
    assert {one.code for one in found} <= TRUE_OF_THE_GENERATED
    for one in found:
        step = board.step(one.step or "")
        assert step is not None
        if one.code == "C501":
            assert effect(step) is Effect.WRITES
        elif one.code == "C503":
            assert step.config["preview"] == ""
        elif one.code == "C309":
            assert board.steps[int(one.related[0].place.pointer.split("/")[2])].type.startswith("logic.")


def test_on_the_public_boards_only_what_is_true_is_found() -> None:
    for file in sorted(PUBLIC.glob("*.json")):
        if not file.name.endswith(".scenarios.json"):
            board = document.load(Definition(file.read_text("utf-8"), "steps", file.name))
            for one in [*board.notes, *rules.check(board)]:
                assert TRUE_OF_THE_PUBLIC[file.name, one.code] in one.message


def test_on_our_own_examples_nothing_is_found() -> None:
    boards = [
        document.load(Definition(file.read_text("utf-8"), "steps", file.name))
        for file in sorted((ROOT / "examples").glob("*.json"))
        if not file.name.endswith(".scenarios.json") and '"circuit"' in file.read_text("utf-8")
    ]
    around = Surroundings({board.id: board for board in boards})
    assert len(boards) >= 8
    assert [one.message for board in boards for one in [*board.notes, *rules.check(board, around)]] == []
