"""The order of a graph: first in first out, cycles named, roots counted, and who comes before whom."""

import pytest

from circuit_export.formats.skills.plan import components, plan, reachable


@pytest.mark.parametrize(
    ("count", "links", "order"),
    [
        (0, [], ()),
        (1, [], (0,)),
        (4, [(0, 1), (2, 3)], (0, 2, 1, 3)),  # every root before any released node
        (4, [(0, 3), (0, 1), (0, 2)], (0, 3, 1, 2)),  # in the order of the edges, not of the nodes
        (3, [(2, 0), (0, 1)], (2, 0, 1)),
        (2, [(0, 1), (0, 1)], (0, 1)),  # parallel edges
    ],
)
def test_order(count: int, links: list[tuple[int, int]], order: tuple[int, ...]) -> None:
    found = plan(count, links)
    assert found.order == order
    assert found.cycle == ()


@pytest.mark.parametrize(
    ("count", "links", "cycle"),
    [
        (1, [(0, 0)], (0,)),
        (3, [(0, 1), (1, 2), (2, 1)], (1, 2)),
        (4, [(3, 2), (2, 1), (1, 3), (0, 1)], (1, 3, 2)),
        (5, [(0, 1), (1, 0), (1, 2), (2, 3), (3, 4)], (0, 1)),
    ],
)
def test_a_cycle_is_named_as_a_way_round(count: int, links: list[tuple[int, int]], cycle: tuple[int, ...]) -> None:
    found = plan(count, links)
    assert (found.order, found.cycle) == ((), cycle)
    assert all(pair in links for pair in zip(cycle, (*cycle[1:], cycle[0]), strict=True))


@pytest.mark.parametrize(
    ("count", "links", "roots"),
    [
        (3, [(0, 2), (1, 2)], ((0,), (1,))),
        (3, [(0, 1)], ((0,), (2,))),
        (3, [(0, 1), (1, 0), (1, 2)], ((0, 1),)),
        (2, [(0, 0)], ((0,), (1,))),
        (4, [(0, 1), (1, 0), (2, 3), (3, 2)], ((0, 1), (2, 3))),
    ],
)
def test_roots(count: int, links: list[tuple[int, int]], roots: tuple[tuple[int, ...], ...]) -> None:
    assert plan(count, links).roots == roots


def test_reachable() -> None:
    links = [(0, 1), (1, 2), (2, 1), (2, 3)]
    asked = [(source, target) for source in range(4) for target in range(4)]
    assert reachable(4, links, asked) == {
        *((0, 1), (0, 2), (0, 3), (1, 1), (1, 2), (1, 3)),
        *((2, 1), (2, 2), (2, 3)),
    }


def test_more_sources_than_a_block_holds() -> None:
    count = 5000
    links = [(node, node + 1) for node in range(count - 1)]
    asked = {(node, count - 1) for node in range(count)} | {(node + 2, node) for node in range(count - 2)}
    assert reachable(count, links, asked) == {(node, count - 1) for node in range(count - 1)}


def test_a_long_chain_and_a_long_ring() -> None:
    count = 100_000
    chain = [(node, node + 1) for node in range(count - 1)]
    assert plan(count, chain).order == tuple(range(count))
    ring = [*chain, (count - 1, 0)]
    assert plan(count, ring).cycle == tuple(range(count))
    assert set(components(count, ring)) == {0}
