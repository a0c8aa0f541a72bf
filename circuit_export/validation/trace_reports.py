"""What `circuit trace` reports: scenarios against their goldens, and coverage, in each output format."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.diagnostics import Position
from circuit_export.runs.directives import one_line
from circuit_export.runs.findings import DRIFT, NO_GOLDEN, UNREACHED_BRANCH, UNREACHED_STEP, UNREACHED_WIRE
from circuit_export.validation import coverage, goldens
from circuit_export.validation.reporters.words import count, printable

if TYPE_CHECKING:
    from circuit_export.diagnostics import Diagnostic
    from circuit_export.validation.coverage import Row
    from circuit_export.validation.report import Report
    from circuit_export.validation.reporters.words import Paint
    from circuit_export.validation.traces import Checked

COVERAGE = (UNREACHED_STEP.code, UNREACHED_WIRE.code, UNREACHED_BRANCH.code)
"""The findings that the table of coverage says by itself."""
_RED, _GREEN, _CYAN, _BOLD = "31", "32", "36", "1"


class Verdict(NamedTuple):
    """How one scenario went: what was found about it, and a unified diff when its trace is not its golden's."""

    file: str
    scenario: str
    status: str
    found: tuple[Diagnostic, ...] = ()
    diff: str = ""


def rows(report: Report) -> list[Row]:
    """The coverage of each workflow that has scenarios."""
    return [checked.row for checked in report.traced if checked.row is not None]


def shortfall(report: Report, least: float) -> str:
    """What is said when less than `least` percent is reached, "" otherwise."""
    measured = rows(report)
    if not coverage.falls_short(measured, least):
        return ""
    everything = sum(row.total for row in measured)
    reached = everything - sum(row.missed for row in measured)
    exact = 10_000 * reached // everything / 100  # rounded down: what falls short never looks as if it did not
    return f"{exact:g}% of {_things(measured)} are reached, and at least {least:g}% are to be"


def _things(measured: Sequence[Row]) -> str:
    return "steps, wires and branches" if any(row.branches for row in measured) else "steps and wires"


def verdicts(report: Report) -> list[Verdict]:
    """How each scenario went, of the findings that are reported."""
    return [verdict for checked in report.traced for verdict in _verdicts(checked, report.findings)]


def _verdicts(checked: Checked, found: Sequence[Diagnostic]) -> list[Verdict]:
    files = checked.files
    drifts = {drift.scenario: drift for drift in checked.comparison.drifts}
    missing = set(checked.comparison.missing)
    whole = [
        one for one in found if (one.file, one.code, one.pointer) == (files.scenarios, NO_GOLDEN.code, "/scenarios")
    ]
    given = []
    for played in checked.played:
        name, place = one_line(played.scenario.name), f"/scenarios/{played.scenario.place}/"
        mine = [one for one in found if one.file == files.scenarios and one.pointer.startswith(place)]
        mine += whole if name in missing else []
        drift = drifts.get(name)
        of_drift = [one for one in found if drift and _is_about(one, files.golden, drift.line)]
        diff = goldens.diff(drift, files.golden) if drift and of_drift else ""
        given.append(Verdict(files.workflow, name, played.status, (*of_drift, *mine), diff))
    return given


def _is_about(found: Diagnostic, golden: str, line: int) -> bool:
    return found.code == DRIFT.code and found.file == golden and found.start is not None and found.start.line == line


# --- for people ---------------------------------------------------------------------------------------------------


def as_text(report: Report, skip_covered: bool, colour: bool) -> str:
    """What differs, each with its diff; the table of coverage; and a last line that says how it went."""
    from circuit_export.validation.reporters.text import blocks, painter

    paint = painter(colour)
    shown = [one for one in report.findings if one.code not in COVERAGE]
    diffs = _diffs(report)
    parts = []
    for one, block in zip(shown, blocks(replace(report, findings=tuple(shown)), colour), strict=True):
        diff = diffs.get((one.file, one.start)) if one.code == DRIFT.code else None
        parts.append(f"{block}\n\n{_coloured(diff, paint)}" if diff else f"{block}\n")
    measured = rows(report)
    if measured:
        parts.append(coverage.as_text(measured, skip_covered))
    return "\n".join([*parts, f"{last_line(report, paint)}\n"])


def _diffs(report: Report) -> dict[tuple[str, Position | None], str]:
    return {
        (checked.files.golden, Position(drift.line, 1)): goldens.diff(drift, checked.files.golden)
        for checked in report.traced
        for drift in checked.comparison.drifts
    }


def _coloured(diff: str, paint: Paint) -> str:
    colours = {"-": _RED, "+": _GREEN, "@": _CYAN}
    lines = []
    for line in diff.splitlines():
        code = _BOLD if line.startswith(("---", "+++")) else colours.get(line[:1])
        lines.append(paint(printable(line), code) if code else printable(line))
    return "".join(f"{line}\n" for line in lines)


