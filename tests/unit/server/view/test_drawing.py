"""What the view paints: the same geometry and the same lines as on an exported page, made once a board."""

import json
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup, Tag

from circuit_export import api
from circuit_export.server.desk import Opened, loaded
from circuit_export.server.view.drawing import digest_of, drawing_of, taken_of
from circuit_export.store.base import StoredBoard

EXAMPLES = Path(__file__).resolve().parents[4] / "examples"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.json") if not path.stem.endswith(".scenarios"))


def opened(text: str, called: dict[str, str] | None = None) -> Opened:
    """A board as a tool has opened it."""
    head: Any = None  # nothing of it is drawn
    read = {name: loaded(api.loads(callee).definition) for name, callee in (called or {}).items()}
    return Opened(StoredBoard(head, text), loaded(api.loads(text).definition), read)


def board(name: str) -> Opened:
    return opened((EXAMPLES / f"{name}.json").read_text("utf-8"))


def lines(node: Tag | None) -> list[str]:
    """The lines of a chip's text on a page, each ended by a `<br>`."""
    if node is None:
        return []
    for end in node.find_all("br"):
        end.replace_with("\n")
    return node.get_text().split("\n")


@pytest.mark.parametrize("name", NAMES)
def test_it_is_drawn_as_on_an_exported_page(name: str) -> None:
    it = board(name)
    drawing = drawing_of(it)
    page = BeautifulSoup(api.export_page(api.loads((EXAMPLES / f"{name}.json").read_text("utf-8"))), "html.parser")
    steps = it.document.steps
    ids = [step.id for step in steps]
    chips = page.select("a.chip")
    assert [chip["data-step"] for chip in chips] == [
        ids[index] for index in sorted(range(len(ids)), key=lambda index: int(drawing["chips"][index]["no"]))
    ]
    for chip in chips:
        drawn = drawing["chips"][ids.index(str(chip["data-step"]))]
        assert chip["style"] == f"left:{drawn['x']}px;top:{drawn['y']}px"
        assert (chip["data-w"], chip["data-h"]) == (str(drawn["w"]), str(drawn["h"]))
        assert lines(chip.select_one(".title")) == drawn["title"]
        assert lines(chip.select_one(".text")) == drawn.get("text", [])
        assert lines(chip.select_one(".ports")) == drawn.get("ports", [])
        ports = chip.select_one(".ports")
        assert ports is None or ports["style"] == f"top:{drawn['top']}px"
        assert (chip.select_one(".w") is not None) is drawn.get("writes", False)
        assert ("off" in chip["class"]) is drawn.get("off", False)
        assert drawn["actor"] in chip["class"]
    wires = [(wire["data-from"], wire["data-to"], wire["d"]) for wire in page.select("path.wire")]
    assert wires == [(ids[source], ids[target], data) for source, target, data, *_ in drawing["wires"]]
    place = page.select_one(".board")
    assert place is not None
    assert str(place["style"]).startswith(f"width:{drawing['width']}px;height:{drawing['height']}px;")
    ends = {(x, y) for x, y in drawing["pads"]}
    assert len(ends) == len(drawing["pads"])


def test_it_is_plain_json_and_made_once() -> None:
    first = drawing_of(board("inbox-triage"))
    assert json.loads(json.dumps(first)) == first
    assert drawing_of(board("inbox-triage"))["chips"] is first["chips"]


def test_the_digest_says_whether_two_boards_are_drawn_alike() -> None:
    it = board("inbox-triage")
    assert digest_of(it) == drawing_of(it)["digest"] == digest_of(board("inbox-triage"))
    moved = json.loads((EXAMPLES / "inbox-triage.json").read_text("utf-8"))
    moved["steps"][0]["title"] += " again"
    assert digest_of(opened(json.dumps(moved))) != digest_of(it)


def test_the_digest_knows_the_called_workflows_too() -> None:
    caller = {
        "circuit": 1,
        "id": "a",
        "name": "A",
        "steps": [{"id": "go", "type": "trigger.ask", "next": [{"to": "c"}]}],
    }
    caller["steps"].append({"id": "c", "type": "flow.call", "config": {"workflowId": "b"}})  # type: ignore[attr-defined]
    callee = {"circuit": 1, "id": "b", "name": "B", "steps": [{"id": "go", "type": "trigger.ask"}]}
    one = opened(json.dumps(caller), {"b": json.dumps(callee)})
    other = opened(json.dumps(caller), {"b": json.dumps({**callee, "name": "Quite another"})})
    assert digest_of(one) != digest_of(other)
    assert drawing_of(one)["chips"][1]["text"] != drawing_of(other)["chips"][1]["text"]


def test_wires_that_a_run_took_are_told_by_their_place_in_the_drawing() -> None:
    it = board("inbox-triage")
    steps = it.document.steps
    source, target, *_ = drawing_of(it)["wires"][2]
    port = next(wire.port for wire in steps[source].next if wire.to == steps[target].id)
    own = {"step": steps[source].id, "port": port, "to": steps[target].id}
    run = {"taken": [own, {**own, "path": ["x"]}, {**own, "port": "no such port"}]}
    assert taken_of(it, run) == [2]


def test_what_is_not_ascii_keeps_clear_of_the_ports() -> None:
    text = {"id": "each", "type": "logic.each", "title": "כל שיחה", "config": {"list": "trigger.items"}}
    value = {"circuit": 1, "name": "x", "steps": [{"id": "go", "type": "trigger.ask", "next": [{"to": "each"}]}, text]}
    chip = drawing_of(opened(json.dumps(value)))["chips"][1]
    assert chip["rtl"] is True
    assert all(0 < room <= 154 for room in chip["rooms"])
