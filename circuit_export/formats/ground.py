"""Where documents lie on disk: the folder that their paths start from, and the project that nothing is read beyond."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from circuit_export import formats
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError

LIMIT = 64 * 1024 * 1024
"""Bytes of a called document that are read at most."""


class Ground(NamedTuple):
    """`origin` is the folder that paths start from, `root` the project's: only what lies in that is ever read."""

    origin: Path
    root: Path

    def place(self, path: str) -> Path:
        """Where a path leads, whatever is there."""
        return self.origin / path

    def why_not(self, path: str) -> str:
        """Why what lies at a POSIX path is not read, as the end of a sentence; "" when it may be.

        A link counts by where it leads.
        """
        if path.startswith(("/", "\\")) or re.match("[A-Za-z]:", path):
            return "is named by an absolute path"
        if "\0" in path:
            return "holds a character that no path has"
        try:
            inside = self.place(path).resolve().is_relative_to(self.root.resolve())
        except (OSError, RuntimeError):  # links in a circle
            return "cannot be followed"
        return "" if inside else "is outside the project"


def ground_of(folder: Path, root: Path | None = None) -> Ground:
    """The ground of the documents in a folder.

    The project is `root` if that is known, else the repository around the folder, else the folder itself.
    """
    from circuit_export.formats.roots import root_of

    return Ground(folder, root or root_of(folder / "file") or folder)


def definition_at(path: str, format: str, ground: Ground) -> Definition | None:
    """The definition in the file at a path; None when there is none.

    `format` is what it is if its text does not tell. Raises CircuitError for one that is not to be read, and for what
    cannot be.
    """
    why = ground.why_not(path)
    if why:
        raise CircuitError(f"it {why}")
    file = ground.place(path)
    try:
        if not file.is_file():
            return None
        with file.open("rb") as stream:
            data = stream.read(LIMIT + 1)
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CircuitError("it is not UTF-8") from None
    except OSError as error:
        raise CircuitError(f"it cannot be read: {error.strerror}") from None
    if len(data) > LIMIT:
        raise CircuitError("it is too large")
    name = formats.recognise(text) or format
    return Definition(formats.get(name).normalise(text), name, path)
