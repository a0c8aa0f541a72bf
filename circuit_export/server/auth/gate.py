"""Lets in who has a good token, to the workspace that it is for, and tells everybody else how to come by one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser, BearerAuthBackend
from mcp.server.auth.provider import AccessToken, TokenVerifier
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from circuit_export.server.auth.access import Token
from circuit_export.server.auth.clients import SCOPE
from circuit_export.server.auth.provider import Realm
from circuit_export.server.auth.routes import RESOURCE
from circuit_export.server.auth.seals import same

IN_PATH: Final = "circuit.token"
"""Where a request's scope has the token that was in its path."""


class Tokens:
    """Verifies the tokens that were handed out by hand."""

    def __init__(self, tokens: tuple[Token, ...]) -> None:
        self._tokens = tokens

    async def verify_token(self, token: str) -> AccessToken | None:
        """As the SDK asks. Every token is compared, so that nothing is learned from how long it takes."""
        good = [entry.workspace for entry in self._tokens if same(entry.token, token)]
        return AccessToken(token=token, client_id="", scopes=[SCOPE], subject=good[0]) if good else None


class Gate:
    """The way to the protocol, to one app for each workspace: a tool cannot reach another workspace's boards, whatever
    ids it is given."""

    def __init__(self, apps: Mapping[str, ASGIApp], verifier: TokenVerifier, realm: Realm | None = None) -> None:
        self._apps = apps
        self._backend = BearerAuthBackend(verifier)
        self._realm = realm

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope if self._realm else _with_bearer(scope)
        found: Any = await self._backend.authenticate(HTTPConnection(asked))
        user = found[1] if found else None
        app = self._apps.get(user.access_token.subject or "") if isinstance(user, AuthenticatedUser) else None
        if app is None:
            await self._refusal(_bearer(asked) != "")(scope, receive, send)
            return
        await app({**scope, "user": user, "auth": found[0]}, receive, send)

    def _refusal(self, given: bool) -> JSONResponse:
        said = "The token is not good here: it is unknown, has expired or was revoked" if given else "There is no token"
        return JSONResponse(
            {"error": "unauthorized", "error_description": said},
            status_code=401,
            headers={"www-authenticate": self._challenge(given), "cache-control": "no-store"},
        )

    def _challenge(self, given: bool) -> str:
        if self._realm is None:
            return "Bearer"
        parts = ['realm="circuit"', f'resource_metadata="{self._realm.issuer}{RESOURCE}"', f'scope="{SCOPE}"']
        return "Bearer " + ", ".join([*parts, *(['error="invalid_token"'] if given else [])])


class TokenInPath:
    """Takes `/w/TOKEN` off the front of every path, before anybody logs it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith("/w/"):
            token, _, rest = scope["path"].removeprefix("/w/").partition("/")
            scope = {**scope, "path": f"/{rest}", "raw_path": f"/{rest}".encode(), IN_PATH: token}
        await self._app(scope, receive, send)


def _bearer(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"authorization":
            return str(value.decode("latin-1")) if value[:7].lower() == b"bearer " else ""
    return ""


def _with_bearer(scope: Scope) -> Scope:
    """The request with the token of its path or query as a header, if it has none."""
    if any(name == b"authorization" for name, _ in scope["headers"]):
        return scope
    query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
    token = scope.get(IN_PATH) or query.get("token", "")
    if not token:
        return scope
    header = (b"authorization", f"Bearer {token}".encode("latin-1", "replace"))
    return {**scope, "headers": [*scope["headers"], header]}
