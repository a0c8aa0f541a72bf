"""`circuit import`, as a person runs it."""

from pathlib import Path

import pytest
from support.command import BOARD, Circuit, text_of


@pytest.fixture
def page(circuit: Circuit, board_file: Path, tmp_path: Path) -> Path:
    assert circuit("export", board_file, "-o", "page.html").code == 0
    return tmp_path / "page.html"


def test_the_definition_is_on_stdout_and_the_talk_on_stderr(circuit: Circuit, page: Path, board_text: str) -> None:
    ended = circuit("import", page)
    assert (ended.code, ended.text) == (0, board_text)
    for fact in ("Morning post", "5 steps", "Gmail", "voice", "matches"):
        assert fact in ended.err


def test_quiet_says_nothing(circuit: Circuit, page: Path, board_text: str) -> None:
    ended = circuit("import", page, "--quiet")
    assert (ended.text, ended.err) == (board_text, "")


def test_from_stdin(circuit: Circuit, page: Path, board_text: str) -> None:
    assert circuit("import", "-", stdin=page.read_bytes()).text == board_text


def test_into_a_file_and_into_a_folder(circuit: Circuit, page: Path, board_text: str, tmp_path: Path) -> None:
    assert circuit("import", page, "-o", "back.json").code == 0
    assert (tmp_path / "back.json").read_text("utf-8") == board_text
    assert circuit("import", page, "-o", "folder/").code == 0
    assert (tmp_path / "folder" / "page.json").read_text("utf-8") == board_text
    (tmp_path / "back.json").write_text("mine")
    ended = circuit("import", page, "-o", "back.json")
    assert ended.code == 1
    assert (tmp_path / "back.json").read_text() == "mine"


def test_a_touched_page_is_restored_said_and_refused_under_strict(circuit: Circuit, page: Path) -> None:
    page.write_text(page.read_text("utf-8").replace("Answer briefly.", "Answer at length."), "utf-8")
    ended = circuit("import", page)
    assert ended.code == 0
    assert "Answer at length." in ended.text
    assert ended.err.count("differs") == 1
    strict = circuit("import", page, "--strict")
    assert (strict.code, strict.out) == (1, b"")


def test_two_definitions_are_listed_and_one_is_picked(circuit: Circuit, tmp_path: Path) -> None:
    first, second = text_of(BOARD), text_of(BOARD | {"name": "Evening post"})
    (tmp_path / "chat.md").write_text(f"One:\n```json\n{first}```\nand two:\n```json\n{second}```\n", "utf-8")
    ended = circuit("import", "chat.md")
    assert (ended.code, ended.out) == (1, b"")
    assert "--pick" in ended.err
    assert "Evening post" in ended.err
    picked = circuit("import", "chat.md", "--pick", "2")
    assert picked.code == 0
    assert "Evening post" in picked.text
    assert circuit("import", "chat.md", "--pick", "3").code != 0
    for number in "12":  # each into a file of its own
        assert circuit("import", "chat.md", "--pick", number, "-o", "both/").code == 0
    assert {file.name for file in (tmp_path / "both").iterdir()} == {"Morning-post.json", "Evening-post.json"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("<!doctype html><title>404 Not Found</title><h1>Not Found</h1>", "404"),
        ('{"nodes": [], "connections": {}}', "n8n"),
        ("just a letter to a friend", ""),
        ("", ""),
    ],
)
def test_a_source_without_a_definition_says_what_it_looked_like(
    circuit: Circuit, tmp_path: Path, text: str, says: str
) -> None:
    (tmp_path / "what").write_text(text)
    ended = circuit("import", "what")
    assert (ended.code, ended.out) == (1, b"")
    assert ended.err.startswith("error: what")
    assert says in ended.err


def test_modules_that_a_command_does_not_need_are_not_loaded(page: Path, tmp_path: Path) -> None:
    """The start-up budget, counted in modules and not by a clock."""
    import subprocess
    import sys

    program = (
        "import sys\n"
        "from circuit_export.cli import circuit\n"
        "from circuit_export.cli.running import run\n"
        "run(circuit, sys.argv[1:])\n"
        "print('\\n'.join(sorted({name.split('.')[0] for name in sys.modules})), file=sys.stderr)\n"
    )

    def loaded(*args: str) -> set[str]:
        ended = subprocess.run([sys.executable, "-c", program, *args], capture_output=True, text=True, cwd=tmp_path)
        return set(ended.stderr.split("\n"))

    heavy = {"mcp", "jsonschema", "svgwrite"}
    assert not loaded("--help") & (heavy | {"bs4", "httpx2", "jinja2", "asyncio"})
    assert not loaded("import", "page.html") & (heavy | {"httpx2", "jinja2", "asyncio"})
    assert not loaded("import", "board.json") & (heavy | {"bs4", "httpx2", "jinja2", "asyncio"})
    assert not loaded("export", "board.json", "-o", "x.html") & {"mcp", "jsonschema", "bs4", "httpx2", "asyncio"}


@pytest.mark.parametrize(
    ("source", "scheme"),
    [("localhost:8000/b.html", "http"), ("127.0.0.1/b.html", "http"), ("www.example.com/b.html", "https")],
)
def test_a_link_without_its_scheme_is_guessed(circuit: Circuit, source: str, scheme: str) -> None:
    assert f" {scheme}://{source}" in circuit("import", source).err


def test_a_file_that_is_not_there_is_no_link(circuit: Circuit) -> None:
    assert "https://" not in circuit("import", "pages/b.html").err


def test_a_folder_is_said_once(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    ended = circuit("import", "pages")
    assert ended.code == 1
    assert ended.err.splitlines()[0] == "error: pages: This is a folder, not a file"


@pytest.mark.parametrize(("format", "what"), [("svg", "an SVG picture"), ("mermaid", "a Mermaid flowchart")])
def test_our_own_pictures_are_called_by_their_name(
    circuit: Circuit, board_file: Path, tmp_path: Path, format: str, what: str
) -> None:
    circuit("export", board_file, "--format", format, "-o", "picture.txt")
    assert what in circuit("import", "picture.txt").err
