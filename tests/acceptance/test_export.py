"""`circuit export`, as a person runs it."""

import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from support.command import BOARD, Circuit, text_of

from circuit_export.resources import folder


def test_one_file_becomes_a_page_beside_where_you_stand(circuit: Circuit, board_file: Path, tmp_path: Path) -> None:
    ended = circuit("export", board_file)
    assert (ended.code, ended.out) == (0, b"")
    assert "wrote board.html" in ended.err
    page = (tmp_path / "board.html").read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert "<script" not in page.lower()
    assert 'data-step="gate"' in page


def test_it_stands_where_it_was_called_not_where_the_source_is(
    circuit: Circuit, board_file: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert circuit("export", board_file, cwd=elsewhere).code == 0
    assert (elsewhere / "board.html").is_file()
    assert not (tmp_path / "board.html").exists()


def test_stdin_goes_to_stdout(circuit: Circuit, board_text: str) -> None:
    ended = circuit("export", "-", stdin=board_text.encode())
    assert ended.code == 0
    assert ended.text.startswith("<!doctype html>")


def test_the_same_bytes_whatever_the_hash_seed_and_the_way_in(
    circuit: Circuit, board_file: Path, board_text: str, tmp_path: Path
) -> None:
    pages = {circuit("export", "-", stdin=board_text.encode(), env={"PYTHONHASHSEED": seed}).out for seed in "017"}
    circuit("export", board_file)
    pages.add((tmp_path / "board.html").read_bytes())
    assert len(pages) == 1


def test_nothing_is_overwritten_with_other_content(circuit: Circuit, board_file: Path, tmp_path: Path) -> None:
    page = tmp_path / "board.html"
    page.write_text("mine", "utf-8")
    ended = circuit("export", board_file)
    assert ended.code == 1
    assert "--force" in ended.err
    assert page.read_text("utf-8") == "mine"
    assert circuit("export", board_file, "--force").code == 0
    again = circuit("export", board_file)
    assert again.code == 0
    assert "holds it already" in again.err


@pytest.mark.parametrize("into", ["out.html", "kept/", "deep/er/out.html"])
def test_output_is_a_file_or_a_folder(circuit: Circuit, board_file: Path, tmp_path: Path, into: str) -> None:
    assert circuit("export", board_file, "-o", into).code == 0
    assert (tmp_path / (into + "board.html" if into.endswith("/") else into)).is_file()


def test_the_other_formats(circuit: Circuit, board_file: Path, board_text: str) -> None:
    svg = circuit("export", board_file, "--format", "svg", "-o", "-")
    assert ElementTree.fromstring(svg.text).tag.endswith("svg")
    assert "\nflowchart LR\n" in circuit("export", board_file, "--format", "mermaid", "-o", "-").text
    assert circuit("export", board_file, "--format", "json", "-o", "-").text == board_text


def test_a_folder_becomes_pages_and_an_index(circuit: Circuit, tmp_path: Path) -> None:
    boards = tmp_path / "boards"
    (boards / "sub").mkdir(parents=True)
    for name in ("one", "two", "index", "sub/one"):
        (boards / f"{name}.json").write_text(text_of(BOARD | {"name": f"Board {name}"}), "utf-8")
    (boards / "package.json").write_text('{"name": "not a board"}', "utf-8")
    ended = circuit("export", "boards", "-o", "site")
    assert ended.code == 0
    site = {file.name for file in (tmp_path / "site").iterdir()}
    assert site == {"index.html", "index-2.html", "one.html", "one-2.html", "two.html"}
    assert "index-2.html" in ended.err
    assert "4 workflows" in ended.err
    index = (tmp_path / "site" / "index.html").read_text("utf-8")
    assert all(f'href="{page}"' in index for page in site - {"index.html"})
    assert "<script" not in index
    assert circuit("export", "boards", "-o", "site").code == 0


def test_a_folder_with_one_bad_file_exports_the_others(circuit: Circuit, tmp_path: Path) -> None:
    boards = tmp_path / "boards"
    boards.mkdir()
    (boards / "good.json").write_text(text_of(BOARD), "utf-8")
    (boards / "bad.json").write_text('{"circuit": 1, "name": "x", "steps": [', "utf-8")
    ended = circuit("export", "boards", "-o", "site")
    assert ended.code == 1
    assert "bad.json:1:" in ended.err
    assert (tmp_path / "site" / "good.html").is_file()


def test_an_empty_folder_is_nothing_to_do(circuit: Circuit, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert circuit("export", "empty", "-o", "site").code == 3


def test_many_boards_in_processes_of_their_own_give_the_same_pages(circuit: Circuit, tmp_path: Path) -> None:
    boards = tmp_path / "boards"
    boards.mkdir()
    for number in range(150):
        (boards / f"b{number:03}.json").write_text(text_of(BOARD | {"name": f"Board {number}"}), "utf-8")
    assert circuit("export", "boards", "-o", "site").code == 0
    assert len(list((tmp_path / "site").iterdir())) == 151
    one = circuit("export", boards / "b077.json", "-o", "-")
    assert (tmp_path / "site" / "b077.html").read_bytes() == one.out


def test_a_page_bundles_what_its_workflow_calls(circuit: Circuit, tmp_path: Path) -> None:
    call = {"id": "call", "type": "flow.call", "title": "Ask the other", "config": {"workflowId": "other"}, "next": []}
    (tmp_path / "main.json").write_text(
        text_of(BOARD | {"steps": [BOARD["steps"][0] | {"next": [{"to": "call"}]}, call]})
    )
    (tmp_path / "other.json").write_text(text_of(BOARD | {"name": "The other"}))
    assert circuit("export", "main.json").code == 0
    page = (tmp_path / "main.html").read_text("utf-8")
    assert 'class="circuit-bundled" data-path="other.json"' in page
    ended = circuit("import", "main.html", "-o", "back/")
    assert ended.code == 0
    for name in ("main.json", "other.json"):
        assert (tmp_path / "back" / name).read_bytes() == (tmp_path / name).read_bytes()


def test_a_call_that_is_not_found_is_said_and_the_page_is_made(circuit: Circuit, tmp_path: Path) -> None:
    call = {"id": "call", "type": "flow.call", "title": "Ask", "config": {"workflowId": "gone"}, "next": []}
    (tmp_path / "main.json").write_text(text_of(BOARD | {"entry": "call", "steps": [call]}))
    ended = circuit("export", "main.json")
    assert ended.code == 0
    assert "gone" in ended.err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b"{", "1:2"),
        (b'{"circuit": 2, "name": "x", "steps": []}', "2"),
        (b'{"circuit": 1, "name": "x", "steps": []}', "step"),
        (b'{"circuit": 1, "name": "x"}', "steps"),
        (b'{"circuit": 1, "name": "x", "steps": [{"id": 7}]}', "id"),
        (b"\xff\xfe\x00\xd8", ""),
        (b"[" * 200_000, ""),
    ],
)
def test_a_broken_source_is_one_readable_block(circuit: Circuit, tmp_path: Path, content: bytes, says: str) -> None:
    (tmp_path / "broken.json").write_bytes(content)
    ended = circuit("export", "broken.json")
    assert ended.code == 1
    assert ended.err.startswith("error: broken.json")
    assert says in ended.err
    assert not (tmp_path / "broken.html").exists()


