"""Values that fulfil conditions, and texts that a pattern matches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Any, NamedTuple

from circuit_export.formats.steps.engine.conditions import condition_holds
from circuit_export.runs.numbers import number_of
from circuit_export.runs.templates import text_of


class Demand(NamedTuple):
    """What a value must be: a condition's `op` and `value`, or with `wanted` false that it must not hold."""

    op: str
    value: Any
    wanted: bool = True

    def met_by(self, value: Any) -> bool:
        """Does a value meet it?"""
        return condition_holds({"field": "v", "op": self.op, "value": self.value}, {"v": value}) is self.wanted


def meeting(demands: Iterable[Demand]) -> Iterator[Any]:
    """Values that meet all the demands, the plainest first."""
    demands = list(demands)
    for candidate in _candidates(demands):
        if all(demand.met_by(candidate) for demand in demands):
            yield candidate


def _candidates(demands: list[Demand]) -> Iterator[Any]:
    """Values worth trying: what the demands name, what lies beside it, and what is none of it."""
    wanted = [demand for demand in demands if demand.wanted]
    for demand in wanted:
        if demand.op == "equals":
            yield demand.value
            yield text_of(demand.value)
    texts = []
    for demand in wanted:
        if demand.op == "contains":
            texts.append(text_of(demand.value))
        elif demand.op == "matches":
            texts.append(sample(text_of(demand.value)))
    yield from texts
    if len(texts) > 1:
        yield " ".join(texts)
    for demand in wanted:
        if demand.op == "contains":
            yield [demand.value]
    numbers = sorted({number for demand in demands if (number := number_of(demand.value)) is not None})
    for number in numbers:
        yield from (number + 1, number - 1, number)
    for one, other in pairwise(numbers):
        yield (one + other) / 2
    yield from ("something", None, "something else", 1, 0, True, [])


def sample(pattern: str) -> str:
    """A text that a regular expression of the usual kind matches; a guess, to be checked by whoever uses it."""
    return _Sampler(pattern).alternatives()


_CLASSES = {"d": "1", "w": "a", "s": " ", "D": "a", "W": " ", "S": "a", "n": "\n", "t": "\t"}
_EMPTY = frozenset("bBAzZ")


class _Sampler:
    """Reads a pattern once, and takes the shortest text of what it reads."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.at = 0

    def peek(self) -> str:
        return self.pattern[self.at : self.at + 1]

    def take(self) -> str:
        char = self.peek()
        self.at += 1
        return char

    def alternatives(self, depth: int = 0) -> str:
        """The text of the first alternative; the others are read over."""
        first = self.sequence(depth)
        while self.peek() == "|":
            self.take()
            self.sequence(depth)
        return first

    def sequence(self, depth: int) -> str:
        parts = []
        while self.peek() and self.peek() not in "|)":
            parts.append(self.times(self.atom(depth)))
        return "".join(parts)

    def times(self, text: str) -> str:
        """The text as often as the quantifier behind it asks for at least."""
        char = self.peek()
        least = 1
        if char in ("*", "?", "+") and char:
            self.take()
            least = 1 if char == "+" else 0
        elif char == "{":
            end = self.pattern.find("}", self.at)
            number = self.pattern[self.at + 1 : end].split(",")[0] if end > 0 else ""
            if not number.isdecimal():
                return text
            least = min(int(number), 1000)
            self.at = end + 1
        else:
            return text
        if self.peek() == "?":
            self.take()
        return text * least

    def atom(self, depth: int) -> str:
        char = self.take()
        if char == "(":
            return self.group(depth)
        if char == "[":
            return self.one_of()
        if char == "\\":
            escaped = self.take()
            return "" if escaped in _EMPTY else _CLASSES.get(escaped, escaped)
        if char in "^$":
            return ""
        return "a" if char == "." else char

    def group(self, depth: int) -> str:
        if self.peek() == "?":
            # (?i) and the like end at the bracket; (?:, (?i: and (?P<name> end at the colon or the angle.
            while self.peek() and self.peek() not in ":>)":
                self.take()
            if self.peek() == ")":
                self.take()
                return ""
            self.take()
        text = self.alternatives(depth + 1) if depth < 50 else ""
        if self.peek() == ")":
            self.take()
        return text

    def one_of(self) -> str:
        """A character of a class: its first one, or one that is none of those it leaves out."""
        negated = self.peek() == "^"
        if negated:
            self.take()
        chars: list[str] = []
        while self.peek() and (self.peek() != "]" or not chars):
            char = self.take()
            chars.append(_CLASSES.get(escaped, escaped) if char == "\\" and (escaped := self.take()) else char)
        self.take()
        if not negated:
            return chars[0] if chars else ""
        return next((char for char in "a1 -_zZ" if char not in chars), "~")
