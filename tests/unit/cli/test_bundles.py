"""Bundles at the command line: what is shown, what is asked, what is written, and what is said of the rest."""

from pathlib import Path

import pytest
from support.skills import graph, write_skill

from circuit_export import api
from circuit_export.cli.bundles import Unpack, bundle_text, now, unpack
from circuit_export.cli.console import Console
from circuit_export.cli.results import Result
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.formats.skills.document import load_value

NOW = "2026-06-01T00:00:00Z"


def workflow(*nodes: str) -> api.Workflow:
    return api.Workflow(load_value(graph(list(nodes))), {})


@pytest.fixture
def text(tmp_path: Path) -> bytes:
    root = tmp_path / "from"
    write_skill(root, "a", b"---\nname: a\ndescription: Deletes\x1b[2J everything\n---\n")
    return bundle_text(workflow("a"), root, NOW)[0].encode()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "handbook" / ".git").mkdir(parents=True)
    return tmp_path / "handbook"


def never(question: str) -> bool:
    raise AssertionError(question)


def test_a_skill_is_shown_and_asked_for(text: bytes, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_no_is_no(text: bytes, root: Path) -> None:
    with pytest.raises(CircuitError, match="Nothing was written"):
        unpack(text, "x", Unpack(root), NOW, Console(), lambda question: False)
    assert [path.name for path in root.iterdir()] == [".git"]


def test_what_is_there_already_is_not_asked_for(text: bytes, root: Path) -> None:
    assert unpack(text, "x", Unpack(root, yes=True), NOW, Console(), never) is Result.FINE
    assert unpack(text, "x", Unpack(root), NOW, Console(), never) is Result.FINE


def test_a_conflict_is_kept_and_said(text: bytes, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = write_skill(root, "a", b"mine\n")
    assert unpack(text, "x", Unpack(root, yes=True), NOW, Console(), never) is Result.WRONG
    assert mine.read_bytes() == b"mine\n"
    assert "was kept; --force overwrites it" in capsys.readouterr().err
    assert unpack(text, "x", Unpack(root, yes=True, overwrite=True), NOW, Console(), never) is Result.FINE
    assert mine.read_bytes() != b"mine\n"


def test_a_damaged_skill_is_left_out(text: bytes, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = text.replace(b"Deletes", b"Erases")
    assert unpack(broken, "x", Unpack(root, yes=True), NOW, Console(), never) is Result.WRONG
    assert not (root / ".claude").exists()
    assert "checksum does not fit" in capsys.readouterr().err


def test_what_cannot_ride_along_is_said(tmp_path: Path) -> None:
    text, lacks = bundle_text(workflow("zz"), tmp_path, NOW)
    assert api.bundle_format(text.encode()) is not None
    assert lacks == [".claude/skills/zz/SKILL.md does not exist, so it is not in the bundle"]


def test_a_bundle_needs_a_repository() -> None:
    with pytest.raises(UsageError):
        bundle_text(workflow("a"), Path("/"), NOW)
    with pytest.raises(UsageError, match="none is known"):
        bundle_text(workflow("a"), None, NOW)


def test_other_bytes_are_no_bundle() -> None:
    assert api.bundle_format(b"\xff\xfe{") is None
    assert api.bundle_format(b"<html>") is None


def test_the_time_is_one() -> None:
    assert len(now()) == len(NOW)
    assert now().endswith("Z")


def test_a_time_can_be_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert now() == "1970-01-01T00:00:00Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(UsageError, match="no time"):
        now()


def test_strict_writes_nothing_of_a_damaged_bundle(text: bytes, root: Path) -> None:
    with pytest.raises(CircuitError, match="Nothing was written"):
        unpack(text.replace(b"Deletes", b"Erases"), "x", Unpack(root, yes=True, strict=True), NOW, Console(), never)
    assert [path.name for path in root.iterdir()] == [".git"]


def test_the_same_bundle_again_changes_nothing(text: bytes, root: Path) -> None:
    for at in (NOW, "2027-01-01T00:00:00Z"):
        assert unpack(text, "x", Unpack(root, yes=True), at, Console(), never) is Result.FINE
    assert [path.name for path in (root / ".circuit/workflows").iterdir()] == ["w.json"]
    assert NOW in (root / ".circuit/workflows/w.json").read_text("utf-8")


def test_all_that_a_skill_says_of_itself_is_shown(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(f"key{number}: x\n" for number in range(30)) + "long: " + "x" * 5_000 + "\n"
    write_skill(tmp_path / "from", "a", f"---\n{lines}allowed-tools: Bash\n---\n".encode())
    bundle = bundle_text(workflow("a"), tmp_path / "from", NOW)[0].encode()
    unpack(bundle, "x", Unpack(root, yes=True), NOW, Console(), never)
    said = capsys.readouterr().err
    assert "    allowed-tools: Bash" in said
    assert "x… 5,006 characters" in said
