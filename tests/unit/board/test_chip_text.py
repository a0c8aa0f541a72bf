"""What a chip says: every line fits, and none runs into another."""

import pytest
from support.boards import BOARDS

from circuit_export.board.chip_text import (
    GAP,
    INSET,
    NUMBER,
    PORT,
    TEXT,
    TEXT_LINE,
    TITLE,
    TITLE_LINE,
    TITLE_TOP,
    VERB,
    WIDTH,
    chip_text,
)
from circuit_export.board.layout import layout
from circuit_export.board.model import Actor, Chip
from circuit_export.board.routing import route
from circuit_export.board.text_fit import clean, width

LONG = "Ask everyone who was at the meeting what they remember of it and write that down"


def height_of(ports: int) -> int:
    return 104 if ports < 2 else 128 + 14 * max(0, ports - 6)


def chip_of(title: str = "Title", ports: int = 1, **values: object) -> Chip:
    names = tuple(f"port {number}" for number in range(ports))
    return Chip("id", "do", title, LONG, Actor.YOU, names, **values)  # type: ignore[arg-type]


@pytest.mark.parametrize("title", ["", "Short", "A title of middling length", LONG, "W" * 80, "未" * 60])
@pytest.mark.parametrize("ports", [1, 2, 3, 6, 7, 200])
@pytest.mark.parametrize("writes", [False, True])
def test_lines_stay_inside_the_chip_and_clear_of_its_ports(title: str, ports: int, writes: bool) -> None:
    height = height_of(ports)
    fitted = chip_text(chip_of(title, ports, writes=writes), title, LONG, "07", height)
    bottom = TITLE_TOP + TITLE_LINE * len(fitted.title) + GAP + TEXT_LINE * len(fitted.summary)
    assert bottom <= height - 4
    dot = 10 if writes else 0
    rows = [(fitted.top + fitted.pitch * row, port) for row, port in enumerate(fitted.ports)]
    for row, line in enumerate(fitted.title):
        end = INSET + width(line, TITLE) + dot
        top = TITLE_TOP + TITLE_LINE * row
        beside = [port for y, port in rows if y + 1 < top + TITLE_LINE and top < y + fitted.pitch - 1]
        assert end <= WIDTH - 10 - max((width(port, PORT) for port in beside), default=0)
    for line in fitted.summary:
        assert width(line, TEXT) <= fitted.room
    for y, port in rows:
        assert 0 <= y <= height - fitted.pitch
        assert width(port, PORT) <= WIDTH - 20
        if y < bottom:
            assert INSET + fitted.room + width(port, PORT) <= WIDTH - 10


@pytest.mark.parametrize("ports", [2, 3, 6, 7, 50])
def test_a_port_stands_beside_its_pad(ports: int) -> None:
    height = height_of(ports)
    fitted = chip_text(chip_of(ports=ports), "Title", "", "07", height)
    pitch = 16 if ports <= 6 else 14
    for number in range(ports):
        pad = height // 2 + (2 * number - (ports - 1)) * pitch // 2
        assert fitted.top + number * fitted.pitch + fitted.pitch // 2 == pad


def test_a_short_title_has_the_whole_width_above_two_ports() -> None:
    title = "Fourteen chars"
    assert chip_text(chip_of(title, 2), title, "", "07", 128).title == (title,)


def test_what_is_cut_is_told() -> None:
    assert not chip_text(chip_of(), "Short", "short", "07", 104).cut
    assert chip_text(chip_of(), LONG * 2, "", "07", 104).cut
    assert chip_text(chip_of(), "Short", LONG * 2, "07", 104).cut
    long_port = Chip("id", "do", "", "", Actor.YOU, ("a", LONG))
    assert chip_text(long_port, "", "", "07", 128).cut


def test_a_chip_that_is_off_says_so() -> None:
    assert chip_text(chip_of(enabled=False), "T", "", "07", 104).verb == "do · off"


@pytest.mark.parametrize("verb", ["when", "a verb that is far too long for it", "W" * 12, "ß" * 30])
@pytest.mark.parametrize("number", ["01", "12345"])
def test_the_verb_fits_beside_the_number(verb: str, number: str) -> None:
    chip = Chip("id", verb, "", "", Actor.YOU, enabled=False)
    said = chip_text(chip, "", "", number, 104).verb
    assert 14 + width(number, NUMBER) + 6 + width(said.upper(), VERB) <= WIDTH - 2 * INSET


def test_a_long_verb_keeps_clear_of_six_ports() -> None:
    chip = Chip("id", "a rather long verb", "", "", Actor.YOU, tuple(f"port number {port}" for port in range(6)))
    fitted = chip_text(chip, "", "", "07", 128)
    assert fitted.verb.endswith("…")
    assert 14 + width("07", NUMBER) + 6 + width(fitted.verb.upper(), VERB) <= fitted.room


@pytest.mark.parametrize("name", BOARDS)
def test_every_port_has_a_line(name: str) -> None:
    board = BOARDS[name]()
    drawing = route(board, layout(board))
    for chip, box in zip(board.chips, drawing.boxes, strict=True):
        fitted = chip_text(chip, clean(chip.title), clean(chip.summary), "01", box[3])
        assert len(fitted.ports) == (len(chip.ports) if len(chip.ports) > 1 else 0)
