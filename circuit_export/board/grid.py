"""The grid a board is drawn on: chip sizes, the columns and lanes in use, and the free cells beside each chip."""

from __future__ import annotations

from typing import NamedTuple

from circuit_export.board.layout import Layout
from circuit_export.board.model import Board

CHIP_WIDTH = 178  # px
COLUMN_PITCH = 220  # px from one column to the next, at least
LANE_PITCH = 150  # px from one lane's middle to the next one's, at least
PADDING = 24  # px around everything, at least


def chip_height(ports: int) -> int:
    """The height in px of a chip with so many ports."""
    if ports < 2:
        return 104
    return 128 + 14 * max(0, ports - 6)


def port_offset(index: int, ports: int) -> int:
    """How far below its chip's middle a port leaves, in px; negative above it."""
    return (2 * index - (ports - 1)) * (7 if ports > 6 else 8)


class Grid(NamedTuple):
    """The used columns and lanes (`cols`, `lanes`: their numbers, ascending), everything else by rank among them.

    `col`, `lane` and `height` are parallel to the chips. `right` and `left` are the nearest chips of the same lane,
    -1 where there is none.
    """

    cols: list[int]
    lanes: list[int]
    col: list[int]
    lane: list[int]
    height: list[int]
    left: list[int]
    right: list[int]


def grid(board: Board, layout: Layout) -> Grid:
    """The grid of a laid out board, in time and memory linear in its chips (times a logarithm)."""
    places = layout.places
    cols = sorted({place[0] for place in places})
    lanes = sorted({place[1] for place in places})
    col_rank = {number: rank for rank, number in enumerate(cols)}
    lane_rank = {number: rank for rank, number in enumerate(lanes)}
    count = len(places)
    left, right = [-1] * count, [-1] * count
    last: dict[int, int] = {}
    for chip in sorted(range(count), key=places.__getitem__):
        lane = places[chip][1]
        before = last.get(lane, -1)
        if before >= 0:
            left[chip] = before
            right[before] = chip
        last[lane] = chip
    return Grid(
        cols,
        lanes,
        [col_rank[place[0]] for place in places],
        [lane_rank[place[1]] for place in places],
        [chip_height(len(chip.ports)) for chip in board.chips],
        left,
        right,
    )
