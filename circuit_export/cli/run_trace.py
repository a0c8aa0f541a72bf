"""Where the trace of a run goes while it happens: into a file or to stdout, and before the eyes of who follows it."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from circuit_export.cli.console import abandon_stdout, printable
from circuit_export.cli.files import WouldOverwrite
from circuit_export.diagnostics import CircuitError

_ELSEWHERE = "name another place: --trace FILE"


class TraceSink:
    """Takes a trace line by line; each one is out before the run goes on."""

    def __init__(self, file: str | None, stream: IO[bytes] | None, *, follow: bool) -> None:
        self.takes = stream is not None or follow
        """Does anybody want to see the lines?"""
        self.writing = False
        """Is it waiting for somebody to take a line?"""
        self._file = file
        self._stream = stream
        self._follow = follow
        self._to_terminal = follow and sys.stderr is not None and sys.stderr.isatty()

    def put(self, line: str) -> None:
        """Takes a line. Raises CircuitError when it cannot be kept, or nobody takes it."""
        self.writing = True
        try:
            if self._stream is not None:
                self._write(self._stream, line.encode())
            if self._follow:
                self._show(line)
        finally:
            self.writing = False

    def _write(self, stream: IO[bytes], data: bytes) -> None:
        try:
            left = memoryview(data)
            while left:
                left = left[stream.write(left) or 0 :]
            stream.flush()
        except OSError as error:
            if self._file == "-":
                abandon_stdout()
            name = "<stdout>" if self._file == "-" else str(self._file)
            if isinstance(error, BrokenPipeError):
                raise CircuitError("The run was stopped: nobody reads its trace any more", file=name) from None
            raise CircuitError(
                f"The trace cannot be written: {error.strerror or error}",
                file=name,
                hint="the run was stopped, since what it did could no longer be kept; make room and run it again",
            ) from None

    def _show(self, line: str) -> None:
        """Shows a line; who no longer listens misses it, and the run goes on."""
        if sys.stderr is None:
            return
        shown = printable(line) if self._to_terminal else line
        with suppress(OSError):
            sys.stderr.flush()
            sys.stderr.buffer.write(shown.encode())
            sys.stderr.buffer.flush()


@contextmanager
def trace_sink(file: str | None, *, follow: bool, force: bool) -> Iterator[TraceSink]:
    """Opens what takes the trace. Raises CircuitError when it cannot be, before anything has happened."""
    if file is None or file == "-":
        yield TraceSink(file, sys.stdout.buffer if file == "-" else None, follow=follow)
        return
    with _opened(Path(file), force=force) as stream:
        yield TraceSink(file, stream, follow=follow)


def _opened(path: Path, *, force: bool) -> IO[bytes]:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("ab", buffering=0)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CircuitError(f"The trace cannot be written: {reason}", file=str(path), hint=_ELSEWHERE) from None
    try:
        _claim(stream, path, force=force)
    except BaseException:
        stream.close()
        raise
    return stream


def _claim(stream: IO[bytes], path: Path, *, force: bool) -> None:
    """Makes a file the trace of this run alone, and empty. Raises WouldOverwrite."""
    if not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        return
    if not _is_ours(stream):
        raise WouldOverwrite("Another run is writing its trace there", file=str(path), hint=_ELSEWHERE)
    if os.fstat(stream.fileno()).st_size and not force:
        raise WouldOverwrite(
            "The file exists and holds something else", file=str(path), hint=f"--force overwrites it; {_ELSEWHERE}"
        )
    stream.truncate(0)


def _is_ours(stream: IO[bytes]) -> bool:
    """Locks a file until it is closed; whether nobody else has. Where files cannot be locked so, nobody has."""
    try:
        import fcntl

        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True
