"""Fetches a page from a link, safely: bounded in size, time and redirects, and with nothing of the environment."""

from __future__ import annotations

import socket
import ssl
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from circuit_export.diagnostics import CircuitError
from circuit_export.restore.links import is_artifact, raw_url
from circuit_export.restore.unwrap import TooLarge

if TYPE_CHECKING:
    import httpx2

    from circuit_export.restore.connection import AllowAddress, Deadline

LIMIT = 25 * 1024 * 1024
TIMEOUT = 10.0
REDIRECTS = 5
_AGENT = "circuit-export"
_MOVED = (301, 302, 303, 307, 308)
_SAVE = "open it in a browser, save the page (or copy all of it), and import that"
_ARTIFACT = f"a published artifact answers programs with an application, not with its page: {_SAVE}"
_NEXT = {
    400: "check the link",
    401: f"it needs a sign-in: {_SAVE}",
    403: f"it is not open to programs: {_SAVE}",
    404: "check the link; it may have moved, or be private",
    406: _SAVE,
    407: "a proxy asks for a sign-in; check the proxy's settings",
    410: "it was taken away; ask who published it",
    429: "the server asks for a pause: try again in a minute",
    451: _SAVE,
}


class FetchError(CircuitError):
    """A link that could not be read. `status` is the server's answer, 0 when there was none."""

    def __init__(self, message: str, *, url: str, found: str = "", hint: str = "", status: int = 0) -> None:
        super().__init__(message, file=url, found=found, hint=hint)
        self.url = url
        self.status = status


class FetchedTooLarge(FetchError, TooLarge):
    """A page of more bytes than are read."""


@dataclass(frozen=True)
class Fetched:
    """A page as it came: decompressed, otherwise untouched. `url` is where the last redirect led."""

    url: str
    status: int
    content_type: str
    charset: str | None
    data: bytes
    notes: tuple[str, ...] = ()


def fetch(
    url: str,
    *,
    limit: int = LIMIT,
    timeout: float = TIMEOUT,
    redirects: int = REDIRECTS,
    trust_env: bool = False,
    allow_address: AllowAddress | None = None,
) -> Fetched:
    """Reads `url` (http or https): at most `limit` bytes decoded, `timeout` seconds in all, `redirects` hops.

    With `trust_env` proxies and certificates come from the environment. `allow_address` judges the IP address
    that is connected to; it cannot be had together with a proxy. Raises FetchError, and nothing else.
    """
    shown = _printable(url)
    try:
        return _fetch(url.strip(), shown, limit, timeout, redirects, trust_env, allow_address)
    except CircuitError:
        raise
    except Exception as error:  # whatever a stranger's server brings a library to raise, it is about this link
        _fail(error, shown, timeout)


def _fetch(
    url: str,
    shown: str,
    limit: int,
    timeout: float,
    redirects: int,
    trust_env: bool,
    allow_address: AllowAddress | None,
) -> Fetched:
    import httpx2

    from circuit_export.restore.connection import Deadline, Transport

    if trust_env and allow_address is not None:
        raise ValueError("trust_env and allow_address exclude each other")
    notes = []
    target = raw_url(url)
    if target != url:
        notes.append(f"The link shows a file; the file itself was read: {_printable(target)}")
    deadline = Deadline(timeout)
    transport = None if trust_env else Transport(deadline, allow_address)
    with httpx2.Client(
        transport=transport, trust_env=trust_env, timeout=timeout, follow_redirects=False, headers=_headers()
    ) as client:
        here = _checked(httpx2.URL(target), shown)
        for hop in range(redirects + 1):
            with client.stream("GET", here) as response:
                following = _following(response, here, shown) if response.status_code in _MOVED else None
                if following is None:
                    return _answer(response, here, shown, limit, deadline, tuple(notes))
                if hop == redirects:
                    break
                here = following
    raise FetchError(
        f"The link redirects more than {redirects} times",
        url=shown,
        found=f"the last redirect leads to {_printable(str(here))}",
        hint=f"open it in a browser and give the link it ends at, or {_SAVE}",
    )


def _headers() -> dict[str, str]:
    return {"user-agent": _AGENT, "accept": "text/html,application/json;q=0.9,*/*;q=0.8"}


def _checked(url: httpx2.URL, shown: str) -> httpx2.URL:
    """`url` if it is one that is fetched, without its fragment. Raises FetchError."""
    if url.scheme not in ("http", "https"):
        scheme = f"“{_printable(url.scheme)}:”" if url.scheme else "no scheme"
        raise FetchError("Only http and https links are read", url=shown, found=scheme, hint=_SAVE)
    if not url.host:
        raise FetchError("The link names no server", url=shown, hint="check the link")
    if url.userinfo:
        raise FetchError(
            "The link carries a user name or password",
            url=shown.replace(url.userinfo.decode("ascii", "replace") + "@", "…@"),
            hint=f"leave it out; if the page needs a sign-in: {_SAVE}",
        )
    return url.copy_with(fragment=None)


