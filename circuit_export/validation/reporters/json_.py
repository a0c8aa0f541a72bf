"""Everything that was found, as JSON that other programs can rely on."""

from __future__ import annotations

from typing import Any

from circuit_export.diagnostics import Diagnostic, Position
from circuit_export.formats.json_text import write
from circuit_export.validation.report import Report

VERSION = 1


def report(report: Report, colour: bool) -> str:
    return (
        write({"version": VERSION, "findings": [finding(found) for found in report.findings], **_rest(report)}) + "\n"
    )


def _rest(report: Report) -> dict[str, Any]:
    safe, unsafe = report.fixable
    return {
        "summary": {
            "files": len(report.files),
            "skipped": len(report.skipped),
            "findings": len(report.findings),
            **{f"{severity.value}s": number for severity, number in report.counts.items()},
            "ignored": report.suppressed,
            "inBaseline": report.known,
            "fixed": report.fixed,
            "fixable": safe,
            "unsafelyFixable": unsafe,
            "failOn": report.fail_on,
            "outcome": report.outcome.value,
        },
        "skipped": [{"path": skipped.path, "why": skipped.why} for skipped in report.skipped],
    }


def finding(found: Diagnostic) -> dict[str, Any]:
    """One finding; what it has not is left out."""
    start = found.start or Position(1, 1)
    end = found.end or start
    members: dict[str, Any] = {
        "code": found.code,
        "name": found.name,
        "severity": found.severity.value,
        "message": found.message,
        "file": found.file,
        "pointer": found.pointer,
        "line": start.line,
        "column": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    }
    if found.reference:
        members["reference"] = found.reference
    if found.step is not None:
        members["step"] = found.step
    if found.wire is not None:
        members["wire"] = found.wire
    if found.hint:
        members["hint"] = found.hint
    if found.related:
        members["related"] = [
            {
                "message": other.message,
                "file": other.file or found.file,
                "pointer": other.place.pointer,
                **({"line": other.start.line, "column": other.start.column} if other.start else {}),
            }
            for other in found.related
        ]
    if found.fix is not None:
        members["fix"] = {"title": found.fix.title, "safe": found.fix.safe}
    return members
