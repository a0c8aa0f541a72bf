"""Routing: the vectors and hard boards through the geometry checker, and how single wires run."""

import random
from pathlib import Path

import pytest
from support.drawings import VECTORS, board_of, faults, geometry, make

from circuit_export.board.grid import CHIP_WIDTH
from circuit_export.board.layout import layout
from circuit_export.board.model import Board, Scope
from circuit_export.board.routing import Drawing, path_data, route


def drawn(board: Board) -> Drawing:
    return route(board, layout(board))


def between_two_columns(count: int, wires: list[tuple[int, int, int]], ports: int = 1) -> Board:
    """So many chips in each of two columns; wires lead from the first ones to the others."""
    cells = {i: (0, i) for i in range(count)} | {count + i: (1, i) for i in range(count)}
    return make([ports] * count + [1] * count, wires, cells)


def permutation(count: int, seed: int) -> Board:
    targets = list(range(count))
    random.Random(seed).shuffle(targets)
    return between_two_columns(count, [(i, 0, count + target) for i, target in enumerate(targets)])


def nested(depth: int) -> Board:
    wires = [(i, 0, i + 1) for i in range(depth)] + [(i, 1, depth + 1 + i) for i in range(depth)]
    return make([2] * depth + [1] * (depth + 1), wires, scopes=dict.fromkeys(range(depth), Scope("p0", "p1")))


def scattered(chips: int, ports: int, wires: int, seed: int, positions: bool = False) -> Board:
    r = random.Random(seed)
    ends = [(r.randrange(chips), r.randrange(ports), r.randrange(chips)) for _ in range(wires)]
    cells = r.sample([(col, lane) for col in range(chips) for lane in range(6)], chips)
    return make([ports] * chips, ends, dict(enumerate(cells)) if positions else None)


