"""Trunks in a channel: which stands first, which track each gets, and that the large way agrees with the small one."""

import random

import pytest

from circuit_export.board import channel
from circuit_export.board.channel import Piece, Trunk, assign


def trunk(*pieces: Piece) -> Trunk:
    made = Trunk()
    made.pieces = list(pieces)
    made.span()
    return made


def levels(trunks: list[Trunk], after: dict[int, set[int]] | None = None, margin: float = 6) -> list[int]:
    assign(trunks, after or {}, margin)
    return [made.level for made in trunks]


def crossings(trunks: list[Trunk]) -> int:
    """How often the trunks' wires cross on the tracks they have."""
    count = 0
    for a in trunks:
        for b in trunks:
            if a.level < b.level:
                for p in a.pieces:
                    for q in b.pieces:
                        count += sum(s == 1 and min(q[0], q[2]) < y < max(q[0], q[2]) for y, s in (p[:2], p[2:]))
                        count += sum(s == 0 and min(p[0], p[2]) < y < max(p[0], p[2]) for y, s in (q[:2], q[2:]))
    return count


def test_of_two_that_go_down_the_lower_one_stands_first() -> None:
    assert levels([trunk((0, 0, 100, 1)), trunk((50, 0, 150, 1))]) == [1, 0]


def test_of_two_that_go_up_the_upper_one_stands_first() -> None:
    assert levels([trunk((100, 0, 0, 1)), trunk((150, 0, 50, 1))]) == [0, 1]


def test_of_two_loops_on_one_side_the_inner_one_is_nearer_to_it() -> None:
    assert levels([trunk((0, 0, 100, 0)), trunk((20, 0, 80, 0))]) == [1, 0]
    assert levels([trunk((0, 1, 100, 1)), trunk((20, 1, 80, 1))]) == [0, 1]


def test_what_must_come_after_comes_after_even_if_it_crosses_more() -> None:
    pair = [trunk((0, 0, 100, 1)), trunk((50, 0, 150, 1))]
    assert levels(pair, {0: {1}}) == [0, 1]
    three = [*pair, trunk((60, 0, 160, 1))]
    assert levels(three, {0: {1}, 1: {2}}) == [0, 1, 2]


def test_trunks_with_room_between_share_a_track() -> None:
    apart = [trunk((0, 0, 10, 1)), trunk((16, 0, 30, 1)), trunk((35, 0, 50, 1))]
    assert levels(apart) == [0, 0, 1]
    assert [made.tracks for made in apart] == [1, 2, 2]
    assert [made.bundle for made in apart] == [0, 1, 1]


def test_the_most_tracks_side_by_side_are_what_a_channel_needs() -> None:
    assert assign([trunk((0, 0, 100, 1))], {}, 6) == 1
    assert assign([trunk((0, 0, 100, 1)), trunk((200, 0, 300, 1))], {}, 6) == 1
    assert assign([trunk((0, 0, 100, 1)), trunk((10, 0, 20, 1)), trunk((50, 0, 60, 1))], {}, 6) == 2


def test_a_shared_trunk_is_as_long_as_all_its_pieces() -> None:
    shared = trunk((50, 0, 60, 1), (90, 0, 60, 1))
    assert (shared.low, shared.high) == (50, 90)


@pytest.mark.parametrize("searched", [0, channel.SEARCHED])
@pytest.mark.parametrize("count", [3, 10, 30, 60])
def test_planar_wires_do_not_cross_however_many(count: int, searched: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "SEARCHED", searched)
    down = [trunk((16 * i, 0, 16 * i + 800, 1)) for i in range(count)]
    random.Random(count).shuffle(down)
    assign(down, {}, 6)
    assert crossings(down) == 0


@pytest.mark.parametrize("count", [3, 13, 50])
def test_trunks_beside_each_other_never_share_a_track_and_demands_hold(count: int) -> None:
    r = random.Random(count)
    trunks = [trunk((r.randrange(900), r.randrange(2), r.randrange(900), r.randrange(2))) for _ in range(count)]
    after = {i: {j for j in range(i + 1, count) if r.random() < 0.2} for i in range(count)}
    for a in range(count):  # only trunks that run side by side ever have demands
        after[a] = {b for b in after[a] if trunks[a].low < trunks[b].high + 6 and trunks[b].low < trunks[a].high + 6}
    most = assign(trunks, after, 6)
    for a, first in enumerate(trunks):
        assert first.level < first.tracks <= most
        for b, second in enumerate(trunks):
            if a != b and first.low < second.high + 6 and second.low < first.high + 6:
                assert first.level != second.level
                assert b not in after[a] or first.level < second.level


def test_searching_crosses_no_more_than_only_swapping(monkeypatch: pytest.MonkeyPatch) -> None:
    def tangle() -> list[Trunk]:
        r = random.Random(4)
        return [trunk((8 * r.randrange(60), 0, 8 * r.randrange(60) + 3, 1)) for _ in range(20)]

    searched, swapped = tangle(), tangle()
    assign(searched, {}, 6)
    monkeypatch.setattr(channel, "SEARCHED", 0)
    assign(swapped, {}, 6)
    assert crossings(searched) <= crossings(swapped)
