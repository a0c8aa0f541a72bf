"""Serves any number of clients over stateless Streamable HTTP, until it is asked to stop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Route

from circuit_export.diagnostics import CircuitError
from circuit_export.server import pages
from circuit_export.server.app import make_server
from circuit_export.server.auth.access import OAUTH, OPEN, Access
from circuit_export.server.auth.gate import Gate, TokenInPath, Tokens
from circuit_export.server.auth.provider import Realm
from circuit_export.server.auth.routes import SignIn, any_page_may_ask
from circuit_export.server.desk import Desk, Rules
from circuit_export.server.listening import Listening as Listening
from circuit_export.server.listening import check
from circuit_export.server.logs import Logged, log, log_to_stderr
from circuit_export.store import open_store
from circuit_export.store.base import StoreError, check_names

if TYPE_CHECKING:
    from mcp.server import MCPServer
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.types import ASGIApp, Receive, Scope, Send

    from circuit_export.store.base import Store

PATH: Final = "/mcp"
BODY_LIMIT: Final = 5 * 1024 * 1024
UPKEEP: Final = 3600
"""Seconds after which it forgets what has expired, again and again."""
GRACE: Final = 10
"""Seconds that what is under way has to end when the server is asked to stop."""

_METHODS = ("GET", "POST", "DELETE", "OPTIONS")
_HEADERS = ("content-type", "authorization", "mcp-session-id", "mcp-protocol-version", "mcp-method", "mcp-name")
_PROBED = frozenset(("/health", "/ready"))
"""Asked by machines that know this one by its number."""

Guard = Callable[[Mapping[str, "ASGIApp"]], "ASGIApp"]
"""Puts something in front of the protocol: the app that asks who it is, from one app for each workspace."""


def make_app(desk: Desk, listening: Listening, access: Access = Access()) -> ASGIApp:  # noqa: B008 - cannot be changed
    """The web application: the protocol at /mcp, signing in, /health and /ready, and a page at /."""
    guard, routes = _guarded(desk, listening, access)
    workspaces = access.workspaces if access.kind not in (OAUTH, OPEN) else (desk.workspace,)
    servers = {name: make_server(desk._replace(workspace=name)) for name in workspaces}
    routes += _own_routes(desk.store, listening, access)
    return _site(servers, listening, guard, routes, lambda: keep_house(desk), stateless_http=True)


def web_app(server: MCPServer, listening: Listening, **transport: Any) -> ASGIApp:
    """A server over HTTP for anybody: with limits, for whom it is meant, and with a log. `transport` is the SDK's."""
    return _site({"": server}, listening, _unguarded, [], **transport)


