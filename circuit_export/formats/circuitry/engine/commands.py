"""What a command's output and its end mean: the values it gives, and whether it failed."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from circuit_export.formats.circuitry.engine.codecs import RecordReader, reader
from circuit_export.formats.circuitry.engine.failures import Failed, Failure
from circuit_export.formats.circuitry.program import BYTES, TEXT

STDERR_KEPT: Final = 65_536
"""Bytes of standard error that are kept, the last ones."""


class Command(NamedTuple):
    """A command to be run: no shell has part in it. `stdin` is None when it is given none.

    `folder` is where it runs, None for where the host itself does.
    """

    executable: str
    arguments: tuple[str, ...]
    stdin: bytes | None
    folder: str | None
    codec: str
    limit: int


class Exit(NamedTuple):
    """How a command ended: with a status or by a signal.

    `unread` says that it closed its input before it had read all; `not_started` is why it could not be started.
    """

    status: int | None = 0
    signal: str | None = None
    unread: bool = False
    not_started: str = ""


class Session:
    """A running command as far as its output goes; the host hands it what it reads."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self.failure: Failure | None = None
        self._reader = reader(command.codec, command.limit)
        self._stderr = bytearray()
        self._stderr_size = 0

    def stdout(self, data: bytes) -> list[Any]:
        """Takes bytes of standard output; the values they complete. With `failure` set, no more is of use."""
        if self.failure is not None:
            return []
        values: list[Any] = []
        try:
            if isinstance(self._reader, RecordReader):
                for line in self._reader.lines(data):
                    values.append(self._reader.record(line))  # noqa: PERF401  # what came before a failure counts
            else:
                self._reader.feed(data)
        except Failed as found:
            self.failure = found.failure
        return values

    def stderr(self, data: bytes) -> None:
        """Takes bytes of standard error."""
        self._stderr_size += len(data)
        self._stderr += data[-STDERR_KEPT:]
        if len(self._stderr) > 2 * STDERR_KEPT:
            del self._stderr[:-STDERR_KEPT]

    def ended(self, exit: Exit) -> tuple[list[Any], Failure | None]:
        """The last values, and what went wrong, when it has ended and all its output was handed over."""
        if exit.not_started:
            return self._not_started(exit)
        if self.failure is not None:
            return [], self.failure
        try:
            values = self._reader.finish()
        except Failed as found:
            return [], found.failure
        if exit.status != 0:
            return values, self._exited(exit)
        if exit.unread:
            name = self.command.executable
            return values, Failure("process.input", f"{name} closed its standard input before all was written")
        return values, None

    def _not_started(self, exit: Exit) -> tuple[list[Any], Failure]:
        # A text or bytes that never came are empty, and a trace shows them: so does every other runner's.
        empty: dict[str, list[Any]] = {TEXT: [""], BYTES: [b""]}
        message = f"{self.command.executable} cannot be started: {exit.not_started}"
        return empty.get(self.command.codec, []), Failure("process.spawn", message)

    def _exited(self, exit: Exit) -> Failure:
        kept = bytes(self._stderr[-STDERR_KEPT:])
        data = {
            "status": exit.status,
            "signal": exit.signal,
            "stderr": kept.decode("utf-8", "replace"),
            "stderrTruncated": self._stderr_size > STDERR_KEPT,
        }
        how = exit.signal if exit.status is None else exit.status
        return Failure("process.exit", f"{self.command.executable} exited with {how}", data)
