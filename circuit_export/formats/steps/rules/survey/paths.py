"""What a dot path may look like, and what one was probably meant to be."""

from __future__ import annotations

import re

_ODD = re.compile(r"""[\[\]()|<>=!"'`;,\\]|\?\.|&&|^[#/>&^$.]|\.\.|\.$""")
_BRACKETS = re.compile(r"""\[\s*(?:(\d+)|"([^"\]]*)"|'([^'\]]*)')\s*\]""")


def is_well_formed(path: str) -> bool:
    """Whether a path is names and numbers with single full stops between them. Names may hold spaces and any letter."""
    return _ODD.search(path) is None


def mended(path: str) -> str | None:
    """The dot path that a path with brackets, a leading sign or doubled full stops plainly was meant to be."""
    plain = _BRACKETS.sub(lambda found: "." + next(group for group in found.groups() if group is not None), path)
    plain = re.sub(r"\.{2,}", ".", plain.replace("?.", ".")).removeprefix("$").strip(".")
    return plain if plain and plain != path and is_well_formed(plain) else None
