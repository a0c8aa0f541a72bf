"""The texts of nested programs: from the files that hold them, or as they came with the program that calls them."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import TYPE_CHECKING

from circuit_export.formats.circuitry.engine.failures import Failure

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_source(path: str, limit: int, sources: Mapping[str, str] | None = None) -> str | Failure:
    """The text of a nested program, or why it cannot be had: of `sources` the one at `path`, else the file there.

    Only plain files are read.
    """
    if sources is not None and path in sources:
        text = sources[path]
        return text.removeprefix("\ufeff") if len(text.encode()) <= limit else _too_large(path, limit)
    try:
        if not stat.S_ISREG(Path(path).stat().st_mode):  # a pipe would be waited for without end
            return Failure("source.read", f"{path} is no file")
        with Path(path).open("rb") as stream:
            data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Failure("source.read", f"{path} cannot be read: {reason}")
    if len(data) > limit:
        return _too_large(path, limit)
    try:
        return data.decode("utf-8-sig")  # as every other file of a program is read: what is checked is what is run
    except UnicodeDecodeError:
        return Failure("source.read", f"{path} is not UTF-8")


def _too_large(path: str, limit: int) -> Failure:
    return Failure("source.limit", f"{path} has more than {limit:,} bytes, the most that is allowed")
