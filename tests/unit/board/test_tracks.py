"""Trunks of wires: what is put together, and how circles of demands are broken."""

from support.drawings import make

from circuit_export.board.grid import grid
from circuit_export.board.layout import layout
from circuit_export.board.model import Board
from circuit_export.board.routes import choose
from circuit_export.board.tracks import ROUNDS, Tracks, tracks


def laid(board: Board) -> Tracks:
    cells = grid(board, layout(board))
    return tracks(board, cells, choose(board, cells))


def columns_of(count: int, wires: list[tuple[int, int, int]]) -> Board:
    cells = {i: (0, i) for i in range(count)} | {count + i: (1, i) for i in range(count)}
    return make([1] * (2 * count), wires, cells)


def test_a_straight_wire_needs_no_trunk() -> None:
    found = laid(make([1, 1], [(0, 0, 1)]))
    assert (found.first, found.bus, found.last) == ([None], [None], [None])


def test_wires_of_one_port_and_wires_to_one_chip_share_a_trunk() -> None:
    fan = laid(columns_of(3, [(0, 0, 4), (0, 0, 5)]))
    assert [len(trunk.wires) for trunk in fan.gaps[1]] == [2]
    funnel = laid(columns_of(3, [(1, 0, 3), (2, 0, 3)]))
    assert [len(trunk.wires) for trunk in funnel.gaps[1]] == [2]


def test_where_two_meet_at_one_height_the_leaving_one_stands_left() -> None:
    found = laid(columns_of(3, [(0, 0, 4), (1, 0, 5)]))
    assert found.after[1] == {1: {0}}


def test_two_swapped_wires_need_one_bus() -> None:
    found = laid(columns_of(2, [(0, 0, 3), (1, 0, 2)]))
    assert sum(trunk is not None for trunk in found.bus) == 1
    assert len(found.gaps[1]) == 3


def test_each_circle_of_a_permutation_costs_one_bus() -> None:
    targets = [1, 0, 3, 4, 2, 5]
    found = laid(columns_of(6, [(i, 0, 6 + target) for i, target in enumerate(targets)]))
    assert sum(trunk is not None for trunk in found.bus) == 2


def test_a_shared_trunk_in_a_circle_is_parted_before_a_wire_takes_a_bus() -> None:
    # 0 and 2 both lead to 4, 1 leads to 3: only 0's part meets 1 at both heights.
    found = laid(columns_of(3, [(0, 0, 4), (2, 0, 4), (1, 0, 3)]))
    assert sum(trunk is not None for trunk in found.bus) == 1
    assert found.bus[1] is None


def test_a_large_trunk_in_a_circle_changes_its_track_as_a_whole() -> None:
    # Eight lead to 0's neighbour, and 0 leads to theirs: each of the two trunks must stand left of the other.
    found = laid(columns_of(9, [(i, 0, 9) for i in range(1, 9)] + [(0, 0, target) for target in range(10, 18)]))
    buses = {id(trunk) for trunk in found.bus if trunk is not None}
    assert len(buses) == 1
    assert sum(trunk is not None for trunk in found.bus) == 8


def test_loops_back_to_one_chip_share_their_bus() -> None:
    found = laid(make([1, 1, 1], [(0, 0, 1), (1, 0, 2), (1, 0, 0), (2, 0, 0)]))
    assert found.bus[2] is not None
    assert found.bus[2] is found.bus[3]


def test_more_circles_than_there_are_rounds_are_all_broken() -> None:
    count = 3 * ROUNDS
    found = laid(columns_of(count, [(i, 0, count + j) for i in range(count) for j in range(count) if i != j]))
    order = found.after[1]
    waits = {later for behind in order.values() for later in behind}
    free = set(range(len(found.gaps[1]))) - waits
    gone: set[int] = set()
    while free:
        gone |= free
        free = {
            n
            for n in set(range(len(found.gaps[1]))) - gone
            if not any(n in behind for early, behind in order.items() if early not in gone)
        }
    assert len(gone) == len(found.gaps[1])
