"""Laws of programs: the order in which commands end changes nothing, traces decode to themselves, any text is read."""

import json
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.circuitry import Outcome, names, played, vector

from circuit_export.formats.circuitry.engine.commands import Command
from circuit_export.formats.circuitry.engine.failures import Failure
from circuit_export.formats.circuitry.engine.machine import Machine
from circuit_export.formats.circuitry.engine.trace import decode, encode
from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.reading import inspect
from circuit_export.formats.circuitry.values import canonical, read_json

some = settings(max_examples=60, deadline=None)
NAMES = "abcd"
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
values = st.recursive(
    scalars | st.binary(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Programs of calls that bind and need a few names, some handling failures, some with a program inside."""
    lines = []
    for at in range(draw(st.integers(1, 6))):
        needs = draw(st.lists(st.sampled_from([*(f"${n}" for n in NAMES), *(f"?{n}" for n in NAMES)]), max_size=2))
        binds = draw(st.sampled_from([*(f"${n}" for n in NAMES)]))
        given_ = " ".join(f'"{need}"' for need in needs)
        error = draw(st.sampled_from(["", "; error", "; error { code $" + draw(st.sampled_from(NAMES)) + " }"]))
        codec = draw(st.sampled_from(["", "(jsonl)"]))
        source = draw(st.sampled_from(["run", "run", "run", "inner.kdl", ""]))
        lines.append(f'c{at} source="{source}" {given_} {{ in {at}; {codec}out {binds}{error} }}')
    wanted = draw(st.sampled_from(["out", *(f"out ${n}" for n in NAMES), "out { a ?a; b ?b; c ?c; d ?d }"]))
    return "\n".join([*lines, wanted])


INNER = 'in $v\nx source="one" { in $v; out $r }\ny source="two" { in $v; out $s; error }\nout $r ?s\n'


def outcome_of(seed: int) -> Any:
    """A fixed outcome for each invocation, by what it is called with."""

    def outcome(call: str, command: Command) -> Outcome:
        kind = sum(map(ord, f"{seed}{call}{command.arguments}")) % 5
        if kind == 0:
            return [], Failure("process.exit", "no", {"status": kind})
        return [kind] * (kind % 3) if command.codec == "jsonl" else [min(kind, 2)], None

    return outcome


@some
@given(programs(), st.integers(0, 9), st.randoms(use_true_random=False))
def test_the_order_in_which_commands_end_changes_nothing(text: str, seed: int, random: Any) -> None:
    files = {"/here/inner.kdl": INNER}
    first = played(text, outcome_of(seed), files=files)
    for _ in range(3):
        other = played(text, outcome_of(seed), files=files, choose=random.randrange)
        assert tree(other) == tree(first)
        assert {key: other[-1].get(key) for key in ("output", "error")} == {
            key: first[-1].get(key) for key in ("output", "error")
        }


FIVE = """a source="run" 1 { out $x }
b source="run" 2 { out $x; error { code $f } }
c source="inner.kdl" { in 3; out $y $z; error { code $f; message $m } }
d source="run" 4 { (jsonl)out $x; error { code $f } }
e source="run" 5 "?f" { out $w; error }
g source="run" "$f" { out $v }
h source="run" "$f" "$x" { out $v }
out { f ?f; m ?m; v ?v; w ?w; x ?x; y ?y; z ?z }
"""


@pytest.mark.parametrize("seed", range(5))
def test_every_order_in_which_the_commands_of_a_generation_can_end(seed: int) -> None:
    """Six run at once: four commands of the program, and two of the one inside."""
    files = {"/here/inner.kdl": INNER}
    first = played(FIVE, outcome_of(seed), files=files)
    for order in product(*map(range, (6, 5, 4, 3, 2, 1))):
        picks = iter(order)
        other = played(FIVE, outcome_of(seed), files=files, choose=lambda count, picks=picks: next(picks, 0) % count)
        assert tree(other) == tree(first)
        assert other[-1].get("output") == first[-1].get("output")


@some
@given(programs(), st.integers(0, 9), st.randoms(use_true_random=False), st.integers(1, 40))
def test_a_trace_decodes_to_itself(text: str, seed: int, random: Any, step: int) -> None:
    records = played(text, outcome_of(seed), files={"/here/inner.kdl": INNER}, choose=random.randrange)
    data = "".join(map(encode, records)).encode()
    assert list(decode(data[at : at + step] for at in range(0, len(data), step))) == records


@some
@given(values)
def test_canonical_json_is_json_and_reads_as_itself(value: Any) -> None:
    text = canonical(value)
    json.loads(text)
    assert canonical(read_json(text)) == text


@some
@given(st.text() | st.text(alphabet="abin out{}()=\"$?@#\n-;/*\\ 1.e'`", max_size=80))
def test_any_text_is_a_program_or_said_to_be_none(text: str) -> None:
    for form in (text, f"---\n{text}\n---\n{text}"):
        found = inspect(form)
        assert (found.program is None) == bool(found.said)


@some
@given(st.sampled_from([name for name in names() if vector(name).text.isascii()]), st.data())
def test_a_damaged_program_is_a_program_or_said_to_be_none(name: str, data: st.DataObject) -> None:
    text = vector(name).text
    at = data.draw(st.integers(0, len(text)))
    put = data.draw(st.text(max_size=3) | st.sampled_from(['"', "{", "}", "(", "$", "@", "#", "/-", "1e999", "\x00"]))
    found = inspect(text[:at] + put + text[at + data.draw(st.integers(0, 3)) :])
    assert (found.program is None) == bool(found.said)
    for one in found.said:
        assert one.start is None or one.start.line >= 1


@some
@given(programs(), st.integers(0, 9))
def test_to_look_only_where_something_is_new_misses_nothing(text: str, seed: int) -> None:
    files = {"/here/inner.kdl": INNER}
    quick = played(text, outcome_of(seed), files=files)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Machine, "_candidates", lambda self, invocation: invocation.program.calls)
        assert played(text, outcome_of(seed), files=files) == quick
