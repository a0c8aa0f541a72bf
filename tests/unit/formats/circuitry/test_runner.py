"""Runs with real processes: limits hold, memory stays bounded, and nothing is left running."""

import asyncio
import os
import resource
import subprocess
import sys
import threading
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from support.naps import mine, napping

from circuit_export.formats.circuitry.engine.state import Limits, Record
from circuit_export.formats.circuitry.engine.trace import decode, encode
from circuit_export.formats.circuitry.engine.tree import tree
from circuit_export.formats.circuitry.program import InvalidProgram
from circuit_export.formats.circuitry.runner import BadTerms, Cancel, Terms, records, run
from circuit_export.formats.circuitry.values import NotAValue

DEEP: Any = 1
for _ in range(50_000):
    DEEP = [DEEP]


def ran(text: str, **more: Any) -> list[Record]:
    """The records of a whole run, which is checked to be a trace."""
    found = list(run(mine(text), **more))
    assert len(list(decode(encode(record).encode() for record in found))) == len(found)
    assert found[-1]["result"] == 0
    return found


def wait_until(what: Any, seconds: float = 5) -> bool:
    end = time.monotonic() + seconds
    while not what() and time.monotonic() < end:
        time.sleep(0.02)
    return bool(what())


def test_a_thousand_commands_in_one_generation() -> None:
    calls = [f'c{at} source="echo" {at} {{ out $x{at} }}' for at in range(1000)]
    found = ran("\n".join([*calls, "out $x0 $x999"]))
    assert found[-1]["output"] == [0, 999]
    assert sum("call" in record for record in found) == 1000


def test_more_commands_than_there_are_files_for_wait_for_their_turn() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    code = (
        "import resource, sys\n"
        f"resource.setrlimit(resource.RLIMIT_NOFILE, (128, {hard}))\n"
        "from circuit_export.formats.circuitry.runner import run\n"
        "calls = [f'c{at} source=\"echo\" {at} {{ out $x{at} }}' for at in range(100)]\n"
        "print(list(run('\\n'.join([*calls, 'out $x0 $x99'])))[-1]['output'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[0, 99]\n", "")
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (soft, hard)


def test_a_gibibyte_of_output_is_stopped_at_the_limit() -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = ran('a source="head" "-c" 1073741824 "/dev/zero" { (text)out $x; error { code $c } }\nout $c')
    assert found[-1]["output"] == "output.limit"
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100 * 1024


def test_of_a_flood_of_errors_the_end_is_kept() -> None:
    source = "head -c 3000000 /dev/zero | tr '\\\\0' x >&2; echo end >&2; exit 3"
    text = f'a source="sh" "-c" "{source}" {{ (text)out $x; error {{ data $d }} }}\nout $d'
    data = ran(text)[-1]["output"]
    assert data["status"] == 3
    assert data["stderrTruncated"] is True
    assert len(data["stderr"]) == 65536
    assert data["stderr"].endswith("xend\n")


@pytest.mark.parametrize(
    "command",
    [
        '"sleep" "9871"',
        '"sh" "-c" "trap \'\' TERM; sleep 9871; sleep 9871"',
        '"sh" "-c" "sleep 9871 & sleep 9871"',
        '"sh" "-c" "(trap \'\' TERM; sleep 9871) & echo 1"',
    ],
)
def test_what_never_ends_is_ended_with_all_that_it_started(command: str) -> None:
    program = f"a source={command} {{ (text)out $x; error }}\nout ?x"
    found = ran(program, terms=Terms(seconds=0.3))
    assert found[-1]["error"]["code"] == "run.limit"
    assert wait_until(lambda: not napping("sleep 9871")), napping("sleep 9871")


def test_what_a_command_leaves_behind_is_ended_with_it() -> None:
    found = ran('a source="sh" "-c" "sleep 9872 >/dev/null 2>&1 & echo 1" { out $x }\nout $x')
    assert found[-1]["output"] == 1
    assert wait_until(lambda: not napping("sleep 9872"))


def test_who_stops_reading_cancels_the_run() -> None:
    stream = run(mine('a source="sh" "-c" "echo 1; sleep 9873" { (jsonl)out $x }\nout $x'))
    assert next(record for record in stream if "yield" in record)["value"] == 1
    stream.close()  # type: ignore[attr-defined]
    assert not napping("sleep 9873")


