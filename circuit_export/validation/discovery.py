"""Which files of a folder are workflows: those the configuration names, else those that say so at their top."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from errno import EFBIG
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export import formats
from circuit_export.validation import patterns
from circuit_export.validation.reading import SCENARIOS

if TYPE_CHECKING:
    from circuit_export.validation.config import Settings

NO_WORKFLOW = "no workflow"
SIZE_LIMIT = 64 * 1024 * 1024
"""Bytes of a file in a folder that is looked into at most; a larger one has to be named."""
IGNORE_FILE = ".gitignore"
OURS = ".circuit"
"""The one hidden folder that is looked into: a repository may keep its workflows in it."""


class Skipped(NamedTuple):
    """A file or folder that was passed over, and why."""

    path: str
    why: str


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that is to be a workflow (or the scenarios of one); `named` when somebody asked for exactly it."""

    path: Path
    name: str
    data: bytes
    named: bool = False


class Rules:
    """What is left out below a root: the patterns of the configuration, and of every `.gitignore` on the way."""

    def __init__(self, settings: Settings) -> None:
        self.root = settings.root
        self.exclude = patterns.wanted(settings.exclude, "exclude", str(settings.file)) if settings.exclude else None
        self._known: dict[Path, Any] = {}

    def why(self, path: Path, *, folder: bool = False) -> str:
        """Why a path is left out, "" when it is not."""
        mark = "/" if folder else ""
        inside = _below(path, self.root)
        if self.exclude is not None and inside is not None and self.exclude.match_file(inside + mark):
            return "excluded by the configuration"
        ignored = None
        for above in reversed(path.parents):
            if inside is None or above == self.root or self.root in above.parents:
                spec = self._ignored(above)
                result = spec.check_file(path.relative_to(above).as_posix() + mark).include if spec else None
                ignored = ignored if result is None else result
        return f"ignored by {IGNORE_FILE}" if ignored else ""

    def _ignored(self, folder: Path) -> Any:
        """The patterns of a folder's own `.gitignore`, None without one."""
        if folder not in self._known:
            file = folder / IGNORE_FILE
            spec = None
            if file.is_file():
                try:
                    spec = patterns.ignored(file.read_text("utf-8", "replace"))
                except OSError:
                    spec = None
            self._known[folder] = spec
        return self._known[folder]


def _below(path: Path, root: Path) -> str | None:
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else None


def shown_path(path: Path, root: Path) -> str:
    """How a file is named in what is said: from the root with forward slashes, whole when it is outside."""
    return _below(path, root) or path.as_posix()


class Found(NamedTuple):
    """What a folder holds: workflows and their scenarios in the order of their names, and what was passed over."""

    candidates: list[Candidate]
    skipped: list[Skipped]


UNREADABLE = "cannot be read"
"""How the reason begins for what may well hold a workflow, but the system would not let us have it."""


def in_folder(folder: Path, settings: Settings) -> Found:
    """The workflows below a folder. Follows no links out of it."""
    rules = Rules(settings)
    named = _named(settings)
    found = Found([], [])
    for path in _files(folder.absolute(), settings, rules, found.skipped):
        name = shown_path(path, settings.root)
        is_named = path in named
        if not is_named and path.suffix not in formats.suffixes():
            continue
        data = _read(path, name, found.skipped, is_named)
        if data is None:
            continue
        why = "" if is_named or name.endswith(SCENARIOS) else _why_not(data)
        if why:
            found.skipped.append(Skipped(name, why))
        else:
            found.candidates.append(Candidate(path, name, data, is_named))
    return found


def _named(settings: Settings) -> set[Path]:
    """The files that the configuration names."""
    found = {settings.root / path for path in settings.workflows.values()}
    for pattern in settings.paths:
        found.update(patterns.below(settings.root, pattern, str(settings.file)))
    return found


def _files(folder: Path, settings: Settings, rules: Rules, skipped: list[Skipped]) -> Iterator[Path]:

    def unreadable(error: OSError) -> None:
        skipped.append(
            Skipped(shown_path(Path(error.filename), settings.root) + "/", f"{UNREADABLE}: {error.strerror}")
        )

    for where, folders, files in os.walk(folder, onerror=unreadable):
        here = Path(where)
        kept = []
        for name in sorted(folders):
            path = here / name
            why = "hidden" if name.startswith(".") and name != OURS else rules.why(path, folder=True)
            if not why and path.is_symlink():
                why = "a link"
            if why:
                skipped.append(Skipped(shown_path(path, settings.root) + "/", why))
            else:
                kept.append(name)
        folders[:] = kept
        for name in sorted(files):
            path = here / name
            if Path(name).suffix not in formats.suffixes():
                yield path
                continue
            why = rules.why(path)
            if not why and path.is_symlink() and leads_out(path, folder):
                why = "a link that leads elsewhere"
            if why:
                skipped.append(Skipped(shown_path(path, settings.root), why))
            else:
                yield path


def leads_out(path: Path, folder: Path) -> bool:
    """Does a link lead out of a folder? One that leads in a circle leads nowhere, which reading it finds out."""
    return not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def _read(path: Path, name: str, skipped: list[Skipped], named: bool) -> bytes | None:
    try:
        about = path.stat()
        if not stat.S_ISREG(about.st_mode):  # a pipe would be waited for, a device never ends
            skipped.append(Skipped(name, "no plain file"))
            return None
        if not named and about.st_size > SIZE_LIMIT:
            skipped.append(Skipped(name, "too large to be a workflow"))
            return None
        return path.read_bytes()
    except OSError as error:
        skipped.append(Skipped(name, f"{UNREADABLE}: {error.strerror}"))
        return None


def read_named(path: Path) -> bytes:
    """The bytes of a file that somebody named, be it a pipe. Raises OSError, one about a device that never ends too."""
    with path.open("rb") as stream:
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return stream.read()
        data = stream.read(SIZE_LIMIT + 1)
    if len(data) > SIZE_LIMIT:
        raise OSError(EFBIG, f"it is no plain file and holds more than {SIZE_LIMIT // 1024**2} MiB")
    return data


def is_somebody_elses(candidate: Candidate) -> bool:
    """Would the file be passed over if it lay in a folder that is searched?"""
    return not candidate.name.endswith(SCENARIOS) and bool(_why_not(candidate.data))


def _why_not(data: bytes) -> str:
    """Why a file in a folder is no workflow, "" when it may be one: whether it is, its reader finds out."""
    text = data.decode("utf-8-sig", "replace")
    claimed = any(formats.get(name).claims(text) for name in formats.NAMES)
    return "" if claimed else NO_WORKFLOW
