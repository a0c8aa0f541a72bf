"""`circuit run` on a terminal: what is printed while somebody types, and what is kept when they leave."""

import json
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from support.naps import mine, napping

pty = pytest.importorskip("pty", reason="a terminal is had through pty, which Windows has not")
FETCHED = '{"threads": ["a", "b"]}'
START = ("run", "board.json", "--input", "voice=warm")


def run_in(file: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return value


class Terminal:
    """A command on a pseudo-terminal: what it prints, and what is typed."""

    def __init__(self, folder: Path, *args: str) -> None:
        self.master, slave = pty.openpty()
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "circuit_export", *args],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env=environment | {"PYTHONUTF8": "1", "TERM": "xterm", "CIRCUIT_DEBUG": "1"},
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(slave)
        self.printed = ""
        self.deadline = time.monotonic() + 60

    def until(self, text: str, again: str = "") -> str:
        """Reads until the text was printed since the last time; all that was printed since then.

        `again` is a key to press once more when nothing comes of it: one pressed in the instant between a prompt and
        the reading of keys is lost, to people too.
        """
        while text not in self.printed:
            data = self._read(2)
            assert data != b"", f"it ended without “{text}”: {self.printed}"
            if data is None:
                assert time.monotonic() < self.deadline, self.printed
                self.type(again)
            else:
                self.printed += data.decode("utf-8", "replace")
        at = self.printed.index(text) + len(text)
        said, self.printed = self.printed[:at], self.printed[at:]
        return said

    def _read(self, seconds: float) -> bytes | None:
        """What is printed next: nothing when the other end has closed, None when nothing comes for so long."""
        if not select.select([self.master], [], [], seconds)[0]:
            return None
        try:
            return os.read(self.master, 4096)
        except OSError:
            return b""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def end(self) -> int:
        """Reads what is left and gives the exit code."""
        while data := self._read(30):
            self.printed += data.decode("utf-8", "replace")
        os.close(self.master)
        code = self.process.wait(30)
        assert "Traceback" not in self.printed
        return code


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def test_on_a_terminal(board_file: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *START, "--save", "run.json")
    assert "\x1b[36m\x1b[1mcall_tool fetch\x1b[0m" in terminal.until("> ")
    terminal.type(FETCHED + "\r")
    terminal.until("think write")
    terminal.until("> ")
    terminal.type("Dear all.\r")
    terminal.until("ask gate")
    terminal.until("> ")
    terminal.type("maybe\r")
    terminal.until("that is no answer here")
    terminal.until("> ")
    terminal.type("approve Dear friends.\r")
    terminal.until("Dear friends.\r\n")
    assert "Dear friends." in terminal.until("> ")
    terminal.type("\r")
    terminal.until("done: ")
    assert terminal.end() == 0
    assert run_in(tmp_path / "run.json")["status"] == "succeeded"


def test_ctrl_c_keeps_what_there_is(board_file: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *START, "--save", "run.json")
    terminal.until("> ")
    terminal.type(FETCHED + "\r")
    terminal.until("think write")
    terminal.until("> ")
    terminal.type("\x03")
    terminal.until("--resume run.json", again="\x03")
    assert terminal.end() == 130
    assert run_in(tmp_path / "run.json")["awaiting"]["stepId"] == "write"


def test_ctrl_d_leaves_the_run_waiting(board_file: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *START)
    terminal.until("> ")
    terminal.type("\x04")
    terminal.until("the answers ended; the run waits for “fetch”", again="\x04")
    assert terminal.end() == 1


def test_a_killed_run_has_lost_nothing_that_was_typed(board_file: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *START, "--save", "run.json")
    terminal.until("> ")
    terminal.type(FETCHED + "\r")
    terminal.until("think write")
    terminal.until("> ")
    terminal.process.send_signal(signal.SIGKILL)
    terminal.end()
    assert run_in(tmp_path / "run.json")["data"]["steps"]["fetch"] == json.loads(FETCHED)


