"""What the README says of serving is what the commands say, and the image it describes would start and be well."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.command import Circuit
from support.hosting import serving
from support.readme import README

from circuit_export.cli.client_settings import ANY, CLIENTS

TEXT = README.read_text("utf-8")
CHAPTER = TEXT.split("## With an assistant")[1].split("\n## ")[0]
(IMAGE,) = re.findall(r"```dockerfile\n(.*?)```", CHAPTER, re.DOTALL)
LINES = [line.partition(" ")[::2] for line in IMAGE.splitlines()]


def test_it_has_every_client_and_where_its_settings_are() -> None:
    rows = re.findall(r"^\| ([^|]+) \| `([a-z][a-z-]+)` \| ([^|]+) \|$", CHAPTER, re.MULTILINE)
    said = {name: (title, place.replace("`", "")) for title, name, place in rows}
    assert said == {name: (kind.title, kind.place) for name, kind in CLIENTS.items() if name != ANY}


def test_what_is_to_be_pasted_is_what_the_command_prints(circuit: Circuit) -> None:
    (shown,) = re.findall(r"```json\n(.*?)```", CHAPTER, re.DOTALL)
    assert circuit("serve", "--print-config", "claude-desktop").text == shown
    assert json.loads(shown)


def test_the_image_starts_and_is_well(tmp_path: Path) -> None:
    settings = dict(LINES)
    start = json.loads(settings["ENTRYPOINT"])
    assert start == ["circuit", "serve", "--http", "--host", "0.0.0.0"]
    program, *rest = json.loads(settings["HEALTHCHECK"].removeprefix("CMD "))
    store = tmp_path / Path(settings["ENV"].removeprefix("CIRCUIT_STORE=")).name
    assert settings["ENV"].startswith(f"CIRCUIT_STORE={settings['VOLUME']}/")
    with serving(tmp_path, environment={"CIRCUIT_STORE": str(store), "CIRCUIT_OWNER_KEY": "k" * 20}) as running:
        port = running.base.rpartition(":")[2]
        assert program == "python"
        probe = [sys.executable, *(part.replace(settings["EXPOSE"], port) for part in rest)]
        assert subprocess.run(probe, timeout=60).returncode == 0
        assert store.exists()
    assert subprocess.run(probe, stderr=subprocess.DEVNULL, timeout=60).returncode != 0


def test_the_image_runs_as_nobody_in_particular() -> None:
    words = [word for word, _ in LINES]
    assert words.index("USER") < words.index("ENTRYPOINT")
    assert f"useradd --system --create-home --home-dir {dict(LINES)['VOLUME']} {dict(LINES)['USER']}" in IMAGE
    assert all(word.isupper() for word in words)


@pytest.mark.parametrize("path", ["/mcp", "/oauth/revoke", "/health", "/ready"])
def test_the_addresses_it_names_are_there(path: str) -> None:
    assert path in CHAPTER
