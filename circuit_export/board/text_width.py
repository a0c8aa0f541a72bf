"""How wide a text gets at most, in px, in whichever font the page's stack ends up with.

Widths come from `glyph_widths`: for each character the widest among those fonts, rounded up to a hundredth of an em. A
page that relies on them sets `text-rendering: geometricPrecision` (otherwise a browser may round every advance to whole
pixels) and keeps ligatures and `font-synthesis` as they are.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, NamedTuple

from circuit_export.board import glyph_widths
from circuit_export.board.graphemes import KINDS, MARKS, graphemes

Name = Literal["sans", "mono"]
Weight = Literal["regular", "semibold"]


class Face(NamedTuple):
    """A font as the page uses it: `size` and letter-`spacing` in px. Negative spacing is not counted on."""

    name: Name
    weight: Weight
    size: float
    spacing: float = 0.0


EM = 1000  # widths are whole thousandths of an em: sums are then exact, in any order and on any Python
CONTEXT = 1 << 40  # added to the width of a character whose neighbours matter
_DOTTED_CIRCLE = 1000  # drawn under a mark that has nothing to sit on
_EMOJI = 1400
SNAP = 1 / 16  # px: browsers lay text out in steps of 1/64 px, rounded up
_KEEP = 16384  # so much is remembered, and no more
_LONG = 16
_EMOJI_STYLE = "\ufe0f"
_SEATED = frozenset(".IPKZRLVTGH")  # the kinds that need nothing to sit on
# Combining diacritics, variation selectors, skin tones and tags.
_COMMON = (
    ("\u0300", "\u036f"), ("\u1ab0", "\u1aff"), ("\u1dc0", "\u1dff"), ("\u200c", "\u200c"), ("\u20d0", "\u20ff"),
    ("\ufe00", "\ufe0f"), ("\ufe20", "\ufe2f"), ("\U0001f3fb", "\U0001f3ff"), ("\U000e0020", "\U000e01ef"),
)  # fmt: skip
_TOGETHER = frozenset("MXNZSRLVTWn")  # the kinds of characters that can share a grapheme with a neighbour


class Widths(dict[str, int]):
    """Character → width with its letter-spacing, in thousandths of an em; filled as it is asked."""

    def __init__(self, name: Name, weight: Weight, spacing: int) -> None:
        super().__init__()
        self.pages = _page_sources(name, weight)
        self._spacing = spacing
        widths = enumerate(glyph_widths.ASCII[name, weight], 0x20)
        self.update({chr(point): 10 * value + spacing for point, value in widths})
        self.clusters = _Clusters(self)
        self.inside = _Inside(self, glyph_widths.JOINED[weight] if name == "sans" else {})

    def __missing__(self, char: str) -> int:
        point = ord(char)
        page = _page(self.pages, point >> 8)
        value = 10 * (page[point & 255] if page else _beyond(point)) + self._spacing
        if KINDS[char] in _TOGETHER or self.inside[char]:
            value += CONTEXT
        if len(self) < _KEEP:
            self[char] = value
        return value


class _Clusters(dict[str, int]):
    """Grapheme → width, filled as it is asked."""

    def __init__(self, widths: Widths) -> None:
        super().__init__()
        self._widths = widths

    def __missing__(self, cluster: str) -> int:
        value = _cluster(cluster, self._widths)
        if len(self) < _KEEP and len(cluster) < _LONG:
            self[cluster] = value
        return value


class _Inside(dict[str, int]):
    """Character → how much narrower it is where the next letter joins it, as in Arabic."""

    def __init__(self, widths: Widths, pages: dict[int, str]) -> None:
        super().__init__()
        self._own = widths.pages
        self._pages = pages

    def __missing__(self, char: str) -> int:
        point = ord(char)
        inside = self.form(char)
        page = _page(self._own, point >> 8) if inside > 1 else None
        value = 10 * max(0, page[point & 255] - inside) if page else 0
        if len(self) < _KEEP:
            self[char] = value
        return value

    def form(self, char: str) -> int:
        """The width inside a word in hundredths of an em, 1 for what joins the letter before only, 0 for the rest."""
        number = ord(char) >> 8
        return _decode(self._pages[number])[ord(char) & 255] if number in self._pages else 0


def _page_sources(name: Name, weight: Weight) -> tuple[dict[int, str], ...]:
    """The tables that hold a face's pages, the most particular first."""
    bold = (glyph_widths.SANS_SEMIBOLD,) if weight == "semibold" else ()
    if name == "sans":
        return (*bold, glyph_widths.SANS)
    return (glyph_widths.MONO_SEMIBOLD if bold else glyph_widths.MONO, *bold, glyph_widths.SANS)


