"""The texts that a block may have held before it was rewritten; the digest tells which one it was.

Each way a page gets rewritten is an axis with a few choices, the first of them "not at all". Candidates come in
order of how many things must have happened, so the least mended text that fits is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from circuit_export.restore import markup

Mend = Callable[[str], str | None]
"""Undoes one thing; None when there is nothing to undo."""


class Candidate(NamedTuple):
    """A text, and the words for what was undone to reach it."""

    text: str
    mended: tuple[str, ...]


def _unless_same(mend: Callable[[str], str]) -> Mend:
    def tried(text: str) -> str | None:
        changed = mend(text)
        return None if changed == text else changed

    return tried


# --- each thing that happens to a text on its way ----------------------------------------------------------------

_LEADING = re.compile(r"(?m)^[ \t\u00a0]+")
_STRING = re.compile(r'"(?:[^"\\\n]++|\\.)*+"')
_UNSEEN = re.compile("[\u200b\u2060\ufeff\u00ad]")
_QUOTED = re.compile(r"(?m)^>[ \t]?")
_BREAK = re.compile(r"<br\s{0,9}/?>\r?\n", re.IGNORECASE)
_CP1252 = {
    ord(bytes([byte]).decode("cp1252")): chr(byte)
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}


def _line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _one_feed_less(text: str) -> str:
    return text[1:] if text.startswith("\n") else text


def _plain_spaces(text: str) -> str:
    return text.replace("\u00a0", " ")


def _plain_indent(text: str) -> str:
    return _LEADING.sub(lambda run: run.group().replace("\u00a0", " "), text)


def _plain_between(text: str) -> str:
    """Non-breaking spaces made plain outside strings of JSON, kept inside."""
    if "\u00a0" not in text:
        return text
    out, position = [], 0
    for string in _STRING.finditer(text):
        out += [text[position : string.start()].replace("\u00a0", " "), string.group()]
        position = string.end()
    out.append(text[position:].replace("\u00a0", " "))
    return "".join(out)


def _as_utf8(text: str) -> str | None:
    """Text whose UTF-8 bytes were read as Windows-1252 or Latin-1."""
    try:
        mended = text.translate(_CP1252).encode("latin-1").decode("utf-8")
    except UnicodeError:
        return None
    return None if mended == text else mended


def _without_indent(text: str) -> str | None:
    """Every line moved left by the blanks that all of them begin with (the first may have lost its own)."""
    lines = text.split("\n")
    width = min((len(line) - len(line.lstrip(" \t")) for line in lines[1:] if line.strip()), default=0)
    if not width:
        return None
    first = lines[0][width:] if not lines[0][:width].strip() else lines[0]
    return "\n".join([first] + [line[width:] if not line[:width].strip() else line for line in lines[1:]])


def _decoded(times: int) -> Mend:
    def tried(text: str) -> str | None:
        for _ in range(times):
            changed = markup.decode(text)
            if changed == text:
                return None
            text = changed
        return text

    return tried


def _tagless_lines(text: str) -> str | None:
    return markup.text_of(text)


def _tagless_once(text: str) -> str | None:
    """For `<br>` put in front of line ends that were kept."""
    once = _BREAK.sub("\n", text)
    return None if once == text else markup.text_of(once)


def _tagless(text: str) -> str | None:
    """For block-level elements and line numbers that are no such thing."""
    return None if markup.is_plain(text) else markup.text_of(text, lines=False, unseen=False)


def _with_feed(text: str) -> str:
    return text + "\n"


def _without_feed(text: str) -> str | None:
    return text[:-1] if text.endswith("\n") else None


def _as_windows_writes(text: str) -> str | None:
    return text.replace("\n", "\r\n") if "\n" in text and "\r" not in text else None


# Each axis in the order in which it is undone: what is taken when nothing happened, then the other choices with
# the words for them.
_Axis = tuple[Callable[[str], str], tuple[tuple[str, Mend], ...]]


def _same(text: str) -> str:
    return text


_DECODING: _Axis = (
    markup.decode,
    (
        ("character references taken literally", _unless_same(markup.decode_literally)),
        ("escaped twice", _decoded(2)),
        ("not escaped at all", lambda text: text if "&" in text else None),
        ("only some characters escaped", _unless_same(markup.decode_four)),
        ("escaped three times", _decoded(3)),
        ("escaped four times", _decoded(4)),
    ),
)
_AXES: tuple[_Axis, ...] = (
    (_line_feeds, (("carriage returns kept", lambda text: text if "\r" in text else None),)),
    (_one_feed_less, (("no line feed after the start tag", lambda text: text if text.startswith("\n") else None),)),
    (_same, (("UTF-8 read as another charset", _as_utf8),)),
    _DECODING,
    (_same, (("UTF-8 read as another charset", _as_utf8),)),
    (
        _same,
        (
            ("non-breaking spaces between strings", _unless_same(_plain_between)),
            ("non-breaking spaces as indentation", _unless_same(_plain_indent)),
            ("non-breaking spaces instead of spaces", _unless_same(_plain_spaces)),
        ),
    ),
    (_same, (("invisible characters put in", _unless_same(lambda text: _UNSEEN.sub("", text))),)),
    (
        _same,
        (
            ("indented", _without_indent),
            ("quoted with “>”", _unless_same(lambda text: _QUOTED.sub("", text))),
        ),
    ),
    (
        _same,
        (
            ("its last line feed lost", _with_feed),
            ("a line feed added at the end", _without_feed),
            ("blanks around it", _unless_same(str.strip)),
        ),
    ),
    (_same, (("line ends changed", _as_windows_writes),)),
)
_MARKUP: tuple[tuple[str, Mend], ...] = (
    ("markup put inside", _tagless_lines),
    ("line breaks doubled", _tagless_once),
    ("markup put inside", _tagless),
)
_MOST_MENDS = 3


class Work:
    """How many characters may still be gone through, and how many were."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.done = 0

    def spend(self, characters: int) -> bool:
        """Counts so many; False when that is more than may be."""
        self.done += characters
        return self.done <= self.most


def beginnings(inner: str) -> list[Candidate]:
    """The raw content of a block without the markup in it, in the ways that may have come into it; itself last."""
    found = [Candidate(inner, ())]
    if markup.has_tags(inner):
        mended = [(words, mend(inner)) for words, mend in _MARKUP]
        found[:0] = [Candidate(text, (words,)) for words, text in mended if text is not None]
    return found


def candidates(starts: list[Candidate], work: Work) -> Iterator[Candidate]:
    """The texts that a block's content may have been, the likeliest first; `starts` are its `beginnings`.

    `work` bounds what is gone through in all.
    """
    seen: set[str] = set()
    for most in range(_MOST_MENDS + 1):
        for start, words in starts:
            for text, mended in _walk(start, 0, most, work):
                if text not in seen:
                    seen.add(text)
                    yield Candidate(text, words + mended)


def _walk(text: str, axis: int, mends: int, work: Work) -> Iterator[Candidate]:
    """Every way to go through the axes from `axis` on with exactly so many mends, while there is work left."""
    if axis == len(_AXES):
        if not mends:
            yield Candidate(text, ())
        return
    usual, choices = _AXES[axis]
    if not work.spend(64 if usual is _same else len(text) + 64):
        return
    yield from _walk(usual(text), axis + 1, mends, work)
    if not mends:
        return
    for words, mend in choices:
        if not work.spend(len(text)):
            return
        mended = mend(text)
        if mended is not None:
            yield from (
                Candidate(found, (words, *others)) for found, others in _walk(mended, axis + 1, mends - 1, work)
            )
