"""Takes a saved web archive (MHTML) or a mail apart. Headers are read by the standard library, parts cut linearly.

The standard library's own parser compares each line with every open boundary and recurses into parts; that is
quadratic on hostile mail, so it gets one bounded block of headers at a time.
"""

from __future__ import annotations

import binascii
import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from email.message import Message

_HEADERS = 65_536  # bytes: no block of headers is longer
_FIRST = re.compile(rb"\s*+(?:From [^\n]*\n)?([A-Za-z][A-Za-z0-9-]{1,60}):[ \t]")
_TELLS = re.compile(rb"(?im)^(?:mime-version|content-type|content-transfer-encoding|snapshot-content-location):")
_BLANK = re.compile(rb"\r?\n[ \t]*\r?\n")
_MOST_PARTS = 5_000
_DEEPEST = 8


class Part(NamedTuple):
    """One leaf of a mail, transfer encoding undone."""

    media_type: str
    charset: str | None
    data: bytes


class Mail(NamedTuple):
    """What it is ("MHTML" or "mail") and its leaves that may hold text, in order."""

    kind: str
    parts: tuple[Part, ...]


def mail(data: bytes) -> Mail | None:
    """`data` taken apart; None when it is no mail."""
    if not _FIRST.match(data[:1000]) or not _TELLS.search(data[:_HEADERS]):
        return None
    parts: list[Part] = []
    kind = _collect(data.lstrip(b"\r\n\t "), 0, parts)
    return Mail("MHTML" if kind == "multipart/related" else "mail", tuple(parts)) if parts else None


def quoted_printable(data: bytes) -> bytes:
    """Quoted-printable undone; a soft line break that was cut off at the end goes too."""
    return binascii.a2b_qp(re.sub(rb"=[ \t]*\Z", b"", data))


def base64(data: bytes) -> bytes | None:
    """Base64 (the web's alphabet too) undone, blanks ignored; None when it is none."""
    packed = data.translate(bytes.maketrans(b"-_", b"+/"), b" \t\r\n").rstrip(b"=")
    if len(packed) % 4 == 1:  # a character was cut off with the end
        packed = packed[:-1]
    try:
        return binascii.a2b_base64(packed + b"=" * (-len(packed) % 4))
    except binascii.Error:
        return None


def _collect(data: bytes, depth: int, parts: list[Part]) -> str:
    """Adds the leaves of one entity to `parts` and answers its media type."""
    from email.parser import BytesHeaderParser

    blank = _BLANK.search(data[:_HEADERS])
    head, body = (data[: blank.start()], data[blank.end() :]) if blank else (data[:_HEADERS], data[_HEADERS:])
    if data.startswith((b"\n", b"\r\n")):  # a part without headers
        head, body = b"", data.lstrip(b"\r\n")
    headers = BytesHeaderParser().parsebytes(head)
    media_type = headers.get_content_type()
    boundary = headers.get_boundary()
    if media_type.startswith("multipart/") and boundary and depth < _DEEPEST:
        for part in _cut(body, boundary.encode("utf-8", "surrogateescape")):
            if len(parts) >= _MOST_PARTS:
                break
            _collect(part, depth + 1, parts)
        if parts:
            return media_type
    if media_type.split("/")[0] in ("image", "font", "video", "audio") or media_type == "text/css":
        return media_type
    parts.append(Part(media_type, _charset(headers.get_content_charset()), _transferred(headers, body)))
    return media_type


def _charset(name: object) -> str | None:
    return name if isinstance(name, str) else None


def _transferred(headers: Message, body: bytes) -> bytes:
    encoding = str(headers.get("content-transfer-encoding") or "").strip().lower()
    if encoding == "quoted-printable":
        return quoted_printable(body)
    if encoding == "base64":
        undone = base64(body)
        return body if undone is None else undone
    return body


def _cut(body: bytes, boundary: bytes) -> list[bytes]:
    """The parts between lines of `--boundary`; the last may lack its end."""
    mark = b"--" + boundary
    starts: list[tuple[int, int]] = []
    position = 0
    while len(starts) <= _MOST_PARTS:
        at = body.find(mark, position)
        if at < 0:
            break
        position = at + len(mark)
        if at == 0 or body[at - 1 : at] == b"\n":
            line_end = body.find(b"\n", position)
            if body[position : position + 2] == b"--":
                starts.append((at, -1))
                break
            starts.append((at, line_end + 1 if line_end >= 0 else len(body)))
    ends = [at for at, _ in [*starts[1:], (len(body), 0)]][: len(starts)]
    return [
        body[start : end - (2 if body[end - 2 : end] == b"\r\n" else 1) if end < len(body) else end]
        for (_, start), end in zip(starts, ends, strict=True)
        if start >= 0
    ]
