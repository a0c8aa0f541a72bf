"""The walk through a board that its layout stands on: preorder, wires without cycles, and each chip's column."""

from __future__ import annotations

from typing import NamedTuple

from circuit_export.board.model import Board


class Walk(NamedTuple):
    """A depth-first walk: chip indices in preorder, and for each chip where its wires lead, cycles left out.

    `outs` has the targets of all wires in written order, `down` only those that close no cycle. `closing` are the
    back edges as (source, target) pairs.
    """

    preorder: list[int]
    outs: list[list[int]]
    down: list[list[int]]
    closing: set[tuple[int, int]]


def walk(board: Board) -> Walk:
    """Walks from the entry, then from what is left in document order, wires in written order."""
    count = len(board.chips)
    outs: list[list[int]] = [[] for _ in range(count)]
    for wire in board.wires:
        outs[wire.source].append(wire.target)
    preorder: list[int] = []
    closing: set[tuple[int, int]] = set()
    state = bytearray(count)  # 0 not seen, 1 on the path that is walked now, 2 left behind
    roots = (board.entry, *range(count)) if count else ()
    for root in roots:
        if state[root]:
            continue
        state[root] = 1
        preorder.append(root)
        path = [(root, iter(outs[root]))]
        while path:
            at, targets = path[-1]
            for target in targets:
                seen = state[target]
                if not seen:
                    state[target] = 1
                    preorder.append(target)
                    path.append((target, iter(outs[target])))
                    break
                if seen == 1:
                    closing.add((at, target))
            else:
                state[at] = 2
                path.pop()
    if not closing:
        return Walk(preorder, outs, outs, closing)
    down = [[target for target in targets if (at, target) not in closing] for at, targets in enumerate(outs)]
    return Walk(preorder, outs, down, closing)


def columns(board: Board, walked: Walk) -> list[int]:
    """Each chip's column: the longest way to it over wires and over arrows from a body to what follows it."""
    down = walked.down
    scopes = _scopes(board, walked)
    order = _topological(walked, {loop: after for loop, _, after in scopes})
    arrows = _arrows(scopes, down, order) if scopes else Arrows({}, {})
    column = [0] * len(down)
    behind = [-1] * len(down)  # the last column of all that a chip reaches, once somebody asked for it
    for at in order:
        here = column[at]
        for starts in arrows.whole.get(at, ()):
            here = max(here, 1 + max(_farthest(start, down, column, behind) for start in starts))
        for steps in arrows.some.get(at, ()):
            here = max(here, 1 + max(column[step] for step in steps))
        column[at] = here
        beyond = here + 1
        for target in down[at]:
            if column[target] < beyond:
                column[target] = beyond
    return column


def _farthest(start: int, down: list[list[int]], column: list[int], behind: list[int]) -> int:
    """The last column of all that `start` reaches; all of it has its column. Each chip is looked at once in all."""
    todo = [start]
    while todo:
        at = todo[-1]
        if behind[at] < 0:
            missing = [target for target in down[at] if behind[target] < 0]
            if missing:
                todo += missing
                continue
            behind[at] = max((behind[target] for target in down[at]), default=column[at])
        todo.pop()
    return behind[start]


class Arrows(NamedTuple):
    """Arrows from bodies to the chip (the key) that follows them.

    `whole` has, for each body that leads there as a whole, where it starts; `some` has lists of chips of a body. Of
    such a list the chips with wires to others of it may be missing: the others have the longer ways.
    """

    whole: dict[int, list[list[int]]]
    some: dict[int, list[list[int]]]


def _scopes(board: Board, walked: Walk) -> list[tuple[int, list[int], list[int]]]:
    """(chip, targets of its body port, targets of its after port) for each chip that needs arrows, in walk order."""
    chips = board.chips
    loops = {i for i, chip in enumerate(chips) if chip.scope is not None}
    if not loops:
        return []
    bodies: dict[int, list[int]] = {}
    afters: dict[int, list[int]] = {}
    for source, port, target, _ in board.wires:
        if source in loops and (source, target) not in walked.closing:
            scope = chips[source].scope
            assert scope is not None
            if port == scope.body:
                bodies.setdefault(source, []).append(target)
            elif port == scope.after:
                afters.setdefault(source, []).append(target)
    return [(loop, bodies[loop], afters[loop]) for loop in walked.preorder if loop in bodies and loop in afters]


