"""Which way a text runs, by its first letter, for what has to be decided before a browser sees it."""

from typing import Final

_RIGHT_TO_LEFT: Final = (
    ("\u0590", "\u08ff"), ("\ufb1d", "\ufdff"), ("\ufe70", "\ufefe"), ("\U00010800", "\U00010fff"),
    ("\U0001e800", "\U0001efff"),
)  # fmt: skip


def is_rtl(text: str) -> bool:
    """Does the first letter of `text` belong to a right-to-left script?"""
    if text.isascii():
        return False
    for char in text:
        if "a" <= char <= "z" or "A" <= char <= "Z":
            return False
        if char >= "\u00c0":
            return any(first <= char <= last for first, last in _RIGHT_TO_LEFT)
    return False
