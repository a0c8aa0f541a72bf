"""Registered clients. A registration is sealed into the client's id: strangers may register, and none is kept."""

from __future__ import annotations

import json
import unicodedata
from typing import Any, Final, NamedTuple

from mcp.server.auth.provider import RegistrationErrorCode
from mcp.shared.auth import InvalidRedirectUriError, OAuthClientInformationFull
from pydantic import AnyUrl

from circuit_export.server.auth import redirects
from circuit_export.server.auth.seals import Seals

SCOPE: Final = "circuit"
PREFIX: Final = "cid_"
NAMELESS: Final = "MCP client"
LONGEST_NAME: Final = 80
GRANTS: Final = ("authorization_code", "refresh_token")

_PURPOSE = "client"


class Refusal(Exception):
    """A request that is refused: an error code of OAuth's, and why."""

    def __init__(self, error: str, description: str, status: int = 400) -> None:
        super().__init__(description)
        self.error = error
        self.description = description
        self.status = status


class Registration(NamedTuple):
    """What a client says of itself, as far as it counts."""

    redirect_uris: tuple[str, ...]
    name: str = NAMELESS

    def body(self) -> bytes:
        """A request to register that says this, and how every client is treated whatever it asked for: there is one
        scope, and no client has a secret."""
        return json.dumps(
            {
                "redirect_uris": self.redirect_uris,
                "client_name": self.name,
                "token_endpoint_auth_method": "none",
                "grant_types": GRANTS,
                "response_types": ["code"],
                "scope": SCOPE,
            }
        ).encode()


class Client(OAuthClientInformationFull):
    """A registered client; `registered` are its addresses to the letter. It gets the one scope there is."""

    registered: tuple[str, ...] = ()

    def may_return_to(self, uri: str) -> bool:
        """Did the client register this address?"""
        return redirects.is_registered(uri, self.registered)

    def validate_scope(self, requested_scope: str | None) -> list[str]:
        return [SCOPE]

    def validate_redirect_uri(self, redirect_uri: AnyUrl | None) -> AnyUrl:
        if redirect_uri is None or not redirects.is_registered(
            str(redirect_uri), [str(redirects.parsed(uri)) for uri in self.registered]
        ):
            raise InvalidRedirectUriError("This address is not registered for the client")
        return redirect_uri


def registration_of(body: bytes) -> Registration:
    """What a request to register says. Raises Refusal."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise _wrong("The body is not JSON") from None
    if not isinstance(said, dict):
        raise _wrong("The body is not a JSON object")
    uris = said.get("redirect_uris")
    if not isinstance(uris, list) or not uris:
        raise _wrong("redirect_uris is not a list of addresses", "invalid_redirect_uri")
    if len(uris) > redirects.MOST:
        raise _wrong(f"There are more than {redirects.MOST} redirect_uris", "invalid_redirect_uri")
    for number, uri in enumerate(uris, 1):
        if why := redirects.refused(uri):
            raise _wrong(f"Number {number} of redirect_uris {why}", "invalid_redirect_uri")
    name = said.get("client_name")
    if name is not None and not isinstance(name, str):
        raise _wrong("client_name is not a text")
    return Registration(tuple(uris), shown_name(name or "") or NAMELESS)


def shown_name(name: str) -> str:
    """A name as a person may be shown it: one short line, without characters that hide or turn round others."""
    plain = "".join(" " if unicodedata.category(sign) in _UNSEEN else sign for sign in name)
    return " ".join(plain.split())[:LONGEST_NAME].strip()


_UNSEEN: Final = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"))


def client_id_of(registration: Registration, seals: Seals) -> str:
    """The id of a client that registers, which says all that is known of it."""
    return PREFIX + seals.seal(_PURPOSE, [registration.name, *registration.redirect_uris])


def client_of(client_id: str, seals: Seals) -> Client | None:
    """The client with an id; None if no client was given this id."""
    if not client_id.startswith(PREFIX):
        return None
    sealed: Any = seals.opened(_PURPOSE, client_id.removeprefix(PREFIX))
    if sealed is None:
        return None
    name, *uris = sealed
    return Client(
        client_id=client_id,
        client_name=name,
        redirect_uris=[AnyUrl(uri) for uri in uris],
        registered=tuple(uris),
        token_endpoint_auth_method="none",  # noqa: S106 - a word of OAuth's
        grant_types=list(GRANTS),
        scope=SCOPE,
    )


def _wrong(description: str, error: RegistrationErrorCode = "invalid_client_metadata") -> Refusal:
    return Refusal(error, description)
