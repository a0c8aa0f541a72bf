"""The report for people: each finding with its line, a caret under what it is about, and a summary."""

from __future__ import annotations

from circuit_export.diagnostics import Diagnostic, Lines, Position, Severity
from circuit_export.validation.report import Report
from circuit_export.validation.reporters.words import Paint, printable, summary

WIDTH = 120
"""Columns of a source line that are shown."""
_COLOURS = {Severity.ERROR: "31", Severity.WARNING: "33", Severity.NOTE: "36"}
_BLUE, _BOLD, _GREEN = "34", "1", "32"


def report(report: Report, colour: bool) -> str:
    paint = painter(colour)
    return "".join(f"{block}\n\n" for block in blocks(report, colour)) + summary(report, paint) + "\n"


def blocks(report: Report, colour: bool) -> list[str]:
    """Each finding as a block of lines, without a line feed at its end."""
    lines = {name: Lines(text) for name, text in report.texts.items()}
    return [_block(found, lines, painter(colour)) for found in report.findings]


def painter(colour: bool) -> Paint:
    """What colours a text by the codes of a terminal, or does not."""
    return _painted if colour else _plain


def _painted(text: str, code: str) -> str:
    return f"\x1b[{code}m{text}\x1b[0m"


def _plain(text: str, _code: str) -> str:
    return text


def _block(found: Diagnostic, lines: dict[str, Lines], paint: Paint) -> str:
    start = found.start or Position(1, 1)
    head = paint(f"{found.severity}[{found.code}]", f"{_BOLD};{_COLOURS[found.severity]}")
    out = [f"{head}: {paint(printable(found.message), _BOLD)}"]
    source = lines.get(found.file)
    gutter = len(str(start.line))
    out.append(f"{' ' * gutter}{paint('-->', _BLUE)} {printable(found.file)}:{start.line}:{start.column}")
    if source is not None and source.text:
        out += _frame(source, start, found.end, gutter, paint, _COLOURS[found.severity])
    bar = paint("=", _BLUE)
    for other in found.related:
        place = f"{printable(other.file)}:{other.start.line}:{other.start.column}: " if other.start else ""
        out.append(f"{' ' * gutter} {bar} {place}{printable(other.message)}")
    if found.hint:
        out.append(f"{' ' * gutter} {bar} {paint('try', _GREEN)}: {printable(found.hint)}")
    out.append(f"{' ' * gutter} {bar} {found.name}{_reference(found)}{_fixable(found)}")
    return "\n".join(out)


def _reference(found: Diagnostic) -> str:
    return f" ({found.reference})" if found.reference else ""


def _fixable(found: Diagnostic) -> str:
    if found.fix is None:
        return ""
    return f", {'--fix' if found.fix.safe else '--fix --unsafe-fixes'}: {printable(found.fix.title)}"


def _frame(source: Lines, start: Position, end: Position | None, gutter: int, paint: Paint, colour: str) -> list[str]:
    """The line that a finding is about, cut to what fits around its place, and carets below that."""
    line = source.line(start.line)
    last = start.column + 1 if end is None else end.column if end.line == start.line else len(line) + 1
    first = max(0, start.column - 1 - WIDTH // 3) if len(line) > WIDTH else 0
    shown = line[first : first + WIDTH]
    before = shown[: start.column - 1 - first]
    marked = shown[start.column - 1 - first : max(last - 1 - first, start.column - first)]
    cut = "…" if first else ""
    pad = " " * (sum(map(_cells, before)) + len(cut))
    bar = paint("|", _BLUE)
    carets = paint("^" * max(1, min(sum(map(_cells, marked)), WIDTH)), f"{_BOLD};{colour}")
    text = printable(cut + shown + ("…" if first + WIDTH < len(line) else "")).replace("\t", " ")
    number = paint(str(start.line), _BLUE)
    return [f"{' ' * gutter} {bar}", f"{number} {bar} {text}", f"{' ' * gutter} {bar} {pad}{carets}"]


def _cells(character: str) -> int:
    """How many cells of a terminal a character takes, roughly; the caret need not be exact in every script."""
    code = ord(character)
    if 0x300 <= code <= 0x36F or 0x200B <= code <= 0x200F or 0xFE00 <= code <= 0xFE0F:
        return 0
    wide = 0x1100 <= code <= 0x115F or 0x2E80 <= code <= 0xA4CF or 0xAC00 <= code <= 0xD7A3 or 0xF900 <= code <= 0xFAFF
    return 2 if wide or 0xFE30 <= code <= 0xFE6F or 0xFF00 <= code <= 0xFF60 or 0x1F300 <= code <= 0x1FAFF else 1
