"""Laws of findings about dataflow: what they say of a program is what its runs do."""

import re
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from support.circuitry import Outcome, played

from circuit_export.definition import Definition
from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.circuitry.document import load
from circuit_export.formats.circuitry.engine.commands import Command
from circuit_export.formats.circuitry.engine.failures import Failure
from circuit_export.formats.circuitry.engine.state import Limits, Record
from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.rules import check

some = settings(max_examples=60, deadline=None)
NAMES = "abcd"
ENOUGH = Limits(generations=40)
RUNS = 4

needs = st.sampled_from([f"{sign}{name}" for name in NAMES for sign in "$$?"])
binds = st.sampled_from([f"{sign}{name}" for name in NAMES for sign in "$$?"])


@st.composite
def patterns(draw: st.DrawFn) -> str:
    """A field is called by whether it has to be there: commands give all that has to be, and some of the rest."""
    captures = draw(st.lists(binds, min_size=1, max_size=2))
    return "; ".join(f"{'r' if name[0] == '$' else 'o'}{at} {name}" for at, name in enumerate(captures))


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Programs of commands, some of which handle failures, and of calls that hand on values."""
    lines = ["in { a ?a; b $b }"] if draw(st.booleans()) else []
    for at in range(draw(st.integers(1, 6))):
        wanted = draw(st.lists(needs, max_size=2))
        if draw(st.booleans()):
            error = draw(st.sampled_from(["", "", "; error", "; error { code $" + draw(st.sampled_from(NAMES)) + " }"]))
            arguments = " ".join(f'"{need}"' for need in wanted)
            lines.append(f'c{at} source="run" {arguments} {{ out {{ {draw(patterns())} }}{error} }}')
        else:
            lines.append(f'c{at} source="" {{ {draw(passed(wanted))} }}')
    return "\n".join([*lines, "out { a ?a; b ?b; c ?c; d ?d }"])


@st.composite
def passed(draw: st.DrawFn, wanted: list[str]) -> str:
    if not wanted:
        return f"in 1; out ${draw(st.sampled_from(NAMES))}"
    shapes = ["{0}", "{ - {0} }", "{ x {0} }", '"{0}."', "{ x { y {0} } }", "{ x {0}; y 1 }", '"{0}"']
    shape = draw(st.sampled_from(shapes))
    out = draw(st.sampled_from({"{ - {0} }": ["{ - {1} }", "{1}"], "{ x { y {0} } }": ["{ x {1} }", "{ x { y {1} } }"]}
        .get(shape, ["{ x {1} }", "{1}"] if "x" in shape else ["{1}"])))  # fmt: skip
    return f"in {shape.replace('{0}', wanted[0])}; out {out.replace('{1}', '$' + draw(st.sampled_from(NAMES)))}"


def found(text: str) -> list[Diagnostic]:
    return check(load(Definition(text, "circuitry", "program.kdl")))


def outcome_of(seed: int, *, may_fail: bool) -> Any:
    times: dict[str, int] = {}

    def outcome(call: str, command: Command) -> Outcome:
        at = times[call] = times.get(call, 0) + 1
        picked = sum(map(ord, f"{seed}{call}{at}")) * 7 % 11
        if may_fail and picked < 3:
            return [], Failure("process.exit", "no")
        value = f"{call} {min(at, 3)}"
        optional = {f"o{place}": value for place in range(2) if (picked >> place) & 1}
        return [{"r0": value, "r1": value, **optional}], None

    return outcome


def runs(text: str, *, may_fail: bool) -> list[list[Record]]:
    """Runs with other outcomes and inputs, bounded."""
    inputs = [{"b": "given"}, {"a": "given", "b": "too"}]  # no value that a program has written in it
    return [
        played(text, outcome_of(seed, may_fail=may_fail), input=inputs[seed % 2], limits=ENOUGH) for seed in range(RUNS)
    ]


def first_generations(records: list[Record]) -> dict[str, int]:
    found: dict[str, int] = {}
    for at, calls in enumerate(tree(records)["generations"]):
        for call in calls:
            found.setdefault(call["call"], at)
    return found


@some
@given(programs())
def test_what_is_said_never_to_run_never_runs(text: str) -> None:
    never = {one.step for one in found(text) if one.code in ("C840", "C842") and one.severity is Severity.ERROR}
    for records in runs(text, may_fail=True):
        assert not never & set(first_generations(records))


@some
@given(programs())
def test_calls_that_are_said_to_bind_together_do_so_when_nothing_fails(text: str) -> None:
    pairs = [re.findall("“(.*?)”", one.message)[:2] for one in found(text) if one.code == "C847"]
    for records in runs(text, may_fail=False) if pairs else ():
        ran = first_generations(records)
        for earlier, later in pairs:
            assert earlier not in ran or ran.get(later) == ran[earlier]


@some
@given(programs())
def test_a_loop_that_is_said_not_to_end_does_not_and_every_other_does(text: str) -> None:
    said = [one for one in found(text) if one.code == "C848"]
    endless = {one.step for one in said if one.severity is Severity.WARNING}
    for records in runs(text, may_fail=False):
        code = records[-1].get("error", {}).get("code")
        if endless & set(first_generations(records)):
            assert code in ("run.limit", "match.output", "value.invalid")
        if not said:
            assert code != "run.limit"
