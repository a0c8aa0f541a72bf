"""However `circuit run PROGRAM` ends: its trace is whole, its memory was bounded, and nothing is left running."""

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.naps import mine, napping

from circuit_export.formats.circuitry.engine.state import Record
from circuit_export.formats.circuitry.engine.trace import Decoder, decode

pytest.importorskip("fcntl", reason="the programs here are a POSIX shell's, and are sent POSIX signals")
PATIENCE = 20
Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts `circuit run p.kdl OPTIONS…` on a program, with its trace in the file t."""
    begun: list[subprocess.Popen[bytes]] = []

    def run(program: str, *options: str, **more: Any) -> subprocess.Popen[bytes]:
        (tmp_path / "p.kdl").write_text(mine(program), "utf-8")
        trace = () if "--trace" in options else ("--trace", "t")
        process = subprocess.Popen(
            [sys.executable, "-m", "circuit_export", "run", "p.kdl", *trace, *options],
            cwd=tmp_path,
            env=os.environ | {"PYTHONUTF8": "1", "CIRCUIT_DEBUG": "1"},
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more},
        )
        begun.append(process)
        return process

    yield run
    for process in begun:
        process.kill()
        process.communicate()


def until(what: Callable[[], Any]) -> None:
    """Waits until something holds."""
    end = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)


def ended(process: "subprocess.Popen[bytes]") -> tuple[int, bytes, str]:
    out, err = process.communicate(timeout=PATIENCE)
    said = err.decode("utf-8")
    assert "Traceback" not in said, said
    return process.returncode, out, said


def trace_in(folder: Path) -> list[Record]:
    """The records of the trace, which is whole."""
    data = (folder / "t").read_bytes()
    found = list(decode([data]))
    assert data.endswith(b"\n")
    assert found[-1]["result"] == 0
    return found


def is_stuck(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a process waits for somebody to read what it wrote: the pipe is full, so no more comes."""
    import fcntl
    import termios

    assert process.stdout is not None
    found = []
    for _ in range(2):
        found.append(int.from_bytes(fcntl.ioctl(process.stdout, termios.FIONREAD, bytes(4)), sys.byteorder))
        time.sleep(0.2)
    return found[0] == found[1] > 10_000


def began(folder: Path, calls: int = 1) -> Callable[[], bool]:
    """Whether so many calls are in the trace."""
    trace = folder / "t"
    return lambda: trace.exists() and trace.read_bytes().count(b'"call":') >= calls


# --- asked to end ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=lambda one: str(one)
)
def test_a_request_to_end_cancels_and_the_trace_goes_on_to_its_end(
    start: Start, tmp_path: Path, number: signal.Signals, code: int
) -> None:
    marker = f"7310{int(number)}"
    process = start(f'a source="" {{ in 1; out $a }}\nb source="sleep" "{marker}" {{ (text)out $b; error }}\nout $a\n')
    until(lambda: napping(f"sleep {marker}"))
    process.send_signal(number)
    assert ended(process)[:2] == (code, b"")
    found = trace_in(tmp_path)
    assert [record["bindings"] for record in found if record.get("result") and "bindings" in record] == [{"a": 1}]
    assert found[-1]["error"] == {"code": "run.cancelled", "message": f"The run was stopped by {number.name}"}
    assert not napping(f"sleep {marker}")


def test_a_command_that_will_not_end_is_ended(start: Start, tmp_path: Path) -> None:
    process = start(
        'a source="sh" "-c" "trap \'\' TERM INT; echo 1; sleep 73201; sleep 73202" { (jsonl)out $x }\nout $x\n'
    )
    until(lambda: b'"yield"' in ((tmp_path / "t").read_bytes() if (tmp_path / "t").exists() else b""))
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    assert ended(process)[0] == 130
    assert trace_in(tmp_path)[-1]["error"]["code"] == "run.cancelled"
    assert not napping("sleep 7320")


