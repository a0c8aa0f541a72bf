"""Seals what is handed out so that nobody else could have made it, and makes secrets and their digests."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from typing import Any, Final

# What is sealed is in strangers' hands, who may try keys against it on their own machines, as many as they like: so a
# guess costs some 16 MiB and a twentieth of a second.
_COST: Final[dict[str, Any]] = {"n": 2**14, "r": 8, "p": 1, "dklen": 32}
_SALT: Final = b"circuit sign-in"


class Seals:
    """Seals of one secret. What was sealed for one purpose is nothing for another."""

    def __init__(self, secret: str) -> None:
        self._key = hashlib.scrypt(secret.encode(), salt=_SALT, **_COST)

    def seal(self, purpose: str, value: Any) -> str:
        """A JSON value as text that can be in a URL, and that only `opened` takes."""
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        body = _encoded(text.encode("utf-8", "surrogatepass"))
        return f"{body}.{self._mark(purpose, body)}"

    def opened(self, purpose: str, text: str) -> Any:
        """The value that was sealed; None for anything else."""
        body, _, mark = text.partition(".")
        if not hmac.compare_digest(self._mark(purpose, body).encode(), mark.encode("utf-8", "surrogatepass")):
            return None
        try:
            return json.loads(urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        except (ValueError, Error):  # sealed by us, so never; but a fault is no reason to fall over
            return None

    def digest(self, purpose: str, secret: str) -> str:
        """What a secret is looked up by: whoever reads the store learns no secret from it."""
        return hmac.digest(self._key, _bytes(purpose, secret), "sha256").hex()

    def _mark(self, purpose: str, body: str) -> str:
        return _encoded(hmac.digest(self._key, _bytes(f"seal {purpose}", body), "sha256"))


def new_secret(kind: str) -> str:
    """A secret of 256 bits; its beginning says what it is, for programs that look for secrets in the wrong places."""
    return f"circuit_{kind}_{secrets.token_urlsafe(32)}"


def same(one: str, other: str) -> bool:
    """Are two texts the same? How long that takes says nothing, not even of their lengths."""
    return hmac.compare_digest(
        *(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in (one, other))
    )


def _encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def _bytes(purpose: str, text: str) -> bytes:
    return f"{purpose}\0{text}".encode("utf-8", "surrogatepass")
