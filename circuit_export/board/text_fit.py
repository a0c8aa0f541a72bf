"""Fits text into a given width without a browser, so that none has to cut it: one line, or several.

A page shows every fitted line by itself, with `white-space: nowrap` and what `text_width` asks for.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from circuit_export.board.graphemes import graphemes
from circuit_export.board.text_clean import BLANKS, clean
from circuit_export.board.text_width import (
    CONTEXT,
    EM,
    SNAP,
    Face,
    Widths,
    cluster_widths,
    px,
    total_of,
    width,
    widths_of,
)

__all__ = ["Face", "clean", "fit_line", "fit_lines", "graphemes", "width"]

ELLIPSIS = "…"
_NONE: dict[int, int] = {}


class _Ruler(NamedTuple):
    widths: Widths
    budget: int  # the room in thousandths of an em
    short: int  # the room beside an ellipsis


@lru_cache(maxsize=512)
def _ruler(face: Face, room: float) -> _Ruler:
    widths = widths_of(face)
    room = min(room, 1e9)
    budget = int((room - SNAP) * EM / face.size)
    # The same arithmetic as in `width`, so that what fits there fits here, to the last bit.
    while px(budget, face) > room:
        budget -= 1
    while px(budget + 1, face) <= room:
        budget += 1
    return _Ruler(widths, budget, budget - widths[ELLIPSIS])


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
    if ends[-1] < CONTEXT:
        return text, ends, _NONE
    clusters = graphemes(text)
    values, tails = cluster_widths(clusters, ruler.widths)
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
    return _text(pieces, start, max(start, stop)).rstrip(BLANKS) + ELLIPSIS


def fit_line(text: str, face: Face, room: float) -> str:
    """`text`, or its longest start of whole graphemes with "…" after it, that is at most `room` px wide.

    Blanks before the "…" are left out. When not even "…" has room, it is "…" all the same.
    """
    ruler = _ruler(face, room)
    if not text or total_of(text, ruler.widths) <= ruler.budget:
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
        found.append(_text(pieces, start, stop).rstrip(BLANKS))
        start = _skip(pieces, stop, _BLANK)
    return found


def _skip(pieces: Sequence[str], place: int, these: frozenset[str]) -> int:
    """The first place from `place` on whose piece is none of these."""
    while place < len(pieces) and pieces[place] in these:
        place += 1
    return place


_BLANK = frozenset(BLANKS)
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
