"""The grid: chip sizes, ports, ranks of columns and lanes, and neighbours in a lane."""

import pytest
from support.drawings import make

from circuit_export.board.grid import chip_height, grid, port_offset
from circuit_export.board.layout import layout


@pytest.mark.parametrize(("ports", "height"), [(0, 104), (1, 104), (2, 128), (6, 128), (7, 142), (200, 2844)])
def test_a_chip_s_height(ports: int, height: int) -> None:
    assert chip_height(ports) == height


@pytest.mark.parametrize(("index", "ports", "offset"), [(0, 1, 0), (0, 2, -8), (5, 6, 40), (6, 7, 42), (0, 200, -1393)])
def test_a_port_s_offset(index: int, ports: int, offset: int) -> None:
    assert port_offset(index, ports) == offset


def test_only_columns_and_lanes_in_use_count() -> None:
    board = make([1, 1, 1], [], {0: (9, 700), 1: (2, 700), 2: (2, 3)})
    cells = grid(board, layout(board))
    assert (cells.cols, cells.lanes) == ([2, 9], [3, 700])
    assert (cells.col, cells.lane) == ([1, 0, 0], [1, 1, 0])


def test_neighbours_are_the_nearest_chips_of_the_same_lane() -> None:
    board = make([1] * 4, [], {0: (5, 0), 1: (0, 0), 2: (9, 0), 3: (3, 1)})
    cells = grid(board, layout(board))
    assert cells.left == [1, -1, 0, -1]
    assert cells.right == [2, 0, -1, -1]
