"""How a fetch reaches a server: within a deadline for all of it together, and only to addresses that are allowed."""

from __future__ import annotations

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import httpcore2
import httpx2

AllowAddress = Callable[[str], bool]
"""May an IP address be connected to? It is asked of the address that is connected to, after names are resolved."""


class AddressRefused(Exception):
    """The server's address is not one that may be connected to."""


class Deadline:
    """So many seconds from now, for everything together."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self, most: float | None = None) -> float:
        """The seconds left, `most` at most. Raises a timeout when there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise httpcore2.ReadTimeout("the time is up")
        return left if most is None else min(left, most)


class _Stream(httpcore2.NetworkStream):
    """A connection whose every wait ends at the deadline, so that a server that drips cannot hold it."""

    def __init__(self, stream: httpcore2.NetworkStream, deadline: Deadline) -> None:
        self._stream = stream
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        stream = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left(timeout))
        return _Stream(stream, self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    """Resolves a name once, judges each address, and connects to the address that was judged."""

    def __init__(self, deadline: Deadline, allow: AllowAddress | None) -> None:
        self._inner = httpcore2.SyncBackend()
        self._deadline = deadline
        self._allow = allow

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        addresses = _resolve(host, port, self._deadline)
        allowed = [address for address in addresses if self._allow is None or self._allow(address)]
        if not allowed:
            raise AddressRefused(addresses[0] if addresses else host)
        for address in allowed[:-1]:
            try:
                return self._connect(address, port, timeout, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout):
                continue
        return self._connect(allowed[-1], port, timeout, local_address, socket_options)

    def _connect(
        self, address: str, port: int, timeout: float | None, local: str | None, options: Iterable[Any] | None
    ) -> httpcore2.NetworkStream:
        stream = self._inner.connect_tcp(address, port, self._deadline.left(timeout), local, options)
        return _Stream(stream, self._deadline)


def _resolve(host: str, port: int, deadline: Deadline) -> list[str]:
    """The addresses of a name. The system's resolver takes no time limit, so it is waited for in a thread."""
    answer: list[list[str] | Exception] = []

    def ask() -> None:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            answer.append(list(dict.fromkeys(str(entry[4][0]) for entry in found)))
        except (OSError, UnicodeError) as error:
            answer.append(error)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join(deadline.left())
    if not answer:
        raise httpcore2.ConnectTimeout("the name was not resolved in time")
    if isinstance(answer[0], Exception):
        raise httpcore2.ConnectError(answer[0])  # as an argument: the pool drops causes
    return answer[0]


class _Body(httpx2.SyncByteStream):
    def __init__(self, stream: Iterable[bytes]) -> None:
        self._stream = stream

    def __iter__(self) -> Iterator[bytes]:
        yield from self._stream

    def close(self) -> None:
        close = getattr(self._stream, "close", None)
        if close is not None:
            close()


class Transport(httpx2.BaseTransport):
    """Carries requests directly (no proxy), under one deadline and with judged addresses."""

    def __init__(self, deadline: Deadline, allow: AllowAddress | None = None) -> None:
        self._pool = httpcore2.ConnectionPool(
            ssl_context=httpx2.create_ssl_context(trust_env=False),
            max_connections=1,
            network_backend=_Backend(deadline, allow),
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        answer = self._pool.handle_request(
            httpcore2.Request(
                method=request.method,
                url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                extensions=request.extensions,
            )
        )
        assert isinstance(answer.stream, Iterable)
        return httpx2.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_Body(answer.stream),
            extensions=answer.extensions,
        )

    def close(self) -> None:
        self._pool.close()
