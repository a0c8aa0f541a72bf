"""Serves any number of clients over stateless Streamable HTTP, until it is asked to stop."""

from __future__ import annotations

import json
import logging
import socket
import sys
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, NamedTuple
from urllib.parse import urlsplit

from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.server.app import make_server
from circuit_export.server.desk import Desk, Rules
from circuit_export.store import open_store

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from circuit_export.store.base import Store

PATH: Final = "/mcp"
BODY_LIMIT: Final = 5 * 1024 * 1024
GRACE: Final = 10
"""Seconds that what is under way has to end when the server is asked to stop."""

_HERE = ("127.0.0.1", "localhost", "[::1]")
_METHODS = ("GET", "POST", "DELETE", "OPTIONS")
_HEADERS = ("content-type", "authorization", "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name")

log = logging.getLogger("circuit.http")


class Listening(NamedTuple):
    """Where to listen, by which address clients come, and from which web pages. `anybody` lets in who has no key."""

    host: str
    port: int
    public_url: str = ""
    origins: tuple[str, ...] = ()
    anybody: bool = False


def check(listening: Listening) -> None:
    """Raises UsageError for what would let strangers in unasked, or turn clients away."""
    for url in filter(None, (listening.public_url, *listening.origins)):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise UsageError("This is no address of a web server", found=url, expected="https://HOST")
    for origin in listening.origins:
        if urlsplit(origin).path.strip("/"):
            raise UsageError("An origin has no path", found=origin, hint=f"--allow-origin {_origin(origin)}")
    if is_loopback(listening.host):
        return
    if not listening.anybody:
        raise UsageError(
            "Whoever reaches this address could run and change all boards",
            found=f"--host {listening.host}, and no sign-in",
            hint="listen on 127.0.0.1 behind a server that signs people in, or say --open",
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


def make_app(desk: Desk, listening: Listening) -> ASGIApp:
    """The web application: the protocol at /mcp, and /health and /ready."""
    server = make_server(desk)
    _add_routes(server, desk.store)
    return web_app(server, listening, stateless_http=True)


def web_app(server: MCPServer, listening: Listening, **transport: Any) -> ASGIApp:
    """A server over HTTP: with limits, for whom it is meant, and with a log. `transport` is the SDK's."""
    from mcp.server.transport_security import TransportSecuritySettings
    from starlette.middleware.cors import CORSMiddleware

    public = urlsplit(listening.public_url).netloc
    origins = [_origin(url) for url in (*listening.origins, listening.public_url) if url]
    app: Starlette = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=BODY_LIMIT,
        transport_security=TransportSecuritySettings(
            allowed_hosts=[*_HERE, *(f"{host}:*" for host in _HERE), *filter(None, (public,))],
            allowed_origins=[*origins, *_own_origins(listening)],
        ),
        **transport,
    )
    shared = CORSMiddleware(
        app, allow_origins=origins, allow_methods=_METHODS, allow_headers=_HEADERS, expose_headers=["mcp-session-id"]
    )
    return Logged(shared)


def _own_origins(listening: Listening) -> list[str]:
    """What a page from this very address calls itself, if only this machine reaches it."""
    return [f"http://{host}:{listening.port}" for host in _HERE] if is_loopback(listening.host) else []


def _origin(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _add_routes(server: Any, store: Store) -> None:
    from starlette.responses import JSONResponse

    async def health(request: Request) -> Response:
        value = {"ok": True, "storage": store.kind, "durable": store.durable, "auth": "open"}
        if not store.durable:
            value["warning"] = "Boards are kept in memory: they are gone when this server ends."
        return JSONResponse({**value, "integrations": "none: the connectors are the user's own"})

    async def ready(request: Request) -> Response:
        try:
            await store.ping()
        except CircuitError:
            return JSONResponse({"ready": False, "storage": store.kind}, status_code=503)
        return JSONResponse({"ready": True, "storage": store.kind})

    server.custom_route("/health", methods=["GET"])(health)
    server.custom_route("/ready", methods=["GET"])(ready)


# --- logs --------------------------------------------------------------------------------------------------------


class Logged:
    """Logs each request when it is done: method, path and status, never what was in it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        status = 0

        async def sent(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            log.info(
                "request", extra={"told": {"method": scope["method"], "path": scope["path"][:200], "status": status}}
            )


class AsJson(logging.Formatter):
    """A line of JSON for each record; a traceback's text would show what was worked on, so only its kind is said."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": self.formatTime(record), "level": record.levelname.lower(), "from": record.name}
        fault = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else None
        told = getattr(record, "told", None) or {"says": record.getMessage()}
        return json.dumps({**line, **told, **({"fault": fault} if fault else {})}, ensure_ascii=False)


def log_to_stderr() -> None:
    """Sends all logs to stderr, as lines of JSON."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(AsJson())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    log.setLevel(logging.INFO)


# --- serving -----------------------------------------------------------------------------------------------------


def listen(listening: Listening) -> socket.socket:
    """A socket that listens. Raises CircuitError when it cannot."""
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    try:
        return socket.create_server((listening.host.strip("[]"), listening.port), family=family, backlog=2048)
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CircuitError(
            f"It cannot listen on {listening.host}, port {listening.port}: {reason}",
            hint="--port names another port, 0 any that is free",
        ) from None


async def serve(address: str, workspace: str, rules: Rules, listening: Listening) -> None:
    """Opens the store at an address and serves it. What is under way when it is asked to stop has time to end."""
    import uvicorn

    check(listening)
    store = open_store(address)
    try:
        await store.open()
        with listen(listening) as server_socket:
            listening = listening._replace(port=server_socket.getsockname()[1])
            app = make_app(Desk(store, workspace, rules), listening)
            log_to_stderr()
            host = f"[{listening.host.strip('[]')}]" if ":" in listening.host else listening.host
            url = f"http://{host}:{listening.port}{PATH}"
            log.info("serving", extra={"told": {"says": "serving", "url": url, "storage": store.kind}})
            config = uvicorn.Config(
                app, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=GRACE
            )
            await uvicorn.Server(config).serve(sockets=[server_socket])
    finally:
        await store.close()
