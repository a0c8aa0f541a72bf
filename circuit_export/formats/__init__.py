"""The registry: which formats there are, and which one a text is in. A format is one folder beside this file."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from circuit_export.formats.base import Format
    from circuit_export.formats.repositories import InRepository

# In the order they are asked; a folder's `__init__` offers `FORMAT`, and is light: what is heavy is imported when used.
NAMES = ("steps", "skills", "circuitry")


@cache
def get(name: str) -> Format:
    """The format called `name`. Raises KeyError for a name that is none of NAMES."""
    if name not in NAMES:
        raise KeyError(name)
    found: Format = import_module(f"{__name__}.{name}").FORMAT
    return found


def recognise(text: str) -> str | None:
    """The name of the format that `text` is a definition of, None when it is none."""
    return next((name for name in NAMES if get(name).recognise(text)), None)


def recognise_as(name: str, text: str) -> str | None:
    """`name` when `text` is a definition of that format, else None."""
    return name if get(name).recognise(text) else None


def of_repository(name: str) -> InRepository | None:
    """The format called `name` when its workflows live in a repository and name skills in it, else None.

    It is known by one member: every command that draws would have to import the protocol to compare them all.
    """
    found = get(name)
    return cast("InRepository", found) if hasattr(found, "furnish") else None


def in_repository() -> tuple[InRepository, ...]:
    """The formats whose workflows live in a repository and name skills in it."""
    return tuple(found for found in map(of_repository, NAMES) if found is not None)


def of_file(name: str) -> str | None:
    """The name of the format that alone writes files with the suffix of `name`, None when none or several do.

    For a file that somebody named: what it lacks to be recognised is then worth saying.
    """
    usual = [known for known in NAMES if name.lower().endswith(get(known).suffixes[0])]
    return usual[0] if len(usual) == 1 else None


@cache
def suffixes() -> frozenset[str]:
    """The file suffixes that workflows are written with."""
    return frozenset(suffix for name in NAMES for suffix in get(name).suffixes)
