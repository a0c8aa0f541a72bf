"""Links that a stranger hands in lead nowhere but to the open internet. Nothing here leaves this machine."""

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from httpcore2 import SyncBackend
from support.serving import Session, talk

from circuit_export.restore.fetch import FetchError, fetch
from circuit_export.server.desk import Rules
from circuit_export.server.tools.keeping import is_public

PUBLIC = "93.184.216.34"
INSIDE = ("10.0.0.1", "169.254.169.254", "127.0.0.1", "::1", "fd00::1", "::ffff:10.0.0.1", "2002:a00:1::1")
MORE_INSIDE = """
::127.0.0.1 64:ff9b::a00:1 64:ff9b:1::a00:1 fec0::1 3fff::1 5f00::1 ::ffff:0:10.0.0.1 2606:4700:1:1:0:5efe:a00:1
2606:4700:1:1:200:5efe:a00:1 192.0.0.1 198.18.0.1 240.0.0.1 255.255.255.255
"""
WRITTEN = """
http://127.0.0.1/ http://127.0.0.1:6379/ http://localhost/ http://2130706433/ http://0x7f000001/ http://0x7f.1/
http://017700000001/ http://127.1/ http://0/ http://[::1]/ http://[::]/ http://[::ffff:127.0.0.1]/ http://[::127.0.0.1]/
http://[64:ff9b::7f00:1]/ http://[2002:7f00:1::]/ http://inside.example/ http://inside.example.:80/ //inside.example/x
"""

REFUSED = r"not read from|no link|not known"


class Net:
    """A net of a few names. Who connects to the public address comes to a server here, and nobody comes elsewhere."""

    def __init__(self, port: int) -> None:
        self.names = {"public.example": [PUBLIC], "inside.example": ["10.0.0.1"]}
        self.port = port
        self.asked: list[str] = []
        self.real_resolve = socket.getaddrinfo
        self.real_connect = SyncBackend.connect_tcp

    def resolve(self, host: Any, port: Any, *args: Any, **named: Any) -> Any:
        self.asked.append(str(host))
        name = str(host).rstrip(".")
        if name.endswith(".example"):
            if name not in self.names:
                raise socket.gaierror(socket.EAI_NONAME, "unknown")
            return [(2, 1, 6, "", (address, port)) for address in self.names[name]]
        return self.real_resolve(host, port, *args, **named)

    def connect(self, backend: Any, host: str, port: int, *args: Any, **named: Any) -> Any:
        assert host == PUBLIC, f"connected to {host}"
        return self.real_connect(backend, "127.0.0.1", self.port, *args, **named)


class Answers(BaseHTTPRequestHandler):
    """Redirects to what follows the question mark, and is a page otherwise."""

    def do_GET(self) -> None:
        _, _, to = self.path.partition("?")
        self.send_response(302 if to else 200)
        self.send_header("content-length", "2" if not to else "0")
        if to:
            self.send_header("location", to)
        self.end_headers()
        self.wfile.write(b"" if to else b"ok")

    def log_message(self, *given: Any) -> None:
        pass


@pytest.fixture
def net(monkeypatch: pytest.MonkeyPatch) -> Iterator[Net]:
    with HTTPServer(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=lambda: server.serve_forever(0.01), daemon=True).start()
        made = Net(server.server_port)
        monkeypatch.setattr(socket, "getaddrinfo", made.resolve)
        monkeypatch.setattr(SyncBackend, "connect_tcp", lambda *given, **named: made.connect(*given, **named))
        yield made
        server.shutdown()


def fetched(url: str) -> bytes:
    return fetch(url, allow_address=is_public).data


@pytest.mark.parametrize("address", [*INSIDE, *MORE_INSIDE.split()])
def test_an_address_that_is_not_of_the_open_internet(address: str, net: Net) -> None:
    net.names["hidden.example"] = [address]
    with pytest.raises(FetchError, match="not read from"):
        fetched("http://hidden.example/")


@pytest.mark.parametrize("written", WRITTEN.split())
def test_a_redirect_leads_no_further_than_a_link(written: str, net: Net) -> None:
    with pytest.raises(FetchError, match=REFUSED):
        fetched(f"http://public.example/?{written}")
    if not written.startswith("/"):
        with pytest.raises(FetchError, match=REFUSED):
            fetched(written)


def test_of_a_names_addresses_only_the_open_ones_are_connected_to(net: Net) -> None:
    net.names["mixed.example"] = ["10.0.0.1", PUBLIC, "::1"]
    assert fetched("http://mixed.example/") == b"ok"
    assert fetched("http://public.example/?http://mixed.example/") == b"ok"


def test_a_name_that_changes_its_address_is_judged_by_the_one_connected_to(net: Net) -> None:
    def resolve(host: Any, port: Any, *args: Any, **named: Any) -> Any:
        found = net.resolve(host, port, *args, **named)
        net.names["public.example"] = ["127.0.0.1"]
        return found

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(socket, "getaddrinfo", resolve)
        assert fetched("http://public.example/") == b"ok"
        with pytest.raises(FetchError, match="not read from"):
            fetched("http://public.example/")
    assert [host for host in net.asked if host == "public.example"] == ["public.example"] * 2


def test_redirects_are_counted_and_hold_no_passwords(net: Net) -> None:
    with pytest.raises(FetchError, match="password"):
        fetched("http://public.example/?http://me:secret@public.example/")
    deep = "http://public.example/"
    for _ in range(6):
        deep = f"http://public.example/?{deep}"
    with pytest.raises(FetchError, match="redirects more than 5 times"):
        fetched(deep)


@pytest.mark.parametrize("scheme", ["ftp", "file", "gopher", "dict", "ldap", "data", "jar"])
def test_other_schemes_lead_nowhere(scheme: str, net: Net) -> None:
    with pytest.raises(FetchError, match="Only http and https"):
        fetched(f"http://public.example/?{scheme}://public.example/x")


def test_what_a_client_is_told(net: Net) -> None:
    """A server fetches https only, nothing inside, and says so; without leave it fetches nothing."""

    async def refused(session: Session) -> None:
        for link in ("https://inside.example/", "https://[::ffff:127.0.0.1]:1/", "HTTPS://2130706433:1"):
            assert "not read from" in await session.bad("import", source=link)
        for link in ("http://public.example/", "http://127.0.0.1/"):
            assert "Only https" in await session.bad("import", source=link)
        await session.good("list")

    talk(refused, rules=Rules(allow_fetch=True))
    net.asked.clear()

    async def not_asked(session: Session) -> None:
        assert "fetches no links" in await session.bad("import", source="https://public.example/")
        await session.good("list")

    talk(not_asked)
    assert not [host for host in net.asked if host.endswith(".example")]
