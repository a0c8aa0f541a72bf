"""Signing in as tests do it: a site in this process whose clock can be moved, and a client that goes through it."""

import hashlib
import re
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlsplit

import httpx2
from starlette.testclient import TestClient

from circuit_export.server.auth.access import Access
from circuit_export.server.desk import Desk
from circuit_export.server.http import make_app
from circuit_export.server.listening import Listening
from circuit_export.store.base import Store
from circuit_export.store.memory import MemoryStore
from support.hosting import HEADERS, LIST

KEY = "an owner key that nobody guesses"
BASE = "http://127.0.0.1:8787"
BACK = "http://127.0.0.1:5555/back"


class Clock:
    """The present, moved on by hand."""

    def __init__(self) -> None:
        self.ahead = timedelta()

    def __call__(self) -> datetime:
        return datetime.now(UTC) + self.ahead


class Proof(NamedTuple):
    """A verifier and its challenge."""

    verifier: str
    challenge: str

    @classmethod
    def new(cls) -> "Proof":
        verifier = secrets.token_urlsafe(48)
        digest = hashlib.sha256(verifier.encode()).digest()
        return cls(verifier, urlsafe_b64encode(digest).rstrip(b"=").decode())


class Visitor:
    """A client that registers, asks and exchanges, as far as a test lets it; `http` is its browser, too."""

    def __init__(self, http: httpx2.Client, base: str = BASE, resource: str = "") -> None:
        self.http = http
        self.base = base
        self.resource = resource or f"{base}/mcp"

    def register(self, *uris: Any, **more: Any) -> httpx2.Response:
        return self.http.post(f"{self.base}/oauth/register", json={"redirect_uris": list(uris or (BACK,)), **more})

    def client_id(self, *uris: str, **more: Any) -> str:
        answer = self.register(*uris, **more)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["client_id"])

    def ask(self, client_id: str, proof: Proof, /, **more: str | None) -> httpx2.Response:
        """Opens the page on which the owner agrees."""
        asked = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": BACK,
            "code_challenge": proof.challenge,
            "code_challenge_method": "S256",
            "state": "some state",
            "resource": self.resource,
            **more,
        }
        params = {name: value for name, value in asked.items() if value is not None}
        return self.http.get(f"{self.base}/oauth/authorize", params=params, follow_redirects=False)

    def send(self, page: httpx2.Response, key: str = KEY, /, headers: Any = None, **more: str) -> httpx2.Response:
        """Fills in a page and sends it."""
        assert page.status_code in (200, 429), page.text
        fields = {**hidden(page), "owner_key": key, "decision": "allow", **more}
        return self.http.post(f"{self.base}/oauth/authorize", data=fields, headers=headers, follow_redirects=False)

    def code(self, client_id: str, proof: Proof, /, **more: str | None) -> str:
        return returned(self.send(self.ask(client_id, proof, **more)))["code"]

    def exchange(self, client_id: str, proof: Proof, code: str, /, **more: str) -> httpx2.Response:
        fields = {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "code": code,
            "redirect_uri": BACK,
            "code_verifier": proof.verifier,
            **more,
        }
        return self.http.post(f"{self.base}/oauth/token", data=fields)

    def refresh(self, client_id: str, token: str, /, **more: str) -> httpx2.Response:
        fields = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": token, **more}
        return self.http.post(f"{self.base}/oauth/token", data=fields)

    def revoke(self, **fields: str) -> httpx2.Response:
        return self.http.post(f"{self.base}/oauth/revoke", data=fields)

    def sign_in(self, client_id: str) -> dict[str, Any]:
        """All of it; the tokens."""
        proof = Proof.new()
        answer = self.exchange(client_id, proof, self.code(client_id, proof))
        assert answer.status_code == 200, answer.text
        tokens: dict[str, Any] = answer.json()
        return tokens

    def call(self, token: str = "", path: str = "/mcp", **headers: str) -> httpx2.Response:
        """A call of the protocol."""
        with_token = {"authorization": f"Bearer {token}"} if token else {}
        return self.http.post(f"{self.base}{path}", json=LIST, headers={**HEADERS, **with_token, **headers})


def hidden(page: httpx2.Response) -> dict[str, str]:
    """The hidden fields of a page's form."""
    found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
    return {name: unescape(value) for name, value in found}


def returned(answer: httpx2.Response, to: str = BACK) -> dict[str, str]:
    """What a client is told when somebody is sent back to it."""
    assert answer.status_code == 302, answer.text
    parts = urlsplit(answer.headers["location"])
    assert f"{parts.scheme}://{parts.netloc}{parts.path}" == to
    return dict(parse_qsl(parts.query))


@contextmanager
def site(
    access: Access | None = None,
    *,
    store: Store | None = None,
    clock: Clock | None = None,
    workspace: str = "owner",
    listening: Listening | None = None,
) -> Iterator[Visitor]:
    """A site of the owner, and somebody who visits it."""
    place = listening or Listening("127.0.0.1", 8787)
    desk = Desk(store or MemoryStore(), workspace, now=clock or Clock())
    app = make_app(desk, place, access if access is not None else Access(owner_key=KEY))
    with TestClient(app, base_url=place.url) as http:
        yield Visitor(http, place.url)  # type: ignore[arg-type]
