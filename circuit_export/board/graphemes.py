"""Where a text may be divided: extended grapheme clusters (UAX #29), from tables of our own, whatever the Python."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

from circuit_export.board import glyph_widths

# Kinds of characters, one letter each: "." ordinary, K control, M extending, X extending inside a conjunct, N linker of
# a conjunct (virama), I consonant that conjuncts, Z zero-width joiner, S spacing mark, W prepended, R regional
# indicator, P pictograph, L V T the jamo, G H syllables without and with a final.
MARKS = frozenset("MXNS")
_EXTENDS = frozenset("MXNZS")
_ALONE = frozenset(".IPKW")
_HANGUL = frozenset({"LL", "LV", "LG", "LH", "GV", "GT", "VV", "VT", "HT", "TT"})
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
        if len(self) >= _KEEP:
            self.clear()
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


KINDS = Kinds()


def graphemes(text: str) -> list[str]:
    """The extended grapheme clusters of `text`; joined, they are the text. Any text will do, lone surrogates too."""
    if text.isascii() and "\r\n" not in text:
        return list(text)
    kinds = [KINDS[char] for char in text]
    if _ALONE.issuperset(kinds) and "W" not in kinds and "\r\n" not in text:
        return list(text)
    found, start = [], 0
    conjunct = 0  # 1 after a consonant, 2 when a linker has followed
    picture = 0  # 1 after a pictograph, 2 when a joiner has followed
    flags = 0  # regional indicators in a row
    before = "K"
    for index, kind in enumerate(kinds):
        if index and not _together(before, kind, conjunct, picture, flags) and text[index - 1 : index + 1] != "\r\n":
            found.append(text[start:index])
            start = index
        conjunct = 1 if kind == "I" else conjunct if kind in "XZ" else 2 if kind == "N" and conjunct else 0
        picture = 1 if kind == "P" or (kind in "MXN" and picture == 1) else 2 if kind == "Z" and picture == 1 else 0
        flags = flags + 1 if kind == "R" else 0
        before = kind
    found.append(text[start:])
    return found


def _together(before: str, kind: str, conjunct: int, picture: int, flags: int) -> bool:
    """Do two neighbours stay together? The rules GB4 to GB13 in their order."""
    if before == "K" or kind == "K":
        return False
    if kind in _EXTENDS or before == "W" or before + kind in _HANGUL:
        return True
    if kind == "I":
        return conjunct == 2
    if kind == "P":
        return picture == 2
    return kind == "R" and flags % 2 == 1
