"""Puts the wires' stretches together into trunks, and breaks the circles of which must stand left of which."""

from __future__ import annotations

from typing import NamedTuple

from circuit_export.board.channel import Trunk
from circuit_export.board.grid import Grid
from circuit_export.board.model import Board
from circuit_export.board.routes import Routes

PARTED = 6  # a trunk of so many wires is taken apart when it stands in a circle; a larger one moves as a whole
ROUNDS = 8  # circles are broken one by one in so many rounds; what is left then, all at once
ONLY, LEAVING, COMING = 0, 1, 2  # a wire's only trunk in a gap, its first of two, its last of two


class Tracks(NamedTuple):
    """The trunks in each gap and on each bus, and for each wire the ones it uses (None where it needs none).

    `after` has for each gap, and each of its trunks (by number), those that must stand right of it.
    """

    gaps: list[list[Trunk]]
    after: list[dict[int, set[int]]]
    buses: list[list[Trunk]]
    first: list[Trunk | None]
    bus: list[Trunk | None]
    last: list[Trunk | None]


def tracks(board: Board, grid: Grid, routes: Routes) -> Tracks:
    """The trunks of all wires. Wires of one port, or to one chip, share a trunk; a circle is broken over a bus."""
    wires = board.wires
    count = len(wires)
    gap, bus, home = routes.gap, routes.bus, routes.home
    parts: list[list[tuple[int, int]]] = [[] for _ in range(len(grid.cols) + 1)]
    for i, g in enumerate(gap):
        if g >= 0:
            if bus[i] < 0:
                parts[g].append((i, ONLY))
            else:
                parts[g].append((i, LEAVING))
                parts[home[i]].append((i, COMING))
    first: list[Trunk | None] = [None] * count
    last: list[Trunk | None] = [None] * count
    gaps: list[list[Trunk]] = []
    after: list[dict[int, set[int]]] = []
    leaders: dict[int, int] = {}
    for g, members in enumerate(parts):
        trunks = _merge(board, members) if len(members) > 1 else [_trunk(members)] if members else []
        demanded: dict[int, set[int]] = {}
        if len(trunks) > 1:
            trunks, demanded = _untangle(g, trunks, routes, leaders)
        gaps.append(trunks)
        after.append(demanded)
        for trunk in trunks:
            for i, part in trunk.wires:
                if part == COMING:
                    last[i] = trunk
                else:
                    first[i] = trunk
    buses, on_bus = _buses(board, grid, routes, leaders)
    return Tracks(gaps, after, buses, first, on_bus, last)


def _trunk(members: list[tuple[int, int]]) -> Trunk:
    trunk = Trunk()
    trunk.wires = members
    return trunk


def _merge(board: Board, members: list[tuple[int, int]]) -> list[Trunk]:
    """Groups the parts in a gap: by the chip where they end, or the port they leave, whichever has more of them."""
    wires = board.wires
    ending: dict[int, int] = {}
    leaving: dict[tuple[int, str], int] = {}
    for i, part in members:
        source, port, target, _ = wires[i]
        if part != LEAVING:
            ending[target] = ending.get(target, 0) + 1
        if part != COMING:
            leaving[source, port] = leaving.get((source, port), 0) + 1
    groups: dict[object, list[tuple[int, int]]] = {}
    for member in members:
        i, part = member
        source, port, target, _ = wires[i]
        ends = ending[target] if part != LEAVING else 0
        leaves = leaving[source, port] if part != COMING else 0
        key: object = target if ends >= leaves else (source, port)
        if key in groups:
            groups[key].append(member)
        else:
            groups[key] = [member]
    return [_trunk(group) for group in groups.values()]


def _demands(trunks: list[Trunk], routes: Routes) -> dict[int, set[int]]:
    """Which trunks must stand right of which: where two meet a gap at one height, the leaving one stands left."""
    after: dict[int, set[int]] = {}
    start, end = routes.start, routes.end
    coming = {end[i] for trunk in trunks for i, part in trunk.wires if part != LEAVING}
    meeting: dict[float, set[int]] = {}  # the trunks that come from the left at a height where one leaves to the right
    for number, trunk in enumerate(trunks):
        for i, part in trunk.wires:
            if part != COMING and start[i] in coming:
                meeting.setdefault(start[i], set()).add(number)
    if meeting:
        for number, trunk in enumerate(trunks):
            for i, part in trunk.wires:
                if part != LEAVING:
                    for early in meeting.get(end[i], ()):
                        if early != number:
                            after.setdefault(early, set()).add(number)
    # The two trunks of a wire that changes its track over a bus stand in the order that it goes.
    leaving = {i: number for number, trunk in enumerate(trunks) for i, part in trunk.wires if part == LEAVING}
    if leaving:
        for number, trunk in enumerate(trunks):
            for i, part in trunk.wires:
                if part == COMING and i in leaving:
                    after.setdefault(leaving[i], set()).add(number)
    return after


