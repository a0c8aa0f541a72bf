"""Where signing in happens: what is said of it, and where clients register, ask, exchange and revoke."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Final

from mcp.server.auth.handlers.metadata import MetadataHandler, ProtectedResourceMetadataHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.revoke import RevocationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.client_auth import ClientAuthenticator
from mcp.server.auth.settings import ClientRegistrationOptions
from mcp.shared.auth import OAuthMetadata, ProtectedResourceMetadata
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from circuit_export.server.auth import consent, redirects
from circuit_export.server.auth.access import Access
from circuit_export.server.auth.clients import GRANTS, SCOPE, Refusal, registration_of
from circuit_export.server.auth.consent import Consent
from circuit_export.server.auth.forms import as_form, body_of, posted, with_body
from circuit_export.server.auth.provider import CODE, Provider, Realm
from circuit_export.server.auth.seals import Seals
from circuit_export.store.base import Store

WELL_KNOWN: Final = "/.well-known"
RESOURCE: Final = f"{WELL_KNOWN}/oauth-protected-resource"

Handler = Callable[[Request], Awaitable[Response]]


class SignIn:
    """Signing in with the owner key: the routes, and the provider that knows what they have handed out."""

    def __init__(self, access: Access, store: Store, realm: Realm, now: Callable[[], datetime]) -> None:
        seals = Seals(access.secret or access.owner_key)
        self.realm = realm
        self.provider = Provider(store, seals, realm, now)
        self._consent = Consent(access.owner_key, store, seals, realm, now)
        authenticator = ClientAuthenticator(self.provider)
        self._registering = RegistrationHandler(self.provider, ClientRegistrationOptions(enabled=True))
        self._exchanging = TokenHandler(self.provider, authenticator)
        self._revoking = RevocationHandler(self.provider, authenticator)

    def routes(self) -> list[Route]:
        """All routes of signing in. Any web page may ask: it learns nothing but what it brings the proof for."""
        resource = ProtectedResourceMetadataHandler(resource_metadata(self.realm)).handle
        server = MetadataHandler(server_metadata(self.realm)).handle
        return [
            *(any_page_may_ask(path, resource, "GET") for path in (RESOURCE, f"{RESOURCE}/mcp")),
            *(
                any_page_may_ask(f"{WELL_KNOWN}/{name}", server, "GET")
                for name in ("oauth-authorization-server", "openid-configuration")
            ),
            any_page_may_ask("/oauth/register", self._register, "POST"),
            any_page_may_ask("/oauth/token", self._token, "POST"),
            any_page_may_ask("/oauth/revoke", self._revoke, "POST"),
            Route(consent.PATH, self._consent.handle, methods=["GET", "POST"]),
        ]

    async def _register(self, request: Request) -> Response:
        registration = registration_of(await body_of(request))
        return await self._registering.handle(with_body(request, registration.body()))

    async def _token(self, request: Request) -> Response:
        fields = await posted(request)
        grant = fields.get("grant_type", "")
        if grant not in GRANTS:
            raise Refusal("unsupported_grant_type", f"grant_type is neither {GRANTS[0]} nor {GRANTS[1]}")
        if fields.get("resource", self.realm.resource) != self.realm.resource:
            raise Refusal("invalid_target", f"This server has tokens for {self.realm.resource} alone")
        if grant == GRANTS[0]:
            await self._check_return(fields)
        else:
            fields.pop("scope", None)  # there is one, which every token has
            fields.setdefault("client_id", await self.provider.client_id_for(fields.get("refresh_token", "")))
            if not fields["client_id"]:
                raise Refusal("invalid_grant", "This refresh token is unknown, has expired or was revoked")
        answer: Response = await self._exchanging.handle(as_form(request, fields))
        return answer

    async def _check_return(self, fields: dict[str, str]) -> None:
        """Raises Refusal for another redirect_uri than the code was sent to, as RFC 6749 (5.2) names it."""
        code = await self.provider.grant(CODE, fields.get("code", ""))
        if code is None:
            return
        if str(redirects.parsed(fields.get("redirect_uri", ""))) != code.value["redirect_uri"]:
            raise Refusal("invalid_grant", "redirect_uri is not the one that the code was sent to")

    async def _revoke(self, request: Request) -> Response:
        fields = await posted(request)
        if "token" not in fields:
            raise Refusal("invalid_request", "There is no token")
        owner = await self.provider.client_id_for(fields["token"])
        fields.setdefault("client_id", owner)
        if not owner:
            return JSONResponse({"revoked": False})  # a token that is none needs no revoking
        answer = await self._revoking.handle(as_form(request, {**fields, "client_secret": ""}))
        return JSONResponse({"revoked": owner == fields["client_id"]}) if answer.status_code == 200 else answer


def resource_metadata(realm: Realm) -> ProtectedResourceMetadata:
    """What is said of the protocol's address (RFC 9728)."""
    return ProtectedResourceMetadata.model_validate(
        {
            "resource": realm.resource,
            "authorization_servers": [realm.issuer],
            "scopes_supported": [SCOPE],
            "bearer_methods_supported": ["header"],
            "resource_name": "Circuit",
            "resource_documentation": f"{realm.issuer}/",
        }
    )


def server_metadata(realm: Realm) -> OAuthMetadata:
    """What is said of signing in (RFC 8414)."""
    return OAuthMetadata.model_validate(
        {
            "issuer": realm.issuer,
            "authorization_endpoint": f"{realm.issuer}{consent.PATH}",
            "token_endpoint": f"{realm.issuer}/oauth/token",
            "registration_endpoint": f"{realm.issuer}/oauth/register",
            "revocation_endpoint": f"{realm.issuer}/oauth/revoke",
            "scopes_supported": [SCOPE],
            "response_types_supported": ["code"],
            "response_modes_supported": ["query"],
            "grant_types_supported": list(GRANTS),
            "token_endpoint_auth_methods_supported": ["none"],
            "revocation_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": f"{realm.issuer}/",
        }
    )


def any_page_may_ask(path: str, handler: Handler, method: str) -> Route:
    """A route for web pages of any origin, too. Refusals are JSON, and what was posted for is kept by nobody."""

    async def answered(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers={"allow": f"{method}, OPTIONS"})
        try:
            response = await handler(request)
        except Refusal as refusal:
            response = JSONResponse(
                {"error": refusal.error, "error_description": refusal.description}, status_code=refusal.status
            )
        if method == "POST":
            response.headers["cache-control"] = "no-store"
        return response

    app: ASGIApp = CORSMiddleware(
        request_response(answered),
        allow_origins=["*"],
        allow_methods=[method],
        allow_headers=["content-type", "authorization", "mcp-protocol-version"],
    )
    return Route(path, app, methods=[method, "OPTIONS"])
