"""Coverage: which steps, wires and branches the scenarios of a workflow reach, as a table and as findings."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from xml.sax.saxutils import escape, quoteattr

from circuit_export.diagnostics import Diagnostic, Spot
from circuit_export.runs.findings import UNREACHED_BRANCH, UNREACHED_STEP, UNREACHED_WIRE
from circuit_export.runs.outline import Branch, Outline, Reached, Way
from circuit_export.validation.reporters.words import printable


class Row(NamedTuple):
    """The coverage of one workflow; `file` is its path below the project's root."""

    file: str
    steps: int
    wires: int
    missed_steps: tuple[str, ...] = ()
    missed_wires: tuple[Way, ...] = ()
    branches: int = 0
    missed_branches: tuple[Branch, ...] = ()

    @property
    def total(self) -> int:
        return self.steps + self.wires + self.branches

    @property
    def missed(self) -> int:
        return len(self.missed_steps) + len(self.missed_wires) + len(self.missed_branches)

    @property
    def percent(self) -> int:
        """Whole percent of steps, wires and branches that were reached; 100 only when all were."""
        return percent(self.total - self.missed, self.total)

    @property
    def which(self) -> tuple[str, ...]:
        """What was missed: step ids, then wires and branches; one of a missed step goes without saying."""
        others: tuple[Way | Branch, ...] = (*self.missed_wires, *self.missed_branches)
        return (*self.missed_steps, *(str(other) for other in others if other.step not in self.missed_steps))


