"""What a golden holds of a program's run, answers that depend on the input, and the branches that a run comes by."""

import pytest

from circuit_export.definition import Definition
from circuit_export.formats.circuitry.commands import startable
from circuit_export.formats.circuitry.document import ProgramDocument, load
from circuit_export.formats.circuitry.engine.played import PlayedProgram
from circuit_export.runs.findings import findings
from circuit_export.runs.outline import Branch, reached
from circuit_export.runs.scenario import Played, Reply, Scenario, play

LOOP = (
    "in { n $n; more ?more }\n"
    'draft source="write" { in { n $n; last ?verdict }; out { text $text } }\n'
    'judge source="leaf.kdl" { in $text; out { verdict $verdict }; error }\n'
    "out { text $text; verdict ?verdict }\n"
)
LEAF = 'in $t\nlook source="look" { (text)in $t; out $v }\nout { verdict $v }\n'


def document(text: str, path: str) -> ProgramDocument:
    return load(Definition(text, "circuitry", path))


def engine(home: str = "") -> PlayedProgram:
    leaf = f"{home}leaf.kdl"
    return PlayedProgram(document(LOOP, f"{home}main.kdl"), {leaf: document(LEAF, leaf)})


def run(home: str = "", **answers: tuple[Reply, ...]) -> Played:
    return play(engine(home), Scenario(0, "s", {"n": 1}, answers=answers))


GOOD = {
    "draft": (
        Reply("result", {"text": "b"}, given={"input": {"last": "long"}}),
        Reply("result", {"text": "a"}),
    ),
    "look": (Reply("result", "fine", given={"input": "b"}), Reply("result", "long")),
}


def test_a_run_is_told_by_generation_with_what_came_of_each_call() -> None:
    assert run(**GOOD).trace == (
        'input {"n":1}',
        "generation 1",
        "  call draft",
        '    gives {"text":"a"}',
        '    binds {"text":"a"}',
        "generation 2",
        "  call judge runs leaf.kdl",
        "    generation 1",
        "      call look",
        '        gives "long"',
        '        binds {"v":"long"}',
        '    gives {"verdict":"long"}',
        '    binds {"verdict":"long"}',
        "generation 3",
        "  call draft",
        '    gives {"text":"b"}',
        '    binds {"text":"b"}',
        "generation 4",
        "  call judge runs leaf.kdl",
        "    generation 1",
        "      call look",
        '        gives "fine"',
        '        binds {"v":"fine"}',
        '    gives {"verdict":"fine"}',
        '    binds {"verdict":"fine"}',
        "generation 5",
        "  call draft",
        '    gives {"text":"a"}',
        '    binds {"text":"a"}',
        'output {"text":"a","verdict":"fine"}',
    )


def test_where_the_project_starts_changes_nothing_in_it() -> None:
    assert run("deep/down/", **GOOD).trace == run(**GOOD).trace


def test_an_answer_for_one_input_is_used_whenever_that_is_given() -> None:
    asked = [
        (one.directive["arguments"].get("input"), one.reply and one.reply.value) for one in run(**GOOD).exchanges[:-1]
    ]
    assert ({"n": 1}, {"text": "a"}) in asked
    assert ({"last": "long", "n": 1}, {"text": "b"}) in asked
    assert ("b", "fine") in asked


def test_an_answer_for_an_input_that_never_comes_is_said() -> None:
    never = Reply("result", {"text": "c"}, given={"input": {"n": 2}})
    done = run(draft=(never, Reply("result", {"text": "a"})), look=(Reply("result", "x"),))
    found = findings(engine().outline(), done)
    assert [(one.code, one.pointer) for one in found] == [("C903", "/scenarios/0/answers/draft/0/given")]


@pytest.mark.parametrize(("given", "fits"), [(1, False), (True, True), ([1], False), ({"input": True}, True)])
def test_what_is_given_is_compared_by_its_kind(given: object, fits: bool) -> None:
    text = 'a source="x" { in #true; out $v }\nout $v\n'
    wanted = given if isinstance(given, dict) else {"input": given}
    reply = Reply("result", "special", given=wanted)
    done = play(
        PlayedProgram(document(text, "a.kdl"), {}), Scenario(0, "s", answers={"a": (reply, Reply("result", "usual"))})
    )
    assert done.trace[-1] == ('output "special"' if fits else 'output "usual"')


def test_branches_are_failures_that_are_handled_and_what_may_be_missing() -> None:
    assert engine().outline().branches == (
        Branch("draft", "without verdict"),
        Branch("judge", "failing, which is handled"),
        Branch("out", "without verdict"),
    )
    assert reached(run(**GOOD).run).branches == {Branch("draft", "without verdict")}
    failed = run(draft=(Reply("result", {"text": "a"}),), look=(Reply("error", "gone"),))
    assert reached(failed.run).branches == set(engine().outline().branches)


def test_what_the_input_always_brings_is_never_missing() -> None:
    text = 'in { n $n; list { - ?a; - ?b } }\nx source="run" "?n" "?a" "?gone" { out $v }\nout $v\n'
    assert PlayedProgram(document(text, "a.kdl"), {}).outline().branches == (Branch("x", "without a"),)


def test_a_long_value_is_cut_and_told_by_its_hash() -> None:
    text = "in $n\nout $n\n"
    lines = [
        play(PlayedProgram(document(text, "a.kdl"), {}), Scenario(0, "s", trigger="x" * 1_000 + end)).trace[-1]
        for end in ("a", "b")
    ]
    assert len(lines[0]) < 500
    assert "1,003 characters" in lines[0]
    assert lines[0] != lines[1]


def test_a_name_that_would_break_a_line_is_written_out() -> None:
    text = '"a\\nb" source="" { in 1; out $v }\nout $v\n'
    assert play(PlayedProgram(document(text, "a.kdl"), {}), Scenario(0, "s")).trace[1] == '  call "a\\nb"'


def test_programs_that_run_each_other_often_are_looked_through_once() -> None:
    called = {}
    for at in range(25):
        calls = "".join(f'c{n} source="p{at + 1}.kdl" {{ out $x{n} }}\n' for n in range(10))
        called[f"p{at}.kdl"] = document(f"{calls}out 1\n", f"p{at}.kdl")
    called["p25.kdl"] = document('run source="run" { out $x }\nout $x\n', "p25.kdl")
    main = called["p0.kdl"]
    program = PlayedProgram(main, called)
    assert [(one.command, len(one.path)) for one in startable(main, called)] == [("run", 26)]
    assert len(program.outline().calls) == 10
    assert len(list(program.proposer().propose(program.proposer().targets()[0]))) > 0
    answers = {"nothing": (Reply("result", 1),)}
    found = findings(
        program.outline(),
        Played(Scenario(0, "s", answers=answers), {"status": "failed", "trace": [], "taken": []}, (), "no"),
    )
    assert found[0].code == "C902"