def test_what_stands_around_a_definition_is_not_passed_over_in_silence(
    circuit: Circuit, board_text: str, tmp_path: Path
) -> None:
    (tmp_path / "note.json").write_text(f"{board_text}\nand a word behind it")
    ended = circuit("export", "note.json")
    assert ended.code == 0
    assert "warning" in ended.err


def test_every_warning_and_finding_names_its_source(circuit: Circuit, board_text: str, tmp_path: Path) -> None:
    folder = tmp_path / "boards"
    folder.mkdir()
    (folder / "curly.json").write_text(board_text.replace('"Morning post"', "“Morning post”"), "utf-8")
    (folder / "spare.json").write_text(board_text + "}", "utf-8")
    ended = circuit("export", *sorted(folder.iterdir()), "-o", tmp_path / "site")
    said = [line for line in ended.err.splitlines() if line.startswith("warning: ")]
    assert len(said) == 2
    assert [line.split(": ")[1].rpartition(os.sep)[2] for line in said] == ["curly.json", "spare.json"]
    piped = circuit("export", "-", stdin=(board_text.replace('"to": "send"', '"to": "sned"') + "}").encode())
    assert "warning: <stdin>: " in piped.err
    assert "error: <stdin>:" in piped.err


@pytest.mark.parametrize(
    ("content", "place", "hint"),
    [
        (b"{'circuit': 1, 'steps': []}", ":1:2: This is not JSON", "use double quotes"),
        (b'{"name": "a",}', ":1:14: This is not JSON", "remove the comma before it"),
        (b'[{"id": None}]', ":1:9: This is not JSON", "write null"),
    ],
)
def test_json_that_is_nobodys_and_broken_is_said_as_well_as_ours(
    circuit: Circuit, tmp_path: Path, content: bytes, place: str, hint: str
) -> None:
    (tmp_path / "b.json").write_bytes(content)
    for command in ("export", "import"):
        ended = circuit(command, "b.json")
        assert ended.code == 1
        assert f"b.json{place}" in ended.err
        assert hint in ended.err


