"""Where each chip stands: its column and lane on the grid, the same for everyone who draws the board."""

from __future__ import annotations

from typing import NamedTuple

from circuit_export.board.model import Board, Place
from circuit_export.board.walk import Walk, columns, walk

FURTHEST = 10_000  # the last column and lane that a definition may give


class Layout(NamedTuple):
    """The cells of a board's chips.

    `places` is parallel to `Board.chips`; `walk` has all chip indices in the board's own order, else depth-first from
    the entry, then the rest in document order; `findings` are sentences about given positions that could not be kept.
    """

    places: tuple[Place, ...]
    walk: tuple[int, ...]
    findings: tuple[str, ...]


def layout(board: Board) -> Layout:
    """Lays out a board: linear in chips and wires (times the depth of nested bodies), and never recursive.

    A chip with a position keeps it. Positions that collide, are negative or lie too far out are findings, and then
    none of them is kept.
    """
    walked = walk(board)
    given = {i: chip.position for i, chip in enumerate(board.chips) if chip.position is not None}
    findings = _position_findings(board, given)
    if findings:
        given = {}
    column = columns(board, walked)
    for chip, place in given.items():
        column[chip] = place.col
    lane = _lanes(board, walked, column, {chip: place.lane for chip, place in given.items()})
    return Layout(tuple(map(Place, column, lane)), board.order or tuple(walked.preorder), findings)


def _position_findings(board: Board, given: dict[int, Place]) -> tuple[str, ...]:
    """What is wrong with the given positions, a sentence for each fault, the last one saying what follows."""
    findings = []
    holder: dict[Place, int] = {}
    for chip, place in given.items():
        name = board.chips[chip].id
        where = f"column {place.col}, lane {place.lane}"
        if min(place) < 0 or max(place) > FURTHEST:
            findings.append(f"The position of “{name}” ({where}) is outside 0 to {FURTHEST:,}.")
        elif place in holder:
            findings.append(f"“{name}” and “{board.chips[holder[place]].id}” have the same position ({where}).")
        else:
            holder[place] = chip
    if findings:
        findings.append("So no given position is used, and the whole board is laid out afresh.")
    return tuple(findings)


class _Column:
    """The lanes of one column that are taken; finds the first free one from a given lane down."""

    __slots__ = ("_below",)

    def __init__(self) -> None:
        self._below: dict[int, int] = {}  # taken lane → a lane further down where to look next

    def take(self, wanted: int) -> int:
        """Takes and returns the first free lane from `wanted` down."""
        below = self._below
        lane = wanted
        passed = []
        while lane in below:
            passed.append(lane)
            lane = below[lane]
        below[lane] = lane + 1
        for step in passed:
            below[step] = lane + 1
        return lane


def _lanes(board: Board, walked: Walk, column: list[int], given: dict[int, int]) -> list[int]:
    """Each chip's lane, asked for in the order of the walk; `given` ones are taken before anything else."""
    count = len(column)
    grid = {col: _Column() for col in column}
    lane = [-1] * count
    for chip, wanted in given.items():
        lane[chip] = grid[column[chip]].take(wanted)
    if count and lane[board.entry] < 0:
        lane[board.entry] = grid[column[board.entry]].take(0)
    for chip in walked.preorder:
        wanted = max(lane[chip], 0)
        for target in walked.outs[chip]:
            if lane[target] < 0:
                lane[target] = grid[column[target]].take(wanted)
            wanted += 1
    for chip in range(count):
        if lane[chip] < 0:
            lane[chip] = grid[column[chip]].take(0)
    return lane
