"""Findings that a document itself asks to leave out, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export import formats
from circuit_export.diagnostics import Diagnostic, Place, Position, escape_pointer
from circuit_export.formats.likeness import nearest
from circuit_export.validation.catalogue import every_rule
from circuit_export.validation.rules import ignored_in_vain, ignored_without_reason

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from circuit_export.formats.base import Document

SETTINGS = "x-circuit"
# What says something about the ignored findings themselves cannot be ignored by them.
_ABOUT_IGNORING = frozenset(("C011", "C012", "C013"))


class Suppression(NamedTuple):
    """A finding to leave out: by its code or name, in all of the document, below `scope` (a pointer) or at `step`.

    `place` is where it is written in JSON; in any other text it is at `start`.
    """

    word: str
    reason: Any
    scope: str = ""
    place: Place = Place()
    step: str = ""
    start: Position | None = None
    end: Position | None = None


class Sifted(NamedTuple):
    """What is left of the findings, and how many were left out."""

    findings: list[Diagnostic]
    suppressed: int


def suppressions(value: Any, document: Document | None = None) -> Iterator[Suppression]:
    """Those that a document writes down: as its format does, and in JSON on itself and on the items of its lists."""
    if document is not None:
        for one in formats.get(document.definition.format).ignored(document):
            yield Suppression(one.word, one.reason, step=one.step, start=one.start, end=one.end)
    if not isinstance(value, Mapping):
        return
    yield from _of(value, "")
    for key, items in value.items():
        if isinstance(items, list):
            for number, item in enumerate(items):
                if isinstance(item, Mapping) and SETTINGS in item:
                    yield from _of(item, f"/{escape_pointer(key)}/{number}")


def _of(item: Mapping[str, Any], scope: str) -> Iterator[Suppression]:
    settings = item.get(SETTINGS)
    ignore = settings.get("ignore") if isinstance(settings, Mapping) else None
    if isinstance(ignore, Mapping):
        for word, reason in ignore.items():
            yield Suppression(word, reason, scope, Place(f"{scope}/{SETTINGS}/ignore/{escape_pointer(word)}", True))


def sift(found: Sequence[Diagnostic], wanted: Sequence[Suppression], could_be_found: Callable[[str], bool]) -> Sifted:
    """Leaves out what is suppressed, and says which suppressions have no reason or nothing to leave out.

    `could_be_found` tells of a code whether this run looked for it at all.
    """
    used = [False] * len(wanted)
    left = []
    suppressed = 0
    for one in found:
        by = None if one.code in _ABOUT_IGNORING else _suppressing(one, wanted)
        if by is None:
            left.append(one)
        else:
            used[by] = True
            suppressed += 1
    for number, suppression in enumerate(wanted):
        said = _said(suppression, used[number], found, could_be_found)
        if said is not None:
            left.append(said)
    return Sifted(left, suppressed)


def unsuppressed(found: Sequence[Diagnostic], document: Document) -> list[Diagnostic]:
    """What is left of the findings of a document, without judging its suppressions."""
    wanted = list(suppressions(getattr(document, "value", None), document))
    return [one for one in found if one.code in _ABOUT_IGNORING or _suppressing(one, wanted) is None]


def _suppressing(found: Diagnostic, wanted: Sequence[Suppression]) -> int | None:
    for number, suppression in enumerate(wanted):
        if (
            suppression.word in (found.code, found.name)
            and _has_reason(suppression)
            and (not suppression.scope or f"{found.pointer}/".startswith(f"{suppression.scope}/"))
            and suppression.step in ("", found.step)
        ):
            return number
    return None


def _has_reason(suppression: Suppression) -> bool:
    return isinstance(suppression.reason, str) and bool(suppression.reason.strip())


def _said(
    suppression: Suppression, used: bool, found: Sequence[Diagnostic], could_be_found: Callable[[str], bool]
) -> Diagnostic | None:
    word = suppression.word
    where: dict[str, Any] = {"pointer": suppression.place.pointer, "key": True}
    if suppression.start is not None:
        where = {"pointer": "", "start": suppression.start, "end": suppression.end}
    rule = next((rule for rule in every_rule() if word in (rule.code, rule.name)), None)
    if rule is None:
        near = nearest(word, [name for rule in every_rule() for name in (rule.code, rule.name)])
        hint = f"did you mean “{near}”?" if near else "write a code such as C501"
        message = f"“{word}” is ignored, but there is no such finding"
        return ignored_in_vain.RULE.found(message, **where, hint=hint)
    if not _has_reason(suppression):
        message = f"{rule.code} ({rule.name}) is ignored without a reason, so it is not ignored"
        return ignored_without_reason.RULE.found(message, **where, hint="write why beside it")
    if not used and could_be_found(rule.code):
        message = f"{rule.code} ({rule.name}) is ignored, but it is not found here"
        return ignored_in_vain.RULE.found(message, **where, hint="remove it")
    return None
