"""Layout: the conformance vectors, the rules one by one, given positions, and sizes that break a recursive walk."""

from typing import Any

import pytest
from support.drawings import VECTORS, board_of, make

from circuit_export.board.layout import FURTHEST, layout
from circuit_export.board.model import Board, Place, Scope

LOOP = Scope("p0", "p1")


def columns(board: Board) -> list[int]:
    return [place.col for place in layout(board).places]


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_the_vectors_lay_out_as_they_say(vector: dict[str, Any]) -> None:
    board = board_of(vector["board"])
    places = layout(board).places
    found = {chip.id: {"col": p.col, "lane": p.lane} for chip, p in zip(board.chips, places, strict=True)}
    assert found == vector["layout"]


def test_a_board_without_chips_has_no_places() -> None:
    assert layout(make([], [])) == ((), (), ())


def test_the_walk_goes_depth_first_from_the_entry_then_on_in_document_order() -> None:
    board = make([2, 1, 1, 1, 1], [(2, 0, 0), (0, 0, 3), (0, 1, 1), (3, 0, 1)], entry=2)
    assert layout(board).walk == (2, 0, 3, 1, 4)


def test_a_wire_that_closes_a_cycle_moves_nothing() -> None:
    assert columns(make([1, 1, 1], [(0, 0, 1), (1, 0, 2), (2, 0, 0)])) == [0, 1, 2]
    assert columns(make([1, 1], [(0, 0, 0), (0, 0, 1), (1, 0, 1)])) == [0, 1]


def test_a_column_is_the_longest_way_whatever_the_order_of_the_list() -> None:
    assert columns(make([2, 1, 1], [(0, 0, 2), (0, 1, 1), (1, 0, 2)])) == [0, 1, 2]
    assert columns(make([1, 1, 2], [(2, 0, 0), (2, 1, 1), (1, 0, 0)], entry=2)) == [2, 1, 0]


def test_what_follows_a_loop_is_right_of_its_whole_body() -> None:
    board = make([2, 1, 1, 1], [(0, 0, 1), (1, 0, 2), (0, 1, 3)], scopes={0: LOOP})
    assert columns(board) == [0, 1, 2, 3]


def test_what_follows_an_outer_loop_is_right_of_what_follows_the_inner_one() -> None:
    wires = [(0, 1, 4), (0, 0, 1), (1, 1, 3), (1, 0, 2)]
    assert columns(make([2, 2, 1, 1, 1], wires, scopes={0: LOOP, 1: LOOP})) == [0, 1, 2, 3, 4]


def test_a_target_inside_the_body_gets_no_arrow() -> None:
    board = make([2, 1, 1], [(0, 0, 1), (1, 0, 2), (0, 1, 1)], scopes={0: LOOP})
    assert columns(board) == [0, 1, 2]


def test_an_arrow_that_would_close_a_cycle_is_left_out_and_the_others_stay() -> None:
    # 0 loops over 1 → 2 → 4; what follows is 3, which leads back into 4: only 1 and 2 stand before 3.
    wires = [(0, 0, 1), (1, 0, 2), (2, 0, 4), (0, 1, 3), (3, 0, 4)]
    assert columns(make([2, 1, 1, 1, 1], wires, scopes={0: LOOP})) == [0, 1, 2, 3, 4]
    # The same where the walk meets 4 before the loop does.
    wires = [(5, 0, 4), (5, 1, 0), (0, 0, 1), (1, 0, 2), (2, 0, 4), (0, 1, 3), (3, 0, 4)]
    assert columns(make([2, 1, 1, 1, 1, 2], wires, scopes={0: LOOP}, entry=5)) == [1, 2, 3, 4, 5, 0]


def test_two_loops_that_would_wait_for_each_other_keep_the_first_one_s_arrows() -> None:
    # What follows loop 0 is in the body of loop 1, and the other way round.
    wires = [(4, 0, 0), (4, 1, 1), (0, 0, 2), (0, 1, 3), (1, 0, 3), (1, 1, 2)]
    assert columns(make([2, 2, 1, 1, 2], wires, scopes={0: LOOP, 1: LOOP}, entry=4)) == [1, 1, 2, 3, 0]


