"""Parts of speech that findings and pages of every format share: lists, counts, names in quotes, near names."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from typing import NamedTuple

from circuit_export.board.text_clean import flat
from circuit_export.diagnostics import Action, Edit, Fix, Place
from circuit_export.formats.likeness import nearest

SHOWN = 60
"""Characters of a name that a message shows."""

COMPARISONS = 40_000
"""Names compared for suggestions in one document at most; findings beyond that come without one."""


def listed(items: Iterable[str], word: str = "and") -> str:
    """Such as "a", "a and b", "a, b and c"; "" for nothing."""
    *first, last = tuple(items) or ("",)
    return f"{', '.join(first)} {word} {last}" if first else last


def counted(count: int, one: str, many: str = "") -> str:
    """Such as "1 step" or "7 steps"."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def shown(name: str) -> str:
    """A name in quotes, on one line, cut when it is very long."""
    return f"“{flat(name if len(name) <= SHOWN else name[: SHOWN - 1] + '…')}”"


def names(items: Collection[str], most: int = 8, word: str = "and") -> str:
    """Names in quotes as a list in a sentence, at most so many of them."""
    quoted = [shown(name) for name in islice(items, most)]  # never all of them: there may be a finding for each
    if len(items) > most:
        quoted.append(f"{len(items) - most:,} more")
    return listed(quoted, word)


def one_line(text: str, limit: int) -> str:
    """A text on one line, ended with an ellipsis at a word when it is longer than `limit`."""
    line = " ".join(text[: 4 * limit].split())
    if len(line) <= limit and len(text) <= 4 * limit:
        return line
    cut = line[: limit - 1]
    word = cut.rpartition(" ")[0]
    return (word if len(word) > limit // 2 else cut).rstrip(" ,;:.") + "…"


class Near(NamedTuple):
    """A known name near a misspelt one; `only` says that no other one is near too."""

    name: str
    only: bool


def find_near(word: str, known: Collection[str]) -> Near | None:
    """The known name that `word` most likely means, None when none is near."""
    name = nearest(word, known)
    if name is None or name == word:
        return None
    return Near(name, nearest(word, [other for other in known if other != name]) is None)


class Spelling:
    """Looks for near names, within a bound for a whole document, so that many typos cost no time."""

    def __init__(self) -> None:
        self._compared = 0

    def near(self, word: str, known: Collection[str]) -> Near | None:
        """The known name that `word` most likely means, None when none is near or too much was compared already."""
        if self._compared + len(known) > COMPARISONS:
            return None
        self._compared += len(known)
        return find_near(word, known)


def did_you_mean(near: Near | None, otherwise: str = "") -> str:
    """The hint that a near name gives."""
    return f"did you mean “{near.name}”?" if near is not None else otherwise


def respelled(near: Near | None, place: Place) -> Fix | None:
    """The fix that writes the near name at a place, when it is the only one; another may still have been meant."""
    if near is None or not near.only:
        return None
    return Fix(f"write “{near.name}”", (Edit(Action.REPLACE, place, near.name),))
