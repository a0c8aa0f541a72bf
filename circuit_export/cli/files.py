"""Reading stdin and writing files as every command does it: whole or not at all, and nothing overwritten unasked."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from pathlib import Path

from circuit_export.diagnostics import CircuitError


class WouldOverwrite(CircuitError, FileExistsError):
    """A file is there already, with other content."""


def read_stdin() -> bytes:
    """All of stdin, as bytes."""
    return sys.stdin.buffer.read()


def write_stdout(text: str) -> None:
    """Writes the product to stdout as UTF-8, byte for byte (no line end is translated)."""
    sys.stdout.flush()
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()


def write_file(path: Path, text: str, *, force: bool) -> bool:
    """Writes `text` to `path` in one move; False when the file held it already.

    Raises WouldOverwrite when the file holds something else and `force` is not set, CircuitError when the file
    cannot be written.
    """
    data = text.encode("utf-8")
    try:
        if path.exists():
            if path.is_file() and path.stat().st_size == len(data) and path.read_bytes() == data:
                return False
            if not force:
                raise WouldOverwrite(
                    "The file exists and holds something else",
                    file=str(path),
                    hint="--force overwrites it; -o names another place",
                )
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, data)
    except WouldOverwrite:
        raise
    except OSError as error:
        raise CircuitError(f"The file cannot be written: {error.strerror or error}", file=str(path)) from None
    return True


def _replace(path: Path, data: bytes) -> None:
    """Writes beside the file and moves it there, so that a stop midway leaves the old file whole."""
    if path.exists() and not path.is_file():  # a device or a pipe, such as /dev/stdout, is written to as it is
        path.write_bytes(data)
        return
    target = path.resolve()  # through a link, so that the link stays one
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:40]}.", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        mode = target.stat().st_mode if target.exists() else 0o666 & ~_umask()
        Path(name).chmod(mode & 0o777)
        Path(name).replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
