"""Annotations for GitHub Actions, as workflow commands; what is beyond the ten that show is in the job's summary."""

from __future__ import annotations

from circuit_export.diagnostics import Diagnostic, Position, Severity
from circuit_export.validation.report import Report
from circuit_export.validation.reporters.words import printable, summary

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def report(report: Report, colour: bool) -> str:
    return "".join(f"{_annotation(found)}\n" for found in report.findings)


def _annotation(found: Diagnostic) -> str:
    start = found.start or Position(1, 1)
    properties = {"file": found.file, "line": str(start.line), "col": str(start.column)}
    if found.end is not None:
        properties["endLine"] = str(found.end.line)
        if found.end.line == start.line:
            properties["endColumn"] = str(found.end.column)
    properties["title"] = f"{found.code} {found.name}"
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    hint = f"\n{found.hint}" if found.hint else ""
    return f"::{_COMMANDS[found.severity]} {listed}::{_data(found.message + hint)}"


def _data(text: str) -> str:
    text = text.replace("%", "%25").replace("\r", "%0D")
    return "%0A".join(map(printable, text.split("\n")))


def _property(text: str) -> str:
    return (
        printable(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))
        .replace(":", "%3A")
        .replace(",", "%2C")
    )


def job_summary(report: Report) -> str:
    """The whole report in Markdown, for the file that GITHUB_STEP_SUMMARY names."""
    lines = ["### Workflows", "", summary(report, lambda text, _code: text)]
    if report.findings:
        lines += ["", "| | where | what |", "|---|---|---|"]
    for found in report.findings:
        start = found.start or Position(1, 1)
        where = f"{found.file}:{start.line}:{start.column}"
        what = f"{found.message} ({found.hint})" if found.hint else found.message
        lines.append(f"| {found.severity} {found.code} | {_cell(where)} | {_cell(what)} |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    text = printable(text).replace("&", "&amp;").replace("<", "&lt;")
    return "".join(f"\\{character}" if character in r"\`*_{}[]|~#" else character for character in text)