def _untangle(
    g: int, trunks: list[Trunk], routes: Routes, leaders: dict[int, int]
) -> tuple[list[Trunk], dict[int, set[int]]]:
    """The same trunks with no circle of demands, and those.

    In each circle one trunk changes its track over a bus, or comes apart so that only one of its wires must. Only
    wires that meet the gap on both sides can be in a circle; they leave the others of their trunk first.
    `leaders` gets for each wire that takes a bus here the first one of those that take it together.
    """
    careful = ROUNDS
    while True:
        after = _demands(trunks, routes)
        circles = _circles(len(trunks), after)
        if not circles:
            return trunks, after
        careful -= 1
        if careful >= 0:
            rank = {n: (len(trunks[n].wires), _length(trunks[n], routes), n) for circle in circles for n in circle}
            chosen = {min(circle, key=rank.__getitem__) for circle in circles}
        else:
            chosen = _closing(len(trunks), after)
        changed: list[Trunk] = []
        for number, trunk in enumerate(trunks):
            if number not in chosen:
                changed.append(trunk)
                continue
            through = [member for member in trunk.wires if member[1] == ONLY]
            others = [member for member in trunk.wires if member[1] != ONLY]
            if others:
                changed.append(_trunk(others))
            if careful >= 0 and others:
                changed.append(_trunk(through))
            elif careful >= 0 and 1 < len(through) <= PARTED:
                changed += [_trunk([member]) for member in through]
            else:
                bus = _bus_for(through, routes)
                for i, _ in through:
                    routes.gap[i] = routes.home[i] = g
                    routes.bus[i] = bus
                    leaders[i] = through[0][0]
                changed += [_trunk([(i, LEAVING) for i, _ in through]), _trunk([(i, COMING) for i, _ in through])]
        trunks = changed


def _closing(count: int, after: dict[int, set[int]]) -> set[int]:
    """Trunks without which there is no circle: those where a depth-first walk of the demands comes back to its path."""
    closing: set[int] = set()
    state = bytearray(count)  # 0 not seen, 1 on the path that is walked now, 2 left behind
    for root in sorted(after):
        if state[root]:
            continue
        state[root] = 1
        path = [(root, iter(sorted(after[root])))]
        while path:
            at, following = path[-1]
            for number in following:
                if not state[number]:
                    state[number] = 1
                    path.append((number, iter(sorted(after.get(number, ())))))
                    break
                if state[number] == 1:
                    closing.add(number)
            else:
                state[at] = 2
                path.pop()
    return closing


def _length(trunk: Trunk, routes: Routes) -> float:
    """The rows that a trunk's longest wire covers."""
    return max(abs(routes.start[i] - routes.end[i]) for i, _ in trunk.wires)


def _bus_for(members: list[tuple[int, int]], routes: Routes) -> int:
    """The bus over which a trunk changes its track: beside its one end, on the side where most of the others are."""
    starts = [routes.start[i] for i, _ in members]
    ends = [routes.end[i] for i, _ in members]
    if len(members) == 1:
        return (round(min(starts[0], ends[0])) + 1) // 2
    one, others = (ends[0], starts) if ends[0] == ends[-1] else (starts[0], ends)
    above = sum(row < one for row in others)
    return round(one) // 2 + (1 if 2 * above < len(others) else 0)


def _circles(count: int, after: dict[int, set[int]]) -> list[list[int]]:
    """Circles in the demands that share no trunk, at least one when there is any."""
    if len(after) < 2:
        return []
    waits = [0] * count
    for behind in after.values():
        for number in behind:
            waits[number] += 1
    ready = [number for number in range(count) if not waits[number]]
    left = count
    while ready:
        left -= 1
        for number in after.get(ready.pop(), ()):
            waits[number] -= 1
            if not waits[number]:
                ready.append(number)
    if not left:
        return []
    # Whatever still waits has one before it that waits too: going back from there must come round.
    before: dict[int, int] = {}
    for early in sorted(after):
        if waits[early]:
            for late in sorted(after[early]):
                if waits[late] and late not in before:
                    before[late] = early
    circles = []
    seen: dict[int, int] = {}
    for start in sorted(before):
        at, path = start, []
        while at not in seen:
            seen[at] = start
            path.append(at)
            at = before[at]
        if seen[at] == start:
            circles.append(path[path.index(at) :])
    return circles


def _buses(
    board: Board, grid: Grid, routes: Routes, leaders: dict[int, int]
) -> tuple[list[list[Trunk]], list[Trunk | None]]:
    """The trunks on each bus, with their pieces in gap numbers, and each wire's."""
    wires = board.wires
    on_bus: list[Trunk | None] = [None] * len(wires)
    buses: list[list[Trunk]] = [[] for _ in range(len(grid.lanes) + 1)]
    members: dict[int, list[int]] = {}
    for i, bus in enumerate(routes.bus):
        if bus >= 0:
            members.setdefault(bus, []).append(i)
    for bus in sorted(members):
        ending: dict[int, int] = {}
        leaving: dict[tuple[int, str], int] = {}
        for i in members[bus]:
            if i not in leaders:
                source, port, target, _ = wires[i]
                ending[target] = ending.get(target, 0) + 1
                leaving[source, port] = leaving.get((source, port), 0) + 1
        groups: dict[object, Trunk] = {}
        row = 2 * bus
        for i in members[bus]:
            source, port, target, _ = wires[i]
            key: object
            if i in leaders:
                key = ("within", leaders[i])
            else:
                key = target if ending[target] >= leaving[source, port] else (source, port)
            trunk = groups.get(key)
            if trunk is None:
                groups[key] = trunk = Trunk()
                buses[bus].append(trunk)
            trunk.wires.append((i, 0))
            trunk.pieces.append((routes.gap[i], routes.start[i] > row, routes.home[i], routes.end[i] > row))
            on_bus[i] = trunk
    return buses, on_bus
