"""A block to the exact text it held, and the blocks of a page to one bundle."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import NamedTuple

from circuit_export.definition import Bundle, Definition
from circuit_export.restore.budget import Budget
from circuit_export.restore.candidates import Candidate, Work, beginnings, candidates
from circuit_export.restore.found import Digest, Found, Recognise
from circuit_export.restore.paths import unfit
from circuit_export.restore.scan import BUNDLED, DIGEST, DIGEST_NAME, MAIN, Block

_WORK = 20_000_000  # characters gone through for any block; a long one may take more, see `_work`
_FORMAT = re.compile(r"[a-z][a-z0-9-]{0,40}")


class Read(NamedTuple):
    """A block read: its text and format, whether the digest holds, and what was mended in words."""

    text: str
    format: str
    digest: Digest
    mended: tuple[str, ...]


def is_json(text: str) -> bool:
    """Is it, if anything, an object of JSON? (A byte-order mark may still stand in front.)"""
    return text.lstrip("\ufeff \t\r\n")[:1] == "{"


def read(block: Block, recognise: Recognise, budget: Budget) -> Read | None:
    """The text of a block; None when it holds nothing that is a definition or says it is one."""
    found = _read(block, recognise, budget)
    if not block.closed and (found is None or found.digest is Digest.DIFFERS):
        # Without its end tag a block goes on to the end of the text; an object of JSON ends with its last brace.
        shorter = block._replace(inner=block.inner[: block.inner.rfind("}") + 1])
        found = _read(shorter, recognise, budget) or found
    return found


def _read(block: Block, recognise: Recognise, budget: Budget) -> Read | None:
    stated = block.attributes.get(DIGEST_NAME, "").strip().lower()
    declared = block.attributes.get("data-format", "").strip().lower()
    work = Work(min(_work(len(block.inner)), budget.left))
    try:
        return _mended(block, recognise, stated, declared, work)
    finally:
        budget.spend(min(work.done, budget.left))


def _work(length: int) -> int:
    """Enough to try each single mend on a block of a megabyte or two, and a few of them on one of any length."""
    return _WORK + min(40 * length, 150_000_000) + 4 * length


def _mended(block: Block, recognise: Recognise, stated: str, declared: str, work: Work) -> Read | None:
    starts = beginnings(block.inner)
    if DIGEST.fullmatch(stated):
        for text, mended in candidates(starts, work):
            if _digest(text) == stated:
                name = recognise(text) or (declared if _FORMAT.fullmatch(declared) else None)
                return Read(text, name, Digest.MATCHES, mended) if name else None
    # Tags in a text that is JSON as it stands are part of it: what is put in breaks strings or stands between them.
    raw_first = starts[-1:] + starts[:-1] if is_json(block.inner) else starts
    found = _plausible(raw_first, recognise, Work(work.most))
    digest = Digest.DIFFERS if stated else Digest.ABSENT
    if found is not None:
        return Read(found.text, recognise(found.text) or declared, digest, found.mended)
    if stated and block.closed and _FORMAT.fullmatch(declared):
        first = next(candidates(starts, Work(work.most)), None)
        if first is not None and first.text.strip():
            return Read(first.text, declared, digest, first.mended)
    return None


def page(
    found: list[Block], recognise: Recognise, budget: Budget, route: tuple[str, ...], notes: tuple[str, ...]
) -> list[Found]:
    """The definitions of one page: each main block with the bundled ones that follow it."""
    pages: list[tuple[Read, Block, list[tuple[Read, Block]]]] = []
    for block in found:
        text = read(block, recognise, budget)
        if text is None:
            continue
        if block.is_main:
            pages.append((text, block, []))
        elif pages:
            pages[-1][2].append((text, block))
    return [_bundle(text, block, others, route, notes) for text, block, others in pages]


def _bundle(
    text: Read, block: Block, others: list[tuple[Read, Block]], route: tuple[str, ...], notes: tuple[str, ...]
) -> Found:
    said = [*notes, *_notes(text, block, "The workflow")]
    kept: dict[str, Definition] = {}
    for other, at in others:
        path = at.attributes.get("data-path", "")
        reason = unfit(path)
        shown = "".join(char if char.isprintable() else "\ufffd" for char in path[:120])
        if reason:
            said.append(f"A bundled document was left out: its path “{shown}” is not safe ({reason})")
        elif path.casefold() in kept:
            if kept[path.casefold()].text != other.text:
                said.append(f"A second bundled document with the path “{shown}” was left out")
        else:
            kept[path.casefold()] = Definition(other.text, other.format, path)
            said += _notes(other, at, f"The bundled document “{shown}”")
    main = Definition(text.text, text.format, _own_path(block, said))
    return Found(Bundle(main, tuple(kept.values())), text.digest, (*route, _words(block)), tuple(said))


def _own_path(block: Block, said: list[str]) -> str:
    """The path of the workflow itself, which a page says when what it calls lies in folders above its own."""
    path = block.attributes.get("data-path", "") if block.is_main else ""
    if path and unfit(path):
        said.append("The workflow's own path was left out: it is not safe")
        return ""
    return path


def _words(block: Block) -> str:
    if block.is_bundled:
        return f"block {BUNDLED}"
    return f"block {MAIN}" if MAIN in block.attributes.get("id", "").lower() else "block with a digest"


def _notes(text: Read, block: Block, what: str) -> list[str]:
    notes = []
    if not block.closed:
        notes.append(f"{what} has no end tag: the page may be cut off")
    words = "; ".join(dict.fromkeys(text.mended))
    if text.digest is Digest.MATCHES and words:
        notes.append(f"{what} was rewritten on its way ({words}) and is restored exactly: the digest matches")
    elif words:
        notes.append(f"{what} was rewritten on its way ({words}); it was mended by guess")
    if text.digest is Digest.DIFFERS:
        notes.append(f"{what} is not the text that was exported: its digest differs")
    return notes


def _plausible(starts: list[Candidate], recognise: Recognise, work: Work) -> Candidate | None:
    """The first candidate that is a definition, tried with as few mends as it takes."""
    tries = 200
    for candidate in candidates(starts, work):
        if recognise(candidate.text):
            return candidate
        tries -= 1
        if not tries:
            break
    return None


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
