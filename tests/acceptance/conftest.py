"""The command as a person runs it: a process of its own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import BOARD, Circuit, Ended, text_of


@pytest.fixture
def circuit(tmp_path: Path) -> Circuit:
    """Runs `circuit ARGS…` in an empty folder; never lets a traceback pass."""

    def run(*args: str | Path, stdin: bytes = b"", cwd: Path | None = None, env: dict[str, str] | None = None) -> Ended:
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
        ended = subprocess.run(
            [sys.executable, "-m", "circuit_export", *map(str, args)],
            input=stdin,
            capture_output=True,
            cwd=cwd or tmp_path,
            env=environment | {"PYTHONUTF8": "1", "CIRCUIT_DEBUG": "1"} | (env or {}),
            timeout=120,
        )
        err = ended.stderr.decode("utf-8", "replace").replace("\r\n", "\n")
        assert "Traceback" not in err, err
        assert "This is a fault in circuit-export" not in err, err
        return Ended(ended.returncode, ended.stdout, err)

    return run


@pytest.fixture
def board_text() -> str:
    return text_of(BOARD)


@pytest.fixture
def board_file(tmp_path: Path, board_text: str) -> Path:
    """board.json in the folder that commands run in."""
    file = tmp_path / "board.json"
    file.write_text(board_text, "utf-8", newline="")
    return file