def _following(response: httpx2.Response, here: httpx2.URL, shown: str) -> httpx2.URL | None:
    """Where a redirect leads; None when it leads nowhere. Raises FetchError for one that is not followed."""
    location = response.headers.get("location", "").strip()
    if not location:
        return None
    following = _checked(here.join(location), shown)
    if here.scheme == "https" and following.scheme == "http":
        raise FetchError(
            "The link redirects from https to http, which anyone on the way could change",
            url=shown,
            found=_printable(str(following)),
            hint="give the http link yourself if that is meant",
            status=response.status_code,
        )
    return following


def _answer(
    response: httpx2.Response, here: httpx2.URL, shown: str, limit: int, deadline: Deadline, notes: tuple[str, ...]
) -> Fetched:
    status = response.status_code
    if not 200 <= status < 300:
        _refuse(response, here, shown)
    chunks, size = [], 0
    for chunk in response.iter_bytes():
        deadline.left()
        size += len(chunk)
        if max(size, response.num_bytes_downloaded) > limit:
            raise FetchedTooLarge(
                "The page is larger than what is read",
                url=shown,
                found=f"over {limit:,} bytes",
                hint="give a larger limit, or save it and import the file",
                status=status,
            )
        chunks.append(chunk)
    if not size:
        raise FetchError(
            "The server answered with nothing",
            url=shown,
            found=f"status {status}, no content",
            hint=_SAVE,
            status=status,
        )
    content_type = response.headers.get("content-type", "")
    return Fetched(_printable(str(here)), status, content_type, response.charset_encoding, b"".join(chunks), notes)


def _refuse(response: httpx2.Response, here: httpx2.URL, shown: str) -> NoReturn:
    status = response.status_code
    hint = _NEXT.get(status, "the server has trouble: try again later" if status >= 500 else _SAVE)
    if is_artifact(shown):
        hint = _ARTIFACT
    elif "cf-mitigated" in response.headers:
        hint = f"Cloudflare asks for a browser: {_SAVE}"
    reason = _printable(response.reason_phrase)
    at = _printable(str(here))
    raise FetchError(
        "The server did not give the page",
        url=shown,
        found=f"status {status} {reason}".rstrip() + (f" from {at}" if at != shown else ""),
        hint=hint,
        status=status,
    )


def _fail(error: Exception, shown: str, timeout: float) -> NoReturn:
    """Says an error of the network or of the library in our words."""
    import httpcore2
    import httpx2

    from circuit_export.restore.connection import AddressRefused

    causes = _causes(error)
    reason = _printable(str(error))[:200]
    if any(isinstance(cause, AddressRefused) for cause in causes):
        message, found, hint = "The link leads to an address that is not read from", reason, "give a public link"
    elif any(isinstance(cause, socket.gaierror) for cause in causes):
        message, found, hint = "The server's name is not known", reason, "check the link and the network"
    elif any(isinstance(cause, ssl.SSLError) for cause in causes):
        message, found = "The connection is not safe: the server's certificate or encryption was refused", reason
        hint = f"check the link; if you trust the server all the same, {_SAVE}"
    elif isinstance(error, (httpcore2.TimeoutException, httpx2.TimeoutException)):
        message, found = f"The page did not arrive within {timeout:g} seconds", reason
        hint = f"try again, give it more time, or {_SAVE}"
    elif isinstance(error, httpx2.DecodingError):
        message, found = "The server says how the page is compressed, but it is not", reason
        hint = _SAVE
    elif isinstance(error, (httpx2.InvalidURL, UnicodeError)):
        message, found, hint = "That is no link", reason, "check the link"
    elif isinstance(error, (httpcore2.NetworkError, httpx2.NetworkError, OSError)):
        message, found, hint = "The server cannot be reached", reason, "check the link and the network"
    else:
        message, found, hint = "The server's answer cannot be read", reason or type(error).__name__, _SAVE
    raise FetchError(message, url=shown, found=found, hint=hint) from error


def _causes(error: BaseException) -> list[BaseException]:
    """An error and those that it came from; the network's library hands them on as arguments."""
    causes: list[BaseException] = []
    open_: list[object] = [error]
    while open_ and len(causes) < 20:
        following = open_.pop()
        if isinstance(following, BaseException):
            causes.append(following)
            open_ += [following.__context__, following.__cause__, *following.args]
    return causes


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in text)[:2000]
