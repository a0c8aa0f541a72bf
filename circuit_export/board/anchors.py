"""Anchors: the names by which a page's links find a step, made from the steps' ids."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")

# Latin letters that have no decomposition into a base letter and a mark.
_UNDECOMPOSED: Final = str.maketrans(
    {"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ł": "l", "þ": "th", "ı": "i"}
    | {"Æ": "AE", "Œ": "OE", "Ø": "O", "Đ": "D", "Ð": "D", "Ł": "L", "Þ": "Th"}
)


def paired(text: str) -> str:
    """`text` with each lone surrogate as U+FFFD, since no encoding carries one."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def carried(text: str) -> str:
    """`text` with U+FFFD for all that no page carries: lone surrogates and U+0000."""
    return paired(text.replace("\0", "\ufffd") if "\0" in text else text)


def slug(text: str) -> str:
    """A name of ASCII letters, digits, `.`, `_` and `-` for `text`, the same in every document.

    Latin letters lose their accents. Where other letters are lost the name ends with six digits of the text's
    digest, so that two texts of one script do not share a name. A text of nothing is "unnamed".
    """
    if text.isascii():
        return _OTHER.sub("-", text).strip("-") or ("unnamed" if not text else f"x-{_digits(text)}")
    from unicodedata import normalize  # rarely needed

    # Only letters whose decomposition no Unicode version has changed are taken apart.
    latin = "".join(
        normalize("NFKD", letter) if "\u00c0" <= letter <= "\u024f" else letter
        for letter in text.translate(_UNDECOMPOSED)
    )
    latin = re.sub("[\u0300-\u036f]", "", latin)
    name = _OTHER.sub("-", latin).strip("-")
    return name if latin.isascii() and name else "-".join(filter(None, (name, _digits(text))))


def slugs(texts: Iterable[str]) -> tuple[str, ...]:
    """The slugs of `texts`, each unique: one that is taken gets the next free number as its suffix."""
    taken: set[str] = set()
    numbers: dict[str, int] = {}
    result = []
    for text in texts:
        plain = text.isascii() and text.replace("_", "").replace("-", "").isalnum() and text.strip("-") == text
        name = base = text if plain else slug(text)
        while name in taken:
            numbers[base] = numbers.get(base, 1) + 1
            name = f"{base}-{numbers[base]}"
        taken.add(name)
        result.append(name)
    return tuple(result)


def _digits(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:6]
