"""Bounds the work of a search: characters looked at, layers opened, definitions kept; what is given up is said."""

from __future__ import annotations


class Budget:
    """Counts work in characters. `spent` is what the tests read: work is counted, not timed."""

    def __init__(self, characters: int, layers: int = 20_000) -> None:
        self.left = characters
        self.layers = layers
        self.spent = 0
        self.given_up: list[str] = []

    def spend(self, characters: int) -> bool:
        """Takes so much from what is left; False, and nothing taken, when there is not enough."""
        if characters > self.left:
            self.give_up("It is too tangled to be searched to its end")
            return False
        self.left -= characters
        self.spent += characters
        return True

    def grow(self, characters: int) -> None:
        """Allows so much more work, since a packed source turned out to be larger than it looked."""
        self.left += characters

    def layer(self) -> bool:
        """Opens one more layer; False when there were too many."""
        if self.layers <= 0:
            self.give_up("It holds more texts within texts than are searched")
            return False
        self.layers -= 1
        return True

    def give_up(self, sentence: str) -> None:
        """Notes once that something was left unsearched."""
        if sentence not in self.given_up:
            self.given_up.append(sentence)
