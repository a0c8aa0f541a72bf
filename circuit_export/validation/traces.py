"""One workflow's scenarios, played and checked: findings, golden, coverage. Pure: texts in, a report out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from circuit_export.diagnostics import CircuitError, Diagnostic, Lines, Spot, locate_all
from circuit_export.runs import scenario_file
from circuit_export.runs.directives import one_line
from circuit_export.runs.findings import NO_SCENARIOS, UNREADABLE
from circuit_export.runs.findings import findings as scenario_findings
from circuit_export.runs.outline import Outline, Reached, reached
from circuit_export.runs.scenario import Engine, Played, play
from circuit_export.validation import coverage, goldens


class Files(NamedTuple):
    """A workflow's files: their paths below the project's root, and their texts, None where there is no file."""

    workflow: str
    scenarios: str
    golden: str
    scenarios_text: str | None = None
    golden_text: str | None = None


class Checked(NamedTuple):
    """What came of it. `traces` is what the golden should hold, `row` the coverage (None without scenarios)."""

    files: Files
    played: tuple[Played, ...] = ()
    comparison: goldens.Comparison = goldens.Comparison()
    row: coverage.Row | None = None
    findings: tuple[Diagnostic, ...] = ()

    @property
    def traces(self) -> tuple[goldens.Trace, ...]:
        return tuple((played.scenario.name, played.trace) for played in self.played)

    @property
    def diffs(self) -> tuple[str, ...]:
        """A unified diff of each scenario whose trace is another than its golden."""
        return tuple(goldens.diff(drift, self.files.golden) for drift in self.comparison.drifts)

    def updated(self, accept: str | None = None) -> str:
        """The golden's text brought up to date, all of it or one scenario."""
        return goldens.updated(self.files.golden_text, self.traces, accept)


def scenarios_path(workflow: str) -> str:
    """Where a workflow's scenarios lie: beside it, as NAME.scenarios.json for NAME.json."""
    folder, slash, name = workflow.rpartition("/")
    return f"{folder}{slash}{name.rsplit('.', 1)[0]}{scenario_file.SUFFIX}"


def check(engine: Engine, files: Files, spot_of: Callable[[str], Spot], *, required: bool = False) -> Checked:
    """Plays a workflow's scenarios and checks all there is to check.

    `engine` is bound to the workflow, `spot_of` gives a step's place in it. With `required` a workflow without
    scenarios is a finding. A finding's `file` is the one that it is about.
    """
    if files.scenarios_text is None:
        return _without(files, required)
    try:
        scenarios = scenario_file.load(files.scenarios_text, files.scenarios)
    except CircuitError as error:
        return Checked(files, findings=(_unreadable(error, files),))
    if not scenarios and required:
        return _without(files, required)
    outline = engine.outline()
    played = tuple(play(engine, scenario) for scenario in scenarios)
    row = coverage.measure(files.workflow, outline, _together(played)) if scenarios else None
    comparison = goldens.compare(files.golden_text, [(one.scenario.name, one.trace) for one in played])
    places = {one_line(scenario.name): scenario.place for scenario in scenarios}
    found = (
        *_of_scenarios(outline, played, files),
        *_located(goldens.findings(comparison, files.golden, files.scenarios, places), files),
        *(coverage.findings(row, spot_of) if row is not None else ()),
    )
    return Checked(files, played, comparison, row, found)


def _together(played: Sequence[Played]) -> Reached:
    got = Reached()
    for one in played:
        got |= reached(one.run)
    return got


def _without(files: Files, required: bool) -> Checked:
    comparison = goldens.compare(files.golden_text, []) if files.golden_text else goldens.Comparison()
    found = list(goldens.findings(comparison, files.golden, files.scenarios, {}))
    if required:
        hint = f"write {files.scenarios}, or let `circuit scenarios suggest` do it"
        found.append(NO_SCENARIOS.found("There are no scenarios for this workflow", file=files.workflow, hint=hint))
    return Checked(files, comparison=comparison, findings=tuple(found))


def _unreadable(error: CircuitError, files: Files) -> Diagnostic:
    details = "; ".join(
        part
        for part in (error.found and f"found {error.found}", error.expected and f"expected {error.expected}")
        if part
    )
    message = f"{error.message}: {details}" if details else error.message
    return UNREADABLE.found(message, file=files.scenarios, start=error.position, hint=error.hint)


def _of_scenarios(outline: Outline, played: Sequence[Played], files: Files) -> tuple[Diagnostic, ...]:
    found = [finding for one in played for finding in scenario_findings(outline, one)]
    return _located([finding._replace(file=files.scenarios) for finding in found], files)


def _located(found: Sequence[Diagnostic], files: Files) -> tuple[Diagnostic, ...]:
    """Findings with line and column where they are about the scenarios file."""
    text = files.scenarios_text or ""
    mine = [finding for finding in found if finding.file == files.scenarios and finding.start is None]
    if not mine:
        return tuple(found)
    lines = Lines(text)
    spans = dict(zip(map(id, mine), locate_all(text, [finding.place for finding in mine]), strict=True))
    placed = []
    for finding in found:
        span = spans.get(id(finding))
        if span is not None:
            finding = finding._replace(start=lines.position(span[0]), end=lines.position(span[1]))
        placed.append(finding)
    return tuple(placed)