def test_a_command_waits_while_nobody_takes_what_it_gives(tmp_path: Path) -> None:
    script = "[print('\"' + 'x' * 10_000 + '\"') for _ in range(600)]; open('written', 'w').close()"
    (tmp_path / "flood.py").write_text(script, "utf-8")
    text = f'a source="{sys.executable}" "flood.py" {{ (jsonl)out $x }}\nout $x'
    written = tmp_path / "written"

    async def main() -> int:
        count = 0
        async for record in records(mine(text), terms=Terms(str(tmp_path))):
            count += "yield" in record
            if count == 1 and "yield" in record:
                await asyncio.sleep(1)
                assert not written.exists()
        return count

    assert asyncio.run(main()) == 600
    assert written.exists()


def test_a_task_that_is_cancelled_leaves_nothing_running() -> None:
    async def one() -> None:
        async for _ in records(mine('a source="sleep" "9874" { (text)out $x }\nout $x')):
            pass

    async def main() -> None:
        task = asyncio.create_task(one())
        await asyncio.sleep(0.3)
        assert napping("sleep 9874")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert not napping("sleep 9874")


def test_cancelling_keeps_what_was_settled_and_completes_the_trace() -> None:
    cancel = Cancel()
    text = 'a source="" { in 1; out $a }\nb source="sleep" "9875" { (text)out $b; error }\nout $a'
    threading.Timer(0.2, cancel, ["enough"]).start()
    found = ran(text, cancel=cancel)
    assert [record.get("bindings") for record in found if "result" in record][:1] == [{"a": 1}]
    assert found[-1]["error"] == {"code": "run.cancelled", "message": "enough"}
    assert not napping("sleep 9875")


def test_a_run_that_never_ends_by_itself_is_bounded_and_can_be_cancelled() -> None:
    grow = 'a source="" { in "?$x."; out $x }\nout $x'
    bounded = ran(grow, terms=Terms(limits=Limits(generations=50)))
    assert bounded[-1]["error"]["code"] == "run.limit"
    assert sum("call" in record for record in bounded) == 50
    cancel = Cancel()
    threading.Timer(0.1, cancel).start()
    assert ran(grow, cancel=cancel)[-1]["error"]["code"] == "run.cancelled"


def test_programs_in_programs_are_bounded(tmp_path: Path) -> None:
    (tmp_path / "me.kdl").write_text('in { n $n }\na source="me.kdl" { in { n "$n." }; out $x }\nout $x\n', "utf-8")
    text = (tmp_path / "me.kdl").read_text("utf-8")
    found = ran(text, input={"n": ""}, terms=Terms(str(tmp_path), Limits(depth=5)))
    assert found[-1]["error"]["code"] == "run.limit"
    assert sum("call" in record for record in found) == 6


def test_a_mark_at_the_start_of_a_nested_program_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b'\xef\xbb\xbf---\nout "@A"\n---\n# A\nx')
    records = ran('a source="a.md" { out $x }\nout $x\n', terms=Terms(str(tmp_path)))
    assert (records[-1]["output"], records[1]["source"][:3]) == ("x", "---")


def test_a_pipe_in_place_of_a_program_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.kdl")
    found = ran('a source="pipe.kdl" { out $x; error { code $c } }\nout $c', terms=Terms(str(tmp_path)))
    assert found[-1]["output"] == "source.read"


def test_a_command_that_does_not_read_its_input_to_the_end() -> None:
    program = 'in $big\na source="true" { (text)in $big; (text)out $x; error { code $c } }\nout ?c'
    assert ran(program, input="x" * 5_000_000)[-1]["output"] == "process.input"
    for small in (1, 4096, 4097, 60_000):
        assert ran(program, input="x" * (small - 2))[-1]["error"]["code"] == "run.quiescent"
    failing = program.replace('"true"', '"false"')
    assert ran(failing, input="x" * 5_000_000)[-1]["output"] == "process.exit"


def test_commands_have_the_environment_that_they_are_given() -> None:
    text = 'a source="/usr/bin/env" { (text)out $x }\nout $x'
    assert ran(text, terms=Terms(environment={"ONLY": "this"}))[-1]["output"] == "ONLY=this\n"


