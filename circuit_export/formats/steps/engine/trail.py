"""The way the walk has come since the last directive, so that a cycle which passes none is seen at once."""

from __future__ import annotations

from collections.abc import Hashable


class Trail:
    """The steps from where the walk was taken up to where it stands, and how far each queued step goes back.

    A step that is queued twice is no cycle (two wires into a shared tail); a step that its own way leads back to is.
    Steps before the innermost frame do not count: a way from inside a loop's body back to them comes to the open
    loop again, and ends there. What was queued before this walk began goes back to its beginning.
    """

    __slots__ = ("_chain", "_depths", "_on", "_outer")

    def __init__(self) -> None:
        self._chain: list[Hashable] = []
        self._on: set[Hashable] = set()  # the steps of the chain since the innermost frame opened
        self._depths: list[int] = []
        self._outer: list[tuple[list[int], int, set[Hashable]]] = []

    def queued(self, count: int) -> None:
        """So many steps were queued, from where the walk stands."""
        depth = len(self._chain)
        self._depths.extend([depth] * count)

    def follow(self, key: Hashable) -> list[Hashable] | None:
        """The last queued step is taken up; returns the cycle, from the step on, when the way leads round."""
        self._cut(self._depths.pop() if self._depths else self._opened)
        if key in self._on:
            since = len(self._chain) - 1 - self._chain[::-1].index(key)
            return self._chain[since:]
        self._chain.append(key)
        self._on.add(key)
        return None

    def drop(self) -> None:
        """The last queued step is not taken up."""
        if self._depths:
            self._depths.pop()

    def open(self) -> None:
        """A frame with a queue of its own opens where the walk stands."""
        self._outer.append((self._depths, len(self._chain), self._on))
        self._depths = []
        self._on = set()

    def again(self) -> None:
        """The innermost frame begins once more: the walk stands where it opened."""
        self._depths = []
        self._cut(self._opened)

    def close(self) -> None:
        """The innermost frame closes: the walk stands where it opened, with the queue of then."""
        self._cut(self._opened)
        self._depths, _opened, self._on = self._outer.pop() if self._outer else ([], 0, set())

    @property
    def _opened(self) -> int:
        """Where in the chain the innermost frame opened."""
        return self._outer[-1][1] if self._outer else 0

    def _cut(self, depth: int) -> None:
        while len(self._chain) > depth:
            self._on.discard(self._chain.pop())
