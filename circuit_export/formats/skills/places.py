"""From the pixels of the graph's editor to cells of the board's grid: who is left, right, above and below stays so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.board.model import Place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from circuit_export.formats.skills.document import Point

COLUMN = 120.0
"""Pixels: nodes that are less than this right of a column's first one stand in that column."""

LANE = 60.0
"""Pixels: likewise for lanes."""


def places(points: Sequence[Point]) -> list[Place]:
    """A cell for each point, no two the same; from left to right and from top to bottom in the points' order."""
    columns = _bands([point.x for point in points], COLUMN)
    lanes = _bands([point.y for point in points], LANE)
    found = [Place(0, 0)] * len(points)
    lowest: dict[int, int] = {}
    for index in sorted(range(len(points)), key=lambda at: (columns[at], points[at].y, points[at].x, at)):
        column = columns[index]
        lane = max(lanes[index], lowest.get(column, -1) + 1)
        lowest[column] = lane
        found[index] = Place(column, lane)
    return found


def _bands(values: Sequence[float], width: float) -> list[int]:
    """For each value the number of its band; a band begins with a value that is `width` beyond the last one's first."""
    band: dict[float, int] = {}
    first, number = 0.0, -1
    for value in sorted(set(values)):
        if number < 0 or value - first >= width:
            first, number = value, number + 1
        band[value] = number
    return [band[value] for value in values]
