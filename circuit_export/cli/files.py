"""Reading stdin and writing files as every command does it: whole or not at all, and nothing overwritten unasked."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from circuit_export import api
from circuit_export.cli.console import abandon_stdout
from circuit_export.diagnostics import CircuitError, UsageError


class WouldOverwrite(CircuitError, FileExistsError):
    """A file is there already, with other content."""


def check_sources(sources: Sequence[str]) -> None:
    """Raises UsageError for what can be the name of no source: nothing, a pasted text, a name no system has."""
    for source in sources:
        if not source:
            raise UsageError("A SOURCE has no name", hint="name a file, a URL, or - for stdin")
        if source == "-" or api.is_url(source):
            continue
        try:
            Path(source).stat()
        except (OSError, ValueError) as error:
            if isinstance(error, ValueError) or error.errno == errno.ENAMETOOLONG:
                is_text = "\n" in source or source.lstrip()[:1] in ("{", "<", "[")
                raise UsageError(
                    "This is a text, not the name of a source" if is_text else "The name is too long for a file",
                    found=" ".join(source[:200].split())[:60] + "…",
                    hint="put it into a file, or hand it in: … | circuit … -" if is_text else "check the spelling",
                ) from None


def read_stdin() -> bytes:
    """All of stdin, as bytes. Raises CircuitError when there is no stdin, or no end of it."""
    if sys.stdin is None:
        raise UsageError("There is no stdin to read", hint="name a file instead of -")
    if sys.stdin.isatty() and sys.stderr is not None:
        ending = "Ctrl-Z and Enter" if os.name == "nt" else "Ctrl-D"
        sys.stderr.write(f"reading what you type or paste; {ending} on a line of its own ends it\n")
    try:
        data = sys.stdin.buffer.read(api.FILE_LIMIT + 1)
    except OSError as error:
        raise CircuitError(f"The source cannot be read: {error.strerror or error}", file="<stdin>") from None
    if len(data) > api.FILE_LIMIT:
        raise CircuitError(
            "The source is too large to be a workflow", file="<stdin>", found=f"over {api.FILE_LIMIT:,} bytes"
        )
    return data


def write_stdout(text: str) -> None:
    """Writes the product to stdout as UTF-8, byte for byte (no line end is translated)."""
    if sys.stdout is None:
        raise UsageError("There is no stdout to write to", hint="name a file: -o FILE")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_stdout()
        raise CircuitError(f"The output cannot be written: {error.strerror or error}", file="<stdout>") from None


def write_file(path: Path, text: str, *, force: bool) -> bool:
    """Writes `text` to `path` in one move; False when the file held it already.

    Raises WouldOverwrite when the file holds something else and `force` is not set, CircuitError when the file
    cannot be written.
    """
    data = text.encode("utf-8")
    try:
        if holds(path, data, force=force):
            return False
        path.parent.mkdir(parents=True, exist_ok=True)
        _replace(path, data)
    except (FileExistsError, NotADirectoryError) as error:
        if isinstance(error, CircuitError):
            raise
        raise CircuitError(
            "The file cannot be written: what should be its folder is a file", file=str(path), hint="name another place"
        ) from None
    except OSError as error:
        raise CircuitError(f"The file cannot be written: {error.strerror or error}", file=str(path)) from None
    return True


def holds(path: Path, data: bytes, *, force: bool) -> bool:
    """Whether a file holds `data` already. Raises CircuitError when it may not be overwritten."""
    if not path.exists():
        return False
    if path.is_dir():
        raise CircuitError(
            "A folder has the name that the file should have", file=str(path), hint="name another place: -o PATH"
        )
    if not path.is_file():
        return False  # a device or a pipe holds nothing that could be lost
    if path.stat().st_size == len(data) and path.read_bytes() == data:
        return True
    if not force:
        raise WouldOverwrite(
            "The file exists and holds something else",
            file=str(path),
            hint="--force overwrites it; -o names another place",
        )
    return False


def _replace(path: Path, data: bytes) -> None:
    """Writes beside the file and moves it there, so that a stop midway leaves the old file whole."""
    if path.exists() and not path.is_file():  # a device or a pipe, such as /dev/stdout, is written to as it is
        path.write_bytes(data)
        return
    target = path.resolve()  # through a link, so that the link stays one
    # Named before it is made, so that there is no moment at which a stop would leave it behind.
    made = target.with_name(f".{target.name[:40]}.{os.urandom(6).hex()}")
    try:
        with made.open("xb") as stream:
            stream.write(data)
        if target.exists():
            made.chmod(target.stat().st_mode & 0o777)
        made.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            made.unlink()
        raise
