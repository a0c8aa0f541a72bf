"""Where a text may be divided: extended grapheme clusters (UAX #29), from tables of our own, whatever the Python."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cache

from circuit_export.board import glyph_widths

# Kinds of characters, one letter each: "." ordinary, K control, M extending, X extending inside a conjunct, N linker of
# a conjunct (virama), I consonant that conjuncts, Z zero-width joiner, S spacing mark, W prepended, R regional
# indicator, P pictograph, L V T the jamo, G H syllables without and with a final; c and n are the two line ends.
MARKS = frozenset("MXNS")
# A cluster as the kinds of its characters, the rules GB3 to GB13 at once.
_CLUSTER = (
    "cn|[Kcn]"
    "|W*(?:RR?|L*(?:V+|GV*|H)T*|L+|T+|P(?:[MXN]*ZP)*|I(?:[XZ]*N[XNZ]*I)*|[.])[MXNZS]*"  # something and its marks
    "|W+[MXNZS]*|[MXNZS]+"  # marks on nothing
)
_ALONE = frozenset(".IPK")
_FIRST_SYLLABLE, _LAST_SYLLABLE = 0xAC00, 0xD7A3
_KEEP = 16384


class Kinds(dict[str, str]):
    """Character → kind, filled as it is asked."""

    def __missing__(self, char: str) -> str:
        point = ord(char)
        if _FIRST_SYLLABLE <= point <= _LAST_SYLLABLE:
            kind = "H" if (point - _FIRST_SYLLABLE) % 28 else "G"
        else:
            starts, ends, letters = _ranges()
            index = bisect_right(starts, point) - 1
            kind = letters[index] if index >= 0 and point < ends[index] else "."
        if len(self) < _KEEP:
            self[char] = kind
        return kind


@cache
def _ranges() -> tuple[list[int], list[int], list[str]]:
    """First characters, ends and kinds of all runs that are not ordinary."""
    starts, ends, letters = [], [], []
    for token in glyph_widths.KINDS.split(" ")[:-1]:
        first, _, count = token[1:].partition("+")
        starts.append(int(first, 16))
        ends.append(starts[-1] + int(count or "1", 16))
        letters.append(token[0])
    return starts, ends, letters


KINDS = Kinds({"\r": "c", "\n": "n"})


@cache
def _cluster() -> re.Pattern[str]:
    return re.compile(_CLUSTER)


def graphemes(text: str) -> list[str]:
    """The extended grapheme clusters of `text`; joined, they are the text. Any text will do, lone surrogates too."""
    if text.isascii() and "\r\n" not in text:
        return list(text)
    kinds = "".join(map(KINDS.__getitem__, text))
    if _ALONE.issuperset(kinds):
        return list(text)
    found, start = [], 0
    for cluster in _cluster().findall(kinds):
        end = start + len(cluster)
        found.append(text[start:end])
        start = end
    return found
