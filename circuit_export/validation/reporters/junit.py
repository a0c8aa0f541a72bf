"""JUnit XML: a test case for each file, failed by its findings."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from circuit_export.diagnostics import Diagnostic, Position
from circuit_export.validation.report import Report
from circuit_export.validation.reporters.words import TOOL, printable

_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ORDER = ("error", "warning", "note")


def report(report: Report, colour: bool) -> str:
    failing = _ORDER[: _ORDER.index(report.fail_on) + 1] if report.fail_on in _ORDER else ()
    by_file: dict[str, list[Diagnostic]] = {name: [] for name in report.files}
    for found in report.findings:
        by_file.setdefault(found.file, []).append(found)
    cases = [_case(name, found, failing) for name, found in by_file.items()]
    failures = sum(any(one.severity.value in failing for one in found) for found in by_file.values())
    numbers = f'tests="{len(cases)}" failures="{failures}" errors="0"'
    body = "".join(cases)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuites {numbers}>\n<testsuite name="{TOOL} validate" {numbers} skipped="0">\n{body}</testsuite>\n'
        "</testsuites>\n"
    )


def _case(name: str, found: list[Diagnostic], failing: tuple[str, ...]) -> str:
    head = f'<testcase classname="{TOOL}.validate" name={_attribute(name)}'
    wrong = [one for one in found if one.severity.value in failing]
    said = [one for one in found if one.severity.value not in failing]
    inner = "".join(_failure(one) for one in wrong)
    if said:
        inner += f"<system-out>{_text(chr(10).join(map(_line, said)))}</system-out>\n"
    return f"{head}>\n{inner}</testcase>\n" if inner else f"{head}/>\n"


def _failure(found: Diagnostic) -> str:
    kind = _attribute(f"{found.code} {found.name}")
    return f"<failure type={kind} message={_attribute(found.message)}>{_text(_line(found))}</failure>\n"


def _line(found: Diagnostic) -> str:
    start = found.start or Position(1, 1)
    hint = f" ({found.hint})" if found.hint else ""
    return printable(f"{found.file}:{start.line}:{start.column}: {found.severity}[{found.code}] {found.message}{hint}")


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text))


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))
