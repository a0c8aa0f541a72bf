"""A baseline: findings that were there when a project began to be checked, so that only new ones fail."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.diagnostics import CircuitError, Diagnostic, Position, UsageError
from circuit_export.validation.rules import stale_baseline

if TYPE_CHECKING:
    from collections.abc import Collection

VERSION = 1
_ABOUT_FINDINGS = frozenset(("C011", "C012", "C013"))


class Entry(NamedTuple):
    """What a finding is known by: never by its line, which moves."""

    file: str
    code: str
    step: str
    wire: str


class Sifted(NamedTuple):
    """What is left of the findings, how many the baseline knew, and its entries that nothing was found for."""

    findings: list[Diagnostic]
    known: int
    stale: list[Diagnostic]


def entry_of(found: Diagnostic) -> Entry:
    """The entry of a finding; one that is about no step is known by its place in the structure."""
    return Entry(found.file, found.code, found.step or ("" if found.wire else found.pointer), found.wire or "")


def dump(found: Iterable[Diagnostic]) -> str:
    """The text of a baseline of these findings: sorted, one entry a line, so that changes read well."""
    counts = Counter(entry_of(one) for one in found if one.code not in _ABOUT_FINDINGS)
    lines = []
    for entry in sorted(counts):
        members: dict[str, Any] = {name: part for name, part in entry._asdict().items() if part}
        if counts[entry] > 1:
            members["count"] = counts[entry]
        lines.append("  " + json.dumps(members, ensure_ascii=False))
    listed = ",\n".join(lines)
    return (
        f'{{\n "version": {VERSION},\n "findings": [\n{listed}\n ]\n}}\n'
        if lines
        else (f'{{\n "version": {VERSION},\n "findings": []\n}}\n')
    )


def load(text: str, file: str) -> Counter[Entry]:
    """Reads a baseline. Raises UsageError when it is none."""
    from circuit_export.formats.json_text import parse

    try:
        value = parse(text).value
        if not isinstance(value, Mapping) or value.get("version") != VERSION:
            raise CircuitError("it has no version that is known")
        counts: Counter[Entry] = Counter()
        for item in value["findings"]:
            entry = Entry(str(item["file"]), str(item["code"]), str(item.get("step", "")), str(item.get("wire", "")))
            counts[entry] += int(item.get("count", 1))
    except (CircuitError, KeyError, TypeError, ValueError, AttributeError) as error:
        reason = error.message if isinstance(error, CircuitError) else "an entry has not its shape"
        hint = "write it anew with --write-baseline"
        raise UsageError(f"The baseline cannot be used: {reason}", file=file, hint=hint) from None
    return counts


def sift(found: Iterable[Diagnostic], known: Counter[Entry], checked: Collection[str], file: str) -> Sifted:
    """Leaves out what the baseline knows. Entries of files that this run did not check are not judged."""
    left = Counter(known)
    kept = []
    dropped = 0
    for one in found:
        entry = entry_of(one)
        if left[entry] > 0 and one.code not in _ABOUT_FINDINGS:
            left[entry] -= 1
            dropped += 1
        else:
            kept.append(one)
    stale = [_stale(entry, file) for entry in sorted(left) if left[entry] > 0 and entry.file in checked]
    return Sifted(kept, dropped, stale)


def _stale(entry: Entry, file: str) -> Diagnostic:
    about = f" of {entry.step}" if entry.step else ""
    message = f"The baseline holds {entry.code}{about} in {entry.file}, which is no longer found"
    start = Position(1, 1)
    return stale_baseline.RULE.found(message, "", file=file, start=start, hint="write it anew with --write-baseline")
