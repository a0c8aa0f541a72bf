"""Remembers what was found to be right, by the hash of its content, so that it is not looked at again.

Only what has nothing wrong with it is remembered, so a finding never comes from the cache. Safe to delete.
"""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from hashlib import blake2b
from pathlib import Path

MOST = 100_000
"""Documents of one kind remembered at most; those of the last run stay."""
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


def digest(*parts: str | bytes) -> str:
    """What a document is remembered by."""
    made = blake2b(digest_size=16)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        made.update(len(data).to_bytes(8, "big") + data)
    return made.hexdigest()


@functools.cache
def _program() -> str:
    """Changes whenever this program does: what an older one found right may be wrong for this one."""
    package = Path(__file__).parent.parent
    folders = [package, package / "validation", package / "formats", *sorted((package / "formats").rglob("*/"))]
    marks = [
        f"{entry.name} {entry.stat().st_size} {entry.stat().st_mtime_ns}"
        for folder in folders
        if folder.name != "__pycache__"
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)
        if entry.name.endswith(".py")
    ]
    return digest(*marks)


class Cache:
    """What is known to be right: of a kind ("shape-steps", "clean"), by what it is remembered by."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[str, dict[str, None]] = {}
        self._used: dict[str, dict[str, None]] = {}
        self._files: dict[str, Path] = {}

    def has(self, kind: str, *parts: str | bytes) -> bool:
        """Whether it is known to be right."""
        if self._folder is None:
            return False
        mark = digest(*parts)
        if mark not in self._marks(kind):
            return False
        self._used[kind][mark] = None
        return True

    def add(self, kind: str, *parts: str | bytes) -> None:
        """Remembers that it is right."""
        if self._folder is not None:
            self._marks(kind)
            self._used[kind][digest(*parts)] = None

    def _marks(self, kind: str) -> dict[str, None]:
        if kind not in self._known:
            assert self._folder is not None
            # A program that changed has files of its own, so nothing that is remembered is ever out of date.
            file = self._folder / f"{kind}-{_program()}"
            self._files[kind] = file
            self._used[kind] = {}
            try:
                self._known[kind] = dict.fromkeys(file.read_text("ascii").split())
            except (OSError, UnicodeDecodeError):
                self._known[kind] = {}
        return self._known[kind]

    def save(self) -> None:
        """Writes what was learnt. That it cannot be written is no reason to fail: it is only slower next time."""
        for kind, used in self._used.items():
            known = self._known[kind]
            if used.keys() <= known.keys():
                continue
            marks = list({**used, **known})[:MOST]
            with contextlib.suppress(OSError):
                file = self._files[kind]
                file.parent.mkdir(parents=True, exist_ok=True)
                beside = file.with_name(f"{file.name}.{os.getpid()}")
                beside.write_text("\n".join(marks) + "\n", "ascii")
                beside.replace(file)
