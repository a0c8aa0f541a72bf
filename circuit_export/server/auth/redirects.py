"""Where a client may let somebody be sent back to: its own web server, this machine, or its own program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pydantic import AnyUrl, TypeAdapter, ValidationError

LOOPBACKS: Final = ("127.0.0.1", "localhost", "[::1]")
PROGRAMS: Final = ("cursor", "vscode", "vscode-insiders", "windsurf", "zed")
"""Schemes that editors have for themselves. Another program could claim one, too; a code is of no use to it without
the verifier that the client has kept."""

MOST: Final = 10
LONGEST: Final = 400
"""Characters of one address: all of them are part of the client's id, which is part of a URL."""

_URL: Final = TypeAdapter(AnyUrl)
_PLAIN = re.compile(r"[!-\[\]-~]+")  # ASCII without spaces and without backslashes
_PORT = re.compile(r"^(http://(?:127\.0\.0\.1|localhost|\[::1\]))(?::[0-9]{1,5})?(?=[/?]|$)")


def refused(uri: object) -> str:
    """Why a client may not have this address, "" if it may."""
    if not isinstance(uri, str) or not _PLAIN.fullmatch(uri):
        return "is no address"
    if len(uri) > LONGEST:
        return f"is longer than {LONGEST} characters"
    url = parsed(uri)
    if url is None or not url.host:
        return "is no address"
    if url.username is not None or url.password is not None or "#" in uri:
        return "has a user or a fragment"
    if uri not in (text := str(url), text.removesuffix("/")):
        return f"is not written as it is read: {text}"
    if url.scheme == "https" or url.scheme in PROGRAMS or (url.scheme == "http" and url.host in LOOPBACKS):
        return ""
    return "is neither https nor on this machine"


def parsed(uri: str) -> AnyUrl | None:
    """An address as a browser reads it, None when it is none."""
    try:
        return _URL.validate_python(uri)
    except ValidationError:
        return None


def is_registered(uri: str, registered: Sequence[str]) -> bool:
    """Is an address one that a client registered, to the letter? On this machine its port may be another one, since a
    program takes one that is free (RFC 8252, 7.3)."""
    return uri in registered or (
        (plain := _portless(uri)) != "" and plain in map(_portless, registered) and not refused(uri)
    )


def target(uri: str) -> str:
    """Who an address belongs to, as a person knows it: a host, this machine, or a program."""
    url = parsed(uri)
    if url is None or not url.host:
        return uri
    if url.scheme in PROGRAMS:
        return f"the program that opens {url.scheme}:// links on this machine"
    return "a program on this machine" if url.host in LOOPBACKS else url.host


def source(uri: str) -> str:
    """The address as a source in a content security policy, which knows no IPv6 addresses and no hosts of programs."""
    url = parsed(uri)
    if url is None:
        return "'none'"
    if url.scheme not in ("http", "https") or (url.host or "").startswith("["):
        return f"{url.scheme}:"
    return f"{url.scheme}://{url.host}{f':{url.port}' if url.port else ''}"


def _portless(uri: str) -> str:
    """An address on this machine without its port, "" for any other."""
    match = _PORT.match(uri)
    return match[1] + uri[match.end() :] if match else ""