def test_usage(circuit: Circuit, board_file: Path) -> None:
    assert circuit("export").code == 2
    assert circuit("export", board_file, "--theme", "coper").code == 2
    assert "copper" in circuit("export", board_file, "--theme", "coper").err
    assert circuit("export", ".").code == 2
    assert circuit("export", board_file, board_file, "-o", "-").code == 2
    missing = circuit("export", "nowhere.json")
    assert missing.code == 1
    assert "nowhere.json" in missing.err
    wrong = circuit("exprot", board_file)
    assert wrong.code == 2
    assert "“export”" in wrong.err


def test_colour_only_when_asked_for(circuit: Circuit) -> None:
    assert "\x1b" not in circuit("export", "nowhere.json").err
    assert "\x1b" in circuit("export", "nowhere.json", "--color", "always").err


def test_a_page_can_be_exported_again_and_is_the_same(circuit: Circuit, board_file: Path, tmp_path: Path) -> None:
    circuit("export", board_file)
    first = (tmp_path / "board.html").read_bytes()
    assert circuit("export", "board.html", "-o", "again.html").code == 0
    assert (tmp_path / "again.html").read_bytes() == first
    (tmp_path / "board.html.gz").write_bytes(gzip.compress(first, mtime=0))
    assert circuit("export", "board.html.gz", "-o", "-").out == first


def test_a_hostile_name_cannot_leave_its_place_or_speak_to_the_terminal(circuit: Circuit, tmp_path: Path) -> None:
    board = BOARD | {"name": "\x1b]0;owned\x07", "zzz\x1b[31m": 1}
    (tmp_path / "b.json").write_text(json.dumps(board), "utf-8")
    ended = circuit("export", "b.json", "--color", "always")
    assert ended.code == 0
    assert "\x07" not in ended.err
    assert "owned" not in ended.err or "\x1b]0" not in ended.err


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_an_unwritable_place_is_a_clean_error(circuit: Circuit, board_file: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ended = circuit("export", board_file, "-o", "file/below.html")
    assert ended.code == 1
    assert "cannot be written" in ended.err


def test_a_theme_of_ones_own(circuit: Circuit, board_file: Path, tmp_path: Path) -> None:
    own = tmp_path / "my-theme"
    shutil.copytree(folder("themes") / "copper", own)
    assert circuit("export", board_file, "--theme", "my-theme", "-o", "own.html").err == "wrote own.html\n"
    text = (own / "theme.json").read_text("utf-8")
    tokens = json.loads(text)
    tokens["light"]["ink"] = tokens["light"]["page"]
    (own / "theme.json").write_text(json.dumps(tokens), "utf-8")
    faint = circuit("export", board_file, "--theme", "my-theme", "-o", "faint.html")
    assert faint.code == 0
    assert "contrast" in faint.err
    (own / "theme.json").write_text(text.replace('"ink"', '"inc"', 1), "utf-8")
    broken = circuit("export", board_file, "--theme", "my-theme", "-o", "broken.html")
    assert broken.code == 2
    assert "theme.json" in broken.err
    assert "inc" in broken.err
    assert not (tmp_path / "broken.html").exists()


def test_a_project_names_its_theme_and_where_called_workflows_are(
    circuit: Circuit, board_file: Path, tmp_path: Path
) -> None:
    (tmp_path / "circuit.toml").write_text('theme = "paper"\n[workflows]\nother = "far/away.json"\n')
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "away.json").write_text(text_of(BOARD))
    call = {"id": "call", "type": "flow.call", "title": "Ask", "config": {"workflowId": "other"}, "next": []}
    (tmp_path / "main.json").write_text(text_of(BOARD | {"entry": "call", "steps": [call]}))
    assert circuit("export", board_file, "-o", "configured.html").code == 0
    assert circuit("export", board_file, "-o", "named.html", "--theme", "paper").code == 0
    assert (tmp_path / "configured.html").read_bytes() == (tmp_path / "named.html").read_bytes()
    assert 'data-path="other.json"' in circuit("export", "main.json", "-o", "-").text
    (tmp_path / "circuit.toml").write_text('teme = "paper"\n')
    wrong = circuit("export", board_file, "-o", "wrong.html")
    assert wrong.code == 2
    assert "“theme”" in wrong.err or "theme" in wrong.err


