"""Reads what is posted to the sign-in: little, once each, and handed on as the SDK's handlers read it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.types import Message

from circuit_export.server.auth.clients import Refusal

LIMIT: Final = 16 * 1024
"""Bytes that anything posted here may have."""

_FORM: Final = "application/x-www-form-urlencoded"
_JSON: Final = "application/json"
_FIELDS: Final = 40


async def body_of(request: Request) -> bytes:
    """What was posted. Raises Refusal when it is too much, before all of it was read."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LIMIT:
            raise Refusal("invalid_request", f"More than {LIMIT:,} bytes", 413)
    return body


async def posted(request: Request) -> dict[str, str]:
    """The fields of a form, or of a JSON object. Raises Refusal."""
    body = await body_of(request)
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == _JSON:
        return _from_json(body)
    if kind != _FORM:
        raise Refusal("invalid_request", f"The body is neither {_FORM} nor {_JSON}")
    return from_query(body)


def from_query(text: bytes) -> dict[str, str]:
    """The fields of a query or a form; what is empty counts as left out (RFC 6749, 3.1). Raises Refusal."""
    try:
        pairs = parse_qsl(text.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=_FIELDS)
    except ValueError:
        raise Refusal("invalid_request", "The fields cannot be read") from None
    if len({name for name, _ in pairs}) < len(pairs):
        raise Refusal("invalid_request", "A field is there twice")
    return {name: value for name, value in pairs if value}


def as_form(request: Request, fields: Mapping[str, str]) -> Request:
    """The same request with these fields instead, in the query of a GET or as the form of a POST."""
    text = urlencode(fields).encode()
    if request.method in ("GET", "HEAD"):
        return Request({**request.scope, "method": "GET", "query_string": text})
    return with_body(request, text, _FORM)


def with_body(request: Request, body: bytes, kind: str = _JSON) -> Request:
    """The same request with another body."""
    kept = [header for header in request.scope["headers"] if header[0] not in (b"content-type", b"content-length")]
    sent = False

    async def receive() -> Message:
        nonlocal sent
        if sent:
            return {"type": "http.disconnect"}
        sent = True
        return {"type": "http.request", "body": body, "more_body": False}

    headers = [*kept, (b"content-type", kind.encode()), (b"content-length", str(len(body)).encode())]
    return Request({**request.scope, "headers": headers}, receive)


def _from_json(body: bytes) -> dict[str, str]:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal("invalid_request", "The body is not JSON") from None
    if not isinstance(said, dict) or not all(isinstance(value, str) for value in said.values()):
        raise Refusal("invalid_request", "The body is not a JSON object of texts")
    return {name: value for name, value in said.items() if value}
