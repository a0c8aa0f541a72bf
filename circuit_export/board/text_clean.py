"""Makes any text one line that a page can show: no controls, no line breaks, nothing that reaches out of its place."""

from __future__ import annotations

import re
from functools import cache

# Blanks where a line may break; the no-break ones (U+00A0, U+202F) are not among them.
BLANKS = " \t\n\v\f\r\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u200b\u2028\u2029\u205f\u3000"
# Everything that `clean` replaces: controls, line and paragraph separators, bidi embeddings, overrides and isolates,
# lone surrogates and noncharacters.
_UNCLEAN = (
    "[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufdd0-\ufdef"
    + "".join(f"{chr(plane * 0x10000 + 0xFFFE)}{chr(plane * 0x10000 + 0xFFFF)}" for plane in range(17))
    + "]"
)
_BREAKS = frozenset("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029")
_TRIM = BLANKS + "\u00a0\u202f\u2007\ufeff"


@cache
def _unclean() -> re.Pattern[str]:
    return re.compile(_UNCLEAN)


def clean(text: str) -> str:
    """One line of display text: what a page can carry, and what cannot reach out of its element.

    Line breaks, tabs and separators become blanks, runs of blanks one, blanks at the ends none. Bidi embeddings,
    overrides and isolates are dropped (an element with `dir="auto"` isolates itself). Other controls,
    noncharacters and lone surrogates become U+FFFD.
    """
    if text.isascii() and text.isprintable():
        if "  " not in text and text[:1] != " " and text[-1:] != " ":
            return text
    else:
        text = _unclean().sub(_replacement, text)
    if "  " in text:
        text = " ".join(part for part in text.split(" ") if part)
    return text.strip(_TRIM)


def flat(text: str) -> str:
    """The same text on one line: what breaks a line is a blank, bidi controls are dropped, other controls U+FFFD.

    Blanks stay as they are, so that a name can still be told from one with another blank.
    """
    return text if text.isprintable() else _unclean().sub(_replacement, text)


def _replacement(found: re.Match[str]) -> str:
    char = found[0]
    if char in _BREAKS:
        return " "
    return "" if "\u202a" <= char <= "\u202e" or "\u2066" <= char <= "\u2069" else "\ufffd"
