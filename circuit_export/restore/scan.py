"""Finds a definition's blocks, and pages within a page, in any markup: one pass, linear, whatever the text.

Python's HTML parser is quadratic on hostile text (24 kB of `<a ` take seconds), so markup is never handed to it
whole. This scan looks for the rare words that only our blocks have, goes back to the tag around them, and lets
Beautiful Soup read that one tag: quoting, case, entities and repeated attributes are its trade.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

MAIN = "circuit-workflow"
BUNDLED = "circuit-bundled"
DIGEST_NAME = "data-sha256"

DIGEST = re.compile(r"\s*[0-9a-fA-F]{64}\s*")
"""What `data-sha256` holds."""
_MARKS = (MAIN, BUNDLED, DIGEST_NAME, DIGEST_NAME.upper())  # values keep their case, names of attributes do not
_TAG = re.compile(r"<[A-Za-z][A-Za-z0-9:-]*+(?=[\s/\"'>])(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
_NAME = re.compile(r"<([A-Za-z][A-Za-z0-9:-]*)(?=[\s/])")
_EQUALS = re.compile(r"\s{0,20}=\s{0,20}([\"']?)")
_REACH = 4096  # characters: no start tag of a page is longer, an iframe's aside
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


def words(text: str, sought: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """Where the words stand in `text`, in order; plain searches, many times faster than a pattern without case."""
    following = [(at, word) for word in sought if (at := text.find(word)) >= 0]
    while following:
        at, word = min(following)
        yield at, at + len(word)
        following.remove((at, word))
        at = text.find(word, at + len(word))
        if at >= 0:
            following.append((at, word))


def blocks(text: str) -> list[Block]:
    """The blocks in `text` in order, main and bundled ones alike. One ends where the next begins, at the latest."""
    starts = list(_starts(text))
    found = []
    for number, (start, inner_start, attributes_) in enumerate(starts):
        following = starts[number + 1][0] if number + 1 < len(starts) else len(text)
        name = _NAME.match(text, start)
        closing = re.compile(rf"</{name.group(1) if name else 'pre'}(?=[\s/>]|\Z)", re.IGNORECASE)
        close = closing.search(text, inner_start, following)
        if close is None:
            found.append(Block(attributes_, text[inner_start:following], start, following, False))
            continue
        end = text.find(">", close.end(), close.end() + _REACH)
        end = end + 1 if end >= 0 else close.end()
        found.append(Block(attributes_, text[inner_start : close.start()], start, end, True))
    return found


def _starts(text: str) -> Iterator[tuple[int, int, dict[str, str]]]:
    """The start tags of blocks: where each begins and ends, and its attributes."""
    position = count = 0
    for start, end in islice(words(text, _MARKS), _MOST_MARKS):
        if start < position:
            continue
        if count == _MOST_BLOCKS:
            return
        tag = _tag_around(text, position, start, end)
        position = end
        if tag is None:
            continue
        found = attributes(text[slice(*tag)])
        if _is_block(found):
            count += 1
            position = tag[1]
            yield *tag, found


class Frame(NamedTuple):
    """A page within a page: the raw value of a `srcdoc` attribute, entities not decoded yet, and where it stands."""

    value: str
    start: int
    end: int


def frames(text: str) -> Iterator[Frame]:
    """The pages that `srcdoc` attributes hold, in order."""
    position = 0
    for start, end in islice(words(text, ("srcdoc", "SRCDOC")), _MOST_MARKS):
        found = _EQUALS.match(text, end)
        if start < position or found is None or not _in_tag(text, start):
            continue
        position = found.end()
        quote = found.group(1)
        end = text.find(quote, position) if quote else _unquoted_end(text, position)
        end = len(text) if end < 0 else end
        yield Frame(text[position:end], position, end)
        position = end + 1


def apart(found: list[Block], pages: list[Frame]) -> tuple[list[Block], list[Frame]]:
    """Blocks and frames without those that lie inside another: an attribute's value may hold raw markup."""
    outer: tuple[list[Block], list[Frame]] = ([], [])
    free = 0  # what is before belongs to the last one kept
    both: list[Block | Frame] = [*found, *pages]
    for item in sorted(both, key=lambda item: item.start):
        if item.start >= free:
            free = item.end
            if isinstance(item, Block):
                outer[0].append(item)
            else:
                outer[1].append(item)
    return outer


def _in_tag(text: str, position: int) -> bool:
    at = text.rfind("<", max(0, position - _REACH), position)
    return at >= 0 and _NAME.match(text, at) is not None and ">" not in text[at:position]


def _unquoted_end(text: str, position: int) -> int:
    found = re.compile(r"[\s>]").search(text, position)
    return found.start() if found else len(text)


def _is_block(found: dict[str, str]) -> bool:
    """Our own id or class, also where a host put a prefix before the id; or what only our blocks carry."""
    identity = found.get("id", "").strip().lower()
    if identity == MAIN or identity.endswith("-" + MAIN):
        return True
    return BUNDLED in found.get("class", "").lower().split() or bool(DIGEST.fullmatch(found.get(DIGEST_NAME, "")))


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