ALL_TO_ALL = [(i, j) for i in range(8) for j in range(8)]
LINE = {i: (i, 0) for i in range(40)}
STEPS = [(i, 0, i + 1) for i in range(39)]
HARD = {
    "one chip": make([1], []),
    "one chip wired to itself": make([1], [(0, 0, 0)]),
    "100 unwired chips": make([1] * 100, []),
    "200 ports": make([200] + [1] * 200, [(0, i, i + 1) for i in range(200)]),
    "200 ports the other way round": make([200] + [1] * 200, [(0, i, 200 - i) for i in range(200)]),
    "200 ports to one chip": make([200, 1], [(0, i, 1) for i in range(200)]),
    "30 wires into one chip": make([1] * 31, [(i, 0, 30) for i in range(30)]),
    "30 wires into one chip from everywhere": make(
        [1] * 31, [(i, 0, 30) for i in range(30)], {i: (i, i % 3) for i in range(30)} | {30: (40, 1)}
    ),
    "eight wired to all by a port each": make([8] * 8, [(i, j, j) for i, j in ALL_TO_ALL]),
    "eight wired to all by one port": make([1] * 8, [(i, 0, j) for i, j in ALL_TO_ALL]),
    "eight wired to all on a grid": make(
        [3] * 8, [(i, j % 3, j) for i, j in ALL_TO_ALL], {i: (i % 3, i // 3) for i in range(8)}
    ),
    "two swapped": between_two_columns(2, [(0, 0, 3), (1, 0, 2)]),
    "a ring of swaps": between_two_columns(6, [(i, 0, 6 + (i + 1) % 6) for i in range(6)]),
    "all to all between two columns": between_two_columns(6, [(i, 0, 6 + j) for i in range(6) for j in range(6)]),
    "all to all by ports": between_two_columns(6, [(i, j, 6 + j) for i in range(6) for j in range(6)], 6),
    "nested loops": nested(12),
    "loops to themselves": make([3] * 5, [(i, j, i) for i in range(5) for j in range(3)]),
    "far apart": make(
        [1] * 6,
        [(0, 0, 1), (1, 0, 2), (2, 0, 3), (3, 0, 0), (0, 0, 4), (4, 0, 5), (5, 0, 2)],
        {0: (0, 0), 1: (9000, 0), 2: (3, 9000), 3: (10_000, 10_000), 4: (0, 10_000)},
    ),
    "wires twice over": make([2, 1, 1], [(0, 0, 1)] * 3 + [(0, 1, 1)] * 2 + [(1, 0, 2)] * 2),
    "long skips over full lanes": make([2] * 40, STEPS + [(i, 1, min(39, i * 3 % 37 + 2)) for i in range(38)], LINE),
    "everything leads back": make([2] * 40, STEPS + [(i, 1, i * 7 % (i + 1)) for i in range(40)]),
    "a dense tangle": scattered(30, 4, 120, seed=1),
    "a dense tangle on given cells": scattered(24, 3, 90, seed=2, positions=True),
} | {f"a permutation of {count}": permutation(count, seed=count) for count in (3, 5, 12, 30)}


@pytest.mark.parametrize("board", HARD.values(), ids=HARD.keys())
def test_hard_boards_are_drawn_without_a_fault(board: Board, tmp_path: Path) -> None:
    assert faults(geometry(board, tmp_path)) == {}


def test_the_vectors_are_drawn_without_a_fault_and_with_hardly_a_crossing(tmp_path: Path) -> None:
    counts = {vector["name"]: geometry(board_of(vector["board"]), tmp_path) for vector in VECTORS}
    assert {name: faults(count) for name, count in counts.items() if faults(count)} == {}
    # In one a chip's wires are listed the other way round, in one a loop leaves over a neighbour's only wire.
    assert {name: c["crossings"] for name, c in counts.items() if c["crossings"]} == {"b11-017": 1, "b11-021": 1}


def test_neighbours_stand_on_the_usual_grid_and_their_wire_is_straight() -> None:
    drawing = drawn(make([1, 1], [(0, 0, 1)]))
    assert drawing.boxes == ((24, 24, 178, 104), (244, 24, 178, 104))
    assert drawing.paths == (((202, 76), (244, 76)),)
    assert drawing.pads == ((202, 76), (244, 76))
    assert (drawing.width, drawing.height) == (446, 152)


def test_lanes_stand_150_apart() -> None:
    assert [y for _, y, _, _ in drawn(make([1] * 3, [])).boxes] == [24, 174, 324]


def test_a_chip_s_height_follows_from_its_ports() -> None:
    heights = [h for _, _, _, h in drawn(make([0, 1, 2, 6, 7, 9], [])).boxes]
    assert heights == [104, 104, 128, 128, 142, 170]


def test_a_lane_is_as_high_as_its_tallest_chip_and_22() -> None:
    boxes = drawn(make([9, 9, 1], [])).boxes
    assert boxes[1][1] - (boxes[0][1] + boxes[0][3]) == 22


@pytest.mark.parametrize(("ports", "offsets"), [(2, [-8, 8]), (3, [-16, 0, 16]), (7, [-42, -28, -14, 0, 14, 28, 42])])
def test_ports_leave_the_right_edge_evenly_about_the_middle(ports: int, offsets: list[int]) -> None:
    drawing = drawn(make([ports, 1], [(0, i, 1) for i in range(ports)]))
    x, y, w, h = drawing.boxes[0]
    assert [path[0] for path in drawing.paths] == [(x + w, y + h // 2 + offset) for offset in offsets]
    assert {path[-1] for path in drawing.paths} == {(drawing.boxes[1][0], drawing.boxes[1][1] + 52)}


def test_a_port_beside_the_middle_reaches_its_neighbour_by_two_mitres() -> None:
    drawing = drawn(make([2, 1], [(0, 0, 1)]))
    assert drawing.paths == (((202, 80), (219, 80), (223, 84), (227, 88), (244, 88)),)


def test_every_corner_is_cut_by_four() -> None:
    drawing = drawn(make([2, 1, 1], [(0, 0, 1), (0, 1, 2)]))
    x = drawing.paths[1][1][0] + 4
    assert drawing.paths[1] == ((202, 96), (x - 4, 96), (x, 100), (x, 234), (x + 4, 238), (244, 238))


def test_wires_of_one_port_share_their_track() -> None:
    drawing = drawn(make([1, 1, 1, 1], [(0, 0, 1), (0, 0, 2), (0, 0, 3)]))
    assert drawing.paths[1][2][0] == drawing.paths[2][2][0]
    assert len(drawing.pads) == 4


def test_wires_to_one_chip_merge_before_its_pad() -> None:
    drawing = drawn(make([1] * 4, [(0, 0, 3), (1, 0, 3), (2, 0, 3)]))
    tracks = {path[2][0] for path in drawing.paths[1:]}
    assert len(tracks) == 1
    assert len(drawing.paths[0]) == 2


def test_a_wire_runs_through_free_cells_of_its_lane() -> None:
    board = make([1, 1, 1], [(0, 0, 2)], {0: (0, 0), 1: (2, 1), 2: (5, 0)})
    assert len(drawn(board).paths[0]) == 2


def test_a_wire_passes_a_chip_in_its_lane_on_a_bus() -> None:
    drawing = drawn(make([2, 1, 1], [(0, 0, 1), (0, 1, 2), (1, 0, 2)], {0: (0, 0), 1: (1, 0), 2: (2, 0)}))
    assert max(y for _, y in drawing.paths[1]) > drawing.boxes[1][1] + drawing.boxes[1][3]


def test_a_loop_back_runs_close_over_or_under_its_chips() -> None:
    drawing = drawn(make([1, 2], [(0, 0, 1), (1, 0, 0)]))
    assert min(y for _, y in drawing.paths[1]) == drawing.boxes[1][1] - 12
    assert drawing.paths[1][-1] == (drawing.boxes[0][0], 88)


def test_in_a_wide_space_a_loop_stays_near_its_chip() -> None:
    drawing = drawn(make([3, 1], [(0, 1, 0), (0, 2, 0), (0, 0, 1)], {0: (0, 0), 1: (1, 50)}))
    bottom = drawing.boxes[0][1] + drawing.boxes[0][3]
    assert max(y for path in drawing.paths[:2] for _, y in path) <= bottom + 46


def test_five_tracks_fit_in_the_usual_gap_and_a_sixth_widens_it() -> None:
    def gap(count: int) -> int:
        rows = {i: (0, i) for i in range(count)} | {count + i: (1, 2 * count - i) for i in range(count)}
        boxes = drawn(make([1] * 2 * count, [(i, 0, count + i) for i in range(count)], rows)).boxes
        return boxes[count][0] - (boxes[0][0] + CHIP_WIDTH)

    assert [gap(count) for count in (1, 5, 6, 7)] == [42, 42, 48, 54]


def test_sparse_columns_and_lanes_keep_their_distance_but_cost_nothing() -> None:
    drawing = drawn(make([1, 1], [(0, 0, 1)], {0: (0, 0), 1: (9000, 9000)}))
    assert drawing.boxes[1] == (24 + 9000 * 220, 24 + 9000 * 150, 178, 104)
    assert len(drawing.paths[0]) <= 6


def test_two_chips_of_the_same_name_are_two_chips() -> None:
    board = make([1, 1], [(0, 0, 1), (1, 0, 0)])
    twins = Board("b", "b", "", (board.chips[0], board.chips[0]), board.wires)
    assert drawn(twins) == drawn(board)


def test_a_port_named_twice_leaves_at_its_first_place() -> None:
    board = make([9, 1], [(0, 3, 1)])
    twice = (*board.chips[0].ports[:5], "p3", *board.chips[0].ports[6:])
    chip = type(board.chips[0])("s0", "do", "", "", board.chips[0].actor, twice)
    assert drawn(Board("b", "b", "", (chip, board.chips[1]), board.wires)).paths == drawn(board).paths


def test_a_board_without_chips_is_only_its_margin() -> None:
    assert drawn(make([], [])) == Drawing(24, 24, (), (), ())


def test_long_boards_do_not_recurse() -> None:
    count = 20_000
    ring = drawn(make([1] * count, [(i, 0, (i + 1) % count) for i in range(count)]))
    assert ring.width == 24 + (count - 1) * 220 + 178 + 24


def test_path_data_is_absolute_and_whole() -> None:
    assert path_data([(1, 2), (5, 2), (9, 6), (9, 20), (3, 20)]) == "M1 2H5L9 6V20H3"
    assert path_data([]) == ""


def test_a_gap_full_of_circles_is_untangled_at_once(tmp_path: Path) -> None:
    r = random.Random(7)
    board = between_two_columns(60, [(i, 0, 60 + r.randrange(60)) for i in range(60) for _ in range(3)])
    assert faults(geometry(board, tmp_path)) == {}
