"""Undoes one wrapping of a text or of bytes at a time: compression, data URLs, encodings, escapes, quoting."""

from __future__ import annotations

import contextlib
import re
import zlib
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from circuit_export.diagnostics import CircuitError
from circuit_export.restore import markup, mime
from circuit_export.restore.scan import MAIN, words


class TooLarge(CircuitError):
    """A source that unpacks to more than is read."""


class DataUrl(NamedTuple):
    """What a `data:` URL carries."""

    data: bytes
    charset: str | None


# --- bytes -------------------------------------------------------------------------------------------------------

_ZLIB = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")


def decompressed(data: bytes, limit: int) -> tuple[str, bytes] | None:
    """What gzip or zlib data holds, with its kind; None for other data. Raises TooLarge beyond `limit` bytes.

    What is cut off or damaged gives as much as could be read.
    """
    if data.startswith(b"\x1f\x8b\x08"):
        return "gzip", _inflate(data, 31, limit)
    if data.startswith(_ZLIB):
        unpacked = _inflate(data, 15, limit)
        return ("zlib", unpacked) if unpacked else None
    return None


def _inflate(data: bytes, window: int, limit: int) -> bytes:
    out: list[bytes] = []
    size = 0
    for piece in _pieces(data, window):
        size += len(piece)
        if size > limit:
            raise TooLarge(
                "It unpacks to more than is read",
                found=f"over {limit:,} bytes",
                expected=f"at most {limit:,} bytes",
                hint="unpack it yourself and name the page inside it",
            )
        out.append(piece)
    return b"".join(out)


_AT_ONCE = 1 << 16  # bytes: what a stream leaves over is copied, so it is never given all that follows


def _pieces(data: bytes, window: int) -> Iterator[bytes]:
    """What the streams in `data`, one after the other, unpack to, a megabyte at most at a time."""
    stream = zlib.decompressobj(window)
    for start in range(0, len(data), _AT_ONCE):
        part = data[start : start + _AT_ONCE]
        while part:
            if stream.eof:
                part = part.lstrip(b"\0")  # archives are padded with zeros
                stream = zlib.decompressobj(window)
                continue
            try:
                yield stream.decompress(part, 1 << 20)
            except zlib.error:
                return
            part = stream.unused_data if stream.eof else stream.unconsumed_tail
    with contextlib.suppress(zlib.error):
        while piece := stream.decompress(b"", 1 << 20):  # what had no room in the last piece
            yield piece


# --- data URLs ---------------------------------------------------------------------------------------------------

_DATA = re.compile(r"data:([\w.+-]{0,60}(?:/[\w.+-]{0,80})?)((?:;[^,;\"'<>\s]{0,200}){0,8}),", re.IGNORECASE)
_DATA_END = {'"': re.compile('"'), "'": re.compile("'"), "(": re.compile(r"[)\s]"), "": re.compile(r"[\s\"'<>]")}
_MOST_URLS = 1_000


def data_url(text: str) -> DataUrl | None:
    """The content of a text that is a `data:` URL as a whole; None for others."""
    text = text.strip()
    head = _DATA.match(text)
    return _carried(head, text[head.end() :]) if head else None


def data_urls(text: str) -> Iterator[DataUrl]:
    """The content of the `data:` URLs of text inside a text: in attributes, links and style sheets."""
    position = 0
    for start, _ in islice(words(text, ("data:", "DATA:", "Data:")), _MOST_URLS):
        head = _DATA.match(text, start) if start >= position else None
        if head is None:
            continue
        before = text[head.start() - 1 : head.start()]
        found = _DATA_END[before if before in _DATA_END else ""].search(text, head.end())
        end = found.start() if found else len(text)
        position = end
        if not head.group(1).lower().startswith(("image/png", "image/jp", "image/gif", "image/webp", "font/")):
            yield _carried(head, markup.decode(text[head.end() : end]))


def _carried(head: re.Match[str], payload: str) -> DataUrl:
    options = [option.strip().lower() for option in head.group(2).split(";") if option.strip()]
    charset = next((option[8:] for option in options if option.startswith("charset=")), None)
    raw = unquote_to_bytes(payload)
    return DataUrl((mime.base64(raw) or b"") if "base64" in options else raw, charset)


# --- text --------------------------------------------------------------------------------------------------------

_BASE64 = re.compile(r"[A-Za-z0-9+/_\s-]{40,}+={0,2}\s*+")
_QUOTE = re.compile(r"(?m)^[ \t]{0,3}>[ \t]?")
_NUMBERED = re.compile(r"(?m)^[ \t]*(\d+)(?:[ \t]*[.:|)])?(?:[ \t]|$)")
_CURLY = re.compile("[“”„‟«»]")
_STRAIGHT = str.maketrans({"\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u00ab": '"', "\u00bb": '"'})
_PAGE = re.compile(
    r"<(?:!doctype|html|head|body|main|article|section|div|pre|p|span|table|tr|td|code|script|textarea|iframe|br|li)"
    r"(?=[\s/>])",
    re.IGNORECASE,
)


_SIGNS = ("{", "```", "~~~", "&#", "&lcub;", "&lbrace;", "&amp;", MAIN)  # without any, no definition is in a page


class Undone(NamedTuple):
    """A text with one wrapping undone: the words for it, and what is to be said when it was a guess."""

    words: str
    content: str | bytes
    note: str = ""


def is_markup(text: str) -> bool:
    return "<" in text and _PAGE.search(text) is not None


def undone(text: str) -> Iterator[Undone]:
    """The texts that `text` may be a wrapping of, the likeliest first, each only where there are signs of it."""
    if "=3D" in text or "=\n" in text or "=\r\n" in text:
        yield Undone("quoted-printable", mime.quoted_printable(text.encode("utf-8", "surrogatepass")))
    may_hold = any(sign in text for sign in _SIGNS)
    if may_hold and is_markup(text):
        yield Undone("page's text", markup.decode(markup.text_of(text)))
    if may_hold and "&" in text:
        plain = markup.decode(text)
        if plain != text:
            yield Undone("escaped text", plain)
    if "%7B" in text or "%3C" in text or "%7b" in text or "%3c" in text:
        yield Undone("percent-encoded text", unquote_to_bytes(text.encode("utf-8", "surrogatepass")))
    if _BASE64.fullmatch(text):
        packed = mime.base64(text.encode("ascii", "ignore"))
        if packed:
            yield Undone("base64", packed)
    yield from _retyped(text)


def _retyped(text: str) -> Iterator[Undone]:
    """What people and their programs do to a pasted text."""
    if ">" in text and _QUOTE.search(text):
        yield Undone("quotation", _QUOTE.sub("", text))
    if "\u00a0" in text:
        note = "Non-breaking spaces were taken for spaces"
        yield Undone("text with non-breaking spaces", text.replace("\u00a0", " "), note)
    if _CURLY.search(text):
        note = "Curly quotes were taken for straight ones"
        yield Undone("text with curly quotes", text.translate(_STRAIGHT), note)
    if text.lstrip()[:1].isdecimal():
        numbers = _NUMBERED.findall(text)
        if len(numbers) > 2 and len(numbers) >= 0.8 * (text.count("\n") + 1):
            yield Undone("text with line numbers", _NUMBERED.sub("", text), "Line numbers were taken off")