def test_a_run_that_starts_nothing_can_be_ended(start: Start, tmp_path: Path) -> None:
    process = start('a source="" { in "?$a."; out $a }\nout $a\n')
    until(began(tmp_path, 20))
    process.send_signal(signal.SIGTERM)
    assert ended(process)[0] == 143
    assert trace_in(tmp_path)[-1]["error"]["code"] == "run.cancelled"


def test_an_interrupt_while_nobody_takes_the_trace_ends_it_too(start: Start, tmp_path: Path) -> None:
    process = start(
        'a source="sleep" "73301" { (text)out $x }\nb source="" { in "?$b."; out $b }\nc source="c.kdl" { out $c }\n'
        "out $b\n",
        "--trace",
        "-",
    )
    (tmp_path / "c.kdl").write_text('b source="" { in "?$b."; out $b }\nout $b\n', "utf-8")
    until(lambda: napping("sleep 73301") and is_stuck(process))
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE) == 130
    assert not napping("sleep 73301")


def test_the_commands_of_a_run_that_is_killed_are_ended(start: Start, tmp_path: Path) -> None:
    process = start(
        'a source="sh" "-c" "sleep 73401 & sleep 73402" { (text)out $x }\n'
        'b source="sh" "-c" "trap \'\' TERM; sleep 73403; sleep 73404" { (text)out $y }\n'
        'c source="true" { (text)out $z }\nout $x\n'
    )
    until(lambda: len(napping("sleep 7340")) >= 5)  # two shells and their three sleeps
    until(lambda: b'"result":3' in (tmp_path / "t").read_bytes())
    process.kill()
    until(lambda: not napping("sleep 7340"))
    decoder = Decoder()
    assert len(list(decoder.feed((tmp_path / "t").read_bytes()))) == 6  # up to where it was killed


# --- what commands leave behind --------------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody can tell whose such a process was")
def test_a_process_that_left_its_group_and_session_is_ended_with_the_run(start: Start, tmp_path: Path) -> None:
    process = start(
        'a source="sh" "-c" "setsid sh -c \'sleep 73501 & sleep 73502\' >/dev/null 2>&1 & echo 1" { out $x }\n'
        'b source="sh" "-c" "(setsid sleep 73503 &) >/dev/null 2>&1; echo 2" { out $y }\nout $x $y\n'
    )
    assert ended(process)[:2] == (0, b"[1,2]\n")
    assert not napping("sleep 7350")
    trace_in(tmp_path)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody can tell whose such a process was")
def test_so_is_one_that_holds_the_output_of_a_run_that_is_stopped(start: Start, tmp_path: Path) -> None:
    process = start(
        'a source="sh" "-c" "setsid sleep 73601 & echo 1" { (text)out $x }\nout $x\n', "--max-seconds", "0.4"
    )
    code, _, said = ended(process)
    assert (code, "found: run.limit" in said) == (1, True)
    assert not napping("sleep 73601")
    assert trace_in(tmp_path)[-1]["error"]["code"] == "run.limit"


# --- who takes the trace ---------------------------------------------------------------------------------------------


def test_records_appear_as_they_happen_and_a_reader_that_leaves_cancels(start: Start, tmp_path: Path) -> None:
    process = start(
        'a source="sh" "-c" "echo 1; while :; do echo 2; sleep 0.05; done" { (jsonl)out $x }\n'
        'b source="sleep" "73701" { (text)out $y }\nout $x\n',
        "--trace",
        "-",
    )
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(5)]  # the header, two calls and two values: it still runs
    assert b'"value":2' in lines[-1]
    assert napping("sleep 73701")
    process.stdout.close()
    process.stdout = None
    code, _, said = ended(process)
    assert (code, said) == (1, "error: <stdout>: The run was stopped: nobody reads its trace any more\n")
    assert not napping("sleep 73701")


