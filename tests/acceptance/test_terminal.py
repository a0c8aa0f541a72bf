"""What only shows on a terminal or with a large page, and what every command says of itself."""

import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from support.command import BOARD, Circuit, text_of

from circuit_export.cli import COMMANDS, circuit

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def on_a_terminal(*args: str, cwd: Path, env: dict[str, str] | None = None) -> str:
    """What `circuit ARGS…` writes to a terminal."""
    import pty

    terminal, side = pty.openpty()
    clean = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    running = subprocess.Popen(
        [sys.executable, "-m", "circuit_export", *args],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=side,
        cwd=cwd,
        env=clean | {"TERM": "xterm"} | (env or {}),
    )
    os.close(side)
    said = b""
    try:
        while piece := os.read(terminal, 65536):
            said += piece
    except OSError:  # how a terminal says that nobody holds its other side any more
        pass
    os.close(terminal)
    assert running.wait(60) in (0, 1)
    return said.decode()


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are POSIX's")
def test_a_progress_bar_is_drawn_on_a_terminal_and_nowhere_else(circuit: Circuit, tmp_path: Path) -> None:
    assert "Exporting" in on_a_terminal("export", str(EXAMPLES), "-o", "site", cwd=tmp_path)
    assert "Exporting" not in on_a_terminal("export", str(EXAMPLES), "-o", "site", "--quiet", cwd=tmp_path)
    ended = circuit("export", EXAMPLES, "-o", "site2")
    assert ended.code == 0
    assert "Exporting" not in ended.err
    assert "\r" not in ended.err


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are POSIX's")
def test_colour_is_for_terminals_that_want_it(tmp_path: Path) -> None:
    assert "\x1b[" in on_a_terminal("import", "nowhere", cwd=tmp_path)
    for without in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b[" not in on_a_terminal("import", "nowhere", cwd=tmp_path, env=without)


def test_a_page_over_20_mib_is_written_with_a_warning(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "large.json").write_text(text_of(BOARD | {"x-circuit": {"kept": "x" * 21_000_000}}), "utf-8")
    ended = circuit("export", "large.json")
    assert ended.code == 0
    assert (tmp_path / "large.html").stat().st_size > 20 * 1024 * 1024
    assert "is 20 MiB: some hosts refuse over 20 MiB" in ended.err


def test_open_shows_the_page_that_was_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board_file: Path
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(click, "launch", opened.append)
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(circuit, ["export", str(board_file), "--open"]).exit_code == 0
    assert opened == [str((tmp_path / "board.html").resolve())]
    (tmp_path / "board.html").write_text("mine")
    assert CliRunner().invoke(circuit, ["export", str(board_file), "--open"]).exit_code == 1
    assert len(opened) == 1


def test_what_goes_to_stdout_cannot_be_opened(circuit: Circuit, board_text: str) -> None:
    ended = circuit("export", "-", "--open", stdin=board_text.encode())
    assert (ended.code, ended.out) == (2, b"")


def test_open_shows_the_index_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.setattr(click, "launch", opened.append)
    site = tmp_path / "site"
    assert CliRunner().invoke(circuit, ["export", str(EXAMPLES), "-o", str(site), "--open"]).exit_code == 0
    assert opened == [str((site / "index.html").resolve())]


def every_command() -> list[tuple[str, ...]]:
    """The words of every command that does something: those of a group are its own commands."""
    context = click.Context(circuit)
    found: list[tuple[str, ...]] = []
    for name in COMMANDS:
        command = circuit.get_command(context, name)
        found += [(name, inner) for inner in command.commands] if isinstance(command, click.Group) else [(name,)]
    return found


@pytest.mark.parametrize("words", every_command(), ids=" ".join)
def test_every_command_shows_how_it_is_used(words: tuple[str, ...]) -> None:
    ended = CliRunner().invoke(circuit, [*words, "--help"])
    assert ended.exit_code == 0
    assert f"circuit {' '.join(words)}" in ended.output.partition("Examples:")[2]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_completes(shell: str, tmp_path: Path) -> None:
    environment = os.environ | {
        "_CIRCUIT_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": "circuit exp",
        "COMP_CWORD": "1" if shell != "fish" else "exp",
    }
    main = "import sys; sys.argv[0] = 'circuit'; from circuit_export.cli import main; main()"
    ended = subprocess.run([sys.executable, "-c", main], capture_output=True, text=True, env=environment, timeout=60)
    assert "export" in ended.stdout
    assert "import" not in ended.stdout.replace("Import", "")
