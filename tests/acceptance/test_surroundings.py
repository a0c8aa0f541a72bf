"""What the command does when what is around it is not as it should be: streams, signals, names, places."""

import errno
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.command import BOARD, Circuit, Ended, text_of

posix = pytest.mark.skipif(os.name == "nt", reason="the shell and the signals of POSIX")


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], Ended]:
    """Runs a line of sh in which `circuit` is the command; never lets a traceback pass."""

    def run(line: str) -> Ended:
        script = f'circuit() {{ "{sys.executable}" -m circuit_export "$@"; }}\n{line}'
        environment = {name: value for name, value in os.environ.items() if name != "CIRCUIT_DEBUG"}
        ended = subprocess.run(
            ["/bin/sh", "-c", script],
            capture_output=True,
            cwd=tmp_path,
            timeout=120,
            env=environment | {"PYTHONUTF8": "1"},
        )
        err = ended.stderr.decode("utf-8", "replace")
        for fault in ("Traceback", "This is a fault in circuit-export", "Exception ignored"):
            assert fault not in err, err
        return Ended(ended.returncode, ended.stdout, err)

    return run


Shell = Callable[[str], Ended]


# --- streams -----------------------------------------------------------------------------------------------------


@posix
@pytest.mark.parametrize("line", ["circuit import - <&-", "circuit export - <&-", "circuit validate - <&-"])
def test_no_stdin(shell: Shell, line: str) -> None:
    ended = shell(line)
    assert ended.code == 2
    assert "There is no stdin to read" in ended.err


@posix
@pytest.mark.parametrize("line", ["circuit export board.json -o - >&-", "circuit import board.json >&-"])
def test_no_stdout(shell: Shell, board_file: Path, line: str) -> None:
    ended = shell(line)
    assert ended.code == 2
    assert "There is no stdout to write to" in ended.err


@posix
@pytest.mark.parametrize("stderr", ["2>&-", "2>/dev/full"])
def test_nobody_to_talk_to(shell: Shell, board_file: Path, tmp_path: Path, stderr: str) -> None:
    assert shell(f"circuit export board.json {stderr}").code == 0
    assert (tmp_path / "board.html").read_text("utf-8").endswith("</html>\n")
    assert shell(f"circuit import board.html -o back.json {stderr}").code == 0
    assert (tmp_path / "back.json").read_bytes() == board_file.read_bytes()


@posix
@pytest.mark.parametrize("line", ["circuit export board.json -o -", "circuit import board.json", "circuit --help"])
def test_no_room_on_stdout(shell: Shell, board_file: Path, line: str) -> None:
    ended = shell(f"{line} > /dev/full")
    assert ended.code == 1
    assert os.strerror(errno.ENOSPC) in ended.err


@posix
def test_an_endless_stdin_is_not_read_for_ever(shell: Shell) -> None:
    ended = shell("circuit import - < /dev/zero")
    assert ended.code == 1
    assert "too large" in ended.err


@posix
def test_a_device_needs_no_force(shell: Shell, board_file: Path) -> None:
    assert shell("circuit export board.json -o /dev/null").code == 0
    assert shell("circuit import board.json -o /dev/null").code == 0


@posix
def test_a_pipe_is_a_source_and_a_socket_is_none(shell: Shell, board_file: Path, tmp_path: Path) -> None:
    assert shell("mkfifo pipe; cat board.json > pipe & circuit import pipe").out == board_file.read_bytes()
    here = Path.cwd()
    os.chdir(tmp_path)  # the name of a socket is short
    try:
        with socket.socket(socket.AF_UNIX) as open_:
            open_.bind("socket")
    finally:
        os.chdir(here)
    assert "cannot be read" in shell("circuit import socket").err


# --- names and places --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["export", "import"])
def test_what_can_be_no_name(circuit: Circuit, command: str) -> None:
    assert "has no name" in circuit(command, "").err
    assert "too long" in circuit(command, "a" * 5_000).err
    ended = circuit(command, text_of(BOARD))
    assert ended.code == 2
    assert "This is a text" in ended.err
    assert len(ended.err) < 400


def test_a_folder_or_a_file_in_the_way(circuit: Circuit, board_file: Path, tmp_path: Path) -> None:
    (tmp_path / "board.html").mkdir()
    ended = circuit("export", board_file)
    assert ended.code == 1
    assert "A folder has the name" in ended.err
    ended = circuit("export", board_file, "-o", "board.json/page.html")
    assert ended.code == 1
    assert "what should be its folder is a file" in ended.err


def calling_page(circuit: Circuit, tmp_path: Path) -> str:
    """A page of "caller" that brings "called" with it."""
    call = {"id": "c", "type": "flow.call", "title": "Call", "config": {"workflowId": "called"}, "next": []}
    start = {"id": "s", "type": "trigger.ask", "title": "Ask", "config": {}, "next": [{"port": "out", "to": "c"}]}
    boards = tmp_path / "boards"
    boards.mkdir()
    (boards / "caller.json").write_text(
        json.dumps({"circuit": 1, "name": "Caller", "entry": "s", "steps": [start, call]}), "utf-8"
    )
    (boards / "called.json").write_text(json.dumps({**BOARD, "id": "called"}), "utf-8")
    page = circuit("export", boards / "caller.json", "-o", "-").text
    assert 'data-path="called.json"' in page
    return page


