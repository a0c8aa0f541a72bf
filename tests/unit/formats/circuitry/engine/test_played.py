"""Programs played with fixed answers: directives, runs as plain JSON, coverage and suggested scenarios."""

import json
from pathlib import Path

import pytest

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.circuitry import FORMAT
from circuit_export.formats.circuitry.document import ProgramDocument, load
from circuit_export.formats.circuitry.engine.played import PlayedProgram
from circuit_export.runs.outline import Reached, Way, reached
from circuit_export.runs.scenario import Played, Reply, Scenario, play
from circuit_export.validation.suggest import suggest

LEAF = 'in { n $n }\ninner source="work" "$n" { out $m }\nout { m $m }\n'
PROGRAM = (
    "in { n $n; more ?more }\n"
    'first source="count" "$n" { out { k $k }; error { code $why } }\n'
    'nest source="leaf.kdl" { in { n $k }; out { m $m } }\n'
    'note source="" { in $why; out $said }\n'
    "out { m ?m; said ?said }\n"
)
EXAMPLES = Path(__file__).parents[5] / "examples" / "programs"


def document(text: str, path: str = "program.kdl") -> ProgramDocument:
    return load(Definition(text, "circuitry", path))


def engine(text: str = PROGRAM) -> PlayedProgram:
    return PlayedProgram(document(text), {"leaf.kdl": document(LEAF, "leaf.kdl")})


def scenario(**answers: Reply) -> Scenario:
    return Scenario(0, "s", {"n": 1}, answers={key.replace("_", "/"): (reply,) for key, reply in answers.items()})


def test_commands_are_asked_for_one_by_one() -> None:
    done = play(engine(), scenario(first=Reply("result", {"k": 2}), nest_inner=Reply("result", 3)))
    assert done.lines == ("call_tool first count", "call_tool inner work", "done")
    assert done.directives[0]["arguments"] == {"arguments": ["1"]}
    assert done.exchanges[1].path == ("nest",)
    assert done.status == "succeeded"


def test_what_ran_and_which_wires_were_taken() -> None:
    done = play(engine(), scenario(first=Reply("result", {"k": 2}), nest_inner=Reply("result", 3)))
    got = reached(done.run)
    assert got.steps == {"in", "first", "nest", "out"}
    assert got.wires == {Way("in", "n", "first"), Way("first", "k", "nest"), Way("nest", "m", "out")}


def test_a_handled_failure_takes_another_way() -> None:
    done = play(engine(), scenario(first=Reply("error", "no such thing")))
    got = reached(done.run)
    assert Way("first", "error why", "note") in got.wires
    assert Way("note", "said", "out") in got.wires
    entry = next(entry for entry in done.run["trace"] if entry["stepId"] == "first")
    assert entry["summary"].startswith("handled process.exit")


def test_an_unhandled_failure_ends_the_run() -> None:
    done = play(engine(), scenario(first=Reply("result", {"k": 2}), nest_inner=Reply("error", "no")))
    assert (done.status, done.run["failedAt"]) == ("failed", "nest")
    assert done.lines[-1] == "blocked nest — process.exit: work exited with 1"


def test_a_run_survives_being_saved_between_any_two_calls() -> None:
    one, answers = engine(), {"first": {"k": 2}, "inner": 3}
    run = one.start("r", "t", input={"n": 1})
    straight = play(engine(), scenario(first=Reply("result", {"k": 2}), nest_inner=Reply("result", 3))).run
    directive = one.advance(run, "t")
    while directive["act"] == "call_tool":
        run = json.loads(json.dumps(run))
        assert engine().advance(run, "t") == directive
        directive = engine().report(run, "t", directive["stepId"], answers[directive["stepId"]], directive["turn"])
    for key in ("status", "taken", "directives"):
        assert run[key] == straight[key]
    assert [entry["state"] for entry in run["trace"]] == [entry["state"] for entry in straight["trace"]]


def test_what_is_not_awaited_changes_nothing() -> None:
    one = engine()
    run = one.start("r", "t", input={"n": 1})
    one.advance(run, "t")
    before = json.dumps(run)
    for refused in (
        one.report(run, "t", "nest", 1, 1),
        one.report(run, "t", "first", 1, 9),
        one.report(run, "t", "first", object(), 1),
        one.report_many(run, "t", "first", {}, {}, 1),
        one.resume(run, "t", skip=True),
    ):
        assert refused["act"] == "blocked"
        assert json.dumps(run) == before


def test_a_run_that_failed_can_be_taken_up_at_the_answer_that_failed_it() -> None:
    one = engine()
    run = one.start("r", "t", input={"n": 1})
    one.advance(run, "t")
    one.report(run, "t", "first", {"k": 2}, 1)
    assert one.fail(run, "t", "inner", "no", 2)["act"] == "blocked"
    again = one.resume(run, "t")
    assert (again["act"], again["stepId"]) == ("call_tool", "inner")
    assert one.report(run, "t", "inner", 5, again["turn"])["act"] == "done"
    assert run["status"] == "succeeded"


