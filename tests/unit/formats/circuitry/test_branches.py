"""Branches: what a scenario should show beside calls and wires, and only what can happen."""

import pytest

from circuit_export.formats.circuitry.branches import branches
from circuit_export.formats.circuitry.dataflow import dataflow
from circuit_export.formats.circuitry.reading import parse


def of(text: str) -> list[str]:
    program = parse(text)
    return [str(one) for one in branches(program, dataflow(program))]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('a source="x" { out $v; error }\nout { v ?v }\n', ["a failing, which is handled", "out without v"]),
        # All of an output may not be missing: the run fails without it.
        ('a source="x" { out $v; error }\nout ?v\n', ["a failing, which is handled"]),
        ('a source="x" { out $v; error }\nb source="y" { in ?v; out $u }\nout { u ?u }\n',
         ["a failing, which is handled", "out without u"]),
        # What a call that cannot fail unseen always binds is there at the end.
        ('a source="x" { out $v }\nout ?v\n', []),
        ('a source="x" { out { v $v; w ?w } }\nout ?v ?w\n', ["out without w"]),
        ('a source="x" { out $v; error { code $v } }\nout ?v\n', ["a failing, which is handled"]),
        ('a source="x" "$n" { out $v }\nb source="y" { out $n; error }\nout { v ?v }\n',
         ["b failing, which is handled", "out without v"]),
        # What the input always brings is there from the beginning.
        ('in { n $n; m ?m }\na source="x" "?n" "?m" { out $v }\nout $v\n', ["a without m"]),
        ('in { list { - ?n } }\na source="x" "?n" { out $v }\nout $v\n', ["a without n"]),
        ("in { list { - $m; - ?n } }\n" 'a source="x" "?n" { out $v }\nout $v\n', []),
        # What is bound together with what is needed is there with it.
        ('a source="x" { out { v $v; w $w } }\nb source="y" "$v" "?w" { out $u }\nout $u\n', []),
        ('a source="x" { out { v $v; w ?w } }\nb source="y" "$v" "?w" { out $u }\nout $u\n', ["b without w"]),
        ('a source="x" { out { v $v; w $w } }\nc source="z" { out $v }\nb source="y" "$v" "?w" { out $u }\nout $u\n',
         ["b without w"]),
        # And so is what was there before that.
        ('a source="x" { out { v $v; w $w } }\nb source="y" "$v" { out $u }\nc source="z" "$u" "?w" { out $t }\n'
         "out $t\n", []),
        # A call that begins without a name and is given it later may do without.
        ('a source="x" "?v" { out $v }\nout $v\n', ["a without v"]),
        # What nobody binds is said by a rule.
        ('a source="x" "?gone" { out $v }\nout $v\n', []),
    ],
)  # fmt: skip
def test_what_may_be_missing(text: str, found: list[str]) -> None:
    assert of(text) == found


def test_many_calls_are_looked_at_in_bounded_time() -> None:
    calls = ['a0 source="x" { out { v0 $v0; w0 $w0 } }']
    calls += [
        f'a{n} source="x" "$v{n - 1}" "?w{n - 1}" {{ out {{ v{n} $v{n}; w{n} $w{n} }} }}' for n in range(1, 1_500)
    ]
    assert len(of("\n".join([*calls, "out $v1499"]))) < 1_500
