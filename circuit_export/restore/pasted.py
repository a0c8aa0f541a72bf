"""A page as its words alone, copied out of a browser: each definition stands behind the line with its digest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from typing import NamedTuple

_MOST: int = 200
"""Digests that are looked at in one text."""
_DIGEST = re.compile(r"(?m)^(?P<lead>[^\n]*?)(?P<digest>[0-9a-f]{64})[ \t]*$\n?")
_NEEDS = "It needs "
_FOOT = re.compile(r"\n\s*(?:It needs [^\n]*|Made with circuit-export\.[^\n]*)\s*\Z")
_ENDS = ("\n", "", "\n\n", "\r\n")


class Pasted(NamedTuple):
    """A text whose digest is the one that stands above it; `path` is that of a document that another one needs."""

    text: str
    path: str = ""


def pasted(text: str) -> Iterator[Pasted]:
    """The texts that stand whole below their digests. A text that does not fit its digest is none."""
    matches = []
    for match in _DIGEST.finditer(text):
        matches.append(match)
        if len(matches) == _MOST:
            break
    ends = [(one, after.start()) for one, after in pairwise(matches)] + [(one, len(text)) for one in matches[-1:]]
    for match, end in ends:
        found = _fitting(text[match.end() : end], match["digest"])
        if found is not None:
            yield Pasted(found, _path(text, match))


def _fitting(below: str, digest: str) -> str | None:
    """As much of what stands below a digest as has it: what a page says next is not part of it."""
    body = _FOOT.sub("", below).strip("\n")
    for blank in ("", "\n"):
        for end in _ENDS:
            whole = f"{blank}{body}{end}"
            if sha256(whole.encode("utf-8", "surrogatepass")).hexdigest() == digest:
                return whole
    return None


def _path(text: str, match: re.Match[str]) -> str:
    """The path in the words before a digest, which are on its line or on the one above."""
    above = text[: match.start()].rstrip().rpartition("\n")[2]
    for line in (match["lead"].strip(), above.strip()):
        if line.startswith(_NEEDS):
            return line.removeprefix(_NEEDS).strip()
        if line:
            break
    return ""
