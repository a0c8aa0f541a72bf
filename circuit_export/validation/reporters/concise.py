"""One line a finding: file, line, column, severity, code, message."""

from __future__ import annotations

from circuit_export.diagnostics import Position
from circuit_export.validation.report import Report
from circuit_export.validation.reporters.words import printable


def report(report: Report, colour: bool) -> str:
    lines = []
    for found in report.findings:
        start = found.start or Position(1, 1)
        place = f"{printable(found.file)}:{start.line}:{start.column}"
        word = f"{found.severity}[{found.code}]"
        hint = f" ({printable(found.hint)})" if found.hint else ""
        painted = f"\x1b[1m{place}\x1b[0m" if colour else place
        lines.append(f"{painted}: {word} {printable(found.message)}{hint}\n")
    return "".join(lines)
