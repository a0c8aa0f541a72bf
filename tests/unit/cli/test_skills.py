"""`circuit skills`: the table, the JSON, what cannot be read, and the exit codes."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator
from support.skills import hostile_repository, write_skill

from circuit_export import resources
from circuit_export.cli.skills import command


def run(*args: object) -> Result:
    return CliRunner().invoke(command, [str(arg) for arg in args])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    write_skill(tmp_path, "draft", b'---\nname: draft\ndescription: Drafts.\nargument-hint: "<topic>"\n---\n')
    write_skill(tmp_path, "tidy", b"---\nname: a\x1b[31m\ndescription: Tidies\n  up.\n---\n", provider="codex")
    return tmp_path


def test_the_table(root: Path) -> None:
    ended = run(root)
    assert ended.exit_code == 0
    assert ended.stdout.splitlines() == [
        "Provider  Name    Input    File                           Description",
        "claude    draft   <topic>  .claude/skills/draft/SKILL.md  Drafts.",
        "codex     a�[31m           .codex/skills/tidy/SKILL.md    Tidies up.",
    ]


def test_the_json_is_what_the_schema_describes(root: Path) -> None:
    schema = json.loads((resources.folder("schemas") / "skills.schema.json").read_text("utf-8"))
    value = json.loads(run(root, "--format", "json").stdout)
    assert [skill["id"] for skill in value["skills"]] == ["claude:.claude/skills/draft", "codex:.codex/skills/tidy"]
    assert value["skills"][0]["inputHints"][0]["label"] == "topic"
    for skill in value["skills"]:
        Draft202012Validator({**schema, "$ref": "#/$defs/Skill"}).validate(skill)


def test_as_the_application_reads_them(root: Path) -> None:
    value = json.loads(run(root, "--compat", "--format", "json").stdout)
    assert value["skills"][1]["description"] == "Tidies"


def test_the_repository_around_this_folder(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = root / "docs" / "deep"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert "draft" in run().stdout


def test_what_cannot_be_read_is_said(tmp_path: Path) -> None:
    ended = run(hostile_repository(tmp_path))
    assert ended.exit_code == 1
    assert ".claude/skills/linked/SKILL.md leads out of the repository by a link" in ended.stderr
    assert "secret" not in ended.output


def test_nothing_there(tmp_path: Path) -> None:
    assert run(tmp_path).exit_code == 3


@pytest.mark.parametrize("root", ["/", "/nowhere/at/all"])
def test_a_root_that_is_none(root: str) -> None:
    ended = run(root)
    assert ended.exit_code == 2
    assert "The repository's folder" in ended.stderr
