"""Real pages, from definitions as people have them: drawn without a fault, whole, and read by the known reader."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.drawings import TESTS, VECTORS, counted, faults

from circuit_export import api
from circuit_export.restore import Digest

EXAMPLES = sorted(path for path in (TESTS.parent / "examples").glob("*.json") if ".scenarios" not in path.name)
PUBLIC = TESTS.parent.parent / "shared" / "conformance" / "steps" / "pages"
MOST_CROSSINGS, MOST_ON_ONE = 20, 3


def board(*steps: dict[str, Any]) -> str:
    return json.dumps({"circuit": 1, "name": "Hard", "steps": list(steps)}, ensure_ascii=False)


def step(id: object, *to: object, type: str = "note.say", **more: Any) -> dict[str, Any]:
    """A step wired to others: by an id on its port "out", by a pair on another port."""
    ends = [end if isinstance(end, tuple) else ("out", end) for end in to]
    wires = [{"port": port, "to": str(target)} for port, target in ends]
    return {"id": str(id), "type": type, "title": f"Step {id}", "config": {}, "next": wires, **more}


def sorting(id: object, ports: int, *to: object, **more: Any) -> dict[str, Any]:
    labels = [f"p{number}" for number in range(ports)]
    return step(id, *to, type="model.classify", **{"config": {"labels": labels}, **more})


def at(col: int, lane: int) -> dict[str, Any]:
    return {"position": {"col": col, "lane": lane}}


def nested(depth: int) -> str:
    loops = [step(f"l{n}", f"l{n + 1}", ("done", f"d{n}"), type="logic.each") for n in range(depth)]
    return board(*loops, step(f"l{depth}"), *(step(f"d{n}") for n in range(depth)))


HARD = {
    "one step": board(step(0)),
    "one step wired to itself": board(step(0, 0)),
    "200 ports": board(sorting("s", 200, *((f"p{n}", n) for n in range(200))), *map(step, range(200))),
    "200 ports, one step": board(sorting("s", 200, *((f"p{n}", "t") for n in range(200))), step("t")),
    "30 wires into one step": board(*(step(n, "t") for n in range(30)), step("t")),
    "a ring of 1,000": board(*(step(n, (n + 1) % 1000) for n in range(1000))),
    "cycles and self-wires": board(*(sorting(n, 3, ("p0", n), ("p1", (n + 1) % 6), ("p2", 0)) for n in range(6))),
    "eight wired to all": board(*(sorting(n, 8, *((f"p{m}", m) for m in range(8))) for n in range(8))),
    "eight wired to all by one port": board(*(step(n, *range(8)) for n in range(8))),
    "swapped neighbours": board(
        step(0, 3, **at(0, 0)), step(1, 2, **at(0, 1)), step(2, **at(1, 0)), step(3, **at(1, 1))
    ),
    "nested loops": nested(12),
    "branches in loops": board(
        step("l", "b", ("done", "e"), type="logic.each"),
        step("b", "x", "y", ("join", "j"), type="logic.branches"),
        step("x", "l"),
        step("y", "y"),
        step("j", "l", "b"),
        step("e", "l"),
    ),
    "positions far apart": board(step(0, 1, 2, **at(0, 0)), step(1, 2, **at(9000, 3)), step(2, 0, **at(4, 10_000))),
    "some positions": board(step(0, 1, 2, **at(3, 3)), step(1, 3), step(2, 3, **at(1, 1)), step(3, 0)),
    "positions that clash": board(step(0, 1, **at(2, 2)), step(1, 2, **at(2, 2)), step(2, 0)),
    "positions below zero": board(step(0, 1, **at(-4, -1)), step(1, 0, **at(1, 10**30))),
    "the same wire three times": board(step(0, 1, 1, 1), step(1)),
    "wires to nowhere": board(step(0, "gone", 1), step(1, "")),
}


@pytest.mark.parametrize("text", HARD.values(), ids=HARD.keys())
def test_a_hard_board_is_drawn_without_a_fault_and_comes_back(text: str, tmp_path: Path) -> None:
    page = api.export_page(api.loads(text))
    assert faults(counted(page, tmp_path)) == {}
    assert api.restore(page).bundle.main.text == text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_drawn_without_a_fault(path: Path, tmp_path: Path) -> None:
    counts = counted(api.export_page(api.load(path)), tmp_path)
    assert faults(counts) == {}
    assert counts["crossings"] <= MOST_CROSSINGS


def test_the_vectors_are_drawn_without_a_fault_and_with_few_crossings(tmp_path: Path) -> None:
    crossings = []
    for vector in VECTORS:
        counts = counted(api.export_page(api.loads(json.dumps(vector["board"]))), tmp_path)
        assert faults(counts) == {}, vector["name"]
        crossings.append(counts["crossings"])
    assert len(crossings) == 40
    assert sum(crossings) <= MOST_CROSSINGS
    assert max(crossings) <= MOST_ON_ONE


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_a_page_says_the_cells_of_its_vector(vector: dict[str, Any]) -> None:
    page = api.export_page(api.loads(json.dumps(vector["board"])))
    chips = re.findall(r'<a class="chip[^"]*" data-step="([^"]*)"[^>]* data-col="(\d+)" data-lane="(\d+)"', page)
    assert {name: {"col": int(col), "lane": int(lane)} for name, col, lane in chips} == vector["layout"]


def read_as_known(page: str) -> str:
    """The definition as the known reader finds it: four references, decoded in its order."""
    found = re.search(r'id="circuit-workflow"[^>]*>([\s\S]*?)</pre>', page)
    assert found is not None
    text = found[1]
    for reference, char in (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")):
        text = text.replace(reference, char)
    return text


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_known_reader_reads_our_pages(path: Path) -> None:
    workflow = api.load(path)
    assert json.loads(read_as_known(api.export_page(workflow))) == json.loads(workflow.definition.text)


@pytest.mark.skipif(not PUBLIC.is_dir(), reason="the known implementation's pages are not beside this checkout")
@pytest.mark.parametrize("name", ["inbox-triage", "lead-intake", "weekly-digest"])
def test_the_known_pages_restore_and_become_pages_of_ours(name: str, tmp_path: Path) -> None:
    page = (PUBLIC / f"{name}.html").read_text("utf-8")
    found = api.restore(page)
    assert json.loads(found.bundle.main.text) == json.loads(read_as_known(page))
    ours = api.export_page(api.from_found(found))
    assert faults(counted(ours, tmp_path)) == {}
    again = api.restore(ours)
    assert (again.bundle.main.text, again.digest) == (found.bundle.main.text, Digest.MATCHES)


def test_a_chain_of_100_000_is_drawn() -> None:
    chain = [step(number, number + 1) for number in range(99_999)]
    page = api.export_page(api.loads(board(*chain, step(99_999))))
    assert (page.count(" data-step="), page.count('<path class="wire"')) == (100_000, 99_999)
