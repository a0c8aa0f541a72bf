"""Real clients, other people's work, do with the server whatever it is for: over stdio and HTTP, in each protocol."""

import asyncio
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from support.listening import listening
from support.node import Node
from support.tour import whole_tour

ERAS = ("2025-06-18", "2025-11-25", "2026-07-28")
SERVE = ("serve", "--store")
KEY = "the key of these tests"


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    place = tmp_path_factory.mktemp("served")
    with listening(place, "circuit_export", *SERVE, str(place / "boards.db"), "--http", "--port=0") as url:
        yield url


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that asks for a key."""
    place, env = tmp_path_factory.mktemp("guarded"), {"CIRCUIT_OWNER_KEY": KEY}
    with listening(place, "circuit_export", *SERVE, "memory", "--http", "--port=0", env=env) as url:
        yield url


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """What a client starts to talk to over stdio."""
    return [sys.executable, "-m", "circuit_export", *SERVE, str(tmp_path / "boards.db")]


def tour(server: str | StdioServerParameters, era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    modern = era == "2026-07-28"
    if not modern:  # what the SDK's client offers is fixed; a client of another year offers another
        monkeypatch.setattr("mcp.client.session.LATEST_HANDSHAKE_VERSION", era)

    async def talked() -> None:
        async with Client(server, mode="auto" if modern else "legacy") as client:
            await whole_tour(client, era)

    asyncio.run(talked())


@pytest.mark.parametrize("era", ERAS)
def test_the_python_client_over_stdio(command: list[str], era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tour(StdioServerParameters(command=command[0], args=command[1:]), era, monkeypatch)


@pytest.mark.parametrize("era", ERAS)
def test_the_python_client_over_http(url: str, era: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tour(url, era, monkeypatch)


CLIENTS = (("1", "2025-11-25"), ("2", "2025-06-18"), ("2", "2026-07-28"))
"""The TypeScript SDK's clients, by the generation of their package, and what each speaks."""


@pytest.mark.parametrize(("generation", "era"), CLIENTS)
def test_the_typescript_client_over_stdio(node: Node, command: list[str], generation: str, era: str) -> None:
    ended = node.run("tour.js", generation, era, *command)
    assert ended.code == 0, ended.text


@pytest.mark.parametrize(("generation", "era"), CLIENTS)
def test_the_typescript_client_over_http(node: Node, url: str, generation: str, era: str) -> None:
    ended = node.run("tour.js", generation, era, url)
    assert ended.code == 0, ended.text


@pytest.mark.parametrize("generation", ["1", "2"])
def test_the_typescript_client_signs_in_and_renews_its_access(node: Node, guarded: str, generation: str) -> None:
    ended = node.run("signin.js", generation, guarded, KEY)
    assert ended.code == 0, ended.text