def test_who_follows_sees_records_while_it_runs(start: Start) -> None:
    process = start('a source="sh" "-c" "echo 1; sleep 73801" { (jsonl)out $x }\nout $x\n', "--follow")
    assert process.stderr is not None
    assert b'"value":1' in [process.stderr.readline() for _ in range(3)][-1]
    assert napping("sleep 73801")
    process.terminate()
    assert ended(process)[0] == 143


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no disk that is always full")
def test_a_full_disk_stops_the_run(start: Start) -> None:
    process = start('a source="sleep" "73901" { (text)out $x }\nout $x\n', "--trace", "/dev/full")
    code, out, said = ended(process)
    assert (code, out) == (1, b"")
    assert said.startswith("error: /dev/full: The trace cannot be written: No space left on device\n")
    assert not napping("sleep 73901")


def test_with_no_stdout_nothing_is_started(tmp_path: Path) -> None:
    (tmp_path / "p.kdl").write_text('a source="touch" "done" { (text)out $x }\nout $x\n', "utf-8")
    command = [sys.executable, "-m", "circuit_export", "run", "p.kdl", "--trace", "t"]
    closing = ["sh", "-c", 'exec "$@" >&-', "sh", *command]
    done = subprocess.run(closing, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.returncode, done.stderr.splitlines()[0]) == (2, "error: There is no stdout for the output")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.kdl"]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is no disk that is always full")
def test_a_full_stdout_is_said(start: Start, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = start("out 1\n", stdout=full)
        code, _, said = ended(process)
    assert (code, said) == (1, "error: <stdout>: The output cannot be written: No space left on device\n")
    trace_in(tmp_path)


def test_a_run_hears_of_ends_whatever_its_starter_ignored(tmp_path: Path) -> None:
    (tmp_path / "p.kdl").write_text(
        'a source="sh" "-c" "exit 3" { (text)out $x; error { data $d } }\nout $d\n', "utf-8"
    )
    command = [sys.executable, "-m", "circuit_export", "run", "p.kdl"]
    deaf = (
        f"import os, signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv({sys.executable!r}, {command!r})"
    )
    done = subprocess.run([sys.executable, "-c", deaf], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert '"status":3' in done.stdout


# --- large runs ------------------------------------------------------------------------------------------------------


def is_small(process: "subprocess.Popen[bytes]") -> bool:
    """Whether a process that ends never had much memory: what it is said to have had begins with ours."""
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    ours = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // unit
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_maxrss // unit < max(ours, 100) + 100


@pytest.mark.parametrize("codec", ["text", "bytes", "json", "jsonl"])
def test_a_gibibyte_of_output_is_stopped_at_the_limit(start: Start, tmp_path: Path, codec: str) -> None:
    lines = "yes '" + chr(34) + "x" * 9999 + chr(34) + "' | head -c 1073741824"
    command = f'"sh" "-c" #"{lines}"#' if codec == "jsonl" else '"head" "-c" "1073741824" "/dev/zero"'
    process = start(f"a source={command} {{ ({codec})out $x; error {{ code $c }} }}\nout $c\n", stdout=None)
    assert is_small(process)
    assert process.returncode == 0
    assert trace_in(tmp_path)[-1]["output"] == "output.limit"


def test_a_thousand_commands_at_once_are_all_ended(start: Start, tmp_path: Path) -> None:
    calls = [f'c{at} source="sleep" "74001" {{ (text)out $x{at} }}' for at in range(1000)]
    process = start("\n".join([*calls, "out 1\n"]), stdout=None)
    until(lambda: len(napping("sleep 74001")) >= 100)
    process.send_signal(signal.SIGINT)
    assert is_small(process)
    assert process.returncode == 130
    found = trace_in(tmp_path)
    assert sum("call" in record for record in found) == 1000
    assert sum(record.get("error", {}).get("code") == "run.cancelled" for record in found) == 1001
    assert not napping("sleep 74001")