def percent(reached: int, total: int) -> int:
    """Whole percent, rounded, yet 100 only for all and 0 only for none."""
    if reached == total:
        return 100
    if reached == 0:
        return 0
    return min(99, max(1, (200 * reached + total) // (2 * total)))


def measure(file: str, outline: Outline, reached: Reached) -> Row:
    """The coverage of a workflow by what its scenarios reached together."""
    return Row(
        file,
        len(outline.steps),
        len(outline.wires),
        tuple(step for step in outline.steps if step not in reached.steps),
        tuple(wire for wire in outline.wires if wire not in reached.wires),
        len(outline.branches),
        tuple(branch for branch in outline.branches if branch not in reached.branches),
    )


def total(rows: Sequence[Row]) -> int:
    """Whole percent of all steps and wires together."""
    everything = sum(row.total for row in rows)
    return percent(everything - sum(row.missed for row in rows), everything)


def falls_short(rows: Sequence[Row], least: float) -> bool:
    """Is less than `least` percent reached? Compared exactly, not as rounded."""
    everything = sum(row.total for row in rows)
    return 100 * (everything - sum(row.missed for row in rows)) < least * everything


def findings(row: Row, spot_of: Callable[[str], Spot]) -> tuple[Diagnostic, ...]:
    """What is to be said of a workflow that is not covered; `spot_of` gives a step's place in it."""
    found = [
        UNREACHED_STEP.found(f"No scenario reaches “{step}”", **spot_of(step)._asdict(), step=step, file=row.file)
        for step in row.missed_steps
    ]
    found += [
        UNREACHED_WIRE.found(
            f"No scenario takes the wire {wire}",
            **spot_of(wire.step)._asdict(),
            step=wire.step,
            wire=str(wire),
            file=row.file,
        )
        for wire in row.missed_wires
        if wire.step not in row.missed_steps
    ]
    found += [
        UNREACHED_BRANCH.found(
            f"No scenario has “{branch.step}” {branch.what}",
            **spot_of(branch.step)._asdict(),
            step=branch.step,
            file=row.file,
        )
        for branch in row.missed_branches
        if branch.step not in row.missed_steps
    ]
    return tuple(found)


# --- reports --------------------------------------------------------------------------------------------------------

Cells = tuple[str, ...]


def _heads(rows: Sequence[Row]) -> Cells:
    """The heads of the table: branches have columns where some workflow has any."""
    branches = ("Branches", "Miss") if any(row.branches for row in rows) else ()
    return ("Name", "Steps", "Miss", "Wires", "Miss", *branches, "Cover", "Missing")


def _cells(row: Row, heads: Cells) -> Cells:
    numbers = (row.steps, len(row.missed_steps), row.wires, len(row.missed_wires))
    return (
        row.file,
        *_numbers((*numbers, row.branches, len(row.missed_branches)), heads),
        f"{row.percent}%",
        ", ".join(row.which),
    )


def _numbers(numbers: Sequence[int], heads: Cells) -> Iterator[str]:
    """As many of the numbers as there are columns for them between the name and the percentage."""
    return (str(number) for number, _head in zip(numbers, heads[1:-2], strict=False))


def _total_cells(rows: Sequence[Row], heads: Cells) -> Cells:
    sums = (
        sum(row.steps for row in rows),
        sum(len(row.missed_steps) for row in rows),
        sum(row.wires for row in rows),
        sum(len(row.missed_wires) for row in rows),
        sum(row.branches for row in rows),
        sum(len(row.missed_branches) for row in rows),
    )
    return ("TOTAL", *_numbers(sums, heads), f"{total(rows)}%", "")


def _shown(rows: Sequence[Row], skip_covered: bool) -> list[Row]:
    return [row for row in rows if row.missed or not skip_covered]


def as_text(rows: Sequence[Row], skip_covered: bool = False) -> str:
    """A table for a terminal, as coverage.py prints one."""
    shown = _shown(rows, skip_covered)
    heads = _heads(rows)
    body = [tuple(map(printable, _cells(row, heads))) for row in shown]
    sums = _total_cells(rows, heads)
    widths = [max(len(line[column]) for line in (heads, *body, sums)) for column in range(len(heads) - 1)]

    def line(cells: Sequence[str]) -> str:
        numbers = "   ".join(cell.rjust(width) for cell, width in zip(cells[1:-1], widths[1:], strict=True))
        return f"{cells[0].ljust(widths[0])}   {numbers}   {cells[-1]}".rstrip()

    rule = "-" * max(len(line(cells)) for cells in (heads, *body, sums))
    lines = [line(heads), rule, *map(line, body), *([rule] if body else []), line(sums)]
    if skip_covered and (hidden := len(rows) - len(shown)):
        lines += ["", f"{hidden} workflow{' is' if hidden == 1 else 's are'} covered whole and not listed."]
    return "\n".join(lines) + "\n"


def as_markdown(rows: Sequence[Row], skip_covered: bool = False) -> str:
    """A table for a job summary or a comment."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(printable(cell).replace("|", "\\|") for cell in cells) + " |"

    heads = _heads(rows)
    body = [line(_cells(row, heads)) for row in _shown(rows, skip_covered)]
    sums = [f"**{cell}**" if cell else "" for cell in _total_cells(rows, heads)]
    rule = "| :-- |" + " --: |" * (len(heads) - 2) + " :-- |"
    return "\n".join([line(heads), rule, *body, line(sums)]) + "\n"


def as_json(rows: Sequence[Row], skip_covered: bool = False) -> str:
    """For programs: the same numbers, and what was missed by its names."""
    return json.dumps(as_value(rows, skip_covered), indent=1, ensure_ascii=False) + "\n"


def as_value(rows: Sequence[Row], skip_covered: bool = False) -> dict[str, Any]:
    """What the JSON report holds."""
    return {
        "version": 1,
        "workflows": [
            {
                "file": row.file,
                "steps": row.steps,
                "wires": row.wires,
                "branches": row.branches,
                "percent": row.percent,
                "missedSteps": list(row.missed_steps),
                "missedWires": [wire._asdict() for wire in row.missed_wires],
                "missedBranches": [branch._asdict() for branch in row.missed_branches],
            }
            for row in _shown(rows, skip_covered)
        ],
        "summary": {
            "workflows": len(rows),
            "steps": sum(row.steps for row in rows),
            "missedSteps": sum(len(row.missed_steps) for row in rows),
            "wires": sum(row.wires for row in rows),
            "missedWires": sum(len(row.missed_wires) for row in rows),
            "branches": sum(row.branches for row in rows),
            "missedBranches": sum(len(row.missed_branches) for row in rows),
            "percent": total(rows),
        },
    }


class Case(NamedTuple):
    """A test case of a JUnit report; it fails when it has a `message`, and `text` says more."""

    group: str
    name: str
    message: str = ""
    text: str = ""


def junit_cases(rows: Sequence[Row], skip_covered: bool = False) -> list[Case]:
    """A test case for each workflow, which fails when something in it was missed."""
    return [
        Case("coverage", row.file, f"{row.percent}% of {_what(row)} are reached", "\n".join(row.which))
        if row.missed
        else Case("coverage", row.file)
        for row in _shown(rows, skip_covered)
    ]


def _what(row: Row) -> str:
    return "steps, wires and branches" if row.branches else "steps and wires"


def as_junit(rows: Sequence[Row], skip_covered: bool = False) -> str:
    """The coverage as a suite of test cases."""
    return junit({"coverage": junit_cases(rows, skip_covered)})


def junit(suites: Mapping[str, Sequence[Case]]) -> str:
    """Suites of test cases as JUnit XML."""
    every = [case for cases in suites.values() for case in cases]
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f'<testsuites name="circuit"{_counts(every)}>']
    for name, cases in suites.items():
        lines += [f" <testsuite name={quoteattr(_xml(name))}{_counts(cases)}>", *map(_case, cases), " </testsuite>"]
    return "\n".join([*lines, "</testsuites>", ""])


def _counts(cases: Sequence[Case]) -> str:
    return f' tests="{len(cases)}" failures="{sum(1 for case in cases if case.message)}"'


def _case(case: Case) -> str:
    head = f"  <testcase classname={quoteattr(_xml(case.group))} name={quoteattr(_xml(case.name))}"
    if not case.message:
        return f"{head}/>"
    said = quoteattr(_xml(case.message))
    return f'{head}>\n   <failure type="circuit" message={said}>{escape(_xml(case.text))}</failure>\n  </testcase>'


def _xml(text: str) -> str:
    """A text without what XML has no place for."""
    return "".join(
        c if c in "\t\n" or (c >= " " and not "\ud800" <= c <= "\udfff" and c not in "\ufffe\uffff") else "\ufffd"
        for c in text
    )


def as_github(rows: Sequence[Row], skip_covered: bool = False) -> str:
    """Annotations for a GitHub job: one for each workflow with something missed."""

    def data(text: str) -> str:
        return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

    def attribute(text: str) -> str:
        return data(text).replace(":", "%3A").replace(",", "%2C")

    lines = [
        f"::warning file={attribute(row.file)},title={attribute(f'Coverage {row.percent}%')}"
        f"::{data('Not reached: ' + ', '.join(row.which))}"
        for row in _shown(rows, skip_covered)
        if row.missed
    ]
    return "".join(f"{line}\n" for line in lines)


REPORTS: dict[str, Callable[[Sequence[Row], bool], str]] = {
    "text": as_text,
    "json": as_json,
    "markdown": as_markdown,
    "junit": as_junit,
    "github": as_github,
}
"""The reports by the name of their format."""
