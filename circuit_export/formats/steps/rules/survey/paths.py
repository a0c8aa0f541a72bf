"""What a dot path may look like, and what one was probably meant to be."""

from __future__ import annotations

import re

# Names of fields come from people ("Price (USD)", "Who's it for?"), so only what is plainly an expression is odd.
_ODD = frozenset('[]|"`\\')
_ODD_PAIRS = ("..", "?.", "&&", "()", "==", "!=", "=>")
_ODD_STARTS = ("#", "/", "&", "^", "$", ".", "!", "'")
_BRACKETS = r"""\[\s*(?:(\d+)|"([^"\]]*)"|'([^'\]]*)')\s*\]"""


def is_well_formed(path: str) -> bool:
    """Whether a path is names and numbers with single full stops between them. Names may hold spaces and any letter."""
    return (
        _ODD.isdisjoint(path)
        and not path.startswith(_ODD_STARTS)
        and not path.endswith(".")
        and not any(pair in path for pair in _ODD_PAIRS)
    )


def mended(path: str) -> str | None:
    """The dot path that a path with brackets, a leading sign or doubled full stops plainly was meant to be."""
    plain = re.sub(_BRACKETS, lambda found: "." + next(group for group in found.groups() if group is not None), path)
    plain = re.sub(r"\.{2,}", ".", plain.replace("?.", ".")).removeprefix("$").strip(".")
    return plain if plain and plain != path and is_well_formed(plain) else None
