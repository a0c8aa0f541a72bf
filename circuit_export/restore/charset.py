"""Bytes to text: byte-order marks, UTF-16 without one, what the server or the markup says, and what is left."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

_MARKS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_DECLARED = rb"""(?i)<(?:meta|\?xml)[^>]{0,400}?(?:charset|encoding)\s{0,9}=\s{0,9}["']?\s{0,9}([a-z0-9_.:-]{2,40})"""
_HEAD = 4096
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
# Seven-bit encodings look like ASCII, so valid UTF-8 says nothing against them.
_SEVEN_BIT = ("iso2022", "iso-2022", "hz", "utf-7", "utf7")


class Decoded(NamedTuple):
    """A text, the charset it was read with, and what is to be said about that."""

    text: str
    charset: str
    notes: tuple[str, ...] = ()


def decode(data: bytes, declared: str | None = None) -> Decoded:
    """The text of `data`; `declared` is what a server or a mail's header says. Never raises.

    Valid UTF-8 is believed over any declaration: text in another charset hardly ever is valid UTF-8 by chance,
    while wrong declarations are common.
    """
    for mark, charset in _MARKS:
        if data.startswith(mark):
            return _lenient(data[len(mark) :], charset)
    wide = _wide(data)
    if wide:
        return _lenient(data, wide)
    named = _known(declared) or _known(_in_markup(data))
    if named and named.startswith(_SEVEN_BIT) and (b"\x1b" in data or b"~{" in data or b"+A" in data):
        return _lenient(data, named)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    if named and not named.startswith(("utf-8", "utf-16", "utf-32")):
        try:
            return Decoded(data.decode(named), named)
        except (UnicodeDecodeError, ValueError):
            pass
    return _guess(data)


def well_formed(text: str) -> tuple[str, bool]:
    """`text` with surrogate pairs joined and lone surrogates replaced, and whether one was replaced."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        mended = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return mended, mended.count("\ufffd") > text.count("\ufffd")
    return text, False


def is_noise(text: str) -> bool:
    """Is it binary data rather than text? Many characters, more than one in fifty, are control characters then."""
    head = text[:65_536]
    controls = len(_CONTROLS.findall(head))
    return controls > 100 and controls * 50 > len(head)


def _lenient(data: bytes, charset: str) -> Decoded:
    try:
        return Decoded(data.decode(charset), charset)
    except (UnicodeDecodeError, ValueError):
        text = data.decode(charset, "replace")
        return Decoded(text, charset, (f"Some bytes are not valid {charset.upper()} and were replaced by “\ufffd”",))


def _wide(data: bytes) -> str | None:
    """UTF-16 (or 32) without a mark shows by its zero bytes: what markup and JSON are made of is ASCII."""
    head = data[:_HEAD]
    if len(head) < 4 or b"\0" not in head:
        return None
    quarters = [head[offset::4].count(0) / max(1, len(head[offset::4])) for offset in range(4)]
    low = [share < 0.1 for share in quarters]
    if low == [True, False, False, False] and min(quarters[1:]) > 0.9:
        return "utf-32-le"
    if low == [False, False, False, True] and min(quarters[:3]) > 0.9:
        return "utf-32-be"
    even, odd = head[::2].count(0) / len(head[::2]), head[1::2].count(0) / max(1, len(head[1::2]))
    if odd > 0.3 and even < 0.1:
        return "utf-16-le"
    if even > 0.3 and odd < 0.1:
        return "utf-16-be"
    return None


def _in_markup(data: bytes) -> str | None:
    found = re.search(_DECLARED, data[:_HEAD])
    return found.group(1).decode("ascii") if found else None


def _known(charset: str | None) -> str | None:
    """The normal name of a charset that Python has and that is one of text; None for others."""
    if not charset:
        return None
    try:
        info = codecs.lookup(charset.strip().strip("\"'"))
        "a".encode(info.name)
        b"a".decode(info.name)
    except (LookupError, ValueError, TypeError, AssertionError):
        return None
    # The web means the superset when it says Latin-1.
    return "cp1252" if info.name in ("iso8859-1", "ascii") else info.name


def _guess(data: bytes) -> Decoded:
    """Damaged UTF-8 when most of what is not ASCII is valid, else Windows-1252."""
    try:
        text, lost = well_formed(data.decode("utf-8", "surrogatepass"))
        return Decoded(text, "utf-8", ("Lone surrogates were replaced by “\ufffd”",) if lost else ())
    except UnicodeDecodeError:
        pass
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    valid = sum(map(len, re.findall(r"[^\x00-\x7f\ufffd]+", text)))
    if valid >= damaged:
        return Decoded(text, "utf-8", ("Some bytes are not valid UTF-8 and were replaced by “\ufffd”",))
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return Decoded(text, "cp1252", ("It names no charset and is not UTF-8; it was read as Windows-1252",))
