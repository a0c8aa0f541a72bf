"""Which way each wire goes: straight, over a gap, or over the bus that crosses least."""

import pytest
from support.drawings import make

from circuit_export.board.grid import grid
from circuit_export.board.layout import layout
from circuit_export.board.model import Board
from circuit_export.board.routes import Routes, choose


def chosen(board: Board) -> Routes:
    return choose(board, grid(board, layout(board)))


def ways(board: Board) -> list[tuple[int, int, int]]:
    routes = chosen(board)
    return list(zip(routes.gap, routes.bus, routes.home, strict=True))


def test_neighbours_of_one_lane_are_wired_straight() -> None:
    assert ways(make([1, 1], [(0, 0, 1)])) == [(-1, -1, -1)]


def test_a_wire_to_the_next_column_changes_its_height_in_the_gap_between() -> None:
    assert ways(make([1, 1, 1], [(0, 0, 1), (0, 0, 2)])) == [(-1, -1, -1), (1, -1, -1)]


def test_a_wire_over_free_cells_turns_late_and_one_with_chips_before_it_early() -> None:
    free = {0: (0, 1), 1: (1, 0), 2: (2, 0), 3: (3, 0)}
    assert ways(make([1] * 4, [(1, 0, 2), (2, 0, 3), (0, 0, 3)], free))[2] == (3, -1, -1)
    full = {0: (0, 0), 1: (1, 0), 2: (2, 0), 3: (3, 1)}
    assert ways(make([1] * 4, [(0, 0, 1), (1, 0, 2), (0, 0, 3)], full))[2] == (1, -1, -1)


def test_a_wire_with_chips_in_both_lanes_takes_the_bus_between_them() -> None:
    cells = {0: (0, 0), 1: (1, 0), 2: (1, 1), 3: (2, 1)}
    assert ways(make([1] * 4, [(0, 0, 3)], cells)) == [(1, 1, 2)]


@pytest.mark.parametrize(("port", "bus"), [(0, 0), (1, 1)])
def test_a_loop_back_takes_the_side_of_its_port(port: int, bus: int) -> None:
    cells = {0: (0, 0), 1: (1, 0)}
    assert ways(make([1, 2], [(1, port, 0)], cells)) == [(2, bus, 0)]


def test_a_wire_goes_round_all_rather_than_across_another() -> None:
    # 0 leaves by its lower port for 4; a wall of wires from 1 stands between, and below it all is free.
    cells = {0: (0, 0), 1: (1, 0), 2: (2, 0), 3: (2, 1), 4: (3, 0), 5: (2, 2)}
    board = make([2, 1, 1, 1, 1, 1], [(0, 0, 1), (1, 0, 2), (1, 0, 3), (1, 0, 5), (0, 1, 4)], cells)
    assert ways(board)[-1] == (1, 3, 3)


def test_two_lines_in_one_run_of_free_cells_keep_apart() -> None:
    # 0's line to the right and 1's line from the left share the free cells between them.
    cells = {0: (0, 0), 1: (6, 0), 2: (4, 1), 3: (1, 1), 4: (0, 1), 5: (5, 1)}
    board = make([1] * 6, [(0, 0, 2), (3, 0, 1)], cells)
    routes = chosen(board)
    lines = {wire.target: gap for wire, gap, bus in zip(board.wires, routes.gap, routes.bus, strict=True) if bus < 0}
    assert lines.get(2, 0) <= lines.get(1, 9)


def test_port_offsets_are_those_of_the_picture() -> None:
    assert chosen(make([3, 1], [(0, 0, 1), (0, 1, 1), (0, 2, 1)])).offset == [-16, 0, 16]