def _page(sources: tuple[dict[int, str], ...], number: int) -> tuple[int, ...] | None:
    return next((_decode(source[number]) for source in sources if number in source), None)


@lru_cache(maxsize=256)
def _decode(runs: str) -> tuple[int, ...]:
    """The 256 widths that a page's runs spell."""
    values: list[int] = []
    for run in runs.split(" "):
        value, _, count = run.partition("*")
        values += [int(value)] * int(count or "1")
    return tuple(values)


def _beyond(point: int) -> int:
    """The width of a character that no page holds."""
    if 0xE0000 <= point < 0xE1000:  # tags and variation selectors
        return 0
    if 0x20000 <= point < 0x2A6E0:  # ideographs that fonts do have
        return 110
    return 120 if point < 0x10000 else 140


@lru_cache(maxsize=64)
def widths_of(face: Face) -> Widths:
    return Widths(face.name, face.weight, max(0, math.ceil(face.spacing * EM / face.size)))


def px(total: int, face: Face) -> float:
    return total * face.size / EM + SNAP


def width(text: str, face: Face) -> float:
    """How wide `text` gets in `face` at most, in px."""
    return px(total_of(text, widths_of(face)), face) if text else 0.0


def total_of(text: str, widths: Widths) -> int:
    total = sum(map(widths.__getitem__, text))
    return total if total < CONTEXT else sum(cluster_widths(graphemes(text), widths)[0])


def cluster_widths(clusters: list[str], widths: Widths) -> tuple[list[int], dict[int, int]]:
    """The widths of graphemes in a row, and what it takes to end after so many of them.

    A letter that the next one joins takes its narrower form; when a line ends there, it is the wider one after all.
    """
    values = list(map(widths.clusters.__getitem__, clusters))
    inside = widths.inside
    tails = {}
    narrower = [inside[cluster[0]] for cluster in clusters]
    if any(narrower):
        for index, less in enumerate(narrower[:-1]):
            if less and inside.form(clusters[index + 1][0]) and "\u200c" not in clusters[index]:
                values[index] -= less
                tails[index + 1] = less
    return values, tails


def _cluster(cluster: str, widths: Widths) -> int:
    """The width of one grapheme. What a system may fail to join (flags, families, old jamo) counts in full."""
    total = sum(map(widths.__getitem__, cluster)) % CONTEXT
    if len(cluster) == 1 and KINDS[cluster] in _SEATED:
        return total
    total += _circles(cluster) * _DOTTED_CIRCLE
    if _EMOJI_STYLE in cluster:
        total += max(0, _EMOJI - widths[cluster[0]] % CONTEXT)
    if KINDS[cluster[0]] in "LGH" and len(cluster) > 1:
        total -= _composed(cluster, widths)
    return total


def _circles(cluster: str) -> int:
    """How many dotted circles a cluster may get: where a mark meets another script, or one too many."""
    if KINDS[cluster[0]] in MARKS:
        return len(cluster)
    circles, block, marks = 0, -1, 0
    for char in cluster:
        kind = KINDS[char]
        if kind not in MARKS:
            circles += kind == "W"
            block, marks = ord(char) >> 7, 0
        elif not _common(char):
            marks += 1
            circles += marks > 3 or ord(char) >> 7 != block
            block = ord(char) >> 7
    return circles


def _common(char: str) -> bool:
    """Is it a mark that goes on a character of any script?"""
    return any(first <= char <= last for first, last in _COMMON)


def _composed(cluster: str, widths: Widths) -> int:
    """What of a Hangul cluster takes no room, because modern jamo become one syllable."""
    saved, index = 0, 1
    if "\u1100" <= cluster[0] <= "\u1112" and "\u1161" <= cluster[1] <= "\u1175":
        saved, index = widths[cluster[1]] % CONTEXT, 2
    elif KINDS[cluster[0]] != "G":
        return 0
    if index < len(cluster) and "\u11a8" <= cluster[index] <= "\u11c2":
        saved += widths[cluster[index]] % CONTEXT
    return saved
