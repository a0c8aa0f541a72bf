"""What a search answers: each definition with how it was reached and whether it is untouched, and how one is chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from circuit_export.definition import Bundle
from circuit_export.diagnostics import CircuitError, Position

Recognise = Callable[[str], str | None]
"""The format's name of a text that is itself a definition, else None. It is asked often: it must be cheap."""

_LISTED = 20


class Digest(StrEnum):
    """Is a text what its page says it was when the page was made?"""

    MATCHES = "matches"
    DIFFERS = "differs"
    ABSENT = "absent"


@dataclass(frozen=True)
class Found:
    """One definition, with the documents that ride in the same page.

    `digest` is about the main text. `route` says in plain words where it lay, outermost first. `notes` are whole
    sentences about what was mended, guessed or left out.
    """

    bundle: Bundle
    digest: Digest
    route: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[str, str]:
        """Two with the same key are one definition: a copy may have lost the blank lines around it."""
        return self.bundle.main.format, self.bundle.main.text.strip()


@dataclass(frozen=True)
class Findings:
    """All definitions of a source; when there are none, what the source looked like instead and what to do.

    `position` is where a text that nearly is a definition stops being one.
    """

    found: tuple[Found, ...]
    looks_like: str = ""
    hint: str = ""
    position: Position | None = None
    notes: tuple[str, ...] = ()


def single(findings: Findings, pick: int | None = None) -> Found:
    """The one definition, or the one that `pick` (from 1) says.

    Raises CircuitError when there is none (with what the source looked like), or several and no `pick` (listing
    them), or fewer than `pick`.
    """
    found = findings.found
    if not found:
        raise CircuitError(
            "The workflow in it cannot be read" if findings.position else "There is no workflow in it",
            position=findings.position,
            found=findings.looks_like,
            expected="an exported page, or a workflow's own text",
            hint=findings.hint,
        )
    if pick is None and len(found) > 1:
        raise CircuitError(
            f"There are {len(found)} workflows in it",
            found=_listing(found),
            expected="one",
            hint="say which one with --pick N: `circuit import --pick 1` takes the first out",
        )
    if pick is not None and not 1 <= pick <= len(found):
        count = "1 workflow" if len(found) == 1 else f"{len(found)} workflows"
        raise CircuitError(
            f"There is no workflow number {pick} in it",
            found=count if len(found) == 1 else f"{count}{_listing(found)}",
            expected="--pick 1" if len(found) == 1 else f"a number from 1 to {len(found)}",
        )
    return found[(pick or 1) - 1]


def _listing(found: tuple[Found, ...]) -> str:
    lines = [f"\n    {number}. {_line(item)}" for number, item in enumerate(found[:_LISTED], 1)]
    if len(found) > _LISTED:
        lines.append(f"\n    … {len(found) - _LISTED} more")
    return "".join(lines)


def _line(item: Found) -> str:
    main = item.bundle.main
    digest = {Digest.MATCHES: ", untouched", Digest.DIFFERS: ", changed since it was exported", Digest.ABSENT: ""}
    name = _name(main.text)
    said = f"“{name}”" if name else _clip(" ".join(main.text[:400].split()))
    return f"{main.format}: {said}{digest[item.digest]} ({' → '.join(item.route)})"


def _name(text: str) -> str:
    """What the workflow calls itself, where its text says so in the way of JSON."""
    if not text.lstrip().startswith("{"):
        return ""
    from json import loads

    try:
        value = loads(text)
    except (ValueError, RecursionError):
        return ""
    name = value.get("name") if isinstance(value, dict) else None
    return _clip(" ".join(name.split())) if isinstance(name, str) else ""


def _clip(text: str, most: int = 70) -> str:
    shown = "".join(char if char.isprintable() else "�" for char in text)
    return shown if len(shown) <= most else shown[: most - 1] + "…"
