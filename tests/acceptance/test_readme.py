"""The README tells the truth: its commands run, its help is the command's own."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from support.readme import README, python_blocks, shell_blocks, with_help

ROOT = README.parent
TEXT = README.read_text("utf-8")
# What installs the project from nothing is run, to the letter, by CI.
INSTALLING = [block for block in shell_blocks(TEXT) if "venv" in block]
RUNNABLE = [block for block in shell_blocks(TEXT) if "venv" not in block]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder with the examples and the themes, as in a copy of the repository."""
    for name in ("examples", "themes", "goldens"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "bin").mkdir()
    shim = tmp_path / "bin" / "circuit"
    shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m circuit_export "$@"\n')
    shim.chmod(0o755)
    return tmp_path


@pytest.mark.skipif(os.name != "posix", reason="the README's commands are a POSIX shell's")
def test_every_command_shown_runs_one_after_the_other(desk: Path) -> None:
    port = free_port()
    wait = f"for try in $(seq 100); do (: </dev/tcp/127.0.0.1/{port}) 2>/dev/null && break; sleep 0.1; done"
    script = "set -eu\ntrap 'kill $(jobs -p) 2>/dev/null || :' EXIT\n"
    for block in RUNNABLE:
        for line in block.splitlines():
            script += line.replace("8000", str(port)) + "\n" + (f"{wait}\n" if line.endswith("&") else "")
    environment = os.environ | {"PATH": f"{desk / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        ["bash", "-c", script], cwd=desk, env=environment, capture_output=True, text=True, timeout=300
    )
    assert ended.returncode == 0, ended.stderr
    for made in ("lead-intake.html", "site/index.html", "kept/lead-intake.html", "lead-intake.svg", "from-stdin.html"):
        assert (desk / made).stat().st_size > 1000
    for back in ("lead.json", "from-link.json"):
        assert (desk / back).read_bytes() == (desk / "examples" / "lead-intake.json").read_bytes()
    assert len(list((desk / "restored").iterdir())) == 2
    for back in ("essay.kdl", "reviewer.kdl"):
        assert (desk / "essay-again" / back).read_bytes() == (desk / "examples" / "programs" / back).read_bytes()
    assert '{"greeting":"Hello, Ada!"}' in ended.stdout
    assert (desk / "suggested.scenarios.json").is_file()
    assert json.loads((desk / "run.json").read_text("utf-8"))["status"] == "succeeded"


@pytest.mark.parametrize("block", python_blocks(TEXT))
def test_the_python_shown_runs(desk: Path, block: str) -> None:
    subprocess.run([sys.executable, "-c", block], cwd=desk, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True)


def test_ci_installs_exactly_as_the_readme_says() -> None:
    script = (ROOT / ".ci" / "run").read_text("utf-8")
    assert len(INSTALLING) == 2
    for block in INSTALLING:
        command = block.strip().replace("-o site", '-o "$scratch/site2"')
        assert command in script


def test_its_help_is_what_the_commands_say() -> None:
    assert with_help(TEXT) == TEXT, "run: python tests/support/readme.py"


def test_it_names_every_theme() -> None:
    from circuit_export.board.theme import theme_names

    assert all(f"`{name}`" in TEXT for name in theme_names())


def test_every_picture_it_shows_is_there_and_light() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert shown
    for path in shown:
        assert 10_000 < (ROOT / path).stat().st_size < 300_000, path


def test_its_table_of_settings_is_what_the_schema_says() -> None:
    schema = json.loads((ROOT / "schemas" / "config.schema.json").read_text("utf-8"))
    table = TEXT.split("| key | default | what it says |")[1].split("\n\n")[0]
    rows = dict(re.findall(r"^\| `([\w-]+)` \| (.*?) ?\|", table, re.MULTILINE))
    said = {
        key: f"`{json.dumps(value['default'])}`" if "default" in value else ""
        for key, value in schema["properties"].items()
    }
    assert rows == said


def test_it_names_every_reporter() -> None:
    from circuit_export.validation.reporters import REPORTERS

    sentence = next(line for line in TEXT.splitlines() if line.startswith("**Reports.**"))
    assert all(f"`{name}`" in sentence for name in REPORTERS)
