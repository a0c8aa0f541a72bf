"""Digests that a text states in words: a page's visible text, copied, still says what its definitions must hash to."""

from __future__ import annotations

import re
from dataclasses import replace
from hashlib import sha256

from circuit_export.definition import Bundle, Definition
from circuit_export.restore.budget import Budget
from circuit_export.restore.candidates import Candidate, Work, candidates
from circuit_export.restore.found import Digest, Found
from circuit_export.restore.paths import unfit
from circuit_export.restore.scan import DIGEST_NAME

NEEDS = "It needs"
"""The page's words before the path and the digest of a document that rides with the definition."""

_HEX = re.compile(r"[0-9a-f]{64}")
_MOST = 1_000
_BEFORE = 600  # characters before a digest that are looked at for a path


def settle(found: list[Found], text: str, budget: Budget) -> list[Found]:
    """`found` in `text`, each with the exact text where a digest in `text` tells it, documents with their main one."""
    stated = set() if DIGEST_NAME in text else set(_HEX.findall(text)[:_MOST])
    if not stated:  # (a text with the attribute is a page's markup, and has its blocks)
        return found
    settled: list[Found] = []
    for item in found:
        exact = _exact(item, stated, budget)
        path = _path(exact.bundle.main, text) if exact.digest is Digest.MATCHES else ""
        if path and settled and settled[-1].digest is Digest.MATCHES:
            before = settled[-1]
            document = exact.bundle.main._replace(path=path)
            bundle = Bundle(before.bundle.main, (*before.bundle.others, document))
            settled[-1] = replace(before, bundle=bundle, notes=tuple(dict.fromkeys([*before.notes, *exact.notes])))
        else:
            settled.append(exact)
    return settled


def _exact(item: Found, stated: set[str], budget: Budget) -> Found:
    main = item.bundle.main
    work = Work(min(1_000_000 + 16 * len(main.text), budget.left))
    try:
        for text, mended in candidates([Candidate(main.text, ())], work):
            if sha256(text.encode("utf-8", "surrogatepass")).hexdigest() in stated:
                words = "; ".join(mended)
                said = (f"The text was changed on its way ({words}) and is restored exactly: the digest matches",)
                bundle = Bundle(Definition(text, main.format))
                return Found(bundle, Digest.MATCHES, item.route, item.notes + said if words else item.notes)
    finally:
        budget.spend(min(work.done, budget.left))
    return item


def _path(main: Definition, text: str) -> str:
    """The path that stands before the digest of `main`; "" when there is none, or none that is safe."""
    at = text.find(main.digest)
    before = " ".join(text[max(0, at - _BEFORE) : at].split())
    path = before.rpartition(NEEDS)[2].strip(" `*_\u2068\u2069")
    return path if NEEDS in before and path and " " not in path and not unfit(path) else ""
