"""Golden traces: what is checked in, how it is compared with what a run gives, and how it is brought up to date."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import unified_diff
from pathlib import PurePosixPath
from typing import NamedTuple

from circuit_export.diagnostics import Diagnostic, Position
from circuit_export.runs.directives import golden_text, one_line
from circuit_export.runs.findings import DRIFT, NO_GOLDEN, STALE_GOLDEN

FOLDER = "traces"
"""Where traces lie below the folder of goldens."""

Lines = tuple[str, ...]

Trace = tuple[str, Lines]
"""A scenario's name and its lines."""


class Golden(NamedTuple):
    """A golden read: a trace for each scenario, and the line (from 1) that its heading stands on."""

    traces: Mapping[str, Lines] = {}
    headings: Mapping[str, int] = {}
    repeated: tuple[str, ...] = ()
    loose: tuple[int, ...] = ()
    """Lines before the first heading."""


class Drift(NamedTuple):
    """A scenario whose trace is another than its golden.

    `line` is the first line of the golden's file that differs; `explained` says in a sentence what happens there.
    """

    scenario: str
    expected: Lines
    found: Lines
    line: int
    explained: str


class Comparison(NamedTuple):
    """A golden against what runs gave.

    `untidy` says what is off when all traces agree and the text does not: goldens are compared byte for byte.
    `absent` means that there is no golden at all.
    """

    drifts: tuple[Drift, ...] = ()
    missing: tuple[str, ...] = ()
    stale: tuple[tuple[str, int], ...] = ()
    untidy: str = ""
    absent: bool = False

    @property
    def agrees(self) -> bool:
        return not (self.drifts or self.missing or self.stale or self.untidy)


def golden_path(goldens: str, workflow: str) -> str:
    """Where a workflow's golden lies: below the goldens' folder, as the workflow lies below the project's root."""
    return str(PurePosixPath(goldens) / FOLDER / PurePosixPath(workflow).with_suffix(".trace"))


def workflow_stems(goldens: str, paths: Iterable[str]) -> dict[str, str]:
    """For the paths of golden files, the workflow's path that each is for, without its suffix."""
    base = PurePosixPath(goldens) / FOLDER
    return {path: str(PurePosixPath(path).relative_to(base).with_suffix("")) for path in paths}


def read(text: str) -> Golden:
    """Reads a golden. Whatever its text is, it is read: what is odd about it is found when it is compared."""
    traces: dict[str, list[str]] = {}
    headings: dict[str, int] = {}
    repeated, loose = [], []
    lines: list[str] | None = None
    for number, line in enumerate(text.split("\n"), 1):
        line = line.removesuffix("\r")
        if line.startswith("# "):
            name = line[2:]
            if name in traces:
                repeated.append(name)
            lines = traces.setdefault(name, [])
            headings.setdefault(name, number)
        elif line.strip():
            if lines is None:
                loose.append(number)
            else:
                lines.append(line)
    found = {name: tuple(lines) for name, lines in traces.items()}
    return Golden(found, headings, tuple(repeated), tuple(loose))


def compare(text: str | None, traces: Sequence[Trace]) -> Comparison:
    """Compares the text of a golden (None: there is none) with the traces of all scenarios of its workflow."""
    if text is None:
        return Comparison(missing=tuple(one_line(name) for name, _lines in traces), absent=True)
    golden = read(text)
    drifts, missing = [], []
    for name, found in traces:
        name = one_line(name)
        expected = golden.traces.get(name)
        if expected is None:
            missing.append(name)
        elif expected != found:
            drifts.append(_drift(name, expected, found, golden.headings[name]))
    names = {one_line(name) for name, _lines in traces}
    stale = tuple((name, golden.headings[name]) for name in golden.traces if name not in names)
    untidy = ""
    if not (drifts or missing or stale) and text != golden_text(traces):
        untidy = _untidy(golden, [one_line(name) for name, _lines in traces])
    return Comparison(tuple(drifts), tuple(missing), stale, untidy)


def _untidy(golden: Golden, names: list[str]) -> str:
    if golden.repeated:
        return f"the scenario “{golden.repeated[0]}” stands in it more than once"
    if golden.loose:
        return f"line {golden.loose[0]} belongs to no scenario"
    if list(golden.traces) != names:
        return "its scenarios stand in another order"
    return "its blank lines or line ends are others than they are written with"


def _drift(name: str, expected: Lines, found: Lines, heading: int) -> Drift:
    at = next((at for at, pair in enumerate(zip(expected, found, strict=False)) if pair[0] != pair[1]), None)
    at = min(len(expected), len(found)) if at is None else at
    return Drift(name, expected, found, heading + 1 + at, explain(expected, found, at))