def last_line(report: Report, paint: Paint) -> str:
    """How it went, in a line."""
    judged = verdicts(report)
    if not report.files and not report.findings:
        return "Nothing to trace: there are no workflows here."
    if not judged and not report.findings:
        return "Nothing to trace: no workflow here has scenarios. `circuit scenarios suggest BOARD` writes some."
    workflows = count(len({verdict.file for verdict in judged}), "workflow")
    new = [verdict for verdict in judged if _is_only_new(verdict)]
    wrong = [verdict for verdict in judged if verdict.found and not _is_only_new(verdict)]
    about_none = _about_no_scenario(report, judged)
    parts = []
    if wrong:
        said = paint(f"{len(wrong)} of {count(len(judged), 'scenario')}", f"{_BOLD};{_RED}")
        parts.append(
            f"{said} in {workflows} {'does not run as it' if len(wrong) == 1 else 'do not run as they'} should"
        )
    if new:
        said = paint(count(len(new), "scenario"), f"{_BOLD};{_RED}")
        parts.append(f"{said} without a golden")
    if not judged:
        parts.append(paint("No scenario was played", f"{_BOLD};{_RED}"))
    elif not parts:
        said = "All as it should be" if not report.findings else "Every scenario runs as it should"
        parts.append(f"{paint(said, f'{_BOLD};{_GREEN}')}: {count(len(judged), 'scenario')} in {workflows}")
    if about_none:
        parts.append(f"{paint(count(len(about_none), 'other finding'), f'{_BOLD};{_RED}')}")
    unreached = sum(1 for one in report.findings if one.code in COVERAGE)
    if unreached:
        parts.append(f"{paint(str(unreached), _BOLD)} of the {_things(rows(report))} not reached")
    if report.suppressed:
        parts.append(f"{report.suppressed} ignored with a reason")
    return "; ".join(parts) + "."


def _is_only_new(verdict: Verdict) -> bool:
    """Is all that is to be said of a scenario that it has no golden yet?"""
    return bool(verdict.found) and all(one.code == NO_GOLDEN.code for one in verdict.found)


def _about_no_scenario(report: Report, judged: Sequence[Verdict]) -> list[Diagnostic]:
    """The findings that are about no scenario's run and no coverage, such as a golden that nothing is left of."""
    said = {id(one) for verdict in judged for one in verdict.found}
    return [one for one in report.findings if id(one) not in said and one.code not in COVERAGE]


# --- for programs and CI ------------------------------------------------------------------------------------------


def as_json(report: Report, skip_covered: bool, colour: bool) -> str:
    """The coverage, how each scenario went, and what was found."""
    value: dict[str, Any] = coverage.as_value(rows(report), skip_covered)
    value["scenarios"] = [
        {
            "file": verdict.file,
            "name": verdict.scenario,
            "status": verdict.status,
            "ok": not verdict.found,
            **({"diff": verdict.diff} if verdict.diff else {}),
        }
        for verdict in verdicts(report)
    ]
    value["findings"] = [
        {
            "code": one.code,
            "name": one.name,
            "severity": str(one.severity),
            "message": one.message,
            "file": one.file,
            "line": one.start.line if one.start else 1,
            "column": one.start.column if one.start else 1,
            "hint": one.hint,
        }
        for one in report.findings
    ]
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"


def as_markdown(report: Report, skip_covered: bool, colour: bool) -> str:
    """The table of coverage, and what differs with its diff."""
    parts = [coverage.as_markdown(rows(report), skip_covered)] if rows(report) else []
    diffs = _diffs(report)
    for one in report.findings:
        if one.code not in COVERAGE:
            diff = diffs.get((one.file, one.start)) if one.code == DRIFT.code else None
            where = f"{one.file}:{one.start.line}" if one.start else one.file
            fenced = f"\n```diff\n{diff}```\n" if diff else ""
            parts.append(f"**{one.code} {one.name}** {_cell(where)}: {_cell(one.message)}\n{fenced}")
    return "\n".join([*parts, f"{last_line(report, lambda text, _code: text)}\n"])


def _cell(text: str) -> str:
    return printable(text).replace("<", "&lt;").replace("*", "\\*")


def as_junit(report: Report, skip_covered: bool, colour: bool) -> str:
    """A test case for each scenario and each workflow's coverage, and one for what belongs to none."""
    cases = []
    judged = verdicts(report)
    for verdict in judged:
        messages = "\n".join(one.message for one in verdict.found)
        first = verdict.found[0].message if verdict.found else ""
        cases.append(
            coverage.Case(verdict.file, verdict.scenario, first, f"{messages}\n{verdict.diff}" if first else "")
        )
    others = _about_no_scenario(report, judged)
    cases += [coverage.Case(one.file, f"{one.code} {one.name}", one.message, one.hint) for one in others]
    return coverage.junit({"scenarios": cases, "coverage": coverage.junit_cases(rows(report), skip_covered)})


def as_github(report: Report, skip_covered: bool, colour: bool) -> str:
    """Annotations: what differs where it stands, and one for each workflow that is not covered."""
    from circuit_export.validation.reporters.github import report as annotations

    shown = tuple(one for one in report.findings if one.code not in COVERAGE)
    return annotations(replace(report, findings=shown), False) + coverage.as_github(rows(report), skip_covered)


REPORTS: dict[str, Callable[[Report, bool, bool], str]] = {
    "text": as_text,
    "json": as_json,
    "markdown": as_markdown,
    "junit": as_junit,
    "github": as_github,
}
"""The reports by the name of their format: of a report, whether to leave out what is covered, and in colour."""