def test_a_run_is_bounded() -> None:
    grow = document('a source="step" "?x" { out $x }\nout $x')
    one = PlayedProgram(grow, {}, 20)
    run = one.start("r", "t")
    directive, turn = one.advance(run, "t"), 0
    while directive["act"] == "call_tool":
        turn += 1
        directive = one.report(run, "t", "a", turn, directive["turn"])
    assert "20" in directive["reason"]
    assert turn == 20


def test_a_program_that_is_wrong_is_not_played() -> None:
    with pytest.raises(CircuitError, match=r"program\.call\.source"):
        PlayedProgram(document("a\nout 1"), {}).start("r", "t")


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.iterdir() if path.suffix in (".kdl", ".md")))
def test_suggested_scenarios_reach_all_of_an_example(name: str) -> None:
    program = document((EXAMPLES / name).read_text("utf-8"), name)
    needs = [need.path for need in FORMAT.needs(program)]
    called = {path: document((EXAMPLES / path).read_text("utf-8"), path) for path in needs}
    one = PlayedProgram(program, called)
    found = suggest(one, one.proposer())
    assert found.unreached == ()
    got = Reached()
    played: list[Played] = [play(one, scenario) for scenario in found.scenarios]
    for done in played:
        got |= reached(done.run)
    outline = one.outline()
    assert (got.steps, got.wires) == (set(outline.steps), set(outline.wires))


def test_a_run_is_plain_json_with_bytes_in_it_too() -> None:
    leaf = document('inner source="work" { (bytes)out $m }\nout { m $m }\n', "leaf.kdl")
    one = PlayedProgram(document('a source="leaf.kdl" { out { m $m } }\nout $m'), {"leaf.kdl": leaf})
    done = play(one, Scenario(0, "s", answers={"inner": (Reply("result", {"$bytes": "AP8="}),)}))
    assert done.status == "succeeded"
    assert json.loads(json.dumps(done.run))["history"][-1]["output"] == {"$bytes": "AP8="}


ROUTER = (
    'in { t $t }\nlook source="look" "$t" { out { bug ?bug; wish ?wish } }\n'
    'fix source="fix" "$bug" { out $r }\nplan source="plan" "$wish" { out $r }\nout $r\n'
)
COUNTER = 'in { n $n }\nstep source="less" { in { n $n }; out { n ?n; done ?done } }\nout { done $done }\n'
PICTURES = (
    "in { picture $picture }\n"
    'small source="shrink" { (bytes)in $picture; (bytes)out $small }\n'
    'size source="wc" { (bytes)in $small; (text)out $size }\nout $size\n'
)
ITSELF = (
    'in { n $n }\nless source="less" "$n" { out { more ?more; base ?base } }\n'
    'again source="program.kdl" { in { n $more }; out $sum }\n'
    'add source="add" { in { n $n; sum $sum }; out $total }\nout { total ?total; base ?base }\n'
)


@pytest.mark.parametrize("text", [ROUTER, COUNTER, PICTURES, ITSELF], ids=["router", "counter", "bytes", "itself"])
def test_suggested_scenarios_reach_alternatives_loops_bytes_and_programs_that_run_themselves(text: str) -> None:
    one = PlayedProgram(document(text), {})
    assert suggest(one, one.proposer()).unreached == ()


def test_an_input_may_hold_bytes_as_answers_may() -> None:
    text = 'in { b $b }\na source="x" { (bytes)in $b; (bytes)out $c }\nout $c'
    taken = {"b": {"$bytes": "AAE="}}
    played = play(PlayedProgram(document(text), {}), Scenario(0, "s", taken, answers={"a": (Reply("result", "x"),)}))
    assert (played.status, played.directives[0]["arguments"]) == ("succeeded", {"arguments": [], "input": taken["b"]})
    with pytest.raises(CircuitError, match="cannot have this input"):
        PlayedProgram(document(text), {}).start("id", "now", input={"b": {"$bytes": "?"}})


@pytest.mark.parametrize(
    "text",
    [
        "in { $bytes $p }\nout $p\n",
        "in { a { $bytes ?p } }\nout { p ?p }\n",
        'a source="tool" { out { $bytes $x } }\nout $x\n',
        'in $p\na source=(circuitry)"$p" { out { $bytes $x } }\nout $x\n',
    ],
)
def test_an_object_of_nothing_but_bytes_is_suggested_so_that_it_stays_one(text: str) -> None:
    one = PlayedProgram(document(text), {})
    found = suggest(one, one.proposer())
    assert (bool(found.scenarios), found.unreached) == (True, ())
