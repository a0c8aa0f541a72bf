"""Draws a laid out board in whole pixels: each chip's box and each wire's path, with none in another's way."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from circuit_export.board.channel import Trunk, assign
from circuit_export.board.grid import CHIP_WIDTH, COLUMN_PITCH, LANE_PITCH, PADDING, Grid, chip_height, grid
from circuit_export.board.layout import Layout
from circuit_export.board.model import Board
from circuit_export.board.routes import Routes, choose
from circuit_export.board.tracks import COMING, LEAVING, Tracks, tracks

SPACING = 6  # px between two tracks, at least
ROOMY = 8  # px between two tracks where there is room
CLEAR = 9  # px between a chip and the nearest track
MITRE = 4  # px that a corner cuts off each of its two sides, at most

Point = tuple[int, int]


class Drawing(NamedTuple):
    """A board in pixels.

    `boxes` has x, y, width and height of each chip; `paths` the points of each wire (parallel to `Board.wires`);
    `pads` every point where a wire ends, once each, sorted.
    """

    width: int
    height: int
    boxes: tuple[tuple[int, int, int, int], ...]
    paths: tuple[tuple[Point, ...], ...]
    pads: tuple[Point, ...]


def route(board: Board, layout: Layout) -> Drawing:
    """Draws the wires of a laid out board. Near to linear in chips and wires, and never recursive."""
    cells = grid(board, layout)
    routes = choose(board, cells)
    laid = tracks(board, cells, routes)
    middles, height = _rows(cells, laid)
    lefts, width = _columns(board, cells, routes, laid, middles)
    boxes = tuple(
        (lefts[col], middles[lane] - tall // 2, CHIP_WIDTH, tall)
        for col, lane, tall in zip(cells.col, cells.lane, cells.height, strict=True)
    )
    paths = []
    pads = set()
    for i, (source, _, target, _) in enumerate(board.wires):
        begin = (lefts[cells.col[source]] + CHIP_WIDTH, middles[cells.lane[source]] + routes.offset[i])
        finish = (lefts[cells.col[target]], middles[cells.lane[target]])
        pads.add(begin)
        pads.add(finish)
        paths.append(_path(begin, finish, laid.first[i], laid.bus[i], laid.last[i]))
    return Drawing(width, height, boxes, tuple(paths), tuple(sorted(pads)))


def path_data(points: Iterable[Point]) -> str:
    """The points as SVG path data: absolute M, H, V and L, whole numbers."""
    parts = []
    at: Point | None = None
    for point in points:
        x, y = point
        if at is None:
            parts.append(f"M{x} {y}")
        elif y == at[1]:
            parts.append(f"H{x}")
        elif x == at[0]:
            parts.append(f"V{y}")
        else:
            parts.append(f"L{x} {y}")
        at = point
    return "".join(parts)


def _room(most: int) -> int:
    """The px that so many tracks side by side need between two chips."""
    return SPACING * (most - 1) + 2 * CLEAR if most else 0


def _spread(trunks: list[Trunk], low: int, high: int, room: int) -> None:
    """Puts trunks on their tracks between `low` and `high`, each bundle in the middle of `room` px of it.

    Where there is more than that, a bundle stands at the far end, but its first tracks, as long as they have more
    to do with the near side than with the far one, at the near end: a wire does not go further away than it must.
    """
    for trunk in trunks:
        many = trunk.tracks - 1
        step = max(SPACING, min(ROOMY, (room - 2 * CLEAR) // many)) if many else 0
        trunk.at = high - room + (room - step * many) // 2 + step * trunk.level
    if high - low > room:
        balance: dict[tuple[int, int], int] = {}
        for trunk in trunks:
            far = sum(piece[1] + piece[3] for piece in trunk.pieces) - len(trunk.pieces)
            key = (trunk.bundle, trunk.level)
            balance[key] = balance.get(key, 0) + far
        stays: dict[int, int] = {}  # the first track of each bundle that stands at the far end
        for (bundle, level), far in sorted(balance.items()):
            if far >= 0:
                stays.setdefault(bundle, level)
        for trunk in trunks:
            if trunk.level < stays.get(trunk.bundle, trunk.tracks):
                trunk.at -= high - low - room


def _rows(cells: Grid, laid: Tracks) -> tuple[list[int], int]:
    """The middle line of each lane, and the board's height; gives the trunks on buses their heights."""
    lanes = cells.lanes
    half = [0] * len(lanes)
    for lane, tall in zip(cells.lane, cells.height, strict=True):
        half[lane] = max(half[lane], tall // 2)
    middles: list[int] = []
    bottom = 0
    for bus, trunks in enumerate(laid.buses):
        most = 0
        if trunks:
            for trunk in trunks:
                trunk.span()
            most = assign(trunks, {}, 0.5)
        need = _room(most)
        if bus == 0 or bus == len(lanes):
            room = max(PADDING, need)
            _spread(trunks, bottom, bottom + room, room)
            bottom += room
        else:
            pitch = max(
                (lanes[bus] - lanes[bus - 1]) * LANE_PITCH, half[bus - 1] + half[bus] + max(need, 2 * CLEAR + 4)
            )
            top = middles[-1] + pitch - half[bus]
            _spread(trunks, bottom, top, min(top - bottom, max(need, LANE_PITCH - chip_height(1))))
            bottom = top
        if bus < len(lanes):
            middles.append(bottom + half[bus])
            bottom = middles[-1] + half[bus]
    return middles, bottom


def _columns(board: Board, cells: Grid, routes: Routes, laid: Tracks, middles: list[int]) -> tuple[list[int], int]:
    """The left edge of each column, and the board's width; gives the trunks in gaps their places."""
    cols = cells.cols
    lefts: list[int] = []
    right = 0
    for gap, trunks in enumerate(laid.gaps):
        most = 0
        if trunks:
            for trunk in trunks:
                _pieces(board, cells, routes, laid, middles, trunk)
            most = assign(trunks, laid.after[gap], SPACING)
        need = _room(most)
        if gap == 0 or gap == len(cols):
            room = max(PADDING, need)
            _spread(trunks, right, right + room, room)
            right += room
        else:
            pitch = (cols[gap] - cols[gap - 1]) * COLUMN_PITCH
            left = right + max(pitch - CHIP_WIDTH, need)
            _spread(trunks, right, left, max(need, COLUMN_PITCH - CHIP_WIDTH))
            right = left
        if gap < len(cols):
            lefts.append(right)
            right += CHIP_WIDTH
    return lefts, right


def _pieces(board: Board, cells: Grid, routes: Routes, laid: Tracks, middles: list[int], trunk: Trunk) -> None:
    """Gives a trunk in a gap its pieces in pixels, now that all heights are known."""
    pieces = trunk.pieces
    for i, part in trunk.wires:
        source, _, target, _ = board.wires[i]
        if part == COMING:
            bus = laid.bus[i]
            assert bus is not None
            side = 0 if routes.gap[i] <= routes.home[i] else 1
            pieces.append((bus.at, side, middles[cells.lane[target]], 1))
        elif part == LEAVING:
            bus = laid.bus[i]
            assert bus is not None
            side = 1 if routes.gap[i] <= routes.home[i] else 0
            pieces.append((middles[cells.lane[source]] + routes.offset[i], 0, bus.at, side))
        else:
            pieces.append((middles[cells.lane[source]] + routes.offset[i], 0, middles[cells.lane[target]], 1))
    trunk.span()


def _path(begin: Point, finish: Point, first: Trunk | None, bus: Trunk | None, last: Trunk | None) -> tuple[Point, ...]:
    """A wire's points from pad to pad, corners cut."""
    if first is None:
        return begin, finish
    x, y = first.at, begin[1]
    if bus is None or last is None:
        return _step(begin, x, finish)
    return _mitred([begin, (x, y), (x, bus.at), (last.at, bus.at), (last.at, finish[1]), finish])


def _step(begin: Point, x: int, finish: Point) -> tuple[Point, ...]:
    """The points of a wire that changes its height once, at `x`; between chips it always has room to both sides."""
    above, below = begin[1], finish[1]
    cut = abs(below - above) // 2
    if cut > MITRE:
        cut = MITRE
    down = cut if below > above else -cut
    if below - above == 2 * down:
        return begin, (x - cut, above), (x, above + down), (x + cut, below), finish
    return begin, (x - cut, above), (x, above + down), (x, below - down), (x + cut, below), finish


def _mitred(corners: list[Point]) -> tuple[Point, ...]:
    """The points with each corner cut at 45 degrees, by MITRE or by what its two sides have room for."""
    points = [corners[0]]
    final = len(corners) - 1
    lengths = [abs(b[0] - a[0]) + abs(b[1] - a[1]) for a, b in pairwise(corners)]
    for k in range(1, final):
        before, after = lengths[k - 1], lengths[k]
        cut = min(MITRE, before if k == 1 else before // 2, after if k == final - 1 else after // 2)
        x, y = corners[k]
        for ox, oy in (corners[k - 1], corners[k + 1]):
            point = (x + _towards(ox - x) * cut, y + _towards(oy - y) * cut)
            if point != points[-1]:
                points.append(point)
    if corners[-1] != points[-1]:
        points.append(corners[-1])
    return tuple(points)


def _towards(difference: int) -> int:
    return (difference > 0) - (difference < 0)
