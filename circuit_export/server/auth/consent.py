"""The page on which the owner lets a client in: who asks, what for, and the key."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.provider import AuthorizationParams
from mcp.shared.auth import OAuthClientInformationFull
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from circuit_export.server import pages
from circuit_export.server.auth import redirects
from circuit_export.server.auth.attempts import Attempts
from circuit_export.server.auth.clients import Client, Refusal
from circuit_export.server.auth.forms import as_form, from_query, posted
from circuit_export.server.auth.provider import Provider, Realm, return_to
from circuit_export.server.auth.seals import Seals, same
from circuit_export.store.base import Store

PATH: Final = "/oauth/authorize"
SHOWN: Final = timedelta(minutes=30)
"""How long a page that was shown can be sent."""

ASKED: Final = ("client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method", "scope", "resource")
"""What a client asks with: the page carries it, and can be sent with nothing else."""

WRONG: Final = "This key does not match the owner key of this server."
OVER: Final = "There were too many wrong keys. Wait a minute, then try again."
STALE: Final = "This page was shown too long ago, or to somebody else. Go back to your client and start again."
FOREIGN: Final = "This was sent by another page than the one for it. Go back to your client and start again."

_BROWSERS: Final = ("origin", "sec-fetch-site", "sec-fetch-mode", "referer", "cookie")
"""What a browser sends with a form, whoever made it."""

_PURPOSE: Final = "consent"
_TO_ASK: Final = "consent:"
_NONCE = re.compile(r"[A-Za-z0-9_-]{22}")


class _Asking(Provider):
    """The provider before anybody has agreed: a request that it would grant is one to ask the owner about."""

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        self.check(params)
        return _TO_ASK


class Consent:
    """Shows the page, and takes what comes back from it.

    A page cannot be sent by anybody but who was shown it: it carries a seal of what was asked and of a cookie. Only
    browsers send forms that others have made, and a browser says so (Origin, Sec-Fetch-Site); who says nothing of the
    kind is a program, and needs no cookie. One that never asked for the page has no seal either: its key is checked
    like any other.
    """

    def __init__(self, key: str, store: Store, seals: Seals, realm: Realm, now: Callable[[], datetime]) -> None:
        self._key = key
        self._seals = seals
        self._now = now
        self._issuer = realm.issuer
        self._attempts = Attempts(store, realm.workspace, seals, now)
        self._provider = Provider(store, seals, realm, now)
        self._asking = AuthorizationHandler(_Asking(store, seals, realm, now))
        self._granting = AuthorizationHandler(self._provider)

    async def handle(self, request: Request) -> Response:
        """The page, or back to the client."""
        try:
            if request.method == "POST":
                return await self._answered(request, await posted(request))
            return await self._asked(request, from_query(request.scope["query_string"]))
        except Refusal as refusal:
            return pages.refused(refusal.description, refusal.status)

    async def _asked(self, request: Request, fields: dict[str, str]) -> Response:
        client = await self._client(fields)
        answer = await self._asking.handle(as_form(request, _whole(fields)))
        location = answer.headers.get("location", "")
        if location == _TO_ASK:
            return self._page(request, client, fields)
        if location:  # back to the client, with what is wrong
            answer.headers["location"] = return_to(location, iss=self._issuer)
        return answer

    async def _answered(self, request: Request, fields: dict[str, str]) -> Response:
        client = await self._client(fields)
        self._check_sender(request, fields)
        if fields.get("decision") == "deny":
            said = {"error": "access_denied", "error_description": "The owner did not agree", "iss": self._issuer}
            return _back(return_to(fields["redirect_uri"], **said, state=fields.get("state")))
        address = request.client.host if request.client else ""
        async with self._attempts.turn:
            if await self._attempts.are_over(address):
                return self._page(request, client, fields, OVER, 429)
            if not same(fields.get("owner_key", "").strip(), self._key):
                await self._attempts.count(address)
                return self._page(request, client, fields, WRONG)
        return await self._granting.handle(as_form(request, _whole(fields)))

    async def _client(self, fields: Mapping[str, str]) -> Client:
        """Who asks. Raises Refusal, for nobody is sent anywhere that no client has registered."""
        client = await self._provider.get_client(fields.get("client_id", ""))
        if client is None:
            raise Refusal("invalid_request", "This client is not registered here. Let it connect anew.")
        if not client.may_return_to(fields.get("redirect_uri", "")):
            raise Refusal("invalid_request", "The client wants to be sent back to an address that it never registered.")
        return client

    def _page(
        self, request: Request, client: Client, fields: Mapping[str, str], message: str = "", status: int = 200
    ) -> Response:
        asked = _only_asked(fields)
        nonce = self._nonce(request) or secrets.token_urlsafe(16)
        until = (self._now() + SHOWN).timestamp()
        seal = self._seals.seal(_PURPOSE, [nonce, int(until), self._bound(asked)])
        response = pages.consent(
            name=client.client_name or "",
            target=redirects.target(asked["redirect_uri"]),
            fields={**asked, "seal": seal},
            message=message,
            leads_to=redirects.source(asked["redirect_uri"]),
            status=status,
        )
        if status == 429:
            response.headers["retry-after"] = "60"
        response.set_cookie(self._cookie, nonce, path="/", secure=self._secure, httponly=True, samesite="lax")
        return response

    def _check_sender(self, request: Request, fields: Mapping[str, str]) -> None:
        """Raises Refusal unless the page was sent by who was shown it, as it was."""
        origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
        if origin not in (None, self._issuer) or site not in (None, "same-origin", "none"):
            raise Refusal("access_denied", FOREIGN, 403)
        if "seal" not in fields and not any(name in request.headers for name in _BROWSERS):
            return  # no page was shown: a script sends the request and the key in one
        nonce, until, bound = self._seals.opened(_PURPOSE, fields.get("seal", "")) or ("", 0, "")
        if until < self._now().timestamp() or bound != self._bound(_only_asked(fields)):
            raise Refusal("access_denied", STALE, 403)
        if (origin or site) and not same(self._nonce(request), nonce):
            raise Refusal("access_denied", STALE, 403)

    def _bound(self, asked: Mapping[str, str]) -> str:
        return self._seals.digest(_PURPOSE, repr(sorted(asked.items())))

    def _nonce(self, request: Request) -> str:
        nonce = request.cookies.get(self._cookie, "")
        return nonce if _NONCE.fullmatch(nonce) else ""

    @property
    def _secure(self) -> bool:
        return self._issuer.startswith("https:")

    @property
    def _cookie(self) -> str:
        return "__Host-circuit" if self._secure else "circuit"


def _only_asked(fields: Mapping[str, str]) -> dict[str, str]:
    return {name: fields[name] for name in ASKED if name in fields}


def _whole(fields: Mapping[str, str]) -> dict[str, str]:
    """What was asked, with what a request means that leaves it out: there is one type of response, and a challenge
    without a method is a plain one (RFC 7636, 4.3), which is refused."""
    return {
        "response_type": fields.get("response_type", "code"),
        "code_challenge_method": "plain",
        **_only_asked(fields),
    }


def _back(url: str) -> Response:
    return RedirectResponse(url, status_code=302, headers={"cache-control": "no-store"})
