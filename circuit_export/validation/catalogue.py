"""Every finding there is, by code and by name, and which ones somebody selected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from circuit_export import formats
from circuit_export.diagnostics import UsageError
from circuit_export.formats.base import Rule
from circuit_export.formats.likeness import nearest
from circuit_export.validation import rules

if TYPE_CHECKING:
    from circuit_export.diagnostics import Diagnostic


def format_rules(name: str) -> tuple[Rule, ...]:
    """The rules of a format; none when it has no rules yet."""
    try:
        module = import_module(f"{formats.__name__}.{name}.rules")
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.endswith(".rules"):
            raise
        return ()
    found: tuple[Rule, ...] = module.rules()
    return found


@cache
def every_rule() -> tuple[Rule, ...]:
    """Every rule there is, in the order of the codes. A code that two formats share is there once."""
    from circuit_export.runs.findings import RULES

    found = {rule.code: rule for rule in rules.rules()}
    found |= {rule.code: Rule(*rule) for rule in RULES}
    for name in formats.NAMES:
        for rule in format_rules(name):
            found.setdefault(rule.code, rule)
    return tuple(found[code] for code in sorted(found))


def find_rule(word: str) -> Rule:
    """The rule with that code or name, in any case of letters, or with that code of a language that has its own.

    Raises UsageError, with the nearest one.
    """
    wanted = word.strip().lower()
    for rule in every_rule():
        if wanted and wanted in (rule.code.lower(), rule.name, rule.reference.lower()):
            return rule
    near = nearest(wanted, [name for rule in every_rule() for name in (rule.name, rule.code)])
    raise UsageError(
        "There is no such finding",
        found=f"“{word}”",
        expected="a code such as C201, or a name such as unknown-wire-target",
        hint=f"did you mean “{near}”?" if near else "`circuit rules` lists them",
    )


def checked_words(words: Iterable[str], where: str) -> tuple[str, ...]:
    """Words of a selection, each a code, the start of one (C5) or a name. Raises UsageError for one that means none."""
    listed = tuple(words)
    known = [name for rule in every_rule() for name in (rule.code, rule.name)]
    for word in listed:
        if not any(_means(word, rule.code, rule.name) for rule in every_rule()):
            near = nearest(word, known)
            raise UsageError(
                f"{where} names no finding",
                found=f"“{word}”",
                expected="codes (C501), starts of codes (C5) or names (unguarded-write)",
                hint=f"did you mean “{near}”?" if near else "`circuit rules` lists them",
            )
    return listed


def _means(word: str, code: str, name: str) -> bool:
    return (word[:1] in "Cc" and word[1:2].isdigit() and code.startswith(word.upper())) or word.lower() == name


def is_selected(found: Diagnostic, select: Sequence[str], ignore: Sequence[str]) -> bool:
    """Whether a finding is to be reported: the longest word that means it decides, an equal one of `ignore` wins."""
    chosen = max((len(word) for word in select if _means(word, found.code, found.name)), default=0 if select else 1)
    dropped = max((len(word) for word in ignore if _means(word, found.code, found.name)), default=0)
    if dropped and select and chosen:
        return chosen > dropped
    return chosen > 0 and not dropped
