"""`circuit run PROGRAM`: its input, its output, its trace, its bounds, and what has to be agreed to first."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.command import Circuit, Ended

from circuit_export.formats.circuitry.engine.state import Record
from circuit_export.formats.circuitry.engine.trace import decode

pytest.importorskip("fcntl", reason="the programs here are a POSIX shell's")
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "programs"
GREET = """in { name $name; title ?title }
hello source="printf" "Hello %s" "$name" { (text)out $hi }
look source="sh" "-c" "echo no such door >&2; exit 3" { (text)out $door; error { code $code } }
out { hi $hi; code ?code; title ?title }
"""
TOUCH = 'a source="touch" "started" { (text)out $x }\nout $x\n'
BESIDE = 'a source="me.kdl" { out $x }\nout $x\n'


@pytest.fixture
def put(tmp_path: Path) -> Any:
    def write(text: str, name: str = "p.kdl") -> Path:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8", newline="")
        return file

    return write


def trace_of(file: Path) -> list[Record]:
    """The records of a trace, which is whole: the decoder takes it to its end."""
    data = file.read_bytes()
    found = list(decode([data]))
    assert data.endswith(b"\n")
    assert found[-1]["result"] == 0
    return found


def failed(ended: Ended, *said: str) -> None:
    assert ended.code == 1, ended
    assert ended.out == b""
    for words in said:
        assert words in ended.err


def test_the_output_is_one_line_of_canonical_json(put: Any, circuit: Circuit) -> None:
    put(GREET)
    ended = circuit("run", "p.kdl", "--input", '{"title": "Dr", "name": "Ada"}')
    assert ended == (0, b'{"code":"process.exit","hi":"Hello Ada","title":"Dr"}\n', "")


# --- input -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "stdin", "value"),
    [
        (['{"a": [1, 2.0, 1e400000000000000000000000000]}'], b"", None),
        (['{"a": [1, 2.0]}'], b"", {"a": [1, 2]}),
        (["5"], b"", 5),
        (["null"], b"", None),
        (['"text"'], b"", "text"),
        (['{"$bytes":"AP8="}'], b"", {"$bytes": "AP8="}),
        (["in.json"], b"", {"from": "file"}),
        (["-"], '\ufeff{"é": "ö"}'.encode(), {"é": "ö"}),
        (["a=1", "b=x=y", 'c={"d": true}', "e="], b"", {"a": 1, "b": "x=y", "c": {"d": True}, "e": ""}),
        (["a=in.json"], b"", {"a": "in.json"}),
    ],
)
def test_an_input_is_given_in_every_way(
    put: Any, circuit: Circuit, options: list[str], stdin: bytes, value: Any
) -> None:
    put("in $all\nout $all\n")
    put('{"from": "file"}', "in.json")
    ended = circuit("run", "p.kdl", *(part for one in options for part in ("--input", one)), stdin=stdin)
    if "1e400" in options[0]:
        failed(ended, "error: --input: The input is no JSON", "too large")
    else:
        assert (ended.code, json.loads(ended.out)) == (0, value), ended.err


def test_without_an_input_there_is_none(put: Any, circuit: Circuit) -> None:
    put("out { a ?a }\n")
    assert circuit("run", "p.kdl", "--trace", "t").out == b"{}\n"
    put('in $all\na source="" { in $all; out $b }\nout $b\n')
    assert circuit("run", "p.kdl").out == b"{}\n"
    assert "input" not in trace_of(put("", "unused").with_name("t"))[0]


@pytest.mark.parametrize(
    ("options", "stdin", "code", "said"),
    [
        (["--input", '{"name": "A'], b"", 1, "error: --input:1:10: The input is no JSON\n"),
        (["--input", "-"], b'{\n "name": }', 1, "error: <stdin>:2:10: The input is no JSON\n"),
        (["--input", "-"], b"", 1, "error: <stdin>:1:1: The input is no JSON\n"),
        (["--input", "-"], b'{"name": "\xff"}', 1, "error: <stdin>: The input is not UTF-8\n"),
        (["--input", "bad.json"], b"", 1, "error: bad.json:2:1: The input is no JSON\n"),
        (["--input", "nan.json"], b"", 1, "NaN is no JSON"),
        (["--input", "[" * 5000], b"", 1, "error: --input"),
        (["--input", "{name: Ada}"], b"", 1, "error: --input:1:2: The input is no JSON\n"),
        (["--input", "nowhere.json"], b"", 2, "error: The input is neither JSON nor a file\n  found: nowhere.json\n"),
        (["--input", "."], b"", 1, "error: .: This is a folder, not a file\n"),
        (["--input", "a=1", "--input", "a=2"], b"", 2, "error: The input “a” is given twice\n"),
        (["--input", "a=1", "--input", "{}"], b"", 2, "error: A program has one input\n"),
    ],
)
def test_an_input_that_is_none_is_said_to_be_none_and_nothing_starts(
    put: Any, circuit: Circuit, tmp_path: Path, options: list[str], stdin: bytes, code: int, said: str
) -> None:
    put(TOUCH)
    put('{"a": 1,\n', "bad.json")
    put("NaN", "nan.json")
    ended = circuit("run", "p.kdl", *options, "--trace", "t", stdin=stdin)
    assert (ended.code, ended.out) == (code, b"")
    assert said in ended.err
    assert not (tmp_path / "started").exists()
    assert not (tmp_path / "t").exists()


def test_an_input_of_another_shape_shows_the_shape_and_where_it_stands(
    put: Any, circuit: Circuit, tmp_path: Path
) -> None:
    put("// A greeting.\n" + GREET)
    ended = circuit("run", "p.kdl", "--input", '{"nam": "Ada"}', "--trace", "t")
    failed(ended, "error: p.kdl:2:1: The input does not have", "  expected: in { name $name; title ?title }\n")
    assert trace_of(tmp_path / "t")[-1]["error"]["code"] == "match.input"


# --- failures --------------------------------------------------------------------------------------------------------


def test_a_failure_says_which_call_where_and_what_its_command_said(put: Any, circuit: Circuit) -> None:
    put('ok source="" { out ?y }\nlook source="sh" "-c" "seq 20 >&2; exit 3" { (text)out $x }\nout $x\n')
    ended = circuit("run", "p.kdl")
    failed(ended, "error: p.kdl:2:1: The program failed at look\n", "  found: process.exit: sh exited with 3\n")
    assert ended.err.endswith("it said (the last lines):\n" + "".join(f"  {at}\n" for at in range(11, 21)))


def test_a_failure_in_a_nested_program_names_the_way_to_it(put: Any, circuit: Circuit) -> None:
    put('\ndo source="inner/deep.kdl" { out $x }\nb source="no-such-command" { (text)out $y }\nout $x $y\n')
    put(
        'first source="no-such-command" { out $x; error { code $c } }\nthen source="true" "$c" { out $z }\nout ?z\n',
        "inner/deep.kdl",
    )
    ended = circuit("run", "p.kdl")
    failed(ended, "error: p.kdl:2:1: The program failed at do → then\n", "found: codec.json")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("out $x\n", "p.kdl:1:1: The program's out needs $x, which nothing has bound"),
        (
            'in { a $a }\nb source="" { in { x 1 }; out { y ?y } }\nout $a $y\n',
            "p.kdl:3:1: The program's out needs $y,",
        ),
        ("out ?x\n", "p.kdl:1:1: The program's out needs $x, which nothing has bound"),
    ],
)
def test_a_program_that_comes_to_a_halt_says_what_is_missing(put: Any, circuit: Circuit, text: str, said: str) -> None:
    put(text)
    failed(circuit("run", "p.kdl", "--input", "a=1"), said, "found: run.quiescent")


def test_a_program_that_is_wrong_is_not_run_and_its_findings_have_places(
    put: Any, circuit: Circuit, tmp_path: Path
) -> None:
    put(TOUCH + 'b source="x" { inn; out $y }\nc { out $z }\n')
    ended = circuit("run", "p.kdl", "--trace", "t")
    failed(ended, "error: p.kdl:3:", "error: p.kdl:4:1: ", "[C8")
    assert not (tmp_path / "started").exists()
    assert not (tmp_path / "t").exists()
    failed(circuit("run", "p.kdl", "--dry-run"), "error: p.kdl:3:")
    put('a source="touch" "started" {\n')
    failed(circuit("run", "p.kdl"), "error: p.kdl:")


# --- what it could start ---------------------------------------------------------------------------------------------


def test_a_dry_run_lists_every_command_and_starts_none(put: Any, circuit: Circuit, tmp_path: Path) -> None:
    put(
        'nested source="inner.kdl" { out $x }\nmade source=(circuitry)"$x" { out $y }\n'
        'pass source="" { in $y; out $z }\n'
        'last source="$z" "a b" { out $w }\nodd source="two words" { out $v }\nother source="gone.kdl" { out $u }\n'
        + TOUCH.replace("$x", "$t")
    )
    put('rm source="rm" "-rf" "$home" /* all of it */ { out $x }\nout $x\n', "inner.kdl")
    ended = circuit("run", "p.kdl", "--dry-run")
    assert ended.code == 0
    unknown = "(only a run tells what this starts)"
    assert ended.text.splitlines() == [
        'nested → rm: rm "-rf" "$home"',
        f'made: (circuitry)"$x" {unknown}',
        f'last: "$z" "a b" {unknown}',
        'odd: "two words"',
        f"other: gone.kdl {unknown}",
        'a: touch "started"',
    ]
    assert not (tmp_path / "started").exists()
    put("out 1\n")
    assert circuit("run", "p.kdl", "--dry-run") == (0, b"", "it starts no command\n")


def test_a_program_that_is_written_out_in_another_is_listed_too(put: Any, circuit: Circuit) -> None:
    put(
        '---\na source=(circuitry)"@Do" { out $x }\nb source=(circuitry)"@No" { out $x }\nout $x\n---\n'
        '# Do\nx source="rm" "$y" { out $x }\nb source="b.kdl" { out $b }\nout $x\n# No\nno'
    )
    unknown = "(only a run tells what this starts)"
    assert circuit("run", "p.kdl", "--dry-run").text.splitlines() == [
        'a → x: rm "$y"',
        f"a → b: b.kdl {unknown}",
        f'b: (circuitry)"@No" {unknown}',
    ]


@pytest.mark.parametrize("kind", ["page", "stdin", "link", "note"])
def test_what_came_from_elsewhere_is_shown_and_started_only_by_agreement(
    put: Any, circuit: Circuit, tmp_path: Path, kind: str
) -> None:
    file, stdin = put(TOUCH), b""
    source = "p.html"
    if kind == "page":
        assert circuit("export", "p.kdl", "-o", "p.html").code == 0
    elif kind == "note":
        source = put(f"# A note\n\n```kdl\n{TOUCH}```\n", "note.md").name
    elif kind == "stdin":
        source, stdin = "-", TOUCH.encode()
    else:
        source = "data:text/html," + (circuit("export", "p.kdl", "-o", "-").text).replace("%", "%25").replace(
            "#", "%23"
        ).replace("\n", "%0A")
    file.unlink()
    refused = circuit("run", source, "--trace", "t", stdin=stdin)
    assert (refused.code, refused.out) == (2, b"")
    assert 'with your rights:\n  a: touch "started"\nerror: Nobody has agreed to these commands\n' in refused.err
    assert not (tmp_path / "started").exists()
    assert not (tmp_path / "t").exists()
    listed = circuit("run", source, "--dry-run", stdin=stdin)
    assert (listed.code, listed.text) == (0, 'a: touch "started"\n')
    agreed = circuit("run", source, "--yes", stdin=stdin)
    assert (agreed.code, agreed.text) == (0, '""\n')
    assert '  a: touch "started"\n' in agreed.err
    assert (tmp_path / "started").exists()
    assert "touch" not in circuit("run", source, "--yes", "--quiet", stdin=stdin).err


def test_a_strangers_program_that_starts_nothing_needs_no_agreement(circuit: Circuit) -> None:
    assert circuit("run", "-", stdin=b"out { a 1 }\n") == (0, b'{"a":1}\n', "")


def test_what_is_shown_of_a_page_is_what_is_run(put: Any, circuit: Circuit, tmp_path: Path) -> None:
    put('a source="inner/b.kdl" { out $x }\nout $x\n')
    put('b source="echo" "\\"as shown\\"" { out $x }\nout $x\n', "inner/b.kdl")
    assert circuit("export", "p.kdl", "-o", "p.html").code == 0
    put(TOUCH, "inner/b.kdl")  # the file on disk is another one now
    assert circuit("run", "p.html", "--dry-run").text == 'a → b: echo "\\"as shown\\""\n'
    assert circuit("run", "p.html", "--yes").text == '"as shown"\n'
    assert not (tmp_path / "inner" / "started").exists()


def test_a_listed_command_cannot_hide_in_the_terminal(put: Any, circuit: Circuit) -> None:
    put('a source="\\u{1b}[8mrm" "\\u{202e}x" { out $x }\n"two\\nlines" source="a\\nb: echo" { out $x }\nout $x\n')
    listed = circuit("run", "p.kdl", "--dry-run").text
    assert listed.splitlines() == ['a: "\\u001b[8mrm" "\\u{202e}x"', 'two lines: "a\\nb: echo"']


# --- folders ---------------------------------------------------------------------------------------------------------


def test_it_runs_in_its_own_folder_or_in_the_one_that_is_named(put: Any, circuit: Circuit, tmp_path: Path) -> None:
    put('a source="pwd" { (text)out $x }\nb source="c.kdl" { out $y }\nout $x $y\n', "sub/p.kdl")
    put('out "beside"\n', "sub/c.kdl")
    put('out "elsewhere"\n', "other/c.kdl")
    sub, other = (tmp_path / "sub").resolve(), (tmp_path / "other").resolve()
    assert json.loads(circuit("run", "sub/p.kdl").out) == [f"{sub}\n", "beside"]
    assert json.loads(circuit("run", "sub/p.kdl", "--cwd", "other").out) == [f"{other}\n", "elsewhere"]
    assert circuit("run", "sub/p.kdl", "--cwd", "nowhere").code == 2


# --- the trace -------------------------------------------------------------------------------------------------------


def test_the_trace_is_whole_and_nothing_is_overwritten_unasked(put: Any, circuit: Circuit, tmp_path: Path) -> None:
    put(GREET)
    run = ("run", "p.kdl", "--input", "name=Ada", "--trace", "new/t.jsonl")
    ended = circuit(*run)
    found = trace_of(tmp_path / "new" / "t.jsonl")
    assert found[0]["source"] == GREET
    assert found[0]["input"] == {"name": "Ada"}
    assert found[-1]["output"] == json.loads(ended.out)
    put(TOUCH)
    again = circuit(*run)
    assert again.code == 1
    assert "new/t.jsonl: The file exists and holds something else" in again.err
    assert not (tmp_path / "started").exists()
    assert circuit(*run, "--force").code == 0
    assert trace_of(tmp_path / "new" / "t.jsonl")[0]["source"] == TOUCH


def test_the_trace_on_stdout_takes_the_place_of_the_output(put: Any, circuit: Circuit) -> None:
    put(GREET)
    ended = circuit("run", "p.kdl", "--input", "name=Ada", "--trace", "-")
    assert [*decode([ended.out])][-1]["output"] == {"code": "process.exit", "hi": "Hello Ada"}
    assert ended.err == ""


def test_who_follows_sees_the_trace_on_stderr(put: Any, circuit: Circuit, tmp_path: Path) -> None:
    put(GREET)
    ended = circuit("run", "p.kdl", "--input", "name=Ada", "--follow", "--trace", "t")
    assert ended.err.encode() == (tmp_path / "t").read_bytes()
    assert len(trace_of(tmp_path / "t")) == 8


@pytest.mark.parametrize("force", [(), ("--force",)])
def test_of_two_runs_with_one_trace_only_one_begins(
    put: Any, circuit: Circuit, tmp_path: Path, force: tuple[str, ...]
) -> None:
    import fcntl

    put(TOUCH)
    with (tmp_path / "t").open("wb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        failed(circuit("run", "p.kdl", "--trace", "t", *force), "error: t: Another run is writing its trace there\n")
        assert not (tmp_path / "started").exists()
    assert circuit("run", "p.kdl", "--trace", "t", *force).code == 0
    assert trace_of(tmp_path / "t")[0]["source"] == TOUCH


@pytest.mark.parametrize("place", [".", "p.kdl/t", "/proc/none/t", "x" * 300])
def test_a_trace_that_cannot_be_written_keeps_everything_from_starting(
    put: Any, circuit: Circuit, tmp_path: Path, place: str
) -> None:
    put(TOUCH)
    failed(circuit("run", "p.kdl", "--trace", place), "The trace cannot be written: ", "try: name another place")
    assert not (tmp_path / "started").exists()


# --- where it came from ----------------------------------------------------------------------------------------------


def test_a_run_of_ones_own_file_leaves_nothing_out(put: Any, circuit: Circuit, tmp_path: Path) -> None:
    put('out "there"\n', "above.kdl")
    put('a source="../above.kdl" { out $x }\nb source="no.kdl" { out $y; error { code $c } }\nout $x $c\n', "in/p.kdl")
    assert circuit("run", "p.kdl", cwd=tmp_path / "in") == (0, b'["there","source.read"]\n', "")
    listed = circuit("run", "p.kdl", "--dry-run", cwd=tmp_path / "in")
    assert "“../above.kdl”, which is left out: it is outside the project" in listed.err


def test_what_was_guessed_of_a_file_is_said_with_its_name(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "w.kdl").write_bytes('out "Grüße"\n'.encode("cp1252"))
    ended = circuit("run", "w.kdl")
    assert ended.text == '"Grüße"\n'
    assert ended.err == "warning: w.kdl: It names no charset and is not UTF-8; it was read as Windows-1252\n"


# --- bounds ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "option", "code"),
    [
        ('in { a ?a }\na source="" { in "?$a."; out $a }\nout $a\n', ("--max-generations", "5"), "run.limit"),
        (BESIDE, ("--max-depth", "4"), "run.limit"),
        (BESIDE, (), "run.limit"),
        ('a source="sleep" "60" { (text)out $x; error }\nout $x\n', ("--max-seconds", "0.2"), "run.limit"),
        ('a source="echo" "123456789" { out $x }\nout $x\n', ("--max-output", "9"), "output.limit"),
        ('a source="cat" { in "123456789"; out $x }\nout $x\n', ("--max-input", "9"), "input.limit"),
        ('a source="me.kdl" { out $x }\nout $x\n//' + "x" * 2000, ("--max-source", "1K"), "source.limit"),
        (
            'a source="sh" "-c" "while :; do echo 1; done" { (jsonl)out $x }\nout $x',
            ("--max-output", "4K"),
            "output.limit",
        ),
    ],
)
def test_bounds_hold_and_the_trace_is_whole(
    put: Any, circuit: Circuit, tmp_path: Path, text: str, option: tuple[str, ...], code: str
) -> None:
    put(text, "me.kdl")
    failed(circuit("run", "me.kdl", *option, "--trace", "t"), f"  found: {code}: ")
    assert trace_of(tmp_path / "t")[-1]["error"]["code"] == code


@pytest.mark.parametrize("size", ["0", "-1", "x", "1.5M", "16T", "", "9" * 13])
def test_a_size_that_is_none(put: Any, circuit: Circuit, size: str) -> None:
    put("out 1\n")
    ended = circuit("run", "p.kdl", "--max-output", size)
    assert ended.code == 2
    assert "is no size: give a number of bytes from 1" in ended.err


# --- by fixed answers ------------------------------------------------------------------------------------------------


def test_with_answers_nothing_is_started(put: Any, circuit: Circuit, tmp_path: Path) -> None:
    put(TOUCH + "// \n")
    put('{"scenarios": [{"name": "x", "answers": {"a": {"result": "fixed"}}}]}', "s.json")
    run = ("run", "p.kdl", "--answers", "s.json")
    ended = circuit(*run, "--trace", "t", "--follow")
    assert (ended.code, ended.text) == (0, '"fixed"\n')
    assert ended.err.encode() == (tmp_path / "t").read_bytes()
    assert [record.get("value") for record in trace_of(tmp_path / "t") if "yield" in record] == ["fixed"]
    again = circuit(*run, "--trace", "u")
    assert again.code == 0
    assert (tmp_path / "u").read_bytes() == (tmp_path / "t").read_bytes()
    assert not (tmp_path / "started").exists()
    assert circuit("run", "-", "--answers", "s.json", stdin=TOUCH.encode()).text == '"fixed"\n'


def test_a_scenario_that_fails_says_why(put: Any, circuit: Circuit) -> None:
    put(TOUCH)
    put('{"a": {"error": "it is full"}}', "a.json")
    failed(
        circuit("run", "p.kdl", "--answers", "a.json"), "p.kdl:1:1: The program failed at a", "it said:\n  it is full\n"
    )


def test_a_run_by_answers_is_kept_and_drawn(circuit: Circuit, tmp_path: Path) -> None:
    scenarios = EXAMPLES / "essay.scenarios.json"
    name = json.loads(scenarios.read_text("utf-8"))["scenarios"][0]["name"]
    run = ("run", EXAMPLES / "essay.kdl", "--answers", scenarios, "--scenario", name)
    assert circuit(*run, "--save", "run.json").code == 0
    assert circuit(*run, "--save", "run.json").code == 1
    assert circuit(*run, "--save", "shapes.json", "--redact").code == 0
    assert json.loads((tmp_path / "run.json").read_text("utf-8"))["status"] == "succeeded"
    assert circuit("export", EXAMPLES / "essay.kdl", "--run", "run.json", "-o", "essay.html").code == 0
    kept = circuit(*run, "--save", "-")
    assert json.loads(kept.out)["status"] == "succeeded"


def test_a_run_that_is_kept_in_shapes_says_nothing_of_what_was_answered(
    put: Any, circuit: Circuit, tmp_path: Path
) -> None:
    put(GREET)
    put('{"hello": {"result": "SECRET"}, "look": {"error": {"code": "x", "message": "SECRET”."}}}', "a.json")
    run = ("run", "p.kdl", "--input", "name=SECRET", "--answers", "a.json", "--save")
    assert circuit(*run, "whole.json").code == 0
    assert circuit(*run, "shapes.json", "--redact").code == 0
    assert "SECRET" in (tmp_path / "whole.json").read_text("utf-8")
    assert "SECRET" not in (tmp_path / "shapes.json").read_text("utf-8")


def test_the_input_given_goes_before_that_of_the_scenario(put: Any, circuit: Circuit) -> None:
    put("in { a $a }\nout $a\n")
    put('{"scenarios": [{"name": "x", "input": {"a": 1}}]}', "s.json")
    assert circuit("run", "p.kdl", "--answers", "s.json").text == "1\n"
    assert circuit("run", "p.kdl", "--answers", "s.json", "--input", "a=2").text == "2\n"


# --- options of the other kind ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        ("--mode", "test"),
        ("--trigger", "1"),
        ("--resume", "r.json"),
        ("--record", "x"),
        ("--save", "r.json"),
        ("--save", "r.json", "--redact"),
        ("--answers", "s.json", "--yes"),
        ("--answers", "s.json", "--dry-run"),
        ("--answers", "s.json", "--max-depth", "3"),
        ("--answers", "s.json", "--cwd", "."),
        ("--answers", "s.json", "--trace", "-", "--save", "-"),
        ("--dry-run", "--trace", "t"),
        ("--dry-run", "--follow"),
        ("--trace", "p.kdl", "--force"),
        ("--trace", "./s.json", "--input", "s.json", "--force"),
        ("--skip",),
        ("--scenario", "x"),
    ],
)
def test_options_that_do_not_go_with_a_program_are_refused(
    put: Any, circuit: Circuit, tmp_path: Path, options: tuple[str, ...]
) -> None:
    put(TOUCH)
    put("{}", "s.json")
    ended = circuit("run", "p.kdl", *options)
    assert (ended.code, ended.out) == (2, b"")
    assert ended.err.startswith("error: ")
    assert "  try: " in ended.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.kdl", "s.json"]


@pytest.mark.parametrize(
    "options",
    [
        ("--cwd", "."),
        ("--trace", "t"),
        ("--follow",),
        ("--dry-run",),
        ("--yes",),
        ("--max-depth", "3"),
        ("--max-seconds", "3"),
        ("--max-output", "3K"),
        ("--input", "{}"),
        ("--input", "-"),
    ],
)
def test_options_that_do_not_go_with_a_board_are_refused(
    board_file: Path, circuit: Circuit, options: tuple[str, ...]
) -> None:
    ended = circuit("run", "board.json", *options)
    assert (ended.code, ended.out) == (2, b"")
    assert "  try: " in ended.err


def test_stdin_is_one_thing(circuit: Circuit) -> None:
    ended = circuit("run", "-", "--input", "-", stdin=b"out 1\n")
    assert ended.code == 2
    assert "stdin cannot hold the workflow and its input both" in ended.err