def explain(expected: Lines, found: Lines, at: int) -> str:
    """What happens where two traces part, in a sentence: which step, which directive, what was expected."""
    if not _are_directives((*expected, *found)):
        return _told_apart(expected, found, at)
    number = f"Directive {at + 1}"
    if at >= len(found):
        return f"{number}: the run ended, and the golden goes on with `{expected[at]}`."
    if at >= len(expected):
        return f"{number}: the golden ends, and the run goes on with `{found[at]}`."
    was, now = (*expected[at].split(" "), ""), (*found[at].split(" "), "")
    if now[0] == "done":
        return f"{number}: the run is done, and the golden goes on with `{expected[at]}`."
    if was[0] == "done":
        return f"{number}: the golden is done here, and the run goes on with `{found[at]}`."
    if now[0] == "blocked" and was[0] != "blocked":
        return f"{number}: the run stops at “{now[1]}”, and the golden has `{expected[at]}`."
    if was[1] != now[1]:
        return (
            f"{number}: the run comes to “{now[1]}” (`{found[at]}`), and the golden to “{was[1]}” (`{expected[at]}`)."
        )
    if was[0] != now[0]:
        return f"{number}: “{now[1]}” asks for {now[0]}, and in the golden for {was[0]}."
    return f"{number}: “{now[1]}” has `{found[at]}`, and in the golden `{expected[at]}`."


def _are_directives(lines: Iterable[str]) -> bool:
    """Are they directives? What tells of a run in another way has lines inside others."""
    return not any(line.startswith(" ") for line in lines)


def _told_apart(expected: Lines, found: Lines, at: int) -> str:
    """Where two traces part that are no directives but tell of a run in lines."""
    number = f"Line {at + 1}"
    if at >= len(found):
        return f"{number}: the run ended, and the golden goes on with `{expected[at].strip()}`."
    if at >= len(expected):
        return f"{number}: the golden ends, and the run goes on with `{found[at].strip()}`."
    return f"{number}: the run has `{found[at].strip()}`, and the golden `{expected[at].strip()}`."


def diff(drift: Drift, golden: str) -> str:
    """A unified diff of one scenario, from the golden to what the run gave; line feeds at its line ends."""
    lines = unified_diff(
        [f"{line}\n" for line in drift.expected],
        [f"{line}\n" for line in drift.found],
        f"{golden} # {drift.scenario}",
        f"run # {drift.scenario}",
    )
    return "".join(lines)


def updated(text: str | None, traces: Sequence[Trace], accept: str | None = None) -> str:
    """The golden's text brought up to date.

    All of it, or with `accept` just that scenario's trace: the others stay, and so do those without a scenario.
    """
    if accept is None:
        return golden_text(traces)
    accept = one_line(accept)
    golden = read(text or "")
    current = {one_line(name): lines for name, lines in traces}
    kept: list[Trace] = []
    for name in current:  # in the order of the scenarios
        if name == accept:
            kept.append((name, current[name]))
        elif name in golden.traces:
            kept.append((name, golden.traces[name]))
    stale = [(name, lines) for name, lines in golden.traces.items() if name not in current and name != accept]
    return golden_text([*kept, *stale])


def _writing(golden: str) -> str:
    return f"look at what the run does, then write it to {golden}: `circuit trace --update`"


def findings(comparison: Comparison, golden: str, scenarios: str, places: Mapping[str, int]) -> tuple[Diagnostic, ...]:
    """What is to be said of a comparison.

    `golden` and `scenarios` are the paths of the two files, `places` where each scenario stands in its own.
    """
    update = "if this is meant, accept it: `circuit trace --update`, or `--accept NAME` for one scenario"
    found = [
        DRIFT.found(
            f"“{drift.scenario}” runs another way than its golden. {drift.explained}",
            file=golden,
            start=Position(drift.line, 1),
            hint=update,
        )
        for drift in comparison.drifts
    ]
    if comparison.absent and comparison.missing:
        count = len(comparison.missing)
        many = f"The {count} scenarios have no golden traces" if count > 1 else "The scenario has no golden trace"
        message = f"{many} yet, so nothing notices when a run changes"
        hint = f"{_writing(golden)}; `circuit validate --static` leaves scenarios out"
        found.append(NO_GOLDEN.found(message, "/scenarios", file=scenarios, hint=hint))
        return tuple(found)
    found += [
        NO_GOLDEN.found(
            f"“{name}” has no golden trace",
            f"/scenarios/{places[name]}/name" if name in places else "",
            file=scenarios,
            hint=_writing(golden),
        )
        for name in comparison.missing
    ]
    found += [
        STALE_GOLDEN.found(
            f"The golden has a trace of “{name}”, and there is no such scenario",
            file=golden,
            start=Position(line, 1),
            hint="`circuit trace --update` takes it out",
        )
        for name, line in comparison.stale
    ]
    if comparison.untidy:
        found.append(DRIFT.found(f"The golden is not as it is written: {comparison.untidy}", file=golden, hint=update))
    return tuple(found)
