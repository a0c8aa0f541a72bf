"""Codecs: a value as a command's standard input, and its standard output as values."""

from __future__ import annotations

from json import JSONDecodeError
from typing import Any

from circuit_export.formats.circuitry.engine.failures import failed
from circuit_export.formats.circuitry.program import BYTES, JSONL, TEXT
from circuit_export.formats.circuitry.values import canonical, read_json, text_of, well_formed
from circuit_export.formats.wording import shown

_SHOWN = 40


def encoded(codec: str, value: Any, limit: int) -> bytes:
    """A value as bytes for standard input. Raises Failed: not bytes, or more than `limit` of them."""
    if codec == BYTES:
        if not isinstance(value, bytes):
            raise failed("codec.bytes", "Only bytes can be written as bytes")
        data = value
    elif codec == TEXT:
        data = well_formed(text_of(value)).encode()
    else:
        data = (canonical(value) + ("\n" if codec == JSONL else "")).encode()
    if len(data) > limit:
        raise failed("input.limit", f"The input has {len(data):,} bytes; {limit:,} are allowed")
    return data


def argument(value: Any) -> str:
    """A value as an argument of a command: a text as it is, everything else as canonical JSON."""
    return well_formed(text_of(value))


class OutputReader:
    """Reads a command's standard output as it comes; `size` counts its bytes."""

    def __init__(self, codec: str, limit: int) -> None:
        self.codec = codec
        self.limit = limit
        self.size = 0
        self._kept = bytearray()

    def feed(self, data: bytes) -> list[Any]:
        """The values that are complete with these bytes. Raises Failed, with the values before it lost to nobody."""
        self.size += len(data)
        if self.size > self.limit:
            self._kept.clear()
            raise failed("output.limit", f"The output has more than {self.limit:,} bytes, the most that is allowed")
        self._kept += data
        return []

    def finish(self) -> list[Any]:
        """The values that are complete with the end of the output. Raises Failed."""
        body = bytes(self._kept)
        if self.codec == BYTES:
            return [body]
        text = _decoded(body)
        if self.codec == TEXT:
            return [text]
        return [_json(text, "codec.json", "The output is not one JSON value")]


class RecordReader(OutputReader):
    """Reads standard output whose every line is a JSON value."""

    def __init__(self, limit: int) -> None:
        super().__init__(JSONL, limit)
        self._records = 0

    def lines(self, data: bytes) -> list[bytes]:
        """The lines that are complete with these bytes. Raises Failed."""
        fresh = len(self._kept)
        self.feed(data)
        at = self._kept.rfind(b"\n", fresh)
        if at < 0:
            return []
        found = bytes(self._kept[:at]).split(b"\n")
        del self._kept[: at + 1]
        return found

    def record(self, line: bytes) -> Any:
        """The value of a line. Raises Failed."""
        self._records += 1
        text = _decoded(line)
        if not text.strip(" \t\r"):
            raise failed("codec.jsonl", f"Line {self._records:,} of the output is blank")
        return _json(text, "codec.jsonl", f"Line {self._records:,} of the output is no JSON value")

    def finish(self) -> list[Any]:
        """Nothing: all lines were there already. Raises Failed when the last one has no end."""
        if self._kept:
            raise failed("codec.jsonl", "The last line of the output does not end with a line feed")
        return []


def reader(codec: str, limit: int) -> OutputReader:
    """A reader of standard output."""
    return RecordReader(limit) if codec == JSONL else OutputReader(codec, limit)


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise failed("codec.utf8", f"The output is not UTF-8: byte {error.start:,} begins no character") from None


def _json(text: str, code: str, message: str) -> Any:
    try:
        return read_json(text)
    except JSONDecodeError as error:
        raise failed(code, f"{message}: {_why(error)}") from None
    except ValueError as error:
        raise failed(code, f"{message}: {error}") from None


def _why(error: JSONDecodeError) -> str:
    """Why a text is no JSON, with what stands there: no trace holds an output that has no value."""
    if not error.doc.strip():
        return "it is empty"
    rest = error.doc[error.pos : error.pos + _SHOWN].strip()
    what = f"found {shown(rest)}" if rest else "it ends"
    return f"{what} at line {error.lineno:,}, column {error.colno:,} ({error.msg})"