def test_arguments_are_utf_8_whatever_the_locale() -> None:
    script = (
        "from circuit_export.formats.circuitry.language import run\n"
        'text = \'a source="printf" "%s" "\\u00e4\\u6f22\\U0001f600" { (text)out $x }\\nout $x\'\n'
        "print(ascii(list(run(text))[-1]))"
    )
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ended = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True)
    assert "'output': '\\xe4\\u6f22\\U0001f600'" in ended.stdout, ended


@pytest.mark.parametrize("name", ["x.bat", "X.CMD", "dir\\\\x.bat", "x.bat. .", "./x.cmd "])
def test_a_batch_file_is_not_started_since_a_shell_would_read_its_arguments(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("circuit_export.formats.circuitry.host._HAS_BATCHES", True)
    error = ran(f'a source="{name}" "&calc" {{ (text)out $x }}\nout $x')[-1]["error"]
    assert (error["code"], "run by a shell" in error["message"]) == ("process.spawn", True)


def test_json_that_is_nested_beyond_all_bounds_is_no_value() -> None:
    code = "print('[' * 900 + ']' * 900)"
    text = f'a source="python3" "-c" "{code}" {{ out $x; error {{ code $c }} }}\nout $c'
    assert ran(text)[-1]["output"] == "codec.json"


@pytest.mark.parametrize("size", [0, 1, 4096, 4097, 300_000])
def test_an_input_arrives_whatever_its_size(size: int) -> None:
    text = 'in $v\na source="cat" { (text)in $v; (text)out $w }\nout $w'
    assert ran(text, input="x" * size)[-1]["output"] == "x" * size


def test_values_pass_a_large_pipe_unharmed() -> None:
    big = {"text": "äöü" * 400_000}
    found = ran('in $v\na source="cat" { in $v; out $w }\nout $w', input=big)
    assert found[-1]["output"] == big


@pytest.mark.parametrize(
    ("more", "error", "code"),
    [
        ({"input": float("inf")}, NotAValue, "value.number"),
        ({"input": object()}, NotAValue, "value.invalid"),
        ({"input": DEEP}, NotAValue, "value.invalid"),
        ({"terms": Terms(cwd="here")}, BadTerms, "run.cwd"),
        ({"terms": Terms(limits=Limits(output_bytes=True))}, BadTerms, "run.limits"),
        ({"terms": Terms(seconds=0)}, BadTerms, "run.limits"),
    ],
)
def test_what_no_run_can_have_is_refused_before_it_begins(more: Any, error: type[Exception], code: str) -> None:
    with pytest.raises(error) as caught:
        run("out 1", **more)
    assert caught.value.code == code  # type: ignore[attr-defined]


def test_a_program_that_is_wrong_does_not_run() -> None:
    with pytest.raises(InvalidProgram) as caught:
        run("a\nb\n")
    assert [one.code for one in caught.value.said] == ["program.call.source", "program.call.source", "program.output"]


def delayed(*seconds: float) -> list[Record]:
    """The records of a run whose first three commands take so long."""
    one, two, three = (f"sleep {found}" for found in seconds)
    return ran(
        f'a source="sh" "-c" "{one}; echo 1; echo 2" {{ (jsonl)out $x }}\n'
        f'b source="sh" "-c" "{two}; exit 5" {{ (text)out $y; error {{ code $x; data {{ status $s }} }} }}\n'
        f'c source="sh" "-c" "{three}; echo 3" {{ out $x }}\n'
        'd source="sh" "-c" "exit 6" "$s" { (text)out $z }\ne source="sh" "-c" "exit 7" "$s" { (text)out $z }\n'
        "out $x $z\n"
    )


@pytest.fixture(scope="module")
def at_once() -> Any:
    return tree(delayed(0, 0, 0))


@pytest.mark.parametrize("delays", list(permutations((0.0, 0.3, 0.6))))
def test_whoever_ends_first_the_run_comes_out_the_same(delays: tuple[float, ...], at_once: Any) -> None:
    found = delayed(*delays)
    ends = [record["result"] for record in found if "result" in record][:3]
    assert ends == [at + 1 for at in sorted(range(3), key=delays.__getitem__)]
    assert found[-1]["error"]["data"]["status"] == 6  # of two failures that of the call declared first
    assert tree(found) == at_once
