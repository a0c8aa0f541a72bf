"""Skills on disk: found and read below a repository's root only, whatever a path or a link says."""

from __future__ import annotations

import os
import stat
from codecs import getincrementaldecoder
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.formats.skills.document import REPOSITORY
from circuit_export.formats.skills.front_matter import SkillCard, read_card
from circuit_export.formats.skills.paths import SKILL_FILES, SKILLS_FOLDERS, Fault, faults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from circuit_export.formats.skills.document import SkillsDocument

LARGEST = 1024 * 1024
"""Bytes of a skill file that is run at most."""

INTRODUCTION = 16 * 1024
"""Bytes of a skill file that discovery reads."""

_FLAGS = sum(getattr(os, name, 0) for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_NOFOLLOW", "O_BINARY"))
_FOLDER_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_DIRECTORY", "O_CLOEXEC", "O_NOFOLLOW"))
_CAN_DESCEND = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")


class Trouble(StrEnum):
    """Why a skill file is not read."""

    NOT_FOUND = "not-found"
    OUTSIDE_ROOT = "outside-root"
    TOO_LARGE = "too-large"
    NOT_UTF8 = "not-utf8"


class Unread(NamedTuple):
    """A file that was not read; `why` is the end of a sentence that begins with its path."""

    trouble: Trouble
    why: str


class FoundSkill(NamedTuple):
    """A skill that lies where discovery looks. `file` is its POSIX path below the root."""

    provider: str
    folder: str
    file: str
    card: SkillCard

    @property
    def name(self) -> str:
        return self.card.name

    @property
    def description(self) -> str:
        return self.card.description

    @property
    def hint(self) -> str:
        """What it wants to be given, such as `<topic>`; "" for nothing."""
        return self.card.hints[0].placeholder if self.card.hints else ""

    def record(self) -> dict[str, Any]:
        """The skill as the schema of skill graphs describes a Skill."""
        card = self.card
        folder = self.file.rpartition("/")[0]
        record: dict[str, Any] = {
            "id": f"{self.provider}:{folder}",
            "provider": self.provider,
            "name": card.name,
            "rootDir": folder,
            "skillFile": self.file,
            "description": card.description,
            "source": REPOSITORY,
        }
        if card.hints:
            record["inputHints"] = [
                {"kind": hint.kind, "key": hint.key, "label": hint.label, "placeholder": hint.placeholder}
                for hint in card.hints
            ]
        if card.default_input:
            record["defaultInput"] = card.default_input
        if card.default_model:
            record["defaultModel"] = card.default_model
        return record


class Discovery(NamedTuple):
    """The skills of a repository, by provider and then folder, and the files that could not be read, with why."""

    skills: tuple[FoundSkill, ...]
    unread: tuple[tuple[str, Unread], ...]


def read_skill(root: Path, path: str, *, limit: int = LARGEST, whole: bool = True) -> str | Unread:
    """The text of the file at `path` below `root`.

    Not read is what lies outside the root once links are followed, is no plain file, is not UTF-8 or larger than
    `limit` bytes; without `whole` a larger file is cut there, before the character that would be torn.
    """
    wrong = faults(path)
    if wrong:
        why = "is no path below the repository" if wrong == [Fault.NOT_POSIX] else "leads out of the repository"
        return Unread(Trouble.OUTSIDE_ROOT, why)
    try:
        base = os.path.realpath(root, strict=True)
        real = os.path.realpath(Path(base, path), strict=True)
        if not _is_below(real, base):
            return Unread(Trouble.OUTSIDE_ROOT, "leads out of the repository by a link")
        data = _read_plain(base, real, limit + 1)
    except FileNotFoundError:
        return Unread(Trouble.NOT_FOUND, "does not exist")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no name that a file can have"
        return Unread(Trouble.NOT_FOUND, f"cannot be read: {reason}")
    if data is None:
        return Unread(Trouble.NOT_FOUND, "is not a file")
    if len(data) > limit and whole:
        return Unread(Trouble.TOO_LARGE, f"is larger than {limit // 1024:,} KiB")
    try:
        return getincrementaldecoder("utf-8")().decode(data[:limit], final=len(data) <= limit)
    except UnicodeDecodeError as error:
        return Unread(Trouble.NOT_UTF8, f"is not UTF-8: byte {error.start + 1:,} begins no character")


def _is_below(real: str, base: str) -> bool:
    return Path(real) != Path(base) and Path(real).is_relative_to(base)


def _read_plain(base: str, real: str, count: int) -> bytes | None:
    """At most `count` bytes of a plain file, None when it is something else: opening that could wait for ever.

    Both paths are free of links. Where the system allows, the way down is opened folder by folder without following
    any, so that a link that is put there meanwhile leads nowhere.
    """
    if not stat.S_ISREG(Path(real).lstat().st_mode):
        return None
    descriptor = _descend(base, Path(real).relative_to(base).parts) if _CAN_DESCEND else os.open(real, _FLAGS)
    with open(descriptor, "rb") as stream:  # noqa: PTH123  # a descriptor, not a path
        return stream.read(count) if stat.S_ISREG(os.fstat(descriptor).st_mode) else None


def _descend(base: str, parts: Sequence[str]) -> int:
    """Opens the file that `parts` lead to from the folder `base`."""
    folder = os.open(base, _FOLDER_FLAGS)
    try:
        for part in parts[:-1]:
            inner = os.open(part, _FOLDER_FLAGS, dir_fd=folder)
            os.close(folder)
            folder = inner
        return os.open(parts[-1], os.O_RDONLY | _FLAGS, dir_fd=folder)
    finally:
        os.close(folder)


# --- what is there -----------------------------------------------------------------------------------------------


def discover(root: Path, *, compat: bool = False) -> Discovery:
    """The skills in `.claude/skills/*/` and `.codex/skills/*/` of a repository, each by what its SKILL.md says.

    Folders that are links count as long as they stay inside the root. Nothing is raised: what cannot be read is said.
    """
    skills: list[FoundSkill] = []
    unread: list[tuple[str, Unread]] = []
    for provider, below in SKILLS_FOLDERS.items():
        for folder in _folders(root, below, unread):
            file = _skill_file(root, f"{below}/{folder}")
            if file is None:
                continue
            text = read_skill(root, file, limit=INTRODUCTION, whole=False)
            if isinstance(text, Unread):
                unread.append((file, text))
            else:
                skills.append(FoundSkill(provider, folder, file, read_card(text, folder, compat=compat)))
    return Discovery(tuple(skills), tuple(unread))


def _folders(root: Path, below: str, unread: list[tuple[str, Unread]]) -> list[str]:
    """The names of the folders in `below`, in order; none when it does not exist or is not inside the root."""
    try:
        base = os.path.realpath(root, strict=True)
        real = os.path.realpath(root / below, strict=True)
        if not _is_below(real, base):
            unread.append((below, Unread(Trouble.OUTSIDE_ROOT, "leads out of the repository by a link")))
            return []
        with os.scandir(real) as entries:
            return sorted(entry.name for entry in entries if _is_folder(entry))
    except FileNotFoundError:
        return []
    except OSError as error:
        unread.append((below, Unread(Trouble.NOT_FOUND, f"cannot be read: {error.strerror}")))
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link that leads in a circle
        return False


def _skill_file(root: Path, folder: str) -> str | None:
    """The path of the skill's file in a folder, spelled as on disk: `SKILL.md`, else `skill.md`, else none."""
    for name in SKILL_FILES:
        try:
            # Asked by name alone, a system that ignores case would answer for other spellings too.
            if os.path.lexists(root / folder / name) and name in [file.name for file in (root / folder).iterdir()]:
                return f"{folder}/{name}"
        except (OSError, ValueError):
            return None
    return None


def cards(document: SkillsDocument, root: Path) -> dict[str, SkillCard]:
    """What the files of a graph's skills say of themselves, by path, as far as they can be read."""
    found: dict[str, SkillCard] = {}
    for node in document.nodes:
        path = node.ref.file
        if node.ref.source == REPOSITORY and path and path not in found:
            text = read_skill(root, path, limit=INTRODUCTION, whole=False)
            if not isinstance(text, Unread):
                found[path] = read_card(text, path.split("/")[-2] if "/" in path else path)
    return found
