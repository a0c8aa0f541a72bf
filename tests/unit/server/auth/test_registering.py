"""Clients register; nothing of it is kept, and nothing of it is believed."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.signing import BACK, KEY, Proof, Visitor, returned, site

from circuit_export.server.auth.access import Access
from circuit_export.server.auth.clients import shown_name


@pytest.fixture
def visitor() -> Iterator[Visitor]:
    with site() as visitor:
        yield visitor


def test_a_client_gets_an_id_and_is_told_how_it_is_treated(visitor: Visitor) -> None:
    asked = {"client_name": "A client", "grant_types": ["client_credentials"], "scope": "admin", "logo_uri": "x"}
    answer = visitor.register(BACK, **asked, token_endpoint_auth_method="client_secret_post")
    assert answer.status_code == 201
    assert answer.headers["cache-control"] == "no-store"
    said = answer.json()
    assert said.pop("client_id").startswith("cid_")
    assert said.pop("client_id_issued_at") > 0
    assert said == {
        "redirect_uris": [BACK],
        "client_name": "A client",
        "token_endpoint_auth_method": "none",
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "scope": "circuit",
        "application_type": "native",
    }


def test_its_name_is_a_short_line(visitor: Visitor) -> None:
    def name(given: Any) -> Any:
        return visitor.register(client_name=given).json()["client_name"]

    assert name(None) == name("") == name("\u202e\n") == "MCP client"
    assert name("a\r\nset-cookie: x\u202egnp.exe\0") == "a set-cookie: x gnp.exe"
    assert name("n" * 81) == "n" * 80
    assert shown_name("  Ada’s\u00a0client 🙂 ") == "Ada’s client 🙂"


@pytest.mark.parametrize(
    ("body", "status", "error"),
    [
        (b"", 400, "invalid_client_metadata"),
        (b"{", 400, "invalid_client_metadata"),
        (b"[]", 400, "invalid_client_metadata"),
        (b"\xff", 400, "invalid_client_metadata"),
        (b"[" * 10_000, 400, "invalid_client_metadata"),
        (b"{}", 400, "invalid_redirect_uri"),
        (b'{"redirect_uris": []}', 400, "invalid_redirect_uri"),
        (b'{"redirect_uris": "https://a.example/"}', 400, "invalid_redirect_uri"),
        (b'{"redirect_uris": ["https://a.example/", "javascript:alert(1)"]}', 400, "invalid_redirect_uri"),
        (b'{"redirect_uris": ["http://a.example/"]}', 400, "invalid_redirect_uri"),
        (
            json.dumps({"redirect_uris": [f"https://a.example/{n}" for n in range(11)]}).encode(),
            400,
            "invalid_redirect_uri",
        ),
        (b'{"redirect_uris": ["https://a.example/"], "client_name": 7}', 400, "invalid_client_metadata"),
        (b'{"x": "' + b" " * 16 * 1024 + b'"}', 413, "invalid_request"),
    ],
    ids=lambda value: value[:40] if isinstance(value, bytes) else None,
)
def test_what_is_no_registration(visitor: Visitor, body: bytes, status: int, error: str) -> None:
    answer = visitor.http.post(f"{visitor.base}/oauth/register", content=body)
    assert (answer.status_code, answer.json()["error"]) == (status, error)
    assert answer.json()["error_description"]


def test_the_largest_registration_is_short_enough_for_an_address(visitor: Visitor) -> None:
    uris = [f"https://a.example/{number}" + "x" * 370 for number in range(10)]
    client = visitor.client_id(*uris, client_name="é" * 80)
    assert len(client) < 8_000
    assert visitor.ask(client, Proof.new(), redirect_uri=uris[9]).status_code == 200


def test_an_id_of_another_secret_or_changed_is_nobodys(visitor: Visitor) -> None:
    client = visitor.client_id()
    with site(Access(owner_key="another owner key")) as other:
        assert other.ask(client, Proof.new()).status_code == 400
        assert other.exchange(client, Proof.new(), "x").json()["error"] == "invalid_client"
    with site(Access(owner_key=KEY, secret="a secret of its own")) as other:
        assert other.ask(client, Proof.new()).status_code == 400
    body, mark = client.split(".")
    for changed in (
        f"{body}.",
        body,
        f"{body}.{mark}=",
        f"{body}=.{mark}",
        f"{body}A.{mark}",
        f"{client}.x",
        client[4:],
        "",
    ):
        assert visitor.ask(changed, Proof.new()).status_code == 400, changed


def test_the_same_secret_knows_a_client_after_a_restart(visitor: Visitor) -> None:
    client = visitor.client_id()
    with site() as later:
        assert returned(later.send(later.ask(client, Proof.new())))["code"]


def test_the_addresses_of_a_client_with_three(visitor: Visitor) -> None:
    uris = ["cursor://anysphere.cursor-mcp/oauth/callback", "https://www.cursor.com/agents/mcp/oauth/callback", BACK]
    client = visitor.client_id(*uris)
    for uri in uris:
        said = returned(visitor.send(visitor.ask(client, Proof.new(), redirect_uri=uri)), uri)
        assert said["iss"] == visitor.base
