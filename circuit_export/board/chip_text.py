"""What a chip says, fitted: the lines of its title, summary and ports, with their places inside the chip in px."""

from __future__ import annotations

from typing import Final, NamedTuple

from circuit_export.board.model import Chip
from circuit_export.board.text_fit import Face, clean, fit_line, fit_lines, width

WIDTH: Final = 178
INSET: Final = 12
"""From the chip's outer edge to its text, left and right."""

VERB: Final = Face("sans", "semibold", 9.5, 1.2)
NUMBER: Final = Face("mono", "regular", 10)
TITLE: Final = Face("sans", "semibold", 14)
TEXT: Final = Face("sans", "regular", 12)
PORT: Final = Face("mono", "regular", 10)

VERB_TOP, TITLE_TOP = 10, 27
TITLE_LINE, TEXT_LINE, GAP = 18, 15, 2

# How many lines of summary go with a title of so many lines, in a chip of 104 px and in a taller one.
_LOW: Final = (3, 3, 2, 1)
_TALL: Final = (4, 3, 3, 2)
_TITLE_LINES: Final = 3

_ROOM: Final = WIDTH - 2 * INSET
_PORTS_INSET: Final = 10
_PORTS_MOST: Final = 66
_PORTS_ALONE: Final = WIDTH - INSET - _PORTS_INSET
_PORTS_GAP: Final = 8
_TEXT_BOTTOM: Final = 114
"""No title with its summary reaches further down; ports below have the chip's whole width."""
_DOT: Final = 10
_PIN: Final = 14
_NUMBER_GAP: Final = 6


class ChipText(NamedTuple):
    """A chip's lines. `cut` says that something of them ended with an ellipsis, so that the whole text is worth a note.

    `ports` is empty where none is named; `pitch` is the distance of their lines, `top` where the first begins.
    `title_room` and `room` are the widths that the title and the summary have.
    """

    title_room: int
    room: int
    verb: str
    title: tuple[str, ...]
    summary: tuple[str, ...]
    ports: tuple[str, ...]
    top: int
    pitch: int
    cut: bool


def chip_text(chip: Chip, title: str, summary: str, number: str, height: int) -> ChipText:
    """Fits the lines of a chip of `height` px; `title` and `summary` are clean, `number` is printed before the verb."""
    ports, pitch, top, room, cut = _ports(chip.labels, height)
    spare = _DOT if chip.writes else 0
    # Up to two ports begin below the title's first line, so a short title has the whole width.
    alone = len(ports) in (1, 2) and width(title, TITLE) <= _ROOM - spare
    lines = (title,) if alone and title else fit_lines(title, TITLE, room - spare, _TITLE_LINES)
    text = fit_lines(summary, TEXT, room, (_LOW if height < 128 else _TALL)[len(lines)])
    cut = cut or bool(lines and lines[-1][-1:] == "…") or bool(text and text[-1][-1:] == "…")
    return ChipText(
        _ROOM if alone else room,
        room,
        _verb(chip, number, room if ports and top < TITLE_TOP else _ROOM),
        lines,
        text,
        ports,
        top,
        pitch,
        cut,
    )


def _ports(names: tuple[str, ...], height: int) -> tuple[tuple[str, ...], int, int, int, bool]:
    """The ports' lines, their pitch, where they begin, the room beside them, and whether one was cut."""
    if not names:
        return (), 16, 0, _ROOM, False
    pitch = 16 if len(names) <= 6 else 14
    top = height // 2 - len(names) * pitch // 2
    beside = max(0, -((top - _TEXT_BOTTOM) // pitch))
    plain = [clean(name) for name in names]
    ports = tuple(
        [fit_line(name, PORT, _PORTS_MOST if row < beside else _PORTS_ALONE) for row, name in enumerate(plain)]
    )
    widest = max([width(port, PORT) for port in ports[:beside]])
    return ports, pitch, top, int(WIDTH - INSET - _PORTS_INSET - _PORTS_GAP - widest), ports != tuple(plain)


def _verb(chip: Chip, number: str, row: int) -> str:
    """The verb, as it fits in capitals behind the pin and the number in a row of so many px; and that it is off."""
    words = chip.verb if chip.enabled else f"{chip.verb} · off"
    if row == _ROOM and words.isascii() and len(words) <= 10 and len(number) <= 4:
        return words
    room = row - _PIN - width(number, NUMBER) - _NUMBER_GAP
    return words if width(words.upper(), VERB) <= room else fit_line(words.upper(), VERB, room)
