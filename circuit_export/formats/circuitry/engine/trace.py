"""Traces as canonical JSON Lines: an encoder, and a streaming decoder that says what is wrong with a trace."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from circuit_export.formats.circuitry.values import canonical, read_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from circuit_export.formats.circuitry.engine.state import Record

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", re.ASCII)
_YIELD: Final = {"at", "value", "yield"}
_FAILURE: Final = frozenset(("code", "message", "data"))


class TraceError(ValueError):
    """A line that a trace cannot have; `code` says in which way, `line` counts from 1."""

    def __init__(self, code: str, message: str, line: int) -> None:
        super().__init__(message)
        self.code = code
        self.line = line


def encode(record: Record) -> str:
    """A record as a line, with its line feed."""
    if record.keys() == _YIELD and type(record["at"]) is int and type(record["yield"]) is int:
        # Of these there may be millions.
        return f'{{"at":{record["at"]},"value":{canonical(record["value"])},"yield":{record["yield"]}}}\n'
    return canonical(record) + "\n"


def decode(chunks: Iterable[bytes]) -> Iterator[Record]:
    """The records of a trace that comes in pieces; an unfinished last line is left out. Raises TraceError."""
    decoder = Decoder()
    for chunk in chunks:
        yield from decoder.feed(chunk)


class Decoder:
    """Reads a trace as it comes and checks each record against those before it."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._ordinal = 0
        self._open: set[int] = set()  # calls without a result
        self._introduced: set[int] = set()
        self._complete = False

    def feed(self, data: bytes) -> Iterator[Record]:
        """The records that are complete with these bytes. Raises TraceError."""
        self._kept += data
        start = 0
        try:
            while (end := self._kept.find(b"\n", start)) >= 0:
                line = bytes(self._kept[start:end])
                start = end + 1
                yield self._record(line)
        finally:
            del self._kept[:start]

    def _fail(self, code: str, message: str) -> TraceError:
        return TraceError(f"trace.{code}", message, self._ordinal + 1)

    def _record(self, line: bytes) -> Record:
        if self._complete:
            raise self._fail("complete", "There is more after the result of the run")
        if not line.strip():
            raise self._fail("record", "A line is empty")
        try:
            record = read_json(line.decode("utf-8"))
        except ValueError as error:
            raise self._fail("json", f"A line is no JSON: {error}") from None
        if not isinstance(record, dict):
            raise self._fail("record", "A line is no object")
        self._check(record)
        self._ordinal += 1
        return record

    def _check(self, record: Record) -> None:
        if self._ordinal == 0:
            return self._header(record)
        if "call" in record:
            self._call(record)
        elif "yield" in record:
            self._yield(record)
        elif "result" in record:
            self._result(record)
        elif "trace" in record:
            raise self._fail("header", "A second header")
        else:
            raise self._fail("record", "A record is of no known kind")
        return None

    def _header(self, record: Record) -> None:
        self._introduced.add(0)
        keys = set(record)
        if keys != {"at", "source", "trace"} and keys != {"at", "source", "trace", "input"}:
            raise self._fail("header", "The first record is no header: at, source, trace and maybe input")
        at, source, trace = record["at"], record["source"], record["trace"]
        if not isinstance(at, str) or not _TIME.fullmatch(at):
            raise self._fail("header", "The header's time is not like 2000-01-31T12:00:00.000Z")
        if not isinstance(source, str) or not isinstance(trace, str) or not trace:
            raise self._fail("header", "The header's source and trace are texts, the latter not empty")

    def _keys(self, record: Record, allowed: set[str], code: str) -> None:
        more = set(record) - allowed
        if more:
            raise self._fail(code, f"A record has a key that is none: {sorted(more)[0]}")
        if not _is_ordinal(record.get("at")):
            raise self._fail(code, "A record's time is no whole number of milliseconds")

    def _call(self, record: Record) -> None:
        self._keys(record, {"at", "call", "parent", "source"}, "call")
        if not isinstance(record["call"], str):
            raise self._fail("call", "A call's name is no text")
        if "parent" in record and not self._is_open(record["parent"]):
            raise self._fail("parent", "A call's parent is no call that is still open")
        source = record.get("source", "")
        if not isinstance(source, str) and not (_is_ordinal(source) and source in self._introduced):
            raise self._fail("source", "A call's source is no text, nor the record that brought one")
        if "source" in record and isinstance(source, str):
            self._introduced.add(self._ordinal)
        self._open.add(self._ordinal)

    def _yield(self, record: Record) -> None:
        self._keys(record, {"at", "value", "yield"}, "yield")
        if "value" not in record:
            raise self._fail("yield", "A yield has no value")
        if not self._is_open(record["yield"]):
            raise self._fail("yield", "A yield is of no call that is still open")

    def _result(self, record: Record) -> None:
        self._keys(record, {"at", "result", "bindings", "error", "output"}, "result")
        if record["result"] == 0 and _is_ordinal(record["result"]):
            self._root(record)
        else:
            self._settled(record)
        if "error" in record:
            self._failure(record["error"])

    def _root(self, record: Record) -> None:
        if "bindings" in record or ("output" in record) == ("error" in record):
            raise self._fail("result", "The run's result has either an output or an error")
        if self._open:
            raise self._fail("result", "The run's result comes while calls are open")
        self._complete = True

    def _settled(self, record: Record) -> None:
        if not self._is_open(record["result"]) or "output" in record:
            raise self._fail("result", "A result is of no call that is still open, or has an output")
        if "error" not in record and "bindings" not in record:
            raise self._fail("bindings", "A call that succeeded has bindings")
        if "bindings" in record and not isinstance(record["bindings"], dict):
            raise self._fail("bindings", "Bindings are an object")
        self._open.discard(record["result"])

    def _failure(self, found: Any) -> None:
        if (
            not isinstance(found, dict)
            or not set(found) <= _FAILURE
            or not all(isinstance(found.get(key), str) for key in ("code", "message"))
        ):
            raise self._fail("error", "A failure has a code and a message, both texts, and maybe data")

    def _is_open(self, ordinal: Any) -> bool:
        return _is_ordinal(ordinal) and ordinal in self._open


def _is_ordinal(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0
