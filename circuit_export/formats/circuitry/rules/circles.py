"""The circles of a directed graph: its strongly connected components that hold a way back."""

from __future__ import annotations


def circles(links: list[list[int]]) -> list[list[int]]:
    """The nodes of each circle in their order, by the first of them. Walks without recursion."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    waiting: set[int] = set()
    found: list[list[int]] = []
    for root in range(len(links)):
        if root in index:
            continue
        work = [(root, 0)]
        while work:
            node, at = work.pop()
            if not at:
                index[node] = low[node] = len(index)
                stack.append(node)
                waiting.add(node)
            for place in range(at, len(links[node])):
                target = links[node][place]
                if target not in index:
                    work += [(node, place + 1), (target, 0)]
                    break
                if target in waiting:
                    low[node] = min(low[node], index[target])
            else:
                _close(node, index, low, stack, waiting, links, found)
                if work:
                    above = work[-1][0]
                    low[above] = min(low[above], low[node])
    return sorted(found)


def _close(
    node: int,
    index: dict[int, int],
    low: dict[int, int],
    stack: list[int],
    waiting: set[int],
    links: list[list[int]],
    found: list[list[int]],
) -> None:
    """Takes a component off the stack when its first node is left."""
    if low[node] != index[node]:
        return
    members = []
    while True:
        member = stack.pop()
        waiting.discard(member)
        members.append(member)
        if member == node:
            break
    if len(members) > 1 or node in links[node]:
        found.append(sorted(members))
