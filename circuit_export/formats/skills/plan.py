"""The order in which a graph's nodes run, or the cycle that forbids one; its roots; and who comes before whom."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import NamedTuple

Link = tuple[int, int]
"""A dependency between two nodes by their places, from 0."""

_BLOCK = 2048  # sources whose descendants are followed at once: the bits of one integer for each node


class Plan(NamedTuple):
    """How a graph runs. `order` is empty when `cycle` is not; `roots` are the components that nothing leads to.

    All are places of nodes. A cycle begins with its first node in document order; each leads to the next, and the
    last to the first.
    """

    order: tuple[int, ...]
    cycle: tuple[int, ...]
    roots: tuple[tuple[int, ...], ...]


def plan(count: int, links: Sequence[Link]) -> Plan:
    """Plans a graph of `count` nodes by Kahn's algorithm, first in first out.

    Nodes without a dependency come in document order, a released one when its last dependency has run, those that
    one node releases in the order of the links.
    """
    after = successors(count, links)
    open_links = [0] * count
    for _, target in links:
        open_links[target] += 1
    ready = deque(node for node in range(count) if not open_links[node])
    roots = tuple((node,) for node in ready)
    order = []
    while ready:
        node = ready.popleft()
        order.append(node)
        for target in after[node]:
            open_links[target] -= 1
            if not open_links[target]:
                ready.append(target)
    if len(order) == count:
        return Plan(tuple(order), (), roots)
    return Plan((), _cycle(open_links, links), root_components(count, links))


def successors(count: int, links: Iterable[Link]) -> list[list[int]]:
    """For each node those that depend on it, in the order of the links."""
    after: list[list[int]] = [[] for _ in range(count)]
    for source, target in links:
        after[source].append(target)
    return after


def _cycle(open_links: Sequence[int], links: Iterable[Link]) -> tuple[int, ...]:
    """A cycle among the nodes that could not run: each of them waits for another one, so walking back must repeat."""
    waits_for: dict[int, int] = {}
    for source, target in links:
        if open_links[source] and open_links[target]:
            waits_for.setdefault(target, source)
    node = next(iter(sorted(waits_for)))
    seen: dict[int, int] = {}
    walk: list[int] = []
    while node not in seen:
        seen[node] = len(walk)
        walk.append(node)
        node = waits_for[node]
    cycle = walk[seen[node] :][::-1]
    first = cycle.index(min(cycle))
    return tuple(cycle[first:] + cycle[:first])


def components(count: int, links: Sequence[Link]) -> list[int]:
    """For each node the number of its strongly connected component; a link never leads to a higher number.

    Tarjan's algorithm with a stack of its own, so that a long chain is no reason to run out of one.
    """
    after = successors(count, links)
    number = [-1] * count  # the order of discovery
    low = [0] * count
    component = [-1] * count
    path: list[int] = []
    found = discovered = 0
    for start in range(count):
        if number[start] >= 0:
            continue
        work = [(start, 0)]
        while work:
            node, at = work.pop()
            if at == 0:
                number[node] = low[node] = discovered
                discovered += 1
                path.append(node)
            else:
                low[node] = min(low[node], low[after[node][at - 1]])
            for position in range(at, len(after[node])):
                target = after[node][position]
                if number[target] < 0:
                    work += ((node, position + 1), (target, 0))
                    break
                if component[target] < 0:
                    low[node] = min(low[node], number[target])
            else:
                if low[node] == number[node]:
                    while component[node] < 0:
                        component[path.pop()] = found
                    found += 1
    return component


def root_components(count: int, links: Sequence[Link]) -> tuple[tuple[int, ...], ...]:
    """The components that no other one leads to, each as its nodes, in document order."""
    component = components(count, links)
    led_to = {component[target] for source, target in links if component[source] != component[target]}
    roots: dict[int, list[int]] = {}
    for node in range(count):
        if component[node] not in led_to:
            roots.setdefault(component[node], []).append(node)
    return tuple(tuple(nodes) for nodes in roots.values())


def reachable(count: int, links: Sequence[Link], questions: Iterable[Link]) -> set[Link]:
    """Those of the questions (from, to) whose answer is yes: some way of one or more links leads there.

    Time grows with the links for every 2,048 different sources that are asked about.
    """
    asked = set(questions)
    direct = asked.intersection(links)
    open_questions = asked - direct
    if not open_questions:
        return direct
    component = components(count, links)
    # Links from a component's point of view, those from high numbers first: a link never leads to a higher one.
    ordered = sorted({(component[source], component[target]) for source, target in links}, reverse=True)
    sources = sorted({source for source, _ in open_questions})
    found = set(direct)
    for at in range(0, len(sources), _BLOCK):
        block = {source: bit for bit, source in enumerate(sources[at : at + _BLOCK])}
        found |= _answers(component, ordered, block, [(s, t) for s, t in open_questions if s in block])
    return found


def _answers(
    component: Sequence[int], ordered: Sequence[Link], block: dict[int, int], questions: Sequence[Link]
) -> set[Link]:
    """The answers for some sources, each of them a bit."""
    own: dict[int, int] = {}
    for source, bit in block.items():
        own[component[source]] = own.get(component[source], 0) | 1 << bit
    reach: dict[int, int] = {}  # of which sources a link leads here
    for source, target in ordered:
        bits = reach.get(source, 0) | own.get(source, 0)
        if bits:
            reach[target] = reach.get(target, 0) | bits
    # A component that leads to itself is visited after all that lead to it, so its own bits are complete.
    return {(s, t) for s, t in questions if reach.get(component[t], 0) >> block[s] & 1}
