"""What would outlive a run: the shell that waits beside it, and what is adopted."""

import asyncio
import os
import signal
import subprocess
import sys

import pytest
from support.naps import mine, napping

from circuit_export.formats.circuitry.host import Watcher
from circuit_export.formats.circuitry.leftovers import SCRIPT, Adopted, Guard, children


def sleeper() -> "subprocess.Popen[bytes]":
    """A process in a group of its own."""
    return subprocess.Popen(mine("sleep 75101").split(), start_new_session=True)


def test_a_guard_starts_nothing_before_something_runs() -> None:
    def never() -> None:
        raise AssertionError

    Guard(never).close()


def test_without_a_shell_there_is_no_guard_and_nothing_fails() -> None:
    guard = Guard(lambda: None)
    guard.watch(1)
    guard.forget(1)
    guard.close()


def test_the_shell_ends_what_runs_when_its_teller_is_gone_and_nothing_else() -> None:
    one, other = sleeper(), sleeper()
    try:
        watcher = Watcher.start()
        assert watcher is not None
        for line in (f"+ {one.pid}\n", f"+ {other.pid}\n", f"- {other.pid}\n"):
            watcher.tell(line)
        watcher.close()
        assert one.wait(10) == -signal.SIGTERM
        assert other.poll() is None
    finally:
        for process in (one, other):
            process.kill()
            process.wait()


@pytest.mark.parametrize(
    ("told", "ended"),
    [
        ("", []),
        ("+ 100001\n+ 10000\n- 100001\n- 10000\n", []),
        ("+ 100001\n+ 10000\n+ 1000\n- 10000\n+ 10002\n", ["-100001", "-1000", "-10002"]),
    ],
)
def test_the_shell_knows_what_runs(told: str, ended: list[str]) -> None:
    # `kill` and `sleep` are only said here: the groups are nobody's, or a stranger's.
    script = f"kill() {{ echo $2; }}\nsleep() {{ echo slept; }}\n{SCRIPT}"
    done = subprocess.run(["sh", "-c", script], input=told, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ([*ended, "slept", *ended] if ended else [])


def test_a_shell_that_was_killed_is_not_missed() -> None:
    watcher = Watcher.start()
    assert watcher is not None
    watcher._process.kill()
    watcher._process.wait()
    watcher.tell("+ 1\n")
    watcher.close()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nobody can tell whose such a process was")
def test_what_is_left_behind_is_adopted_and_ended_and_what_was_there_before_is_not() -> None:
    code = mine("""
import asyncio, subprocess, sys
from circuit_export.formats.circuitry.leftovers import Adopted, children
before = subprocess.Popen("sleep 75102".split())
adopted = Adopted()
assert adopted.works
subprocess.run(["sh", "-c", "setsid sleep 75103 >/dev/null 2>&1 & setsid sh -c 'sleep 75103 & sleep 75103' &"])
while len(children()) < 3:
    pass
asyncio.run(adopted.end())
assert children() == [before.pid], children()
before.kill()
before.wait()
""")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert not napping("sleep 75103")


def test_who_cannot_adopt_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("circuit_export.formats.circuitry.leftovers._adopt", lambda on: False)
    process = sleeper()
    try:
        asyncio.run(Adopted().end())
        assert process.poll() is None
        if sys.platform == "linux":
            assert process.pid in children()
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