async def keep_house(desk: Desk, pause: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
    """Forgets what has expired, every hour: codes and tokens, and who guessed wrong. Boards and runs stay."""
    while True:
        await pause(UPKEEP)
        try:
            await desk.store.prune(before="", now=desk.stamp())
        except StoreError:  # whoever asks for something next is told so
            log.warning("what has expired could not be forgotten: the store does not answer")


def _guarded(desk: Desk, listening: Listening, access: Access) -> tuple[Guard, list[Route]]:
    """What asks who it is, and the routes that go with it."""
    if access.kind == OPEN:
        return _unguarded, []
    if access.kind == OAUTH:
        realm = Realm(listening.url, desk.workspace)
        sign_in = SignIn(access, desk.store, realm, desk.now)
        return lambda apps: Gate(apps, sign_in.provider, realm), sign_in.routes()
    return lambda apps: Gate(apps, Tokens(access.tokens)), []


def _unguarded(apps: Mapping[str, ASGIApp]) -> ASGIApp:
    (app,) = apps.values()
    return app


def _site(
    servers: Mapping[str, MCPServer],
    listening: Listening,
    guard: Guard,
    routes: list[Route],
    upkeep: Callable[[], Coroutine[Any, Any, None]] | None = None,
    **transport: Any,
) -> ASGIApp:
    """Everything put together, from the log outside to the protocol inside. `upkeep` goes on while it serves."""
    security = TransportSecuritySettings(
        allowed_hosts=list(listening.answered_hosts), allowed_origins=list(listening.answered_origins)
    )
    for server in servers.values():
        server.streamable_http_app(
            streamable_http_path=PATH,
            max_request_body_size=BODY_LIMIT,
            transport_security=security,
            **transport,
        )

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async with contextlib.AsyncExitStack() as running:
            for server in servers.values():
                await running.enter_async_context(server.session_manager.run())
            if upkeep is not None:
                running.callback(asyncio.create_task(upkeep()).cancel)
            yield

    forgets = transport.get("event_store") is None
    apps = {name: server.session_manager.asgi_app for name, server in servers.items()}
    protocol = CORSMiddleware(
        guard({name: _FromNow(app) if forgets else app for name, app in apps.items()}),
        allow_origins=listening.asking,
        allow_methods=_METHODS,
        allow_headers=_HEADERS,
        expose_headers=["mcp-session-id", "www-authenticate"],
    )
    ways = [Route(path, protocol) for path in (PATH, f"{PATH}/")]
    app = Starlette(
        routes=[*ways, *routes],
        lifespan=lifespan,
        exception_handlers={404: _nothing_here, StoreError: _no_store},
    )
    app.router.redirect_slashes = False  # an address made from what a request says would be one from a stranger
    paths = {route.path for route in (*ways, *routes)}
    return TokenInPath(Logged(_Called(app, listening.answered_hosts), paths))


class _Called:
    """Answers only those who call it by a name it has: a stranger's name can be made to lead to this machine."""

    def __init__(self, app: ASGIApp, hosts: tuple[str, ...]) -> None:
        self._app = app
        self._hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in _PROBED:
            host = Headers(scope=scope).get("host", "")
            name, _, port = host.rpartition(":")
            if host not in self._hosts and not (port.isdecimal() and f"{name}:*" in self._hosts):
                await PlainTextResponse("Invalid Host header", 421)(scope, receive, send)
                return
        await self._app(scope, receive, send)


class _FromNow:
    """Who asks for what was said after some event is told what is said from now on, where no events are kept:
    the library has no answer for that."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            headers = [(name, value) for name, value in scope["headers"] if name != b"last-event-id"]
            scope = {**scope, "headers": headers}
        await self._app(scope, receive, send)


async def _nothing_here(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "not_found", "error_description": f"The protocol is at {PATH}"}, status_code=404)


async def _no_store(request: Request, error: Exception) -> Response:
    log.error("the store does not answer", extra={"told": {"says": "the store does not answer"}})
    said = {"error": "temporarily_unavailable", "error_description": "What keeps the boards does not answer"}
    return JSONResponse(said, status_code=503, headers={"retry-after": "10"})


def _own_routes(store: Store, listening: Listening, access: Access) -> list[Route]:
    """How the server is, and the page that says what it is."""

    async def health(request: Request) -> Response:
        value = {"ok": True, "storage": store.kind, "durable": store.durable, "auth": access.kind}
        if not store.durable:
            value["warning"] = "Boards are kept in memory: they are gone when this server ends."
        return JSONResponse({**value, "integrations": "none: the connectors are the user's own"})

    async def ready(request: Request) -> Response:
        try:
            await store.ping()
        except CircuitError:
            return JSONResponse({"ready": False, "storage": store.kind}, status_code=503)
        return JSONResponse({"ready": True, "storage": store.kind})

    async def home(request: Request) -> Response:
        return pages.home(url=f"{listening.url}{PATH}", auth=access.kind)

    return [
        any_page_may_ask("/health", health, "GET"),
        any_page_may_ask("/ready", ready, "GET"),
        Route("/", home),
    ]


# --- serving -----------------------------------------------------------------------------------------------------


def listen(listening: Listening) -> socket.socket:
    """A socket that listens. Raises CircuitError when it cannot."""
    family = socket.AF_INET6 if ":" in listening.host else socket.AF_INET
    try:
        server = socket.create_server((listening.host.strip("[]"), listening.port), family=family, backlog=2048)
        # An answer is written in parts: without this the last one waits for a client to acknowledge those before it,
        # which clients put off for 40 ms. Connections take it from here, since asyncio leaves such sockets alone.
        server.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return server
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CircuitError(
            f"It cannot listen on {listening.host}, port {listening.port}: {reason}",
            hint="--port names another port, 0 any that is free",
        ) from None


async def serve(address: str, workspace: str, rules: Rules, listening: Listening, access: Access = Access()) -> None:  # noqa: B008
    """Opens the store at an address and serves it. What is under way when it is asked to stop has time to end."""
    import uvicorn

    from circuit_export.server.patience import PatientProtocol

    check(listening, access)
    check_names(workspace)
    store = open_store(address)
    try:
        await store.open()
        with listen(listening) as server_socket:
            listening = listening._replace(port=server_socket.getsockname()[1])
            app = make_app(Desk(store, workspace, rules), listening, access)
            log_to_stderr()
            _say(listening, access, store)
            config = uvicorn.Config(
                app,
                http=PatientProtocol,
                ws="none",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=GRACE,
            )
            await uvicorn.Server(config).serve(sockets=[server_socket])
    finally:
        await store.close()


def _say(listening: Listening, access: Access, store: Store) -> None:
    """Logs that it serves, where, and what whoever runs it had better know."""
    told = {"says": "serving", "url": f"{listening.own_url}{PATH}", "storage": store.kind, "auth": access.kind}
    log.info("serving", extra={"told": told})
    for warning in access.warnings:
        log.warning(warning)
