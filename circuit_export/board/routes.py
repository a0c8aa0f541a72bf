"""Chooses how each wire goes: straight, over one gap between columns, or over a bus between two lanes.

Everything here is counted in ranks, before anything has pixels: gap g lies left of column rank g, bus b above lane
rank b. A height is a row: bus b is row 2b, the middle of lane r is row 2r + 1, and ports lie a little beside it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from typing import NamedTuple

from circuit_export.board.channel import Piece
from circuit_export.board.grid import Grid, port_offset
from circuit_export.board.model import Board

NEAR = 24  # so many neighbours in a gap, and gaps of a bus at either end, count in a price; the rest is left out
REACH = 40.0  # rows: what starts further above is left out of a price
CROSSING = 30.0  # a crossing weighs as much as so many rows of a wire's height
FEW = 24  # so many wires with a choice are all placed a second time when one of them crosses; of more, some of those
BUS = 12.0  # and a bus as much as so many


class Routes(NamedTuple):
    """How each wire goes, parallel to the board's wires.

    `gap` is the gap where it changes its height, -1 when it runs straight. With a `bus` (else -1) it leaves in
    `gap`, runs along the bus and comes down (or up) again in `home`. `start` and `end` are the rows of its ends,
    `offset` is how many pixels its port lies below its chip's middle.
    """

    gap: list[int]
    bus: list[int]
    home: list[int]
    start: list[float]
    end: list[float]
    offset: list[int]


def choose(board: Board, grid: Grid) -> Routes:
    """Chooses a way for each wire: those without a choice first, then the others, shortest first, by price."""
    wires = board.wires
    count = len(wires)
    gap, bus, home = [-1] * count, [-1] * count, [-1] * count
    start, end, offset = [0.0] * count, [0.0] * count, [0] * count
    routes = Routes(gap, bus, home, start, end, offset)
    col, lane, right = grid.col, grid.lane, grid.right
    chips = board.chips
    farthest: dict[int, int] = {}  # chip → the last gap that a line from its middle port reaches
    nearest: dict[int, int] = {}  # chip → the first gap where a line to its pad begins
    open_wires: list[tuple[int, int]] = []
    fixed: list[int] = []
    straight: list[int] = []
    indices: dict[int, dict[str, int]] = {}  # the ports of chips that have many
    for i, (source, port, target, _) in enumerate(wires):
        ports = chips[source].ports
        beside = 0
        if len(ports) > 1:
            if len(ports) > 8 and source not in indices:
                indices[source] = {name: index for index, name in reversed(list(enumerate(ports)))}
            index = indices[source][port] if source in indices else ports.index(port)
            beside = port_offset(index, len(ports))
        row = 2 * lane[source] + 1
        offset[i] = beside
        start[i] = row + beside * 1e-6
        end[i] = 2 * lane[target] + 1
        out, into = col[source] + 1, col[target]
        if beside == 0 and right[source] == target:
            straight.append(i)
        elif out == into:
            gap[i] = out
            fixed.append(i)
        else:
            open_wires.append((abs(into - out), i))
    if open_wires:
        _Pricing(board, grid, routes, farthest, nearest).settle(straight, fixed, [i for _, i in sorted(open_wires)])
    return routes


class _Pricing:
    """The state of pricing: what lies in each gap and on each bus so far."""

    def __init__(
        self, board: Board, grid: Grid, routes: Routes, farthest: dict[int, int], nearest: dict[int, int]
    ) -> None:
        self.wires = board.wires
        self.grid = grid
        self.routes = routes
        self.farthest = farthest
        self.nearest = nearest
        self.pieces: list[list[tuple[float, float, int, Piece]]] = [[] for _ in range(len(grid.cols) + 1)]
        self.passing: list[list[float]] = [[] for _ in range(len(grid.cols) + 1)]
        self.runs: list[list[tuple[float, float, int, Piece]]] = [[] for _ in range(len(grid.lanes) + 1)]

    def settle(self, straight: list[int], fixed: list[int], open_wires: list[int]) -> None:
        """Places the wires without a choice, then each other one where it costs least; then those that cross again."""
        routes = self.routes
        for i in straight:
            source, _, target, _ = self.wires[i]
            out, into = self.grid.col[source] + 1, self.grid.col[target]
            for g in range(out, min(into, out + 2 * NEAR) + 1):
                self.passing[g].append(routes.start[i])
        for rows in self.passing:
            rows.sort()
        for i in fixed:
            g = routes.gap[i]
            piece: Piece = (routes.start[i], 0, routes.end[i], 1)
            self.pieces[g].append((min(piece[0], piece[2]), max(piece[0], piece[2]), i, piece))
        for pieces in self.pieces:
            pieces.sort()
        crossed = [i for i in open_wires if self.place(i)]
        if crossed:
            again = open_wires if len(open_wires) <= FEW else crossed[: max(FEW, len(self.wires) // 32)]
            for i in again:
                self.remove(i)
                self.place(i)

    def place(self, i: int) -> float:
        """Takes the cheapest way for wire i; returns what its crossings cost."""
        best, crossed = -1.0, 0.0
        way = (0, 0, 0)
        for length, _, *candidate in sorted(self.ways(i)):
            if 0 <= best <= length:
                break
            gap, bus, home = candidate
            enough = (best - length) / CROSSING if best >= 0 else 1e9
            crossings = CROSSING * self.crossed(i, gap, bus, home, enough)
            if best < 0 or length + crossings < best:
                best, crossed = length + crossings, crossings
                way = (gap, bus, home)
        gap, bus, home = way
        self.routes.gap[i], self.routes.bus[i], self.routes.home[i] = way
        for g, piece in self.parts(i, gap, bus, home):
            insort(self.pieces[g], (min(piece[0], piece[2]), max(piece[0], piece[2]), i, piece))
        row, between = self.run(i, gap, bus, home)
        for g in between:
            insort(self.passing[g], row)
        if bus >= 0:
            piece = self.on_bus(i, gap, bus, home)
            insort(self.runs[bus], (min(gap, home), max(gap, home), i, piece))
        else:
            self.claim(i, gap)
        return crossed

    def remove(self, i: int) -> None:
        """Takes back the way of wire i, all but the claims of its lines (those only get weaker by being kept)."""
        gap, bus, home = self.routes.gap[i], self.routes.bus[i], self.routes.home[i]
        for g, piece in self.parts(i, gap, bus, home):
            entry = (min(piece[0], piece[2]), max(piece[0], piece[2]), i, piece)
            del self.pieces[g][bisect_left(self.pieces[g], entry)]
        row, between = self.run(i, gap, bus, home)
        for g in between:
            del self.passing[g][bisect_left(self.passing[g], row)]
        if bus >= 0:
            entry = (min(gap, home), max(gap, home), i, self.on_bus(i, gap, bus, home))
            del self.runs[bus][bisect_left(self.runs[bus], entry)]

    def claim(self, i: int, gap: int) -> None:
        """Notes how far the lines of a wire reach that changes its height in `gap`."""
        source, _, target, _ = self.wires[i]
        if self.routes.offset[i] == 0:
            self.farthest[source] = max(gap, self.farthest.get(source, 0))
        self.nearest[target] = min(gap, self.nearest.get(target, gap))

    def ways(self, i: int) -> list[tuple[float, int, int, int, int]]:
        """The ways that wire i can take: (length in rows, rank among equals, gap, bus, home)."""
        source, _, target, _ = self.wires[i]
        grid = self.grid
        start, end = self.routes.start[i], self.routes.end[i]
        out, into = grid.col[source] + 1, grid.col[target]
        ways: list[tuple[float, int, int, int, int]] = []
        if out < into:
            after, before = grid.right[source], grid.left[target]
            first, last = out, into
            if before >= 0:
                first = max(first, grid.col[before] + 1, self.farthest.get(before, 0))
            if after >= 0:
                last = min(last, grid.col[after])
                if self.routes.offset[i] == 0:
                    last = min(last, self.nearest.get(after, last))
            if first <= last:
                length = abs(end - start)
                gaps = range(last, first - 1, -1) if last - first < 4 else (last, last - 1, first + 1, first)
                ways = [(length, rank, g, -1, -1) for rank, g in enumerate(gaps)]
        lanes = len(grid.lanes)
        a, b = sorted((grid.lane[source], grid.lane[target]))
        buses = {0, lanes, a, a + 1, b, b + 1}
        if b - a <= 4:
            buses.update(range(max(0, a - 1), min(lanes, b + 2) + 1))
        for bus in buses:
            row = 2 * bus
            ways.append((BUS + abs(start - row) + abs(end - row), bus, out, bus, into))
        return ways

    def parts(self, i: int, gap: int, bus: int, home: int) -> list[tuple[int, Piece]]:
        """The pieces of wire i in gaps."""
        start, end = self.routes.start[i], self.routes.end[i]
        if bus < 0:
            return [(gap, (start, 0, end, 1))]
        row = 2.0 * bus
        forward = gap < home
        return [(gap, (start, 0, row, 1 if forward else 0)), (home, (row, 0 if forward else 1, end, 1))]

    def on_bus(self, i: int, gap: int, bus: int, home: int) -> Piece:
        """The piece of wire i on its bus."""
        row = 2 * bus
        return (gap, 0 if self.routes.start[i] < row else 1, home, 0 if self.routes.end[i] < row else 1)

    def run(self, i: int, gap: int, bus: int, home: int) -> tuple[float, range]:
        """The row on which wire i passes whole gaps, and a range of those (the nearest ones of a long run)."""
        if bus >= 0:
            low, high = min(gap, home), max(gap, home)
            return 2.0 * bus, range(low + 1, min(high, low + 1 + 2 * NEAR))
        source, _, target, _ = self.wires[i]
        out, into = self.grid.col[source] + 1, self.grid.col[target]
        if gap > out:
            return self.routes.start[i], range(max(out, gap - 2 * NEAR), gap)
        return self.routes.end[i], range(gap + 1, min(into, gap + 2 * NEAR) + 1)

    def crossed(self, i: int, gap: int, bus: int, home: int, enough: float) -> int:
        """How many others wire i must cross at least on a way; stops counting at `enough`."""
        crossed = 0
        parts = self.parts(i, gap, bus, home)
        for g, part in parts:
            passing = self.passing[g]
            if passing:
                low, high = (part[0], part[2]) if part[0] < part[2] else (part[2], part[0])
                crossed += bisect_left(passing, high) - bisect_right(passing, low)
        if crossed >= enough:
            return crossed
        row, between = self.run(i, gap, bus, home)
        for g in between:
            pieces = self.pieces[g]
            if pieces:
                end = bisect_left(pieces, (row,))
                for piece in pieces[max(0, end - NEAR) : end]:
                    if piece[1] > row:
                        crossed += 1
        if bus >= 0 and self.runs[bus]:
            crossed += self.beside(i, self.runs[bus], self.on_bus(i, gap, bus, home), 2 * NEAR)
        for g, part in parts:
            if crossed >= enough:
                break
            if self.pieces[g]:
                crossed += self.beside(i, self.pieces[g], part, REACH)
        return crossed

    def beside(self, i: int, others: list[tuple[float, float, int, Piece]], piece: Piece, reach: float) -> int:
        """How many others in a channel a piece must cross at least, whatever the tracks."""
        a1, a1_side, a2, a2_side = piece
        low, high = (a1, a2) if a1 < a2 else (a2, a1)
        first, end = bisect_left(others, (low - reach,)), bisect_left(others, (high,))
        if end - first > NEAR:
            first = end - NEAR
        source, port, target, _ = self.wires[i]
        crossed = 0
        for b_low, b_high, other, (b1, b1_side, b2, b2_side) in others[first:end]:
            if b_high <= low:
                continue
            wire = self.wires[other]
            if wire[2] == target or (wire[0] == source and wire[1] == port):
                continue  # they merge
            before = after = 0
            if b_low < a1 < b_high:
                if a1_side:
                    before += 1
                else:
                    after += 1
            if b_low < a2 < b_high:
                if a2_side:
                    before += 1
                else:
                    after += 1
            if low < b1 < high:
                if b1_side:
                    after += 1
                else:
                    before += 1
            if low < b2 < high:
                if b2_side:
                    after += 1
                else:
                    before += 1
            crossed += before if before < after else after
        return crossed