def _topological(walked: Walk, first: dict[int, list[int]]) -> list[int]:
    """The chips in an order that all kept wires follow, bodies before what comes after them wherever that can be.

    `first` says where to go first from some chips: in a reversed postorder what is visited first stands last.
    """
    down = walked.down
    seen = bytearray(len(down))
    postorder: list[int] = []
    for root in walked.preorder:
        if seen[root]:
            continue
        seen[root] = 1
        path = [(root, iter(first[root] + down[root] if root in first else down[root]))]
        while path:
            at, targets = path[-1]
            for target in targets:
                if not seen[target]:
                    seen[target] = 1
                    path.append((target, iter(first[target] + down[target] if target in first else down[target])))
                    break
            else:
                postorder.append(at)
                path.pop()
    postorder.reverse()
    return postorder


def _arrows(scopes: list[tuple[int, list[int], list[int]]], down: list[list[int]], order: list[int]) -> Arrows:
    """All arrows but those that would close a cycle; `order` is changed so that it follows them.

    While the order is as it was found, a body's last place in it is known from where the body starts, and nothing
    needs to walk the body: nested loops cost no more than others.
    """
    position = [0] * len(order)
    for place, step in enumerate(order):
        position[step] = place
    last_of = position.copy()
    for step in reversed(order):
        for target in down[step]:
            if last_of[target] > last_of[step]:
                last_of[step] = last_of[target]
    arrows = Arrows({}, {})
    moved = False
    for _, starts, afters in scopes:
        body: dict[int, None] = {}
        for after in dict.fromkeys(afters):
            if not moved and all(last_of[start] < position[after] for start in starts):
                arrows.whole.setdefault(after, []).append(starts)
                continue
            body = body or _reach(starts, down)
            if after in body:
                continue
            kept = _ends(body, down)
            if any(position[step] > position[after] for step in kept):
                if not moved:
                    moved = True
                    _spell_out(arrows, down)
                kept = _without_cycle(after, body, down, arrows.some, order, position)
            if kept:
                arrows.some.setdefault(after, []).append(kept)
    return arrows


def _ends(body: dict[int, None], down: list[list[int]]) -> list[int]:
    """The chips of a body that lead nowhere: every other one has a longer way through one of them."""
    return [step for step in body if not down[step]]


def _spell_out(arrows: Arrows, down: list[list[int]]) -> None:
    """Turns arrows of whole bodies into arrows of chips."""
    for after, bodies in arrows.whole.items():
        arrows.some.setdefault(after, []).extend(_ends(_reach(starts, down), down) for starts in bodies)
    arrows.whole.clear()


def _reach(starts: list[int], down: list[list[int]]) -> dict[int, None]:
    """All that `starts` reach, themselves included, in the order it is met."""
    met = dict.fromkeys(starts)
    todo = list(met)
    while todo:
        for target in down[todo.pop()]:
            if target not in met:
                met[target] = None
                todo.append(target)
    return met


def _without_cycle(
    after: int,
    body: dict[int, None],
    down: list[list[int]],
    arrows: dict[int, list[list[int]]],
    order: list[int],
    position: list[int],
) -> list[int]:
    """The chips of `body` that `after` does not reach; moves what it reaches behind them in `order`."""
    leads: dict[int, list[int]] = {}
    for target, bodies in arrows.items():
        for steps in bodies:
            for step in steps:
                leads.setdefault(step, []).append(target)
    first, last = position[after], max(position[step] for step in body)
    reached = {after}
    todo = [after]
    while todo:
        at = todo.pop()
        for target in (*down[at], *leads.get(at, ())):
            if target not in reached and position[target] <= last:
                reached.add(target)
                todo.append(target)
    kept = [step for step in body if step not in reached]
    region = order[first : last + 1]
    moved = [step for step in region if step not in reached] + [step for step in region if step in reached]
    order[first : last + 1] = moved
    for place, step in enumerate(moved, first):
        position[step] = place
    return kept
