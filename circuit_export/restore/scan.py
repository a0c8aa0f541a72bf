"""Finds a definition's blocks, and pages within a page, in any markup: one pass, linear, whatever the text.

Python's HTML parser is quadratic on hostile text (24 kB of `<a ` take seconds), so markup is never handed to it
whole. This scan looks for the rare words that only our blocks have, goes back to the tag around them, and lets
Beautiful Soup read that one tag: quoting, case, entities and repeated attributes are its trade.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

MAIN = "circuit-workflow"
BUNDLED = "circuit-bundled"

_MARK = re.compile(f"{MAIN}|{BUNDLED}|data-sha256", re.IGNORECASE)
_TAG = re.compile(r"<[A-Za-z][A-Za-z0-9:-]*+(?=[\s/\"'>])(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
_NAME = re.compile(r"<([A-Za-z][A-Za-z0-9:-]*)(?=[\s/])")
_SRCDOC = re.compile(r"\bsrcdoc\s{0,20}=\s{0,20}([\"']?)", re.IGNORECASE)
_REACH = 8192  # characters: no start tag of a page is longer, an iframe's aside
_MOST_MARKS = 50_000
_MOST_BLOCKS = 2_000


class Block(NamedTuple):
    """An element that holds a definition. `start` and `end` are its outer offsets, `inner` its raw content.

    `closed` is False when the text ends before the element does.
    """

    attributes: dict[str, str]
    inner: str
    start: int
    end: int
    closed: bool

    @property
    def is_main(self) -> bool:
        return not self.is_bundled

    @property
    def is_bundled(self) -> bool:
        return BUNDLED in self.attributes.get("class", "").lower().split()


@lru_cache(maxsize=512)
def attributes(tag: str) -> dict[str, str]:
    """The attributes of one start tag, names in lower case, entities decoded. `tag` is bounded by the caller."""
    from bs4 import BeautifulSoup

    try:
        element = BeautifulSoup(tag, "html.parser").find()
    except Exception:  # the parser's own errors are not part of its interface; a tag it refuses is no block
        return {}
    found = element.attrs if element is not None else {}
    return {name.lower(): value if isinstance(value, str) else " ".join(value) for name, value in found.items()}


def blocks(text: str) -> Iterator[Block]:
    """The blocks in `text` in order, main and bundled ones alike."""
    position = marks = count = 0
    ends = _Ends(text)
    while marks < _MOST_MARKS and count < _MOST_BLOCKS:
        mark = _MARK.search(text, position)
        if mark is None:
            return
        marks += 1
        tag = _tag_around(text, position, mark.start(), mark.end())
        position = mark.end()
        if tag is None:
            continue
        start, inner_start = tag
        found = attributes(text[start:inner_start])
        if not _is_block(found):
            continue
        name = _NAME.match(text, start)
        inner_end, end = ends.after(name.group(1).lower() if name else "pre", inner_start)
        count += 1
        position = end if inner_end >= 0 else inner_start
        inner = text[inner_start : inner_end if inner_end >= 0 else len(text)]
        yield Block(found, inner, start, end, inner_end >= 0)


def embedded_pages(text: str, skip: list[tuple[int, int]]) -> Iterator[str]:
    """The raw values of `srcdoc` attributes outside the ranges `skip`, entities not decoded yet."""
    position = 0
    for _ in range(_MOST_BLOCKS):
        found = _SRCDOC.search(text, position)
        if found is None:
            return
        position = found.end()
        within = next((end for start, end in skip if start <= found.start() < end), None)
        if within is not None:
            position = max(position, within)
            continue
        quote = found.group(1)
        end = text.find(quote, position) if quote else _unquoted_end(text, position)
        end = len(text) if end < 0 else end
        yield text[position:end]
        position = end + 1


def _unquoted_end(text: str, position: int) -> int:
    found = re.compile(r"[\s>]").search(text, position)
    return found.start() if found else len(text)


def _is_block(found: dict[str, str]) -> bool:
    """Our own id or class, also where a host put a prefix before the id; or what only our blocks carry."""
    identity = found.get("id", "").strip().lower()
    if identity == MAIN or identity.endswith("-" + MAIN):
        return True
    return BUNDLED in found.get("class", "").lower().split() or "data-sha256" in found


def _tag_around(text: str, lowest: int, start: int, end: int) -> tuple[int, int] | None:
    """The offsets of the start tag that text[start:end] lies in; None when it lies in none."""
    lowest = max(lowest, start - _REACH)
    at = start
    for _ in range(4):
        at = text.rfind("<", lowest, at)
        if at < 0:
            return None
        if not _NAME.match(text, at):
            continue
        whole = _TAG.match(text, at, end + _REACH)
        if whole:
            if whole.end() > start:
                return at, whole.end()
            continue
        # A stray quote: the tag ends where the next bracket is, if none came before.
        if ">" not in text[at:start]:
            close = text.find(">", end, end + _REACH)
            return (at, close + 1) if close >= 0 else None
    return None


class _Ends:
    """Finds end tags, and remembers for which names there are no more, so that no search is made twice."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.none_after: dict[str, int] = {}

    def after(self, name: str, position: int) -> tuple[int, int]:
        """Where the element's content ends and where its end tag does; (-1, length) when it does not end."""
        if self.none_after.get(name, len(self.text) + 1) <= position:
            return -1, len(self.text)
        found = re.compile(rf"</{re.escape(name)}(?=[\s/>]|\Z)", re.IGNORECASE).search(self.text, position)
        if found is None:
            self.none_after[name] = min(position, self.none_after.get(name, position))
            return -1, len(self.text)
        close = self.text.find(">", found.end(), found.end() + _REACH)
        return found.start(), close + 1 if close >= 0 else found.end()
