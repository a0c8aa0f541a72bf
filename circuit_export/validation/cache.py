"""Remembers which documents were found to have the right shape, by the hash of their content. Safe to delete."""

from __future__ import annotations

import contextlib
import os
import sys
from hashlib import blake2b
from pathlib import Path

MOST = 100_000
"""Documents remembered for one schema at most; those of the last run stay."""
VARIABLE = "CIRCUIT_CACHE_DIR"


def default_folder() -> Path | None:
    """Where caches of this program are kept for this user; None when there is no such place."""
    given = os.environ.get(VARIABLE)
    if given:
        return Path(given)
    base = os.environ.get("LOCALAPPDATA") if sys.platform == "win32" else os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "circuit-export"
    except RuntimeError:  # nobody's home
        return None


def digest(text: str) -> str:
    """What a document is remembered by."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


class ShapeCache:
    """The documents of the right shape, for each schema. Only looks at a schema's file when it is first asked for."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, dict[str, None]] = {}
        self._used: dict[str, dict[str, None]] = {}
        self._files: dict[str, Path] = {}

    def has(self, schema: str, text: str) -> bool:
        """Whether a document is known to have the shape of the schema called `schema`."""
        if self._folder is None:
            return False
        mark = digest(text)
        if mark not in self._marks(schema):
            return False
        self._used[schema][mark] = None
        return True

    def add(self, schema: str, text: str) -> None:
        """Remembers a document that has the shape of a schema."""
        if self._folder is not None:
            self._marks(schema)
            self._used[schema][digest(text)] = None

    def _marks(self, schema: str) -> dict[str, None]:
        if schema not in self._known:
            from circuit_export.validation.schema import schema_text

            assert self._folder is not None
            # A schema that changed has a file of its own, so nothing remembered is ever wrong.
            file = self._folder / f"shapes-{schema}-{digest(schema_text(schema))}"
            self._files[schema] = file
            self._used[schema] = {}
            try:
                self._known[schema] = dict.fromkeys(file.read_text("ascii").split())
            except (OSError, UnicodeDecodeError):
                self._known[schema] = {}
        return self._known[schema]

    def save(self) -> None:
        """Writes what was learnt. That it cannot be written is no reason to fail: it is only slower next time."""
        for schema, used in self._used.items():
            known = self._known[schema]
            if used.keys() <= known.keys():
                continue
            marks = list({**used, **known})[:MOST]
            with contextlib.suppress(OSError):
                file = self._files[schema]
                file.parent.mkdir(parents=True, exist_ok=True)
                beside = file.with_name(f"{file.name}.{os.getpid()}")
                beside.write_text("\n".join(marks) + "\n", "ascii")
                beside.replace(file)
