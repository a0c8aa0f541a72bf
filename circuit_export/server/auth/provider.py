"""The owner's sign-ins: what is handed out for a consent, once, until it expires or is revoked."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from mcp.server.auth.provider import (
    AccessToken,
    AuthorizationCode,
    AuthorizationParams,
    AuthorizeError,
    OAuthAuthorizationServerProvider,
    RefreshToken,
    TokenError,
)
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyUrl

from circuit_export.server.auth.clients import SCOPE, Client, Registration, client_id_of, client_of
from circuit_export.server.auth.seals import Seals, new_secret
from circuit_export.store.base import Grant, Store, stamp

CODE, ACCESS, REFRESH = "code", "access", "refresh"
LIVES: Final = {CODE: timedelta(seconds=60), ACCESS: timedelta(hours=1), REFRESH: timedelta(days=30)}

_KINDS: Final = {CODE: "ac", ACCESS: "at", REFRESH: "rt"}
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")

Base = OAuthAuthorizationServerProvider[AuthorizationCode, RefreshToken, AccessToken]


class Realm(NamedTuple):
    """What signing in is for: the server at an address, and one workspace. All else is another realm."""

    issuer: str
    workspace: str

    @property
    def resource(self) -> str:
        """What tokens are for (their audience)."""
        return f"{self.issuer}/mcp"


class Provider(Base):
    """Hands out codes and tokens, and knows them again.

    They are random; the store keeps their digests. All that comes of one consent is one family, and a code or a
    refresh token that is used twice was in two hands: its family is revoked. Because that is decided by the store,
    any number of servers that share one decide the same.
    """

    def __init__(self, store: Store, seals: Seals, realm: Realm, now: Callable[[], datetime]) -> None:
        self.realm = realm
        self._store = store
        self._seals = seals
        self._now = now

    # --- clients

    async def get_client(self, client_id: str) -> Client | None:
        return client_of(client_id, self._seals)

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        registration = Registration(
            tuple(map(str, client_info.redirect_uris or ())), client_info.client_name or Registration(()).name
        )
        client_info.client_id = client_id_of(registration, self._seals)

    # --- consent

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        """Where to go back to, with a code. Only for somebody who has shown the owner key."""
        self.check(params)
        uri = str(params.redirect_uri)
        family = new_secret("family")
        code = await self._hand_out(
            CODE,
            {
                "client_id": client.client_id,
                "redirect_uri": uri,
                "challenge": params.code_challenge,
                **self._claims(),
            },
            family,
        )
        return return_to(uri, code=code, state=params.state, iss=self.realm.issuer)

    def check(self, params: AuthorizationParams) -> None:
        """Raises AuthorizeError for what nobody can be asked to agree to."""
        if not _CHALLENGE.fullmatch(params.code_challenge):
            raise AuthorizeError("invalid_request", "code_challenge is no SHA-256 as S256 has it")
        if params.resource not in (None, self.realm.resource):
            raise AuthorizeError("invalid_target", f"This server signs in to {self.realm.resource} alone")

    # --- codes

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> AuthorizationCode | None:
        grant = await self.grant(CODE, authorization_code)
        if grant is None:
            return None
        return AuthorizationCode(
            code=authorization_code,
            scopes=[SCOPE],
            expires_at=_seconds(grant.expires_at),
            client_id=grant.value["client_id"],
            code_challenge=grant.value["challenge"],
            redirect_uri=AnyUrl(grant.value["redirect_uri"]),
            redirect_uri_provided_explicitly=True,
            resource=grant.value["resource"],
            subject=grant.value["workspace"],
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: AuthorizationCode
    ) -> OAuthToken:
        grant = await self._use(CODE, authorization_code.code, "This code was exchanged already")
        return await self._tokens(grant)

    # --- tokens

    async def load_refresh_token(self, client: OAuthClientInformationFull, refresh_token: str) -> RefreshToken | None:
        grant = await self.grant(REFRESH, refresh_token)
        if grant is None:
            return None
        return RefreshToken(
            token=refresh_token,
            client_id=grant.value["client_id"],
            scopes=[SCOPE],
            expires_at=_seconds(grant.expires_at),
            resource=grant.value["resource"],
            subject=grant.value["workspace"],
        )

    async def exchange_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: RefreshToken, scopes: list[str]
    ) -> OAuthToken:
        grant = await self._use(
            REFRESH, refresh_token.token, "This refresh token was used already: all that came of the sign-in is revoked"
        )
        return await self._tokens(grant)

    async def load_access_token(self, token: str) -> AccessToken | None:
        grant = await self.grant(ACCESS, token)
        if grant is None:
            return None
        return AccessToken(
            token=token,
            client_id=grant.value["client_id"],
            scopes=[SCOPE],
            expires_at=_seconds(grant.expires_at),
            resource=grant.value["resource"],
            subject=grant.value["workspace"],
            claims={"iss": self.realm.issuer},
        )

    async def verify_token(self, token: str) -> AccessToken | None:
        """As the SDK asks who guards a resource."""
        return await self.load_access_token(token)

    async def revoke_token(self, token: AccessToken | RefreshToken) -> None:
        """Revokes all that came of the sign-in that a token came of."""
        grant = await self.grant(ACCESS if isinstance(token, AccessToken) else REFRESH, token.token)
        if grant is not None:
            await self._revoke(grant.family)

    async def client_id_for(self, token: str) -> str:
        """The client that a token was given to, "" when nobody was given it: a client may leave out who it is."""
        for kind in (REFRESH, ACCESS):
            grant = await self.grant(kind, token)
            if grant is not None:
                return str(grant.value["client_id"])
        return ""

    # --- the store

    def _claims(self) -> dict[str, str]:
        return {"resource": self.realm.resource, "workspace": self.realm.workspace}

    async def _hand_out(self, kind: str, value: dict[str, Any], family: str) -> str:
        """A new secret. Raises TokenError when its family was revoked in the meantime."""
        secret = new_secret(_KINDS[kind])
        until = stamp(self._now() + LIVES[kind])
        if not await self._store.add_grant(Grant(kind, self._seals.digest(kind, secret), value, until, family)):
            raise TokenError("invalid_grant", "This sign-in was revoked")
        return secret

    async def grant(self, kind: str, secret: str) -> Grant | None:
        """What a secret stands for, used or not; None for what another realm has handed out, too."""
        grant = await self._store.get_grant(kind, self._seals.digest(kind, secret), now=stamp(self._now()))
        if grant is None or self._claims().items() - grant.value.items():
            return None
        return grant

    async def _use(self, kind: str, secret: str, used: str) -> Grant:
        """What a secret stands for, to the first who uses it. Raises TokenError to everybody after, and revokes."""
        grant = await self._store.use_grant(kind, self._seals.digest(kind, secret), now=stamp(self._now()))
        if grant is not None:
            return grant
        before = await self.grant(kind, secret)
        if before is None:
            raise TokenError("invalid_grant", "This sign-in has expired or was revoked")
        await self._revoke(before.family)
        raise TokenError("invalid_grant", used)

    async def _tokens(self, grant: Grant) -> OAuthToken:
        """A new pair of tokens in the family of what was used for it."""
        value = {"client_id": grant.value["client_id"], **self._claims()}
        return OAuthToken(
            access_token=await self._hand_out(ACCESS, value, grant.family),
            refresh_token=await self._hand_out(REFRESH, value, grant.family),
            expires_in=int(LIVES[ACCESS].total_seconds()),
            scope=SCOPE,
        )

    async def _revoke(self, family: str) -> None:
        await self._store.revoke_family(family, until=stamp(self._now() + LIVES[REFRESH]))


def return_to(uri: str, **said: str | None) -> str:
    """An address of a client with what it is told; whatever was in it already stays to the letter."""
    query = urlencode({name: text for name, text in said.items() if text is not None})
    return f"{uri}{'&' if '?' in uri else '?'}{query}"


def _seconds(time: str) -> int:
    return int(datetime.fromisoformat(time).astimezone(UTC).timestamp())