@pytest.mark.parametrize("name", ["called.html", "Called.html"])
def test_a_page_that_is_named_like_what_it_brings(circuit: Circuit, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(calling_page(circuit, tmp_path), "utf-8")
    ended = circuit("import", name, "-o", "back/")
    assert ended.code == 0, ended.err
    assert "the workflow itself becomes" in ended.err
    back = {path.name.lower(): path.read_bytes() for path in (tmp_path / "back").iterdir()}
    boards = tmp_path / "boards"
    assert back == {
        "called.json": (boards / "called.json").read_bytes(),
        "called-2.json": (boards / "caller.json").read_bytes(),
    }


def test_a_folder_gets_all_of_a_page_or_nothing(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(calling_page(circuit, tmp_path), "utf-8")
    back = tmp_path / "back"
    back.mkdir()
    (back / "called.json").write_text("mine", "utf-8")
    assert circuit("import", "page.html", "-o", "back").code == 1
    assert [path.name for path in back.iterdir()] == ["called.json"]
    (back / "called.json").unlink()
    page = calling_page_with(tmp_path, "one.json/two.json", "one.json")
    assert "in the way" in circuit("import", page, "-o", "back").err
    assert not list(back.iterdir())


def calling_page_with(tmp_path: Path, *paths: str) -> Path:
    """The page with a document at each of `paths`."""
    text = (tmp_path / "page.html").read_text("utf-8")
    start = text.index('<pre class="circuit-bundled"')
    block = text[start : text.index("</pre>", start) + 6]
    blocks = "".join(block.replace("called.json", path, 1) for path in paths)
    file = tmp_path / "several.html"
    file.write_text(text.replace(block, blocks), "utf-8")
    return file


@posix
def test_no_link_leads_out_of_the_folder(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(calling_page(circuit, tmp_path), "utf-8")
    outside = tmp_path / "outside"
    outside.mkdir()
    back = tmp_path / "back"
    back.mkdir()
    (back / "sub").symlink_to(outside)
    ended = circuit("import", calling_page_with(tmp_path, "sub/called.json"), "-o", "back")
    assert ended.code == 1
    assert "outside the folder" in ended.err
    assert not list(outside.iterdir())


@pytest.mark.skipif(not Path("/usr/bin/setpriv").exists(), reason="root may read everything")
def test_what_cannot_be_read_in_a_folder_is_said(shell: Shell, board_file: Path, tmp_path: Path) -> None:
    boards = tmp_path / "boards"
    (boards / "locked").mkdir(parents=True)
    board_file.rename(boards / "board.json")
    (boards / "secret.json").write_text("{}", "utf-8")
    for path in (boards / "locked", boards / "secret.json"):
        path.chmod(0)
    bound = "setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-dac_override,-dac_read_search"
    ended = shell(f'{bound if os.geteuid() == 0 else ""} "{sys.executable}" -m circuit_export export boards -o site')
    (boards / "locked").chmod(0o700)
    assert ended.code == 1
    assert "secret.json cannot be read" in ended.err
    assert "locked/ cannot be read" in ended.err
    assert "1 workflow exported" in ended.err


# --- signals -----------------------------------------------------------------------------------------------------


def many_boards(folder: Path) -> None:
    folder.mkdir()
    for number in range(200):
        (folder / f"board{number}.json").write_text(text_of({**BOARD, "name": f"Board {number}"}), "utf-8")


def others_in(group: int) -> list[str]:
    """The processes of a group that still run, its first one too."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append((entry / "cmdline").read_bytes().decode("utf-8", "replace").replace("\0", " "))
    return found


@posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize("started", [2, 3, 4])
def test_a_worker_that_has_only_just_begun_says_nothing_of_a_stop(tmp_path: Path, started: int) -> None:
    many_boards(tmp_path / "boards")
    with subprocess.Popen(
        [sys.executable, "-m", "circuit_export", "export", "boards", "-o", "site"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        while len(others_in(process.pid)) < started and process.poll() is None:
            pass
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) in (130, 0)
        assert b"Traceback" not in process.stderr.read()


@posix
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
@pytest.mark.parametrize(
    ("name", "to_all", "code"),
    [
        ("SIGTERM", False, 143),
        ("SIGTERM", True, 143),
        ("SIGINT", True, 130),
        ("SIGHUP", False, 129),
        ("SIGKILL", False, -9),
    ],
)
def test_a_stop_midway_leaves_whole_pages_and_no_processes(tmp_path: Path, name: str, to_all: bool, code: int) -> None:
    many_boards(tmp_path / "boards")
    site = tmp_path / "site"
    number = getattr(signal, name)
    with subprocess.Popen(
        [sys.executable, "-m", "circuit_export", "export", "boards", "-o", "site"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        assert process.stderr is not None
        until = time.monotonic() + 60
        while not (site.is_dir() and any(site.iterdir())) and time.monotonic() < until:
            time.sleep(0.01)
        (os.killpg if to_all else os.kill)(process.pid, number)
        assert process.wait(60) in (code, 0)
        while others_in(process.pid) and time.monotonic() < until:
            time.sleep(0.05)
        assert others_in(process.pid) == []
        assert b"Traceback" not in process.stderr.read()
    pages = list(site.iterdir())
    if name != "SIGKILL":
        assert not [page.name for page in pages if page.suffix != ".html"]
    assert all(page.read_text("utf-8").endswith("</html>\n") for page in pages if page.suffix == ".html")
