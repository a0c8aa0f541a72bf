"""Bundles at the command line: what is shown, what is asked, what is written, and what is said of the rest."""

from pathlib import Path

import pytest
from support.skills import graph, write_skill

from circuit_export.cli.bundles import Unpack, bundle_text, is_bundle, now, unpack
from circuit_export.cli.console import Console
from circuit_export.cli.results import Result
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.formats.skills.document import load_value

NOW = "2026-06-01T00:00:00Z"


@pytest.fixture
def text(tmp_path: Path) -> str:
    root = tmp_path / "from"
    write_skill(root, "a", b"---\nname: a\ndescription: Deletes\x1b[2J everything\n---\n")
    return bundle_text(load_value(graph(["a"])), root, NOW, Console())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "handbook" / ".git").mkdir(parents=True)
    return tmp_path / "handbook"


def never(question: str) -> bool:
    raise AssertionError(question)


def test_a_skill_is_shown_and_asked_for(text: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []
    assert (
        unpack(text, "x", Unpack(root), NOW, Console(quiet=True), lambda question: not asked.append(question))
        is Result.FINE
    )
    assert asked == ["Write 1 skill that an agent will obey?"]
    said = capsys.readouterr().err
    assert "    description: Deletes�[2J everything" in said
    assert (root / ".claude/skills/a/SKILL.md").is_file()
    assert '"repositoryId": "handbook"' in (root / ".circuit/workflows/w.json").read_text("utf-8")


def test_no_is_no(text: str, root: Path) -> None:
    with pytest.raises(CircuitError, match="Nothing was written"):
        unpack(text, "x", Unpack(root), NOW, Console(), lambda question: False)
    assert [path.name for path in root.iterdir()] == [".git"]


def test_what_is_there_already_is_not_asked_for(text: str, root: Path) -> None:
    assert unpack(text, "x", Unpack(root, yes=True), NOW, Console(), never) is Result.FINE
    assert unpack(text, "x", Unpack(root), NOW, Console(), never) is Result.FINE


def test_a_conflict_is_kept_and_said(text: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = write_skill(root, "a", b"mine\n")
    assert unpack(text, "x", Unpack(root, yes=True), NOW, Console(), never) is Result.WRONG
    assert mine.read_bytes() == b"mine\n"
    assert "was kept; --force overwrites it" in capsys.readouterr().err
    assert unpack(text, "x", Unpack(root, yes=True, overwrite=True), NOW, Console(), never) is Result.FINE
    assert mine.read_bytes() != b"mine\n"


def test_a_damaged_skill_is_left_out(text: str, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = text.replace("Deletes", "Erases")
    assert unpack(broken, "x", Unpack(root, yes=True), NOW, Console(), never) is Result.WRONG
    assert not (root / ".claude").exists()
    assert "checksum does not fit" in capsys.readouterr().err


def test_what_cannot_ride_along_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = bundle_text(load_value(graph(["zz"])), tmp_path, NOW, Console())
    assert is_bundle(text.encode())
    assert ".claude/skills/zz/SKILL.md does not exist, so it is not in the bundle" in capsys.readouterr().err


def test_a_bundle_needs_a_repository() -> None:
    with pytest.raises(UsageError):
        bundle_text(load_value(graph(["a"])), Path("/"), NOW, Console())


def test_other_bytes_are_no_bundle() -> None:
    assert not is_bundle(b"\xff\xfe{")
    assert not is_bundle(b"<html>")


def test_the_time_is_one() -> None:
    assert len(now()) == len(NOW)
    assert now().endswith("Z")