def test_a_person_is_asked_for_the_inputs(board_file: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "run", "board.json", "--save", "run.json")
    assert "What it is to start with" in terminal.until("voice: ")
    terminal.type("warm\r")
    terminal.until("call_tool fetch")
    terminal.until("> ")
    terminal.type("\x03")
    terminal.until("kept in run.json", again="\x03")
    assert terminal.end() == 130
    assert run_in(tmp_path / "run.json")["data"]["input"] == {"voice": "warm"}


def test_a_run_that_stops_can_be_gone_on_with_on_the_spot(board_file: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *START, "--save", "run.json", "--record", "r")
    terminal.until("> ")
    terminal.type("!locked\r")
    terminal.until("blocked at fetch")
    terminal.until("> ")
    terminal.type("perhaps\r")
    terminal.until("again, skip or nothing")
    terminal.until("> ")
    terminal.type("again\r")
    terminal.until("call_tool fetch")
    terminal.until("> ")
    terminal.type("!locked still\r")
    terminal.until("blocked at fetch")
    terminal.until("> ")
    terminal.type("skip\r")
    terminal.until("think write")
    terminal.until("> ")
    terminal.type("Dear all.\r")
    terminal.until("ask gate")
    terminal.until("> ")
    terminal.type("reject\r")
    terminal.until("nothing was recorded: a scenario does not go on after a stop")
    assert terminal.end() == 0
    assert run_in(tmp_path / "run.json")["status"] == "cancelled"
    assert not (tmp_path / "board.scenarios.json").exists()


def test_a_run_that_stops_can_be_left(board_file: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, *START, "--save", "run.json")
    terminal.until("> ")
    terminal.type("!locked\r")
    terminal.until("nothing to leave it there")
    terminal.until("> ")
    terminal.type("\r")
    terminal.until("--resume run.json")
    assert terminal.end() == 1
    assert run_in(tmp_path / "run.json")["status"] == "failed"


# --- programs --------------------------------------------------------------------------------------------------------

STARTED = mine('a source="touch" "started" { (text)out $x }\nb source="sleep" "74101" { (text)out $y }\nout $y\n')


@pytest.fixture
def program_page(tmp_path: Path) -> Path:
    """p.html, the page of a program that touches a file and then would sleep long."""
    (tmp_path / "p.kdl").write_text(STARTED, "utf-8")
    export = [sys.executable, "-m", "circuit_export", "export", "p.kdl", "-o", "p.html", "--quiet"]
    subprocess.run(export, cwd=tmp_path, check=True)
    return tmp_path / "p.html"


def test_a_strangers_commands_are_shown_and_a_no_starts_none(program_page: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "run", "p.html")
    shown = terminal.until("Run it? [y/N]: ")
    assert mine('  a: touch "started"\r\n  b: sleep "74101') + '"\r\n' in shown
    terminal.type("\r")
    terminal.until("nothing was run")
    assert terminal.end() == 3
    assert not (tmp_path / "started").exists()


def test_a_yes_starts_them_and_ctrl_c_ends_them(program_page: Path, tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "run", "p.html", "--follow", "--trace", "t")
    terminal.until("Run it? [y/N]: ")
    terminal.type("y\r")
    terminal.until('"result":1')
    assert (tmp_path / "started").exists()
    terminal.type("\x03")
    terminal.until("run.cancelled", again="\x03")
    assert terminal.end() == 130
    last = (tmp_path / "t").read_text("utf-8").splitlines()[-1]
    assert json.loads(last)["error"]["message"] == "The run was stopped by SIGINT"
    assert not napping("sleep 74101")


def test_what_a_program_says_does_not_command_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "p.kdl").write_text('a source="printf" "\\\\302\\\\233[8m" { (text)out $x }\nout 1\n', "utf-8")
    terminal = Terminal(tmp_path, "run", "p.kdl", "--follow")
    shown = terminal.until('"yield":1}')
    assert "\ufffd[8m" in shown
    assert terminal.end() == 0
