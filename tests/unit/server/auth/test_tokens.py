"""What is handed out for a consent: once, to one client, for one server, until it expires or is revoked."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from support.signing import BACK, BASE, KEY, Clock, Proof, Visitor, site

from circuit_export.server.auth.access import Access
from circuit_export.server.listening import Listening
from circuit_export.store.base import Store
from circuit_export.store.memory import MemoryStore


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store() -> Store:
    return MemoryStore()


@pytest.fixture
def visitor(clock: Clock, store: Store) -> Iterator[Visitor]:
    with site(clock=clock, store=store) as visitor:
        yield visitor


@pytest.fixture
def client(visitor: Visitor) -> str:
    return visitor.client_id()


def refused(answer: Any, error: str = "invalid_grant", status: int = 400) -> str:
    assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
    assert answer.headers["cache-control"] == "no-store"
    return str(answer.json()["error_description"])


# --- codes


def test_a_code_is_exchanged_for_a_pair(visitor: Visitor, client: str) -> None:
    proof = Proof.new()
    answer = visitor.exchange(client, proof, visitor.code(client, proof))
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    said = answer.json()
    assert (said["token_type"], said["expires_in"], said["scope"]) == ("Bearer", 3600, "circuit")
    assert visitor.call(said["access_token"]).status_code == 200


def test_a_form_or_json_is_read_and_nothing_else(visitor: Visitor, client: str) -> None:
    proof = Proof.new()
    fields = {"grant_type": "authorization_code", "client_id": client, "redirect_uri": BACK}
    fields |= {"code": visitor.code(client, proof), "code_verifier": proof.verifier}
    address = f"{visitor.base}/oauth/token"
    refused(visitor.http.post(address, files={"x": b"y"}, data=fields), "invalid_request")
    refused(visitor.http.post(address, content=b"[1]", headers={"content-type": "application/json"}), "invalid_request")
    refused(visitor.http.post(address, content=b"\xff\xfe"), "invalid_request")
    assert visitor.http.post(address, json=fields).status_code == 200


def test_a_wrong_verifier_does_not_spend_the_code(visitor: Visitor, client: str) -> None:
    proof = Proof.new()
    code = visitor.code(client, proof)
    for wrong in (Proof.new().verifier, proof.challenge, proof.verifier + "x"):
        assert "code_verifier" in refused(visitor.exchange(client, proof, code, code_verifier=wrong))
    refused(visitor.exchange(client, proof, code, code_verifier=""), "invalid_request")
    assert visitor.exchange(client, proof, code).status_code == 200


def test_a_code_is_for_the_client_that_asked(visitor: Visitor, client: str) -> None:
    proof = Proof.new()
    code = visitor.code(client, proof)
    refused(visitor.exchange(visitor.client_id(client_name="Another"), proof, code))
    refused(visitor.exchange("cid_x.y", proof, code), "invalid_client", 401)
    refused(visitor.exchange("", proof, code), "invalid_client", 401)
    assert visitor.exchange(client, proof, code).status_code == 200


def test_a_code_is_for_the_address_it_was_sent_to(visitor: Visitor) -> None:
    client, proof = visitor.client_id(BACK, "https://a.example/"), Proof.new()
    code = visitor.code(client, proof)
    for other in ("https://a.example/", BACK + "/", BACK.replace("5555", "6666"), "x", ""):
        assert "redirect_uri" in refused(visitor.exchange(client, proof, code, redirect_uri=other))
    assert visitor.exchange(client, proof, code).status_code == 200


def test_a_code_lasts_a_minute(visitor: Visitor, client: str, clock: Clock) -> None:
    proof = Proof.new()
    code = visitor.code(client, proof)
    clock.ahead = timedelta(seconds=61)
    refused(visitor.exchange(client, proof, code))


def test_a_code_that_comes_twice_takes_all_back(visitor: Visitor, client: str) -> None:
    proof = Proof.new()
    code = visitor.code(client, proof)
    tokens = visitor.exchange(client, proof, code).json()
    # A thief without the verifier learns nothing, and takes nothing from anybody.
    assert "code_verifier" in refused(visitor.exchange(client, proof, code, code_verifier="stolen" * 8))
    assert visitor.call(tokens["access_token"]).status_code == 200
    assert "exchanged already" in refused(visitor.exchange(client, proof, code))
    assert visitor.call(tokens["access_token"]).status_code == 401
    refused(visitor.refresh(client, tokens["refresh_token"]))


@pytest.mark.parametrize(
    "grant", ["password", "client_credentials", "implicit", "", "urn:ietf:params:oauth:grant-type:jwt-bearer"]
)
def test_there_are_two_kinds_of_grant(visitor: Visitor, client: str, grant: str) -> None:
    refused(visitor.refresh(client, "x", grant_type=grant), "unsupported_grant_type")


# --- refresh tokens


def test_a_refresh_token_gives_a_new_pair(visitor: Visitor, client: str) -> None:
    first = visitor.sign_in(client)
    second = visitor.refresh(client, first["refresh_token"]).json()
    assert first["refresh_token"] != second["refresh_token"]
    for tokens in (first, second):
        assert visitor.call(tokens["access_token"]).status_code == 200
    assert visitor.refresh(client, second["refresh_token"], scope="circuit other").status_code == 200


def test_a_refresh_token_that_comes_twice_takes_all_back(visitor: Visitor, client: str) -> None:
    first, other = visitor.sign_in(client), visitor.sign_in(client)
    second = visitor.refresh(client, first["refresh_token"]).json()
    assert "used already" in refused(visitor.refresh(client, first["refresh_token"]))
    for tokens in (first, second):
        assert visitor.call(tokens["access_token"]).status_code == 401
        refused(visitor.refresh(client, tokens["refresh_token"]))
    assert visitor.call(other["access_token"]).status_code == 200  # of another consent


def test_a_refresh_token_is_its_clients(visitor: Visitor, client: str) -> None:
    token = visitor.sign_in(client)["refresh_token"]
    refused(visitor.refresh(visitor.client_id(client_name="Another"), token))
    assert visitor.refresh("", token).status_code == 200  # it need not say again who it is
    refused(visitor.refresh("", "circuit_rt_nobody"))


def test_a_refresh_token_lasts_thirty_days(visitor: Visitor, client: str, clock: Clock) -> None:
    first = visitor.sign_in(client)
    clock.ahead = timedelta(days=29)
    second = visitor.refresh(client, first["refresh_token"]).json()
    clock.ahead = timedelta(days=58)
    third = visitor.refresh(client, second["refresh_token"]).json()
    clock.ahead = timedelta(days=89)
    refused(visitor.refresh(client, third["refresh_token"]))


def test_one_thing_is_not_another(visitor: Visitor, client: str) -> None:
    proof = Proof.new()
    code = visitor.code(client, proof)
    tokens = visitor.sign_in(client)
    for token in (code, tokens["refresh_token"], client, KEY):
        assert visitor.call(token).status_code == 401
    for token in (code, tokens["access_token"], client):
        refused(visitor.refresh(client, token))
    for token in (*tokens.values(), client):
        refused(visitor.exchange(client, proof, str(token)))


# --- access tokens


def test_an_access_token_lasts_an_hour(visitor: Visitor, client: str, clock: Clock) -> None:
    token = visitor.sign_in(client)["access_token"]
    clock.ahead = timedelta(minutes=59)
    assert visitor.call(token).status_code == 200
    clock.ahead = timedelta(minutes=61)
    answer = visitor.call(token)
    assert answer.status_code == 401
    assert 'error="invalid_token"' in answer.headers["www-authenticate"]


def test_a_token_that_was_tampered_with(visitor: Visitor, client: str) -> None:
    token = visitor.sign_in(client)["access_token"]
    header = "eyJhbGciOiJub25lIn0"
    for bad in (
        token[:-1],
        token + "A",
        token.upper(),
        f" {token}x",
        f"{header}.{token}.",
        f"{header}.e30.",
        "a" * 5_000,
        "null",
    ):
        assert visitor.call(bad).status_code == 401, bad


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer ", "Basic {}", "bearer{}", "Bearer {}, Bearer x", "Token {}", "{}", "Bearer  {}"]
)
def test_a_header_that_is_none(visitor: Visitor, client: str, header: str) -> None:
    token = visitor.sign_in(client)["access_token"]
    assert visitor.call(authorization=header.format(token).strip()).status_code == 401
    assert visitor.call(authorization=f"BEARER {token}").status_code == 200


def test_a_token_is_for_one_server(store: Store, visitor: Visitor, client: str) -> None:
    """Of two servers that share a store, a secret and a workspace, each takes what was handed out at its address."""
    proof = Proof.new()
    code = visitor.code(client, proof)
    tokens = visitor.sign_in(client)
    near = BASE[:-1]  # the address of the first begins with it
    with site(store=store, listening=Listening("127.0.0.1", 8787, near)) as other:
        assert other.call(tokens["access_token"]).status_code == 401
        refused(other.refresh(client, tokens["refresh_token"]))
        refused(other.exchange(client, proof, code))
        other.revoke(token=tokens["refresh_token"])
    assert visitor.call(tokens["access_token"]).status_code == 200
    refused(visitor.refresh(client, tokens["refresh_token"], resource=f"{near}/mcp"), "invalid_target")


def test_a_token_is_for_one_workspace_and_one_secret(store: Store, visitor: Visitor, client: str) -> None:
    token = visitor.sign_in(client)["access_token"]
    with site(store=store, workspace="another") as other:
        assert other.call(token).status_code == 401
    with site(Access(owner_key=KEY, secret="another secret"), store=store) as other:
        assert other.call(token).status_code == 401
    with site(store=store) as same:
        assert same.call(token).status_code == 200


# --- revoking


@pytest.mark.parametrize("which", ["access_token", "refresh_token"])
@pytest.mark.parametrize("hint", ["access_token", "refresh_token", ""])
def test_revoking_one_takes_back_all_of_the_sign_in(visitor: Visitor, client: str, which: str, hint: str) -> None:
    first, other = visitor.sign_in(client), visitor.sign_in(client)
    second = visitor.refresh(client, first["refresh_token"]).json()
    assert visitor.revoke(token=second[which], token_type_hint=hint, client_id=client).json() == {"revoked": True}
    for tokens in (first, second):
        assert visitor.call(tokens["access_token"]).status_code == 401
        refused(visitor.refresh(client, tokens["refresh_token"]))
    assert visitor.call(other["access_token"]).status_code == 200


def test_revoking_is_for_who_has_the_token(visitor: Visitor, client: str) -> None:
    tokens = visitor.sign_in(client)
    other = visitor.client_id(client_name="Another")
    assert visitor.revoke(token=tokens["access_token"], client_id=other).json() == {"revoked": False}
    assert visitor.call(tokens["access_token"]).status_code == 200
    assert visitor.revoke(token=tokens["access_token"]).status_code == 200  # it need not say who it is
    assert visitor.call(tokens["access_token"]).status_code == 401


def test_revoking_nothing(visitor: Visitor, client: str) -> None:
    for more in ({}, {"client_id": client}, {"client_id": "cid_x.y"}):
        answer = visitor.revoke(token="circuit_at_nobody", **more)
        assert (answer.status_code, answer.json()) == (200, {"revoked": False})
    refused(visitor.revoke(client_id=client), "invalid_request")


# --- any number of servers


def test_two_servers_on_one_store_are_as_one(store: Store, visitor: Visitor, clock: Clock) -> None:
    with site(store=store, clock=clock) as other:
        client, proof = visitor.client_id(), Proof.new()
        code = other.code(client, proof)
        tokens = visitor.exchange(client, proof, code).json()
        assert other.call(tokens["access_token"]).status_code == 200
        fresh = other.refresh(client, tokens["refresh_token"]).json()
        assert visitor.call(fresh["access_token"]).status_code == 200
        refused(visitor.refresh(client, tokens["refresh_token"]))
        assert other.call(fresh["access_token"]).status_code == 401


def test_the_store_holds_no_secret(visitor: Visitor, client: str) -> None:
    store = MemoryStore()
    with site(store=store) as at_home:
        proof = Proof.new()
        code = at_home.code(client, proof)
        tokens = at_home.exchange(client, proof, code).json()
        kept = repr(store._grants)
        for secret in (code, tokens["access_token"], tokens["refresh_token"], KEY, proof.verifier):
            assert secret not in kept
