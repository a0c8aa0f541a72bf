"""Fits text into a given width without a browser: an upper bound for any text in the page's fonts, cut and wrapped.

Widths come from `glyph_widths`: for each character the widest among the fonts that the page's stack can end up with,
rounded up to a hundredth of an em. A page that shows fitted lines sets `white-space: nowrap` and
`text-rendering: geometricPrecision` (otherwise a browser may round every advance to whole pixels), and keeps
`font-synthesis` and ligatures as they are.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Literal, NamedTuple

from circuit_export.board import glyph_widths
from circuit_export.board.graphemes import KINDS, MARKS, graphemes

__all__ = ["Face", "clean", "fit_line", "fit_lines", "graphemes", "width"]

Name = Literal["sans", "mono"]
Weight = Literal["regular", "semibold"]


class Face(NamedTuple):
    """A font as the page uses it: `size` and letter-`spacing` in px. Negative spacing is not counted on."""

    name: Name
    weight: Weight
    size: float
    spacing: float = 0.0


ELLIPSIS = "…"
_EM = 1000  # widths are whole thousandths of an em: sums are then exact, in any order and on any Python
_CONTEXT = 1 << 40  # added to the width of a character whose neighbours matter
_DOTTED_CIRCLE = 1000  # drawn under a mark that has nothing to sit on
_EMOJI = 1400
_SNAP = 1 / 16  # px: browsers lay text out in steps of 1/64 px, rounded up
_KEEP = 16384  # so much is remembered, and no more
_LONG = 16
_NONE: dict[int, int] = {}
_EMOJI_STYLE = "\ufe0f"
_SEATED = frozenset(".IPKZRLVTGH")  # the kinds that need nothing to sit on
# Combining diacritics, variation selectors, skin tones and tags.
_COMMON = (
    ("\u0300", "\u036f"), ("\u1ab0", "\u1aff"), ("\u1dc0", "\u1dff"), ("\u200c", "\u200c"), ("\u20d0", "\u20ff"),
    ("\ufe00", "\ufe0f"), ("\ufe20", "\ufe2f"), ("\U0001f3fb", "\U0001f3ff"), ("\U000e0020", "\U000e01ef"),
)  # fmt: skip
_TOGETHER = frozenset("MXNZSRLVTWn")  # the kinds of characters that can share a grapheme with a neighbour


class _Widths(dict[str, int]):
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
            value += _CONTEXT
        if len(self) < _KEEP:
            self[char] = value
        return value


class _Clusters(dict[str, int]):
    """Grapheme → width, filled as it is asked."""

    def __init__(self, widths: _Widths) -> None:
        super().__init__()
        self._widths = widths

    def __missing__(self, cluster: str) -> int:
        value = _cluster(cluster, self._widths)
        if len(self) < _KEEP and len(cluster) < _LONG:
            self[cluster] = value
        return value


class _Inside(dict[str, int]):
    """Character → how much narrower it is where the next letter joins it, as in Arabic."""

    def __init__(self, widths: _Widths, pages: dict[int, str]) -> None:
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
def _widths(face: Face) -> _Widths:
    return _Widths(face.name, face.weight, max(0, math.ceil(face.spacing * _EM / face.size)))


class _Ruler(NamedTuple):
    widths: _Widths
    budget: int  # the room in thousandths of an em
    short: int  # the room beside an ellipsis


@lru_cache(maxsize=512)
def _ruler(face: Face, room: float) -> _Ruler:
    widths = _widths(face)
    room = min(room, 1e9)
    budget = int((room - _SNAP) * _EM / face.size)
    # The same arithmetic as in `width`, so that what fits there fits here, to the last bit.
    while _px(budget, face) > room:
        budget -= 1
    while _px(budget + 1, face) <= room:
        budget += 1
    return _Ruler(widths, budget, budget - widths[ELLIPSIS])


def _px(total: int, face: Face) -> float:
    return total * face.size / _EM + _SNAP


def width(text: str, face: Face) -> float:
    """How wide `text` gets in `face` at most, in px."""
    return _px(_total(text, _widths(face)), face) if text else 0.0


def _total(text: str, widths: _Widths) -> int:
    total = sum(map(widths.__getitem__, text))
    return total if total < _CONTEXT else sum(_clusters(graphemes(text), widths)[0])


def _clusters(clusters: list[str], widths: _Widths) -> tuple[list[int], dict[int, int]]:
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


def _cluster(cluster: str, widths: _Widths) -> int:
    """The width of one grapheme. What a system may fail to join (flags, families, old jamo) counts in full."""
    total = sum(map(widths.__getitem__, cluster)) % _CONTEXT
    if len(cluster) == 1 and KINDS[cluster] in _SEATED:
        return total
    total += _circles(cluster) * _DOTTED_CIRCLE
    if _EMOJI_STYLE in cluster:
        total += max(0, _EMOJI - widths[cluster[0]] % _CONTEXT)
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


def _composed(cluster: str, widths: _Widths) -> int:
    """What of a Hangul cluster takes no room, because modern jamo become one syllable."""
    saved, index = 0, 1
    if "\u1100" <= cluster[0] <= "\u1112" and "\u1161" <= cluster[1] <= "\u1175":
        saved, index = widths[cluster[1]] % _CONTEXT, 2
    elif KINDS[cluster[0]] != "G":
        return 0
    if index < len(cluster) and "\u11a8" <= cluster[index] <= "\u11c2":
        saved += widths[cluster[index]] % _CONTEXT
    return saved


_Measured = tuple[Sequence[str], list[int], dict[int, int]]


def _measured(text: str, ruler: _Ruler, lines: int) -> _Measured:
    """The pieces of `text` that stay whole, the width of the first i of them, and what it takes more to end there.

    Of a long text, only as much of its start as `lines` lines can show and a little more.
    """
    # Hardly any character is narrower than a fifth of an em; where they are, the whole text is measured.
    most = lines * (max(ruler.budget, 0) // 200) + 64
    if len(text) > most:
        head = _measured(text[:most], ruler, lines)
        if head[1][-1] > (lines + 1) * ruler.budget:
            return head
    ends = list(accumulate(map(ruler.widths.__getitem__, text), initial=0))
    if ends[-1] < _CONTEXT:
        return text, ends, _NONE
    clusters = graphemes(text)
    values, tails = _clusters(clusters, ruler.widths)
    return clusters, list(accumulate(values, initial=0)), tails


def _reach(ends: list[int], tails: dict[int, int], start: int, budget: int) -> int:
    """Up to which place, from `start` on, a line of that budget reaches."""
    most = ends[start] + budget
    stop = bisect_right(ends, most) - 1
    while tails and stop > start and ends[stop] + tails.get(stop, 0) > most:
        stop -= 1
    return stop


def _text(pieces: Sequence[str], start: int, stop: int) -> str:
    part = pieces[start:stop]
    return part if isinstance(part, str) else "".join(part)


def _cut(measured: _Measured, start: int, ruler: _Ruler) -> str:
    """What fits of the pieces from `start` on, and an ellipsis."""
    pieces, ends, tails = measured
    stop = _reach(ends, tails, start, ruler.short)
    return _text(pieces, start, max(start, stop)).rstrip(_BLANKS) + ELLIPSIS


def fit_line(text: str, face: Face, room: float) -> str:
    """`text`, or its longest start of whole graphemes with "…" after it, that is at most `room` px wide.

    Blanks before the "…" are left out. When not even "…" has room, it is "…" all the same.
    """
    ruler = _ruler(face, room)
    if not text or _total(text, ruler.widths) <= ruler.budget:
        return text
    return _cut(_measured(text, ruler, 1), 0, ruler)


def fit_lines(text: str, face: Face, room: float, lines: int) -> tuple[str, ...]:
    """`text` wrapped into at most `lines` lines, each at most `room` px wide; "…" ends the last when text was cut.

    Lines break at blanks, after hyphens and slashes, between ideographs, and inside a word only when it is longer than
    a line. Blanks at a break are left out. No line starts with closing punctuation if that can be avoided.
    """
    if not text or lines < 1:
        return ()
    ruler = _ruler(face, room)
    measured = _measured(text, ruler, lines)
    pieces, ends, _ = measured
    if ends[-1] <= ruler.budget:
        return (text,)
    found = _wrap(measured, ruler, lines)
    if len(pieces) < len(text) and ELLIPSIS not in "".join(found[-1:]) and sum(map(len, pieces)) < len(text):
        # More blanks than was thought: the start that was measured did not fill the lines.
        found = _wrap(_measured(text, ruler, len(text)), ruler, lines)
    return tuple(found)


def _wrap(measured: _Measured, ruler: _Ruler, lines: int) -> list[str]:
    """The lines of a text that is wider than one; none when it is nothing but blanks."""
    pieces, ends, tails = measured
    budget, total = ruler.budget, ends[-1]
    found: list[str] = []
    start, end = _skip(pieces, 0, _BLANK), len(pieces)
    while start < end:
        if total - ends[start] <= budget:
            found.append(_text(pieces, start, end))
            break
        stop = _reach(ends, tails, start, budget)
        if len(found) == lines - 1 or stop <= start:
            found.append(_cut(measured, start, ruler))
            break
        stop = _break(pieces, start, stop)
        found.append(_text(pieces, start, stop).rstrip(_BLANKS))
        start = _skip(pieces, stop, _BLANK)
    return found


def _skip(pieces: Sequence[str], place: int, these: frozenset[str]) -> int:
    """The first place from `place` on whose piece is none of these."""
    while place < len(pieces) and pieces[place] in these:
        place += 1
    return place


# Blanks where a line may break; the no-break ones (U+00A0, U+202F) are not among them.
_BLANKS = " \t\n\v\f\r\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u200b\u2028\u2029\u205f\u3000"
_BLANK = frozenset(_BLANKS)
_GLUE = frozenset("\u00a0\u202f\u2060\ufeff\u2007")
_HYPHENS = frozenset("-/_‐–—")
_CLOSING = frozenset(
    ".,;:!?)]}%…’”»›٪،؛؟।॥、。〃〉》」』】〕〗〙〛〞〟〜・：；？！，．）］｝｡｣､･％—–"
    "ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶーゝゞヽヾ々〻ｧｨｩｪｫｬｭｮｯｰ"
)
_OPENING = frozenset("([{‘“«‹〈《「『【〔〖〘〚〝（［｛｢¿¡$#@")
_SPECIAL = _HYPHENS | _CLOSING | _OPENING | _GLUE | _BLANK  # not for the quick way of `_break`
# Scripts that break between any two characters: ideographs, kana, bopomofo, Yi, full-width forms, pictographs.
_WIDE = (
    ("\u2e80", "\u312f"), ("\u3190", "\ua4cf"), ("\uf900", "\ufaff"), ("\ufe30", "\ufe4f"), ("\uff01", "\uffef"),
    ("\U0001b000", "\U0001b2ff"), ("\U0001f300", "\U0001faff"), ("\U00020000", "\U0003ffff"),
)  # fmt: skip


def _break(pieces: Sequence[str], start: int, stop: int) -> int:
    """Where the line from `start`, of which `stop` pieces fit, ends: the last good place, else inside the word."""
    if isinstance(pieces, str):
        place = pieces.rfind(" ", start + 1, stop + 1)
        rest = pieces[place + 1 : stop + 2]
        if place > 0 and _SPECIAL.isdisjoint(rest) and (rest.isascii() or max(rest) < "\u2e80"):
            return place
    last = 0
    for place in range(stop, start, -1):
        if _breakable(pieces, place, start):
            if not _stranded(pieces, place):
                return place
            last = last or place
    if last:
        return last
    place = stop
    while place > start + 1 and (pieces[place] in _CLOSING or pieces[place - 1] in _OPENING):
        place -= 1
    return place if pieces[place] not in _CLOSING else stop


def _breakable(pieces: Sequence[str], place: int, start: int) -> bool:
    """May the line from `start` end before the piece at `place`? In a run of blanks only at its ends."""
    before, after = pieces[place - 1], pieces[place]
    if before in _BLANK or after in _BLANK:
        return before not in _BLANK or after not in _BLANK
    if after in _CLOSING or before in _GLUE or after in _GLUE:
        return False
    if before in _HYPHENS:
        return place - 2 > start and pieces[place - 2] not in _BLANK
    return before not in _OPENING and (_wide(before[0]) or _wide(after[0]))


def _stranded(pieces: Sequence[str], place: int) -> bool:
    """Would the next line start with closing punctuation that stands alone, as in "Bravo !"?"""
    first = _skip(pieces, place, _BLANK)
    after = _skip(pieces, first, _CLOSING)
    return after > first and (after == len(pieces) or pieces[after] in _BLANK)


def _wide(char: str) -> bool:
    return char >= "\u2e80" and any(first <= char <= last for first, last in _WIDE)


# Everything that `clean` replaces: controls, line and paragraph separators, bidi embeddings, overrides and isolates,
# lone surrogates and noncharacters.
_UNCLEAN = (
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(17))
    + "]"
)
_BREAKS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029")
_TRIM = _BLANKS + "\u00a0\u202f\u2007\ufeff"


@cache
def _unclean() -> re.Pattern[str]:
    return re.compile(_UNCLEAN)


def clean(text: str) -> str:
    """One line of display text: what a page can carry, and what cannot reach out of its element.

    Line breaks, tabs and separators become blanks, runs of blanks one, blanks at the ends none. Bidi embeddings,
    overrides and isolates are dropped (an element with `dir="auto"` isolates itself). Other controls,
    noncharacters and lone surrogates become U+FFFD.
    """
    if text.isascii() and text.isprintable():
        if "  " not in text and text[:1] != " " and text[-1:] != " ":
            return text
    else:
        text = _unclean().sub(_replacement, text)
    if "  " in text:
        text = " ".join(part for part in text.split(" ") if part)
    return text.strip(_TRIM)


def _replacement(found: re.Match[str]) -> str:
    char = found[0]
    if char in _BREAKS:
        return " "
    return "" if "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069" else "\ufffd"
