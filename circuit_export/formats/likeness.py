"""How alike two names are, and which known name a misspelt one most likely means."""

from __future__ import annotations

from collections.abc import Iterable

from circuit_export.formats.letters import small, spaced

SUGGESTION_FROM = 0.55
"""The similarity from which a name is worth suggesting."""

LONGEST = 200
"""Characters of a name that is compared with others; nobody misspells a longer one."""

SHORT = 5
"""Letters of a name that is short."""
SHORT_FROM = 0.67
"""The similarity from which a short name is worth suggesting."""


def plain(name: str) -> str:
    """A name without anything but its letters and digits, in small letters."""
    return small("".join(spaced(name).split())).replace("_", "")


def dice(one: str, other: str) -> float:
    """The Dice similarity of two texts over their pairs of neighbouring characters, from 0 to 1."""
    if one == other:
        return 1.0
    ours, theirs = _pairs(one), _pairs(other)
    total = sum(ours.values()) + sum(theirs.values())
    return 2 * sum(min(count, theirs.get(pair, 0)) for pair, count in ours.items()) / total if total else 0.0


def _pairs(text: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for index in range(len(text) - 1):
        pair = text[index : index + 2]
        found[pair] = found.get(pair, 0) + 1
    return found


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that was most likely meant, None when none is near.

    Two letters swapped, one too many or one missing are near in any word; else half of the pairs must agree, and
    in a short word, where two or three pairs agree by chance, more than two thirds.
    """
    if len(word) > LONGEST:
        return None
    wanted = plain(word)
    scored = [
        (max(dice(wanted, plain(name)), 0.9 * _one_slip(wanted, plain(name))), name)
        for name in known
        if len(name) <= LONGEST
    ]
    score, name = max(scored, key=lambda item: item[0], default=(0.0, ""))
    least = SHORT_FROM if min(len(wanted), len(plain(name))) <= SHORT else SUGGESTION_FROM
    return name if score >= least else None


def _one_slip(one: str, other: str) -> bool:
    """Whether two texts differ by one letter (changed, missing or too many) or by two neighbours swapped."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < 2:
        return False
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    a, b = one[start:], other[start:]
    return a[1:] == b[1:] or a[1:] == b or a == b[1:] or (a[:2] == b[:2][::-1] and a[2:] == b[2:])
