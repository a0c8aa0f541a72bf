"""Slow fuzzing, bounded here: CIRCUIT_FUZZ=5000 pytest -m fuzz goes on for as many rounds as one has patience for."""

import os
import random
from pathlib import Path

import pytest
from support.drawings import faults, geometry, make

from circuit_export import CircuitError, api

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
ROUNDS = int(os.environ.get("CIRCUIT_FUZZ", "60"))
PIECES = [
    *(b"<", b">", b"&", b'"', b"</pre>", b"<pre ", b"<!--", b"]]>", b"{", b"}", b"[", b"]", b"\\", b"\\ud800"),
    *(b"\r", b"\n", b"\x00", b"\xff", b"\xc3", b"\xef\xbb\xbf", b"&#x41;", b"&amp;", b"null", b"1e999", b"-0.0"),
    *(b'"circuit": 1', b"id=circuit-workflow"),
]
pytestmark = pytest.mark.fuzz


def damaged(data: bytes, chance: random.Random) -> bytes:
    """`data` with a few pieces put in, left out, doubled or moved."""
    for _ in range(chance.randint(1, 6)):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 1, 1, 7, 60, 900)))
        piece = chance.choice((chance.choice(PIECES), data[start:end] * 2, b""))
        data = data[:start] + piece + data[end:]
    return data


@pytest.mark.parametrize("seed", range(4))
def test_damaged_definitions_and_pages_end_in_a_page_that_comes_back_or_in_a_clean_error(seed: int) -> None:
    chance = random.Random(seed)
    for file in ("lead-intake.json", "clinic-reminders.json"):
        text = (EXAMPLES / file).read_bytes()
        page = api.export_page(api.loads(text, path=file)).encode("utf-8")
        for _ in range(ROUNDS):
            try:
                workflow = api.loads(damaged(chance.choice((text, page)), chance), path=file)
                api.findings(workflow)
                made = api.export_page(workflow)
            except CircuitError as error:
                assert str(error)
                continue
            assert api.restore(made).bundle.main.text == workflow.definition.text


@pytest.mark.parametrize("seed", range(4))
def test_dense_boards_are_drawn_without_fault(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    for _ in range(max(1, ROUNDS // 3)):
        count = chance.randint(2, 30)
        ports = [chance.choice((1, 1, 2, 3, 6, 7, 20)) for _ in range(count)]
        wires = [
            (source, chance.randrange(ports[source]), chance.randrange(count))
            for source in (chance.randrange(count) for _ in range(chance.randint(0, 3 * count)))
        ]
        assert faults(geometry(make(ports, wires, entry=chance.randrange(count)), tmp_path)) == {}
