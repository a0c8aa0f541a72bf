"""`circuit serve --http` with an owner key: real clients sign in, over real HTTP, and strangers do not."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import httpx2
import pytest
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl
from support.command import Circuit
from support.hosting import Server, serving
from support.postgres import Cluster
from support.serving import Session
from support.signing import BACK, KEY, Proof, Visitor, hidden

from circuit_export.server.desk import Desk
from circuit_export.store.memory import MemoryStore

OWNED = {"CIRCUIT_OWNER_KEY": KEY}
PUBLIC = "https://circuit.example"


class Person:
    """Somebody with a client, who agrees to what it asks with a key. Keeps what the client keeps."""

    def __init__(self, key: str = KEY) -> None:
        self.key = key
        self.asked = 0
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None
        self.auth: OAuthClientProvider | None = None
        self._returned: dict[str, str] = {}

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info

    async def agree(self, url: str) -> None:
        """Opens the page, types the key, and is sent back."""
        self.asked += 1
        async with httpx2.AsyncClient() as browser:
            page = await browser.get(url)
            fields = {**hidden(page), "owner_key": self.key}
            answer = await browser.post(url.partition("?")[0], data=fields)
        assert answer.status_code == 302, answer.text
        self._returned = dict(parse_qsl(urlsplit(answer.headers["location"]).query))

    async def come_back(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**self._returned)

    @contextlib.asynccontextmanager
    async def connected(self, url: str) -> AsyncIterator[Session]:
        """A client that signs in when it has to."""
        about = OAuthClientMetadata(client_name="A client", redirect_uris=[AnyUrl(BACK)])
        self.auth = OAuthClientProvider(url, about, self, self.agree, self.come_back)
        async with (
            httpx2.AsyncClient(auth=self.auth, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            yield Session(client, Desk(MemoryStore(), "unused"), [])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("owned")
    with serving(place, "--store", str(place / "boards.db"), environment=OWNED) as running:
        yield running


def test_a_client_finds_its_way_signs_in_refreshes_and_is_put_out(server: Server) -> None:
    person = Person()

    async def script() -> None:
        async with person.connected(server.url) as session:
            board = await session.design(workflowId="signed-in")
            assert person.tokens is not None
            assert person.auth is not None
            first = person.tokens
            # Its hour is over, as far as it knows: it refreshes by itself.
            person.auth.context.token_expiry_time = 1
            assert board in (await session.good("list")).text
            assert first.refresh_token != person.tokens.refresh_token
        # What it has kept is enough the next time.
        async with person.connected(server.url) as session:
            assert board in (await session.good("list")).text
        assert person.asked == 1
        # Revoked: somebody has to agree anew.
        with httpx2.Client() as http:
            assert Visitor(http, server.base).revoke(token=person.tokens.access_token).status_code == 200
        async with person.connected(server.url) as session:
            assert board in (await session.good("list")).text
        assert person.asked == 2

    asyncio.run(script())


def test_nobody_gets_in_with_another_key(server: Server) -> None:
    async def script() -> None:
        async with Person("a guess").connected(server.url):
            raise AssertionError("it let somebody in")

    with pytest.raises(BaseException) as caught:
        asyncio.run(script())
    assert "does not match" in flat(caught.value)


def flat(error: BaseException) -> str:
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return str(error) + "".join(map(flat, inner))


def test_no_secret_is_in_the_log(tmp_path: Path) -> None:
    with serving(tmp_path, "--store", "memory", environment=OWNED) as running, httpx2.Client() as http:
        visitor = Visitor(http, running.base)
        client, proof = visitor.client_id(client_name="a secret client"), Proof.new()
        code = visitor.code(client, proof, state="a secret state")
        tokens = visitor.exchange(client, proof, code).json()
        assert visitor.call(tokens["access_token"]).status_code == 200
        visitor.exchange(client, proof, code)
        visitor.refresh(client, tokens["refresh_token"])
        visitor.send(visitor.ask(client, proof), "a secret guess")
        visitor.revoke(token=tokens["access_token"])
        for path in (f"/w/{tokens['access_token']}/mcp", f"/mcp?token={code}", f"/{KEY}", f"/w/{code}"):
            http.post(running.base + path)
        text = running.log.read_text()
    for secret in (tokens["access_token"], tokens["refresh_token"], code, KEY, proof.verifier, client, "secret"):
        assert str(secret) not in text, secret
    lines = [json.loads(line) for line in text.splitlines()]
    paths = {line["path"] for line in lines if "path" in line}
    assert {"/oauth/register", "/oauth/authorize", "/oauth/token", "/oauth/revoke", "/mcp", "/", "elsewhere"} == paths
    assert lines[0]["auth"] == "oauth"


def test_who_signed_in_is_known_after_a_restart(tmp_path: Path) -> None:
    store = str(tmp_path / "boards.db")
    args = ("--store", store, "--public-url", PUBLIC)
    with httpx2.Client(headers={"host": "circuit.example"}) as http:
        with serving(tmp_path, *args, environment=OWNED) as running:
            first = Visitor(http, running.base, f"{PUBLIC}/mcp")
            client = first.client_id()
            tokens = first.sign_in(client)
        with serving(tmp_path, *args, environment=OWNED) as running:
            second = Visitor(http, running.base, f"{PUBLIC}/mcp")
            assert second.call(tokens["access_token"]).status_code == 200
            assert second.refresh(client, tokens["refresh_token"]).status_code == 200
        with serving(tmp_path, *args, environment={"CIRCUIT_OWNER_KEY": "the key was changed"}) as running:
            third = Visitor(http, running.base, f"{PUBLIC}/mcp")
            assert third.call(tokens["access_token"]).status_code == 401


def as_one(servers: list[Server]) -> None:
    """Servers that share a store: what one hands out another takes, and takes once."""
    with httpx2.Client(headers={"host": "circuit.example"}) as http:
        visitors = [Visitor(http, running.base, f"{PUBLIC}/mcp") for running in servers]
        first, last = visitors[0], visitors[-1]
        client = first.client_id()
        tokens = last.sign_in(client)
        assert all(visitor.call(tokens["access_token"]).status_code == 200 for visitor in visitors)

        def refresh(number: int) -> httpx2.Response:
            return visitors[number % len(visitors)].refresh(client, tokens["refresh_token"])

        with ThreadPoolExecutor(8) as racers:
            answers = list(racers.map(refresh, range(8)))
        assert [answer.status_code for answer in answers].count(200) <= 1
        # Two had the token: whoever has won keeps nothing.
        given = [tokens, *(answer.json() for answer in answers if answer.status_code == 200)]
        for visitor in visitors:
            for pair in given:
                assert visitor.call(pair["access_token"]).status_code == 401
                assert visitor.refresh(client, pair["refresh_token"]).status_code == 400
        proof = Proof.new()
        code = first.code(client, proof)
        pair = first.exchange(client, proof, code).json()
        assert "exchanged already" in last.exchange(client, proof, code).text
        assert first.call(pair["access_token"]).status_code == 401


def test_two_servers_on_one_file_sign_in_as_one(tmp_path: Path) -> None:
    args = ("--store", str(tmp_path / "boards.db"), "--public-url", PUBLIC)
    with (
        serving(tmp_path, *args, environment=OWNED) as one,
        serving(tmp_path, *args, name="log2", environment=OWNED) as two,
    ):
        as_one([one, two])


@pytest.mark.postgres
def test_four_servers_on_one_database_sign_in_as_one(tmp_path: Path, postgres: Cluster) -> None:
    args = ("--store", postgres.database(), "--public-url", PUBLIC)
    with contextlib.ExitStack() as stack:
        as_one([stack.enter_context(serving(tmp_path, *args, name=f"log{n}", environment=OWNED)) for n in range(4)])


def test_the_owners_boards_are_the_workspaces_own(tmp_path: Path, circuit: Circuit, board_file: Path) -> None:
    store = str(tmp_path / "boards.db")
    for workspace in ("owner", "team", "local"):
        assert circuit("push", board_file, "--store", store, "--workspace", workspace).code == 0

    def seen(environment: dict[str, str], *args: str) -> list[str]:
        with serving(tmp_path, "--store", store, *args, environment=environment) as running:
            person = Person()

            async def script() -> None:
                async with person.connected(running.url) as session:
                    await session.good("delete", workflowId="board")

            asyncio.run(script())
        return [name for name in ("owner", "team", "local") if _has(circuit, store, name)]

    assert seen(OWNED) == ["team", "local"]
    assert seen({**OWNED, "CIRCUIT_WORKSPACE": "team"}) == ["local"]
    assert seen(OWNED, "--workspace", "local") == []


def _has(circuit: Circuit, store: str, workspace: str) -> bool:
    return circuit("open", "board", "--store", store, "--workspace", workspace).code == 0


def test_tokens_open_their_workspaces(tmp_path: Path, circuit: Circuit, board_file: Path) -> None:
    store = str(tmp_path / "boards.db")
    assert circuit("push", board_file, "--store", store, "--workspace", "red").code == 0
    environment = {"CIRCUIT_TOKENS": "red=red-token,blue=blue-token"}

    async def listed(url: str, token: str) -> str:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=60) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            said: Any = (await client.call_tool("circuit_list", {})).content[0]
            return str(said.text)

    with serving(tmp_path, "--store", store, environment=environment) as running:
        assert asyncio.run(listed(running.url, "red-token")).startswith("board")
        assert asyncio.run(listed(running.url, "blue-token")).startswith("There are no workflows")
        assert asyncio.run(listed(f"{running.base}/w/red-token/mcp", "")).startswith("board")
        assert asyncio.run(listed(f"{running.url}?token=red-token", "")).startswith("board")
        assert running.post([]).status_code == 401
        assert "red-token" not in running.log.read_text()


@pytest.mark.parametrize(
    ("args", "environment", "said"),
    [
        (["--host", "0.0.0.0"], {}, "CIRCUIT_OWNER_KEY"),
        (["--host", "0.0.0.0"], OWNED, "--public-url"),
        (["--host", "0.0.0.0"], {**OWNED, "PUBLIC_BASE_URL": "http://circuit.example"}, "in the clear"),
        (["--open"], OWNED, "It cannot be open and ask for a sign-in"),
        (["--workspace", "x"], {"CIRCUIT_TOKENS": "a=b"}, "a workspace of its own"),
        ([], {"CIRCUIT_TOKENS": "s3cret"}, "CIRCUIT_TOKENS cannot be read"),
        ([], {"PUBLIC_BASE_URL": "circuit.example"}, "no address of a web server"),
    ],
)
def test_what_it_does_not_start_with(circuit: Circuit, args: list[str], environment: dict[str, str], said: str) -> None:
    ended = circuit("serve", "--store", "memory", "--http", *args, env=environment)
    assert ended.code == 2
    assert said in ended.err
    assert "s3cret" not in ended.err
    assert KEY not in ended.err


def test_over_stdio_nobody_signs_in(circuit: Circuit) -> None:
    assert circuit("serve", "--store", "memory", env={**OWNED, "CIRCUIT_TOKENS": "no token"}).code == 0


# --- what to paste into a client


@pytest.mark.parametrize(
    ("client", "key", "server"),
    [
        ("claude-desktop", "mcpServers", {"command": "circuit", "args": ["serve"]}),
        ("claude-code", "mcpServers", {"type": "stdio", "command": "circuit", "args": ["serve"]}),
        ("cursor", "mcpServers", {"command": "circuit", "args": ["serve"]}),
        ("vscode", "servers", {"type": "stdio", "command": "circuit", "args": ["serve"]}),
        ("windsurf", "mcpServers", {"command": "circuit", "args": ["serve"]}),
        ("zed", "context_servers", {"command": "circuit", "args": ["serve"]}),
    ],
)
def test_each_client_takes_its_own_settings(circuit: Circuit, client: str, key: str, server: dict[str, Any]) -> None:
    ended = circuit("serve", "--print-config", client)
    assert ended.code == 0
    assert json.loads(ended.text) == {key: {"circuit": server}}
    assert "paste it into" in ended.err


@pytest.mark.parametrize(
    ("client", "key", "server"),
    [
        ("claude-code", "mcpServers", {"type": "http", "url": f"{PUBLIC}/mcp"}),
        ("cursor", "mcpServers", {"url": f"{PUBLIC}/mcp"}),
        ("vscode", "servers", {"type": "http", "url": f"{PUBLIC}/mcp"}),
        ("windsurf", "mcpServers", {"serverUrl": f"{PUBLIC}/mcp"}),
        ("zed", "context_servers", {"url": f"{PUBLIC}/mcp"}),
    ],
)
def test_and_those_that_find_it_over_http(circuit: Circuit, client: str, key: str, server: dict[str, Any]) -> None:
    ended = circuit("serve", "--http", "--print-config", client, env={"PUBLIC_BASE_URL": f"{PUBLIC}/"})
    assert json.loads(ended.text) == {key: {"circuit": server}}
    ended = circuit(
        "serve", "--http", "--print-config", client, env={"PUBLIC_BASE_URL": PUBLIC, "CIRCUIT_TOKENS": "a=b"}
    )
    headers = {"Authorization": "Bearer YOUR-TOKEN"}
    assert json.loads(ended.text) == {key: {"circuit": {**server, "headers": headers}}}


def test_a_client_that_takes_an_address_alone(circuit: Circuit) -> None:
    ended = circuit("serve", "--print-config", "claude-desktop", "--http", "--public-url", PUBLIC)
    assert ended.text == f"{PUBLIC}/mcp\n"
    assert "Connectors" in ended.err


def test_an_address_that_is_none_is_not_printed(circuit: Circuit) -> None:
    ended = circuit("serve", "--http", "--print-config", "--public-url", "circuit.example")
    assert (ended.code, ended.text) == (2, "")
    assert "no address of a web server" in ended.err


def test_a_client_that_nobody_knows(circuit: Circuit) -> None:
    ended = circuit("serve", "--print-config", "notepad")
    assert ended.code == 2
    assert "claude-desktop" in ended.err
