"""Orders the trunks that run side by side in one channel so that few wires cross, and gives each a track.

A channel is the gap between two columns (its trunks run up and down, its sides are left and right) or the space
between two lanes (its trunks run across, its sides are above and below). A trunk is one or more wires on one track.
"""

from __future__ import annotations

from bisect import bisect_left
from heapq import heapify, heappop, heappush

SEARCHED = 40  # so many trunks side by side are ordered by trying every place for each; more only by swapping
PASSES = 4  # rounds of trying, at most
SAMPLED = 16  # so many wires of one trunk speak for it when two are compared; of more, that many evenly picked

# One wire's part of a trunk: where it enters and leaves along the channel, and on which side (0 or 1).
Piece = tuple[float, int, float, int]


class Trunk:
    """A straight stretch that one or more wires use together: `wires` has (wire, part) pairs.

    `level` is its track within its bundle (all the trunks that hang together by running side by side; `bundle` is
    its number in the channel), which has `tracks` tracks; `at` is the coordinate that the track gets in the end.
    """

    __slots__ = ("at", "bundle", "high", "level", "low", "pieces", "sample", "tracks", "wires")

    def __init__(self) -> None:
        self.wires: list[tuple[int, int]] = []
        self.pieces: list[Piece] = []
        self.sample: list[Piece] = []
        self.low = self.high = 0.0
        self.bundle = self.level = 0
        self.tracks = 1
        self.at = 0

    def span(self) -> None:
        """Takes the extent and the sample from the pieces."""
        pieces = self.sample = self.pieces
        if len(pieces) == 1:
            first, _, second, _ = pieces[0]
            if first < second:
                self.low, self.high = first, second
            else:
                self.low, self.high = second, first
        else:
            self.low = min(min(piece[0], piece[2]) for piece in pieces)
            self.high = max(max(piece[0], piece[2]) for piece in pieces)
            if len(pieces) > SAMPLED:
                self.sample = pieces[:: -(-len(pieces) // SAMPLED)]


def _excess(a: Trunk, b: Trunk) -> int:
    """How many more crossings there are when a comes before b (left of it, above it) than the other way round."""
    if a.high <= b.low or b.high <= a.low:
        return 0
    excess = 0
    for a1, a1_side, a2, a2_side in a.sample:
        a_low, a_high = (a1, a2) if a1 < a2 else (a2, a1)
        for b1, b1_side, b2, b2_side in b.sample:
            b_low, b_high = (b1, b2) if b1 < b2 else (b2, b1)
            if b_low < a1 < b_high:
                excess += 1 if a1_side else -1
            if b_low < a2 < b_high:
                excess += 1 if a2_side else -1
            if a_low < b1 < a_high:
                excess -= 1 if b1_side else -1
            if a_low < b2 < a_high:
                excess -= 1 if b2_side else -1
    return excess


def assign(trunks: list[Trunk], after: dict[int, set[int]], margin: float) -> int:
    """Gives each trunk of a channel its `level` and `tracks`; returns the most tracks that stand side by side.

    Trunks whose extents are at least `margin` apart may share a track. `after` has for numbers in `trunks` the
    numbers that must come on later tracks; it must be free of cycles.
    """
    numbers = sorted(range(len(trunks)), key=lambda n: (trunks[n].low, trunks[n].high))
    most = 1
    bundle: list[int] = []
    bundles = 0
    reach = 0.0
    for number in numbers:
        trunk = trunks[number]
        if bundle and trunk.low >= reach + margin:
            if len(bundle) > 1:
                most = max(most, _bundle(trunks, bundle, after, margin))
            bundle = [number]
            reach = trunk.high
            bundles += 1
        else:
            bundle.append(number)
            if len(bundle) == 1 or trunk.high > reach:
                reach = trunk.high
        trunk.bundle = bundles
    if len(bundle) > 1:
        most = max(most, _bundle(trunks, bundle, after, margin))
    return most


def _bundle(trunks: list[Trunk], numbers: list[int], after: dict[int, set[int]], margin: float) -> int:
    """Orders trunks whose extents hang together and gives them tracks; returns how many tracks."""
    if len(numbers) == 2:
        first, second = numbers
        a, b = trunks[first], trunks[second]
        if second in after.get(first, ()) or (first not in after.get(second, ()) and _excess(a, b) <= 0):
            a.level, b.level = 0, 1
        else:
            b.level, a.level = 0, 1
        a.tracks = b.tracks = 2
        return 2
    ordered = _start(trunks, numbers, after)
    ordered = _search(trunks, ordered, after) if len(ordered) <= SEARCHED else _swap(trunks, ordered, after)
    tracks = _levels([trunks[n] for n in ordered], margin)
    for n in ordered:
        trunks[n].tracks = tracks
    return tracks


def _key(trunk: Trunk) -> tuple[int, float]:
    """Where a trunk likes to stand: what stays on one side nearest to that side, inner before outer."""
    first, first_side, second, second_side = trunk.pieces[0]
    if first_side == second_side:
        length = trunk.high - trunk.low
        return (0, length) if first_side == 0 else (2, -length)
    enters, leaves = (first, second) if first_side == 0 else (second, first)
    return (1, -enters if enters < leaves else enters)


def _start(trunks: list[Trunk], numbers: list[int], after: dict[int, set[int]]) -> list[int]:
    """A first order: by liking, as far as what must come after what allows it."""
    keys = {n: (_key(trunks[n]), n) for n in numbers}
    if not any(n in after for n in numbers):
        return sorted(numbers, key=keys.__getitem__)
    waits = dict.fromkeys(numbers, 0)
    for n in numbers:
        for later in after.get(n, ()):
            waits[later] += 1
    ready = [keys[n] for n in numbers if not waits[n]]
    heapify(ready)
    ordered = []
    while ready:
        _, n = heappop(ready)
        ordered.append(n)
        for later in after.get(n, ()):
            waits[later] -= 1
            if not waits[later]:
                heappush(ready, keys[later])
    assert len(ordered) == len(numbers)
    return ordered


def _search(trunks: list[Trunk], ordered: list[int], after: dict[int, set[int]]) -> list[int]:
    """Moves single trunks to where fewest wires cross until nothing gets better."""
    count = len(ordered)
    forbidden = 1_000_000
    gain = [[0] * count for _ in range(count)]  # what a before b costs more than b before a
    poor = 0
    for i in range(count):
        a = trunks[ordered[i]]
        after_a = after.get(ordered[i], ())
        for j in range(i + 1, count):
            b = trunks[ordered[j]]
            difference = _excess(a, b)
            if ordered[j] in after_a:
                difference -= forbidden
            if difference > 0:
                poor += difference
            gain[i][j] = difference
            gain[j][i] = -difference
    if not poor:
        return ordered
    order = list(range(count))
    for _ in range(PASSES):
        moved = False
        for item in range(count):
            row = gain[item]
            at = order.index(item)
            best, where, total = 0, at, 0
            for place in range(at - 1, -1, -1):
                total += row[order[place]]
                if total < best:
                    best, where = total, place
            total = 0
            for place in range(at + 1, count):
                total -= row[order[place]]
                if total < best:
                    best, where = total, place
            if where != at:
                del order[at]
                order.insert(where, item)
                moved = True
        if not moved:
            break
    return [ordered[i] for i in order]


def _swap(trunks: list[Trunk], ordered: list[int], after: dict[int, set[int]]) -> list[int]:
    """Swaps neighbours where that saves crossings, a few rounds."""
    for _ in range(PASSES):
        swapped = False
        for i in range(len(ordered) - 1):
            a, b = ordered[i], ordered[i + 1]
            first, second = trunks[a], trunks[b]
            if _excess(first, second) > 0 and b not in after.get(a, ()):
                ordered[i], ordered[i + 1] = b, a
                swapped = True
        if not swapped:
            break
    return ordered


def _levels(ordered: list[Trunk], margin: float) -> int:
    """Gives each trunk the first track after all earlier ones that it runs beside; returns how many tracks."""
    if len(ordered) <= 12:
        most = 0
        for i, trunk in enumerate(ordered):
            level = 0
            low, high = trunk.low - margin, trunk.high + margin
            for other in ordered[:i]:
                if other.level >= level and other.low < high and low < other.high:
                    level = other.level + 1
            trunk.level = level
            if level > most:
                most = level
        return most + 1
    # Between two neighbouring ends nothing changes: the skyline has one height for each end.
    lows = sorted({trunk.low for trunk in ordered})
    slot = {low: i for i, low in enumerate(lows)}
    skyline = [0] * len(lows)
    for trunk in ordered:
        # A trunk covers the slots of all lows below its end (and margin); two trunks that overlap share such a slot.
        first, end = slot[trunk.low], bisect_left(lows, trunk.high + margin)
        level = max(skyline[first:end])
        trunk.level = level
        skyline[first:end] = [level + 1] * (end - first)
    return max(skyline)
