"""GitLab's code quality report."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import Any

from circuit_export.diagnostics import Diagnostic, Position, Severity
from circuit_export.formats.json_text import write
from circuit_export.validation.baseline import entry_of
from circuit_export.validation.report import Report

_SEVERITIES = {Severity.ERROR: "major", Severity.WARNING: "minor", Severity.NOTE: "info"}


def report(report: Report, colour: bool) -> str:
    seen: Counter[tuple[str, ...]] = Counter()
    issues = []
    for found in report.findings:
        entry = tuple(entry_of(found))
        seen[entry] += 1
        issues.append(_issue(found, entry, seen[entry]))
    return write(issues) + "\n"


def _issue(found: Diagnostic, entry: tuple[str, ...], number: int) -> dict[str, Any]:
    """One issue. Its fingerprint does not hold the line, so that moving a step does not make it a new one."""
    start = found.start or Position(1, 1)
    mark = "\0".join((*entry, str(number))).encode("utf-8", "replace")
    return {
        "description": f"{found.message} ({found.hint})" if found.hint else found.message,
        "check_name": f"{found.code} {found.name}",
        "fingerprint": sha256(mark).hexdigest(),
        "severity": _SEVERITIES[found.severity],
        "location": {"path": found.file, "lines": {"begin": start.line}},
    }
