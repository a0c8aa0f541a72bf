"""The way to the protocol: tokens handed out by hand, and what everybody is told who has none."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.command import BOARD
from support.signing import BASE, HEADERS, Visitor, site

from circuit_export.server.auth.access import Access, Token
from circuit_export.server.listening import Listening
from circuit_export.store.base import Store, StoreError
from circuit_export.store.memory import MemoryStore

TOKENS = Access(
    tokens=(Token("red", "red-token"), Token("blue", "blue-token"), Token("red", "red too"), Token("n", "é="))
)
ORIGIN = "https://board.example"


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture
def visitor(store: Store) -> Iterator[Visitor]:
    with site(TOKENS, store=store, listening=Listening("127.0.0.1", 8787, origins=(ORIGIN,))) as visitor:
        yield visitor


def told(visitor: Visitor, token: str, tool: str, **arguments: Any) -> str:
    """What a tool answers to who has a token."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
    answer = visitor.http.post(
        f"{visitor.base}/mcp", json=message, headers={**HEADERS, "authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 200
    data = next(line for line in answer.text.splitlines() if line.startswith("data:"))
    return str(json.loads(data.removeprefix("data:"))["result"]["content"][0]["text"])


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_a_token_is_in_the_header_the_path_or_the_query(visitor: Visitor, path: str) -> None:
    assert visitor.call("red-token", path).status_code == 200
    assert visitor.call(path=f"/w/red-token{path}").status_code == 200
    assert visitor.call(path=f"{path}?token=red-token").status_code == 200
    assert visitor.call(path=f"/w/red%20too{path}").status_code == 200


@pytest.mark.parametrize(
    ("token", "path"),
    [
        ("", "/mcp"),
        ("red", "/mcp"),
        ("red-token ", "/mcp"),
        ("RED-TOKEN", "/mcp"),
        ("red-tokenred-token", "/mcp"),
        ("wrong", "/w/red-token/mcp"),
        ("wrong", "/mcp?token=red-token"),
        ("", "/w//mcp"),
        ("", "/w/red/mcp"),
        ("", "/mcp?token="),
        ("", "/mcp?token=red"),
    ],
)
def test_what_is_no_token(visitor: Visitor, token: str, path: str) -> None:
    headers = {"authorization": f"Bearer {token}"} if token else {}
    answer = visitor.call(path=path, **headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["error"] == "unauthorized"


def test_each_token_is_for_one_workspace(visitor: Visitor) -> None:
    design = {key: value for key, value in BOARD.items() if key != "circuit"}
    told(visitor, "red-token", "circuit_design", workflowId="mine", **design)
    assert "mine" in told(visitor, "red-token", "circuit_list")
    assert "mine" in told(visitor, "red too", "circuit_list")
    assert "mine" not in told(visitor, "blue-token", "circuit_list")
    for tool in ("circuit_open", "circuit_export", "circuit_run", "circuit_delete"):
        assert "No workflow “mine”" in told(visitor, "blue-token", tool, workflowId="mine")
    assert "mine" in told(visitor, "red-token", "circuit_list")


def test_a_page_that_may_ask_hears_why_it_was_refused(visitor: Visitor) -> None:
    answer = visitor.call(origin=ORIGIN)
    assert answer.status_code == 401
    assert answer.headers["access-control-allow-origin"] == ORIGIN
    assert "www-authenticate" in answer.headers["access-control-expose-headers"].lower()
    assert "access-control-allow-origin" not in visitor.call(origin="https://evil.example").headers


def test_a_stranger_is_told_where_to_sign_in() -> None:
    with site() as visitor:
        answer = visitor.call()
        challenge = answer.headers["www-authenticate"]
        assert challenge.startswith('Bearer realm="circuit", resource_metadata="')
        address = challenge.split('resource_metadata="')[1].split('"')[0]
        assert address == f"{BASE}/.well-known/oauth-protected-resource"
        said = visitor.http.get(address).json()
        assert (said["resource"], said["authorization_servers"]) == (f"{BASE}/mcp", [BASE])
        for path in ("/w/red-token/mcp", "/mcp?token=red-token"):
            assert visitor.call(path=path).status_code == 401


def test_what_it_says_of_signing_in_is_what_it_does() -> None:
    with site() as visitor:
        said = visitor.http.get(f"{visitor.base}/.well-known/oauth-authorization-server").json()
        assert said == visitor.http.get(f"{visitor.base}/.well-known/openid-configuration").json()
        for name in ("authorization", "token", "registration", "revocation"):
            path = said[f"{name}_endpoint"].removeprefix(BASE)
            assert path.startswith("/oauth/")
            assert visitor.http.put(visitor.base + path).status_code == 405
        assert said["issuer"] == BASE
        assert said["token_endpoint_auth_methods_supported"] == ["none"]
        assert said["code_challenge_methods_supported"] == ["S256"]
        assert said["grant_types_supported"] == ["authorization_code", "refresh_token"]


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example"},
        {"host": "127.0.0.1.evil.example:8787"},
        {
            "x-forwarded-host": "evil.example",
            "x-forwarded-proto": "https",
            "forwarded": "host=evil.example;proto=https",
        },
    ],
    ids=str,
)
def test_what_a_request_says_of_the_address_counts_for_nothing(headers: dict[str, str]) -> None:
    with site() as visitor:
        for path in ("/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource/mcp", "/"):
            answer = visitor.http.get(visitor.base + path, headers=headers)
            assert "evil" not in answer.text
            assert answer.status_code == (421 if "host" in headers else 200)
        assert "evil" not in visitor.call(**headers).headers.get("www-authenticate", "")
        assert visitor.http.get(f"{visitor.base}/health", headers=headers).status_code == 200


def test_any_page_may_ask_where_to_sign_in_but_not_for_the_page() -> None:
    with site() as visitor:
        asking = {"origin": "https://a.example", "access-control-request-method": "POST"}
        for path, origin in (
            ("/oauth/token", "*"),
            ("/oauth/register", "*"),
            ("/oauth/authorize", None),
            ("/mcp", None),
        ):
            answer = visitor.http.options(visitor.base + path, headers=asking)
            assert answer.headers.get("access-control-allow-origin") == origin, path


def test_what_may_be_done_is_said_to_who_asks_for_it() -> None:
    with site() as visitor:
        for path, method in (
            ("/oauth/token", "POST"),
            ("/health", "GET"),
            ("/.well-known/openid-configuration", "GET"),
        ):
            answer = visitor.http.options(visitor.base + path, headers={"origin": "https://a.example"})
            assert (answer.status_code, answer.headers["allow"]) == (204, f"{method}, OPTIONS")
            assert answer.headers["access-control-allow-origin"] == "*"


def test_what_is_said_of_signing_in_key_by_key() -> None:
    with site() as owners:
        for path in ("oauth-protected-resource", "oauth-protected-resource/mcp"):
            assert owners.http.get(f"{BASE}/.well-known/{path}").json() == {
                "resource": f"{BASE}/mcp",
                "authorization_servers": [BASE],
                "scopes_supported": ["circuit"],
                "bearer_methods_supported": ["header"],
                "resource_name": "Circuit",
                "resource_documentation": f"{BASE}/",
            }
        for path in ("oauth-authorization-server", "openid-configuration"):
            assert owners.http.get(f"{BASE}/.well-known/{path}").json() == {
                "issuer": BASE,
                "authorization_endpoint": f"{BASE}/oauth/authorize",
                "token_endpoint": f"{BASE}/oauth/token",
                "registration_endpoint": f"{BASE}/oauth/register",
                "revocation_endpoint": f"{BASE}/oauth/revoke",
                "scopes_supported": ["circuit"],
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "token_endpoint_auth_methods_supported": ["none"],
                "revocation_endpoint_auth_methods_supported": ["none"],
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": True,
                "service_documentation": f"{BASE}/",
            }


@pytest.mark.parametrize("access", [Access(), TOKENS], ids=["open", "tokens"])
def test_where_nobody_signs_in_there_is_nothing_of_it(access: Access) -> None:
    with site(access) as visitor:
        for path in ("/.well-known/oauth-protected-resource", "/.well-known/openid-configuration", "/oauth/authorize"):
            answer = visitor.http.get(f"{visitor.base}{path}")
            assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
        for path in ("/oauth/register", "/oauth/token", "/oauth/revoke"):
            answer = visitor.http.post(f"{visitor.base}{path}", json={})
            assert (answer.status_code, answer.json()["error"]) == (404, "not_found")


def test_health_says_how_one_comes_in(visitor: Visitor) -> None:
    assert visitor.http.get(f"{visitor.base}/health").json()["auth"] == "token"
    assert "Authorization: Bearer" in visitor.http.get(f"{visitor.base}/").text
    with site() as owners:
        assert owners.http.get(f"{visitor.base}/health").json()["auth"] == "oauth"
        assert "sign in" in owners.http.get(f"{visitor.base}/").text
    with site(Access()) as anybodys:
        assert anybodys.http.get(f"{visitor.base}/health").json()["auth"] == "open"
        assert "no sign-in" in anybodys.http.get(f"{visitor.base}/").text


def test_the_page_at_the_root_says_how_to_connect() -> None:
    with site(listening=Listening("0.0.0.0", 80, "https://circuit.example/")) as visitor:
        page = visitor.http.get("https://circuit.example/")
        assert "https://circuit.example/mcp" in page.text
        assert 'href="/health"' in page.text
        assert "<script" not in page.text
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


def test_health_says_what_keeps_the_boards_and_ready_whether_it_answers() -> None:
    with site(Access()) as visitor:
        assert visitor.http.get(f"{visitor.base}/health").json() == {
            "ok": True,
            "storage": "memory",
            "durable": False,
            "auth": "open",
            "warning": "Boards are kept in memory: they are gone when this server ends.",
            "integrations": "none: the connectors are the user's own",
        }
        ready = visitor.http.get(f"{visitor.base}/ready")
        assert (ready.status_code, ready.json()) == (200, {"ready": True, "storage": "memory"})
    with site(Access(), store=Broken()) as visitor:
        assert visitor.http.get(f"{visitor.base}/health").json()["ok"] is True
        ready = visitor.http.get(f"{visitor.base}/ready")
        assert (ready.status_code, ready.json()) == (503, {"ready": False, "storage": "memory"})


class Broken(MemoryStore):
    """A store that does not answer."""

    async def ping(self) -> None:
        raise StoreError("The database is gone", hint="secret place")

    async def get_grant(self, kind: str, key: str, *, now: str) -> Any:
        raise StoreError("The database is gone", hint="secret place")


def test_a_store_that_does_not_answer_is_no_reason_to_let_anybody_in() -> None:
    with site(store=Broken()) as visitor:
        for answer in (visitor.call("circuit_at_x"), visitor.refresh(visitor.client_id(), "circuit_rt_x")):
            assert (answer.status_code, answer.json()["error"]) == (503, "temporarily_unavailable")
            assert "secret" not in answer.text
