"""The walk: preorder, back edges, and that nested bodies and long boards are walked once."""

from support.drawings import make

from circuit_export.board.model import Scope
from circuit_export.board.walk import columns, walk


def test_back_edges_are_those_that_lead_to_the_path_being_walked() -> None:
    walked = walk(make([1] * 4, [(0, 0, 1), (1, 0, 2), (2, 0, 0), (2, 0, 2), (3, 0, 1)]))
    assert walked.preorder == [0, 1, 2, 3]
    assert walked.closing == {(2, 0), (2, 2)}
    assert walked.outs == [[1], [2], [0, 2], [1]]
    assert walked.down == [[1], [2], [], [1]]


def test_a_step_met_twice_is_no_cycle() -> None:
    walked = walk(make([1] * 3, [(0, 0, 1), (0, 0, 2), (1, 0, 2), (0, 0, 2)]))
    assert walked.closing == set()
    assert walked.down == [[1, 2, 2], [2], []]


def test_loops_that_stand_in_each_other_s_way_are_taken_in_the_walk_s_order() -> None:
    # After the arrows of loop 1, 2 reaches 3: loop 4's arrow from 3 to 2 would close a cycle.
    scopes = {1: Scope("p0", "p1"), 4: Scope("p0", "p1")}
    wires = [(0, 0, 1), (0, 1, 4), (1, 0, 2), (1, 1, 3), (4, 0, 3), (4, 1, 2)]
    board = make([2, 2, 1, 1, 2], wires, scopes=scopes)
    assert columns(board, walk(board)) == [0, 1, 2, 3, 1]


def test_a_later_loop_counts_the_arrows_of_one_that_was_reordered() -> None:
    # The first loop's target was placed before its body; the second loop hangs behind that target.
    scopes = {1: Scope("p0", "p1"), 4: Scope("p0", "p1")}
    wires = [(0, 0, 3), (0, 1, 1), (3, 0, 4), (4, 0, 5), (4, 1, 6), (1, 0, 2), (1, 1, 3)]
    board = make([2, 2, 1, 1, 2, 1, 1], wires, scopes=scopes)
    assert columns(board, walk(board)) == [0, 1, 2, 3, 4, 5, 6]