def test_the_second_target_knows_the_arrows_of_the_first() -> None:
    wires = [(0, 1, 2), (0, 1, 3), (3, 0, 2), (0, 0, 1)]
    assert columns(make([2, 1, 1, 1], wires, scopes={0: LOOP})) == [0, 1, 3, 2]


def test_the_ith_wire_asks_for_the_ith_lane_back_edges_counted() -> None:
    board = make([3, 1, 1], [(0, 0, 0), (0, 1, 1), (0, 2, 2)])
    assert layout(board).places == ((0, 0), (1, 1), (1, 2))


def test_a_taken_lane_is_passed_over_downwards() -> None:
    board = make([2, 1, 1, 1, 1], [(0, 0, 1), (0, 1, 2), (1, 0, 3), (2, 0, 4), (1, 0, 4)])
    assert [place.lane for place in layout(board).places] == [0, 0, 1, 0, 1]


def test_the_entry_is_on_lane_0_of_its_column_before_others_ask() -> None:
    board = make([1, 1, 1], [(0, 0, 1), (2, 0, 0)], entry=1)
    assert layout(board).places[1] == (2, 0)


def test_unwired_chips_fill_the_first_column() -> None:
    assert layout(make([1] * 3, [])).places == ((0, 0), (0, 1), (0, 2))


def test_given_positions_are_kept_and_taken_before_anything_else() -> None:
    board = make([1, 1, 1], [(0, 0, 1)], positions={2: (0, 0), 1: (7, 3)})
    placed = layout(board)
    assert placed.places == ((0, 1), (7, 3), (0, 0))
    assert placed.findings == ()


def test_the_furthest_position_is_kept() -> None:
    assert layout(make([1], [], positions={0: (FURTHEST, FURTHEST)})).places == ((FURTHEST, FURTHEST),)


@pytest.mark.parametrize(
    ("positions", "said"),
    [
        ({0: (-1, 0), 1: (4, 4)}, "The position of “s0” (column -1, lane 0) is outside 0 to 10,000."),
        ({0: (0, 0), 1: (2, 10_001)}, "The position of “s1” (column 2, lane 10001) is outside 0 to 10,000."),
        ({0: (3, 1), 1: (3, 1)}, "“s1” and “s0” have the same position (column 3, lane 1)."),
    ],
)
def test_positions_that_cannot_be_are_said_and_none_is_used(positions: dict[int, tuple[int, int]], said: str) -> None:
    placed = layout(make([1, 1], [(0, 0, 1)], positions=positions))
    assert placed.places == (Place(0, 0), Place(1, 0))
    assert placed.findings == (said, "So no given position is used, and the whole board is laid out afresh.")


def test_a_chain_of_100_000_lays_out() -> None:
    count = 100_000
    placed = layout(make([1] * count, [(i, 0, i + 1) for i in range(count - 1)]))
    assert placed.places[-1] == (count - 1, 0)


def test_a_ring_of_1000_is_as_long_as_it_is() -> None:
    assert columns(make([1] * 1000, [(i, 0, (i + 1) % 1000) for i in range(1000)])) == list(range(1000))


def test_3000_nested_loops_lay_out() -> None:
    depth = 3000
    wires = [(i, 0, i + 1) for i in range(depth)] + [(i, 1, depth + 1 + i) for i in range(depth)]
    board = make([2] * depth + [1] * (depth + 1), wires, scopes=dict.fromkeys(range(depth), LOOP))
    found = columns(board)
    assert found[: depth + 1] == list(range(depth + 1))
    assert found[depth + 1 :] == list(range(2 * depth, depth, -1))


def test_10_000_chips_of_one_column_take_one_lane_each() -> None:
    board = make([1] * 10_001, [(0, 0, i) for i in range(10_000, 0, -1)])
    assert sorted(place.lane for place in layout(board).places[1:]) == list(range(10_000))
