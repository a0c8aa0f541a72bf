"""Configuration: found upward, wrong keys and values are errors that say what is right."""

import json
from pathlib import Path

import pytest

from circuit_export import resources
from circuit_export.diagnostics import UsageError
from circuit_export.validation import config


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def test_it_is_found_upward_from_a_file(tmp_path: Path) -> None:
    write(tmp_path / "circuit.toml", 'tools = "tools.json"\n[per-file-ignores]\n"old/*" = ["C5"]\n')
    board = write(tmp_path / "a" / "b" / "x.json", "{}")
    found = config.find(board)
    assert found.root == tmp_path
    assert found.tools == "tools.json"
    assert found.per_file_ignores == {"old/*": ("C5",)}


def test_a_pyproject_counts_when_it_has_settings(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.circuit]\nfail-on = "error"\n')
    write(tmp_path / "a" / "pyproject.toml", "[project]\nname = 'x'\n")
    assert config.find(tmp_path / "a").fail_on == "error"


def test_without_any_the_folder_is_the_root(tmp_path: Path) -> None:
    found = config.find(tmp_path)
    assert (found.root, found.file, found.fail_on) == (tmp_path, None, "warning")


def test_an_unknown_key_lists_the_right_ones(tmp_path: Path) -> None:
    file = write(tmp_path / "circuit.toml", 'theme = "paper"\nfail_on = "error"\n')
    with pytest.raises(UsageError) as raised:
        config.read(file)
    assert raised.value.position is not None
    assert raised.value.position.line == 2
    assert "per-file-ignores" in raised.value.expected
    assert raised.value.hint == "did you mean “fail-on”?"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('fail-on = "sometimes"', "error, warning, note or never"),
        ("exclude = 'x'", "a list of texts"),
        ("fail-under = 101", "a number from 0 to 100"),
        ("max-directives = 0", "a whole number above 0"),
        ("require-scenarios = 1", "true or false"),
        ("workflows = []", "a table of texts"),
    ],
)
def test_a_wrong_value_says_what_is_expected(tmp_path: Path, text: str, expected: str) -> None:
    with pytest.raises(UsageError) as raised:
        config.read(write(tmp_path / "circuit.toml", text))
    assert raised.value.expected == expected


def test_what_is_not_toml_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not TOML"):
        config.read(write(tmp_path / "circuit.toml", "a = "))


def test_the_schema_describes_every_key() -> None:
    schema = json.loads((resources.folder("schemas") / "config.schema.json").read_text("utf-8"))
    assert list(schema["properties"]) == list(config.KEYS)
    assert schema["properties"]["fail-on"]["enum"] == list(config.FAIL_ON)


@pytest.mark.parametrize(
    "text",
    [
        'tools = "../tools.json"',
        'goldens = "a/../../x"',
        'goldens = "/tmp"',
        'paths = ["boards/*", "/etc/*"]',
        'paths = ["..\\\\*"]',
        'workflows = {lead = "C:/lead.json"}',
    ],
)
def test_no_setting_leads_out_of_the_project(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="leads out of the project"):
        config.read(write(tmp_path / "circuit.toml", text))


def test_a_setting_may_go_down_and_up_again(tmp_path: Path) -> None:
    assert config.read(write(tmp_path / "circuit.toml", 'goldens = "./a/../b"')).goldens == "./a/../b"


def test_settings_that_are_no_table_are_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no table"):
        config.read(write(tmp_path / "pyproject.toml", "[tool]\ncircuit = 1\n"))
