"""A run on the page: marks on the chips, wires that were taken, and the tape of its moments, without a script.

Which moment is looked at is a number, `--now`, that style sheets make of the radio button that is checked: its bits
are the button's classes, one rule adds each. A mark on a chip is shown while `--a` <= `--now` < `--z`, so there is a
mark for each moment and a rule for each bit, and none for every chip at every moment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from circuit_export.board.listing import Listing, Row
from circuit_export.board.markup import direction, escape
from circuit_export.board.model import Board, Moment, RunView
from circuit_export.board.template import template
from circuit_export.board.text_fit import clean
from circuit_export.board.theme import compact

IDLE: Final = "idle"
STATES: Final = frozenset((IDLE, "running", "done", "skipped", "held", "failed", "retrying"))
"""The states that have a sign of their own; any other word is shown as it is."""

UNKNOWN: Final = "not kept"
"""What is said of a chip before its first moment that was kept, when others before it were not."""

SHORT: Final = 14
"""Letters of what a step came to that have room on its chip."""

PITCHES: Final = (24, 44)
"""The least and the most px from one moment of the tape to the next."""
ROOMY: Final = 900
LINE, LOW, HIGH = 11, 44, 110
"""Px of the tape's height: for each step, at least, at most."""
EDGE: Final = 10


class Mark(NamedTuple):
    """What a chip shows from moment `since` until before moment `until`; `lit` when `since` is a moment of its own."""

    state: str
    note: str
    since: int
    until: int
    lit: bool


class RunParts(NamedTuple):
    """What a page with a run has beside one without: HTML by a chip's anchor, and whole pieces.

    `since` leads from the index of a wire that was taken to the moment it was first taken.
    """

    css: str
    panel: str
    marks: dict[str, str]
    said: dict[str, str]
    words: dict[str, str]
    since: dict[int, int]


def run_parts(board: Board, run: RunView, listing: Listing) -> RunParts:
    """All parts of a run on the page of its board."""
    count = len(run.moments)
    marks = {
        anchor: "".join([_mark_html(mark, count) for mark in chip_marks])
        for anchor, chip_marks in zip(listing.anchors, _marks(run), strict=True)
    }
    notes = [clean(note) for note in run.notes]
    said = {
        anchor: escape(f". In this run: {state}{f', {note}' if note else ''}")
        for anchor, state, note in zip(listing.anchors, run.states, notes, strict=True)
    }
    words = {
        anchor: _word(state) + (f" <span{direction(note)}>{escape(note)}</span>" if note else "")
        for anchor, state, note in zip(listing.anchors, run.states, notes, strict=True)
    }
    return RunParts(_rules(count) + _sheet(), _panel(run, listing), marks, said, words, _since(board, run))


# --- chips and wires ---------------------------------------------------------------------------------------------


def _marks(run: RunView) -> list[list[Mark]]:
    """For each chip its marks in order; together they cover every moment from 0 to the last."""
    count = len(run.moments)
    own: list[list[tuple[int, Moment]]] = [[] for _ in run.states]
    for number, moment in enumerate(run.moments, 1):
        own[moment.chip].append((number, moment))
    return [_chip_marks(state, moments, count, run.earlier) for state, moments in zip(run.states, own, strict=True)]


def _chip_marks(final: str, moments: Sequence[tuple[int, Moment]], count: int, earlier: int) -> list[Mark]:
    if not moments:
        return [Mark(final, "", 0, count + 1, False)]
    marks = [Mark(UNKNOWN if earlier else IDLE, "", 0, moments[0][0], False)]
    ends = [number for number, _ in moments[1:]] + [count + 1]
    for (number, moment), until in zip(moments, ends, strict=True):
        # A moment inside a called workflow: the step that calls is at it.
        state, note = ("running", "") if moment.inner else (moment.state, moment.summary)
        marks.append(Mark(state, note, number, until, True))
    last = marks[-1]
    if last.state != final:  # it waits, say, which is no moment of its own
        if last.since == count:
            marks[-1] = last._replace(state=final, note="")
        else:
            marks[-1:] = [last._replace(until=count), Mark(final, "", count, count + 1, False)]
    return marks


def _mark_html(mark: Mark, count: int) -> str:
    note = clean(mark.note)
    words = escape(f"{mark.state} · {note}" if note and len(note) <= SHORT else mark.state)
    kind = _kind(mark.state)
    if mark.since == 0 and mark.until > count:  # whatever moment is looked at
        return f'<i class="st {kind}"><b>{words}</b></i>'
    own = " own" if mark.lit else ""
    return f'<i class="st at {kind}{own}" style="--a:{mark.since};--z:{mark.until}"><b>{words}</b></i>'


def _since(board: Board, run: RunView) -> dict[int, int]:
    """From which moment on each wire that was taken counts as taken: the first that left by its port, else the first
    of its step; 0 when that one was not kept."""
    left: dict[tuple[int, str], int] = {}
    first: dict[int, int] = {}
    for number, moment in enumerate(run.moments, 1):
        if not moment.inner:
            left.setdefault((moment.chip, moment.port), number)
            first.setdefault(moment.chip, number)
    return {
        index: left.get((board.wires[index].source, board.wires[index].port), first.get(board.wires[index].source, 0))
        for index in run.taken
    }