def test_a_folder_is_read_as_the_project_says(circuit: Circuit, tmp_path: Path) -> None:
    for name in ("kept.json", "drafts/one.json", "node_modules/two.json", ".hidden/three.json"):
        (tmp_path / "boards" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "boards" / name).write_text(text_of(BOARD))
    (tmp_path / "boards" / "kept.scenarios.json").write_text('{"scenarios": []}')
    (tmp_path / "boards" / ".gitignore").write_text("node_modules/\n")
    (tmp_path / "circuit.toml").write_text('exclude = ["boards/drafts"]\n')
    ended = circuit("export", "boards", "-o", "site", "-v")
    assert ended.code == 0
    assert {file.name for file in (tmp_path / "site").iterdir()} == {"index.html", "kept.html"}
    assert "drafts" in ended.err


def test_a_misspelt_name_is_said_with_the_one_that_is_near(circuit: Circuit, tmp_path: Path) -> None:
    text = text_of(BOARD | {"entry": "strat"}).replace("steps.write.text", "steps.wriet.text")
    (tmp_path / "b.json").write_text(
        text.replace('"to": "send"', '"to": "sned"').replace("gate.approve", "gate.aprove")
    )
    said = circuit("export", "b.json").err
    for meant in ("start", "write", "send", "gate.approve"):
        assert f"(did you mean “{meant}”?) [C" in said


def test_what_the_rules_find_is_said_in_short_and_a_reason_silences_it(circuit: Circuit, tmp_path: Path) -> None:
    steps = json.loads(json.dumps(BOARD["steps"]))
    steps[2]["next"][0]["to"] = "send"  # past the gate
    (tmp_path / "b.json").write_text(text_of(BOARD | {"steps": steps}))
    said = circuit("export", "b.json").err
    assert "warning: b.json:" in said
    assert "[C501]" in said
    quiet = BOARD | {"steps": steps, "x-circuit": {"ignore": {"C501": "mail to ourselves", "C205": "on purpose"}}}
    (tmp_path / "q.json").write_text(text_of(quiet))
    assert "C501" not in circuit("export", "q.json").err
    assert "[C501]" in circuit("import", "b.html").err


def test_many_findings_are_not_all_said(circuit: Circuit, tmp_path: Path) -> None:
    steps = [{"id": f"s{n}", "type": "note.say", "title": "t", "next": [{"to": f"x{n}"}]} for n in range(40)]
    (tmp_path / "b.json").write_text(text_of({"circuit": 1, "name": "b", "steps": steps}))
    ended = circuit("export", "b.json")
    assert ended.code == 0
    assert len(ended.err.splitlines()) < 15
    assert "more: circuit validate b.json" in ended.err


def test_the_findings_of_many_workflows_are_counted(circuit: Circuit, tmp_path: Path) -> None:
    steps = [{"id": f"s{n}", "type": "note.say", "title": "t", "next": [{"to": f"x{n}"}]} for n in range(5)]
    (tmp_path / "boards").mkdir()
    for number in range(10):
        board = {"circuit": 1, "name": "b", "steps": steps}
        (tmp_path / "boards" / f"{number}.json").write_text(text_of(board))
    ended = circuit("export", "boards", "-o", "site")
    assert ended.code == 0
    assert "findings in 10 workflows" in ended.err
    assert "circuit validate boards" in ended.err
    assert len(ended.err.splitlines()) < 5


def test_a_board_that_calls_nothing_is_exported_without_the_room_that_restores(tmp_path: Path) -> None:
    (tmp_path / "board.json").write_text(json.dumps(BOARD), "utf-8")
    words = [sys.executable, "-X", "importtime", "-m", "circuit_export", "export", "board.json", "-q"]
    ended = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (tmp_path / "board.html").is_file(), ended.stderr
    assert "circuit_export.board.page" in ended.stderr
    assert "circuit_export.restore" not in ended.stderr
