"""What a skill file's path may look like, judged by its text alone; what is really on disk is the repository's."""

from __future__ import annotations

from enum import StrEnum

SKILLS_FOLDERS = {provider: f".{provider}/skills" for provider in ("claude", "codex")}
"""Where a provider's skills lie in a repository."""

SKILL_FILES = ("SKILL.md", "skill.md")
"""How a skill's file is called, the preferred spelling first."""


class Fault(StrEnum):
    """Why a path is no path below the repository's root, the worst first."""

    NOT_POSIX = "not-posix"
    ABSOLUTE = "absolute"
    TRAVERSAL = "traversal"


def faults(path: str) -> list[Fault]:
    """All that is wrong with a path; nothing for one that stays below the root wherever that is."""
    found = []
    if "\\" in path or "\0" in path or has_drive(path):
        found.append(Fault.NOT_POSIX)
    if path.startswith("/"):
        found.append(Fault.ABSOLUTE)
    if ".." in path.replace("\\", "/").split("/"):
        found.append(Fault.TRAVERSAL)
    return found


def has_drive(path: str) -> bool:
    """Does it begin with a drive letter, such as `C:`?"""
    return len(path) > 1 and path[1] == ":" and path[0].isascii() and path[0].isalpha()


def is_usual(path: str, provider: str) -> bool:
    """Is it `.PROVIDER/skills/SLUG/SKILL.md`, as discovery finds skills and as a bundle must name them?"""
    parts = path.split("/")
    return (
        len(parts) == 4
        and parts[0] == f".{provider}"
        and parts[1] == "skills"
        and is_slug(parts[2])
        and parts[3] == SKILL_FILES[0]
    )


def is_slug(name: str) -> bool:
    """Letters, digits, `-` and `_` of ASCII only, at least one: what a file's stem may be made of."""
    return name.isascii() and bool(name) and name.replace("-", "a").replace("_", "a").isalnum()
