"""Where a server listens, by which address clients come, and what of that is refused before it starts."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from pydantic import AnyHttpUrl, TypeAdapter, ValidationError

from circuit_export.diagnostics import UsageError
from circuit_export.server.auth.access import OAUTH, OPEN, Access

HERE: Final = ("127.0.0.1", "localhost", "[::1]")

_URL: Final = TypeAdapter(AnyHttpUrl)


class Listening(NamedTuple):
    """Where to listen, by which address clients come, and from which web pages. `anybody` lets in who has no key."""

    host: str
    port: int
    public_url: str = ""
    origins: tuple[str, ...] = ()
    anybody: bool = False

    @property
    def own_url(self) -> str:
        """The address that it listens on."""
        host = f"[{self.host.strip('[]')}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def url(self) -> str:
        """The address that clients come by, without a slash at its end. Never what a request says of it."""
        return plain(self.public_url) if self.public_url else self.own_url

    @property
    def asking(self) -> tuple[str, ...]:
        """The origins of web pages that may ask."""
        return tuple(origin_of(url) for url in (*self.origins, self.public_url) if url)

    @property
    def answered_origins(self) -> tuple[str, ...]:
        """Those, and what a page from this very address calls itself, if only this machine reaches it."""
        own = [f"http://{host}:{self.port}" for host in HERE] if is_loopback(self.host) else []
        return (*self.asking, *own)

    @property
    def answered_hosts(self) -> tuple[str, ...]:
        """The hosts that clients may call it by; `:*` is any port."""
        public = (urlsplit(self.url).netloc,) if self.public_url else ()
        return (*HERE, *(f"{host}:*" for host in HERE), *public)


def check(listening: Listening, access: Access = Access()) -> None:  # noqa: B008 - it cannot be changed
    """Raises UsageError for what would let strangers in unasked, or turn clients away."""
    if listening.public_url:
        plain(listening.public_url)
    for origin in listening.origins:
        if urlsplit(plain(origin)).path:
            raise UsageError("An origin has no path", found=origin, hint=f"--allow-origin {origin_of(origin)}")
    if listening.anybody and access.kind != OPEN:
        raise UsageError(
            "It cannot be open and ask for a sign-in", found="--open, and CIRCUIT_OWNER_KEY or CIRCUIT_TOKENS is set"
        )
    if access.kind == OAUTH:
        _check_issuer(listening)
    if not is_loopback(listening.host):
        _check_public(listening, access)


def _check_issuer(listening: Listening) -> None:
    parts = urlsplit(listening.url)
    if parts.scheme != "https" and listening.public_url and not is_loopback(parts.hostname or ""):
        raise UsageError(
            "Keys and tokens would go over the network in the clear",
            found=f"--public-url {listening.public_url}",
            expected="https://HOST",
            hint="let a server in front of this one speak https",
        )
    if parts.path or parts.query or parts.fragment or parts.username or parts.password:
        raise UsageError(
            "Signing in needs a host of its own",
            found=f"--public-url {listening.public_url}",
            expected="https://HOST, and no more",
        )


def _check_public(listening: Listening, access: Access) -> None:
    if not listening.anybody and access.kind == OPEN:
        raise UsageError(
            "Whoever reaches this address could run and change all boards",
            found=f"--host {listening.host}, and no sign-in",
            hint="set CIRCUIT_OWNER_KEY, listen on 127.0.0.1, or say --open",
        )
    if not listening.public_url:
        raise UsageError(
            "It is not known by which address clients will come, and only that one is answered",
            hint="--public-url https://HOST",
        )


def is_loopback(host: str) -> bool:
    """Is it an address, or the name, by which only this machine is reached?"""
    if host.lower() == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def plain(url: str) -> str:
    """An address as browsers write it, without a slash at its end. Raises UsageError for what is none."""
    try:
        return str(_URL.validate_python(url)).rstrip("/")
    except ValidationError:
        raise UsageError("This is no address of a web server", found=url, expected="https://HOST") from None


def origin_of(url: str) -> str:
    """The origin of an address, as browsers say it."""
    parts = urlsplit(plain(url))
    return f"{parts.scheme}://{parts.netloc}"
