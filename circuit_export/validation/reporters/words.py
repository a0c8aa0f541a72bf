"""What several reporters say alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Severity

if TYPE_CHECKING:
    from circuit_export.validation.report import Report

Paint = Callable[[str, str], str]

_CONTROLS = (*range(9), *range(10, 32), *range(127, 160))
_BIDIRECTIONAL = (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_UNPRINTABLE = dict.fromkeys((*_CONTROLS, *_BIDIRECTIONAL, *range(0xD800, 0xE000)), "\ufffd")

TOOL = "circuit"


def printable(text: str) -> str:
    """A text with what a terminal would obey, and what no encoding holds, made visible as U+FFFD; on one line."""
    return text.translate(_UNPRINTABLE)


def count(number: int, word: str) -> str:
    """Such as "1 error" or "2 errors"."""
    return f"{number} {word}{'' if number == 1 else 's'}"


def summary(report: Report, paint: Paint) -> str:
    """The last line: what was checked and found, what was left out, and what can be mended."""
    files = count(len(report.files), "file")
    counts = report.counts
    if not report.files and not report.findings:
        return "Nothing to check."
    if report.findings:
        said = ", ".join(count(number, severity.value) for severity, number in counts.items() if number)
        colour = "31" if counts[Severity.ERROR] else "33" if counts[Severity.WARNING] else "36"
        parts = [f"{paint(said, f'1;{colour}')} in {files}"]
    else:
        parts = [f"{paint('No findings', '1;32')} in {files}"]
    if report.fixed:
        parts.append(f"{report.fixed} fixed")
    if report.suppressed:
        parts.append(f"{report.suppressed} ignored with a reason")
    if report.known:
        parts.append(f"{report.known} in the baseline")
    safe, unsafe = report.fixable
    if safe:
        parts.append(f"{safe} fixable with --fix")
    if unsafe:
        parts.append(f"{unsafe} fixable with --fix --unsafe-fixes")
    return "; ".join(parts) + "."