def _kind(state: str) -> str:
    """The class of a state."""
    return state if state in STATES else "other"


def _word(state: str) -> str:
    return f'<span class="word {_kind(state)}">{escape(state)}</span>'


# --- style -------------------------------------------------------------------------------------------------------


def _rules(count: int) -> str:
    """The rules that only this run needs: the bits of the moment that is looked at, and its row of the table.

    Only what changes with the moment is told the bits: on a large board the whole document would be slow.
    """
    if not count:
        return ""
    bits = range(count.bit_length())
    rules = [f"main:has(.m{bit}:checked) .at{{--m{bit}:{1 << bit}}}" for bit in bits]
    rules.append(f".at{{--now:calc({' + '.join(f'var(--m{bit},0)' for bit in bits)})}}")
    rows = ",".join(f".ran:has(#m{number}:checked) #w{number}" for number in range(1, count + 1))
    rules.append(f"{rows}{{--row:grid}}")
    rules.append(f"@media print{{main .at{{--now:{count}}}}}")
    return "\n".join(rules) + "\n"


@cache
def _sheet() -> str:
    return compact((Path(__file__).parent / "templates" / "run.css").read_text("utf-8")) + "\n"


# --- the panel ---------------------------------------------------------------------------------------------------


def _panel(run: RunView, listing: Listing) -> str:
    """The tape, and the table of moments."""
    count = len(run.moments)
    pitch = max(PITCHES[0], min(PITCHES[1], ROOMY // max(count, 1)))
    steps = len(run.states)
    height = max(LOW, min(HIGH, LINE * steps))
    tops = [_top(listing.order[moment.chip], steps, height) for moment in run.moments]
    return template("run.html.j2").render(
        about=escape(clean(run.about)),
        facts=[(escape(fact.label), escape(clean(fact.value))) for fact in run.facts],
        redacted=run.redacted,
        reason=escape(clean(run.reason)),
        earlier=_earlier(run.earlier),
        count=count,
        width=pitch * count,
        pitch=pitch,
        height=height + 2 * EDGE,
        trace=_trace(tops, pitch),
        ticks=_ticks(run, listing, tops),
        rows=_rows(run, listing),
        timed=any(moment.at for moment in run.moments),
    )


def _earlier(earlier: int) -> str:
    if not earlier:
        return ""
    return f"{earlier:,} earlier moment{'' if earlier == 1 else 's'} {'was' if earlier == 1 else 'were'} not kept."


def _top(order: int, steps: int, height: int) -> int:
    """How far below the tape's edge a moment of the step with this number is drawn, in px."""
    return EDGE + (order - 1) * height // max(1, steps - 1) if steps > 1 else EDGE + height // 2


def _trace(tops: Sequence[int], pitch: int) -> str:
    """The line from moment to moment, drawn as wires are: across, then along the step."""
    if not tops:
        return ""
    data = [f"M{pitch // 2} {tops[0]}"]
    for number, top in enumerate(tops[1:], 1):
        data.append(f"H{number * pitch}V{top}H{number * pitch + pitch // 2}")
    return "".join(data)


def _bits(number: int) -> str:
    """The classes that spell a moment's number: m0 for 1, m1 for 2, m2 for 4 …"""
    return " ".join(f"m{bit}" for bit in range(number.bit_length()) if number >> bit & 1)


def _ticks(run: RunView, listing: Listing, tops: Sequence[int]) -> Iterator[Row]:
    """The tape's moments: number, bits, whether it is the last, place, kind, and what a label says."""
    count = len(run.moments)
    for number, (moment, top) in enumerate(zip(run.moments, tops, strict=True), 1):
        title = listing.titles[moment.chip] or listing.ids[moment.chip] or "untitled"
        name = f"{listing.numbers[moment.chip]} {title}"
        if moment.inner:
            name += f" › {clean(moment.inner)}"
        note = clean(moment.summary)
        yield (
            number,
            _bits(number),
            number == count,
            top,
            _kind(moment.state),
            escape(name),
            _word(moment.state),
            escape(note) if note != moment.state else "",
        )


def _rows(run: RunView, listing: Listing) -> Iterator[Row]:
    """The table's rows."""
    for number, moment in enumerate(run.moments, 1):
        labels = listing.board.chips[moment.chip].labels
        note = clean(moment.summary)
        yield (
            number,
            escape(moment.at),
            listing.numbers[moment.chip],
            listing.links[moment.chip],
            escape(clean(moment.inner)),
            _word(moment.state),
            escape(note),
            escape(clean(moment.port)) if labels and not moment.inner else "",
            escape(moment.error),
            _value(moment.given),
            _value(moment.answer),
            _value(moment.item),
        )


def _value(text: str | None) -> str:
    """A value as HTML, nothing for none."""
    if text is None:
        return ""
    return f"<pre{direction(text)}>{escape(text) or '<span class=none>an empty text</span>'}</pre>"
