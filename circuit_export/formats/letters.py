"""Which characters are letters, the same under every Python: its own tables of Unicode grow with each release.

What a page says must not change with them, so they are asked for Unicode 3.2, which every Python knows as well. What
has come since counts as a letter without a case, and so do the marks that are written over and under letters.
"""

from __future__ import annotations

from functools import lru_cache

_GAPS = {code: " " for code in range(128) if not (chr(code).isalnum() or chr(code) == "_")}


@lru_cache(maxsize=4096)
def _category(character: str) -> str:
    from unicodedata import ucd_3_2_0  # only for what is not ASCII

    return ucd_3_2_0.category(character)


def spaced(text: str) -> str:
    """`text` with a blank for every character that is no letter, digit or underscore."""
    text = text.translate(_GAPS)
    return text if text.isascii() else "".join([" " if _is_gap(character) else character for character in text])


def _is_gap(character: str) -> bool:
    """Is it, beyond ASCII, a blank, a control character or punctuation, rather than part of a word?"""
    return character > "\x7f" and (_category(character) == "Cc" or _category(character)[0] in "ZP")


def small(text: str) -> str:
    """`text` in small letters."""
    return text.lower() if text.isascii() else "".join([_small(character) for character in text])


def _small(character: str) -> str:
    return character if _category(character) == "Cn" else character.casefold()
