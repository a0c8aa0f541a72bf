"""Laws of layout and routing on arbitrary boards: nothing raises, all is as the rules say, no wire is in the way."""

from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from support.drawings import faults, geometry, make

from circuit_export.board.layout import layout
from circuit_export.board.model import Board, Place, Scope
from circuit_export.board.routing import route
from circuit_export.board.walk import columns, walk


@st.composite
def boards(draw: st.DrawFn, most: int = 14, given_positions: bool = True) -> Board:
    """Small nasty boards: cycles, self-wires, wires twice over, loops that overlap, many ports, sparse positions."""
    count = draw(st.integers(1, most))
    chip = st.integers(0, count - 1)
    ports = draw(st.lists(st.sampled_from([1, 1, 1, 2, 2, 3, 4, 7, 12]), min_size=count, max_size=count))
    ends = draw(st.lists(st.tuples(chip, st.integers(0, 11), chip), max_size=4 * count))
    wires = [(source, port % ports[source], target) for source, port, target in ends]
    scoped = draw(st.sets(chip))
    positions: dict[int, tuple[int, int]] = {}
    if given_positions and draw(st.booleans()):
        far = draw(st.sampled_from([4, 4, 30, 10_000]))
        cells = st.tuples(st.integers(0, far), st.integers(0, min(far, 40)))
        some = draw(st.lists(cells, unique=True, min_size=0, max_size=count))
        positions = dict(enumerate(some))
    return make(ports, wires, positions, dict.fromkeys(scoped, Scope("p0", "p1")), draw(chip))


@settings(max_examples=250, deadline=None)
@given(boards())
def test_no_wire_touches_a_chip_or_shares_its_way(board: Board) -> None:
    with TemporaryDirectory() as folder:
        assert faults(geometry(board, Path(folder))) == {}


@settings(max_examples=200, deadline=None)
@given(boards())
def test_places_are_unique_and_the_walk_has_every_chip_once(board: Board) -> None:
    placed = layout(board)
    assert len(set(placed.places)) == len(board.chips)
    assert sorted(placed.walk) == list(range(len(board.chips)))
    assert all(min(place) >= 0 for place in placed.places)


@settings(max_examples=100, deadline=None)
@given(boards())
def test_the_same_board_is_drawn_the_same_twice(board: Board) -> None:
    first, second = layout(board), layout(board)
    assert first == second
    assert route(board, first) == route(board, second)


@settings(max_examples=200, deadline=None)
@given(boards(given_positions=False))
def test_a_step_is_right_of_all_that_leads_to_it_but_for_cycles(board: Board) -> None:
    places = layout(board).places
    closing = walk(board).closing
    for wire in board.wires:
        if (wire.source, wire.target) not in closing:
            assert places[wire.source].col < places[wire.target].col


@settings(max_examples=100, deadline=None)
@given(boards(given_positions=False), st.sets(st.integers(0, 13)))
def test_a_position_is_kept_when_it_can_be(board: Board, which: set[int]) -> None:
    assume(which)
    places = layout(board).places
    moved = {i: (places[i].col + 3, places[i].lane + 2) for i in which if i < len(places)}
    wires = [(wire.source, int(wire.port[1:]), wire.target) for wire in board.wires]
    again = make([len(chip.ports) for chip in board.chips], wires, moved, entry=board.entry)
    found = layout(again)
    assert found.findings == ()
    assert {i: found.places[i] for i in moved} == {i: Place(*cell) for i, cell in moved.items()}


def columns_by_hand(board: Board) -> list[int]:
    """Columns as the rules say it, arrow by arrow, with no thought of time."""
    walked = walk(board)
    wires: list[set[int]] = [set(targets) for targets in walked.down]
    arrows: list[set[int]] = [set(targets) for targets in walked.down]

    def reach(starts: set[int], edges: list[set[int]]) -> set[int]:
        met: set[int] = set()
        while starts:
            met |= starts
            starts = {target for at in starts for target in edges[at]} - met
        return met

    for loop in walked.preorder:
        scope = board.chips[loop].scope
        if scope is None:
            continue
        leaving = [wire for wire in board.wires if wire.source == loop and (loop, wire.target) not in walked.closing]
        body = reach({wire.target for wire in leaving if wire.port == scope.body}, wires)
        for after in [wire.target for wire in leaving if wire.port == scope.after]:
            if after not in body:
                for step in body - reach({after}, arrows):
                    arrows[step].add(after)
    column = [0] * len(board.chips)
    for _ in column:
        for at, targets in enumerate(arrows):
            for target in targets:
                column[target] = max(column[target], column[at] + 1)
    return column


@settings(max_examples=400, deadline=None)
@given(boards(most=10, given_positions=False))
def test_columns_are_those_of_the_rules_followed_by_hand(board: Board) -> None:
    assert columns(board, walk(board)) == columns_by_hand(board)
