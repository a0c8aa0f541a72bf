"""A real server on this machine answers every way a server can; fetching ends in a page or in a clean error."""

import gzip
import socket
import threading
import time
import zlib
from collections.abc import Callable, Iterator

import pytest

from circuit_export.diagnostics import CircuitError
from circuit_export.restore.fetch import Fetched, FetchError, fetch
from circuit_export.restore.unwrap import TooLarge

Answer = Callable[[socket.socket, str], None]
PAGE = b"<!doctype html><title>x</title><p>page"


def plain(status: str = "200 OK", body: bytes = PAGE, headers: str = "", version: str = "1.1") -> Answer:
    def answer(peer: socket.socket, path: str) -> None:
        head = f"HTTP/{version} {status}\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
        peer.sendall(head.encode("latin-1") + body)

    return answer


def raw(data: bytes) -> Answer:
    def answer(peer: socket.socket, path: str) -> None:
        peer.sendall(data)

    return answer


def redirect(location: str, status: str = "302 Found") -> Answer:
    return plain(status, b"", f"Location: {location}\r\n")


def bomb(peer: socket.socket, path: str) -> None:
    """A gigabyte of zeros, compressed, sent for as long as it is taken."""
    peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n")
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    zeros = bytes(1 << 20)
    for _ in range(1024):
        peer.sendall(packer.compress(zeros))


def drip_body(peer: socket.socket, path: str) -> None:
    peer.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        peer.sendall(b"x")
        time.sleep(0.05)


def drip_headers(peer: socket.socket, path: str) -> None:
    peer.sendall(b"HTTP/1.1 200 OK\r\n")
    while True:
        peer.sendall(b"X-A: b\r\n")
        time.sleep(0.05)


def silence(peer: socket.socket, path: str) -> None:
    peer.recv(1)


class Server:
    """Answers each connection by the function its path names, for as long as the test takes."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.requests: list[str] = []
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()

    def url(self, path: str = "/", answer: Answer | None = None) -> str:
        if answer is not None:
            self.answers[path] = answer
        return f"http://127.0.0.1:{self.port}{path}"

    def _listen(self) -> None:
        while True:
            try:
                peer, _ = self._socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(peer,), daemon=True).start()

    def _serve(self, peer: socket.socket) -> None:
        with peer:
            peer.settimeout(10)
            try:
                request = b""
                while b"\r\n\r\n" not in request:
                    piece = peer.recv(65536)
                    if not piece:
                        return
                    request += piece
                    if request.startswith(b"\x16"):  # the greeting of TLS: an alert that there is none to be had
                        peer.sendall(b"\x15\x03\x03\x00\x02\x02\x28")
                        return
                self.requests.append(request.decode("latin-1"))
                path = self.requests[-1].split(" ")[1]
                self.answers.get(path, plain("404 Not Found", b"no"))(peer, path)
                peer.shutdown(socket.SHUT_WR)
            except OSError:
                return

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


def refused(url: str, **options: object) -> FetchError:
    with pytest.raises(FetchError) as caught:
        fetch(url, **options)  # type: ignore[arg-type]
    assert caught.value.hint, "every error says what to do"
    return caught.value


def test_a_page_comes_as_it_is(server: Server) -> None:
    url = server.url("/p", plain(headers="Content-Type: text/html; charset=ISO-8859-1\r\n"))
    assert fetch(url + "#part") == Fetched(url, 200, "text/html; charset=ISO-8859-1", "iso-8859-1", PAGE)


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("gzip", gzip.compress(PAGE, mtime=0)),
        ("deflate", zlib.compress(PAGE)),
        ("deflate", zlib.compress(PAGE)[2:-4]),
        ("identity", PAGE),
        ("", PAGE),
    ],
)
def test_compressed_pages_are_unpacked(server: Server, encoding: str, body: bytes) -> None:
    assert fetch(server.url("/", plain(body=body, headers=f"Content-Encoding: {encoding}\r\n"))).data == PAGE


@pytest.mark.parametrize(
    "answer",
    [
        raw(b"HTTP/1.0 200 OK\r\n\r\n" + PAGE),
        raw(b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n" + PAGE),
        raw(
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"
            + PAGE[:5]
            + b"\r\n%x;a=b\r\n" % (len(PAGE) - 5)
            + PAGE[5:]
            + b"\r\n0\r\n\r\n"
        ),
        plain(headers="Content-Type: image/png\r\n"),
        plain(headers="Content-Type: ///;charset=\r\n"),
        plain(status="203 Non-Authoritative Information"),
    ],
)
def test_every_way_to_send_a_page_is_read(server: Server, answer: Answer) -> None:
    assert fetch(server.url("/", answer)).data == PAGE


def test_redirects_are_followed_and_counted(server: Server) -> None:
    for hop in range(5):
        server.url(f"/{hop}", redirect(f"/{hop + 1}?a=ü", "307 Temporary Redirect"))
        server.answers[f"/{hop}?a=%C3%BC"] = server.answers[f"/{hop}"]
    server.answers["/5?a=%C3%BC"] = plain()
    assert fetch(server.url("/0")).data == PAGE
    error = refused(server.url("/0"), redirects=4)
    assert "more than 4 times" in error.message


def test_a_redirect_to_itself_ends(server: Server) -> None:
    assert "more than 5 times" in refused(server.url("/", redirect("/"))).message
    assert len(server.requests) == 6


@pytest.mark.parametrize(
    "location", ["file:///etc/passwd", "ftp://example.org/", "javascript:alert(1)", "http://user:pass@127.0.0.1/"]
)
def test_a_redirect_to_anything_else_is_refused(server: Server, location: str) -> None:
    error = refused(server.url("/", redirect(location)))
    assert "pass@" not in error.block()


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        ("401 Unauthorized", "sign-in"),
        ("403 Forbidden", "not open to programs"),
        ("404 Not Found", "check the link"),
        ("429 Too Many Requests", "pause"),
        ("500 Internal Server Error", "try again later"),
        ("503 Service Unavailable", "try again later"),
        ("304 Not Modified", "browser"),
    ],
)
def test_a_status_is_said_with_the_next_step(server: Server, status: str, hint: str) -> None:
    error = refused(server.url("/", plain(status, b"no")))
    assert (error.status, hint in error.hint) == (int(status[:3]), True)
    assert f"status {status}" in error.found


def test_too_much_is_not_taken(server: Server) -> None:
    error = refused(server.url("/", plain(body=b"x" * 2000)), limit=1999)
    assert isinstance(error, TooLarge)
    assert fetch(server.url("/"), limit=2000).data == b"x" * 2000


def test_a_bomb_stops_at_the_limit(server: Server) -> None:
    assert isinstance(refused(server.url("/", bomb), limit=5 << 20, timeout=60), TooLarge)


@pytest.mark.parametrize("answer", [drip_body, drip_headers, silence])
def test_time_is_counted_over_all_of_it(server: Server, answer: Answer) -> None:
    """Each wait is far below the limit; only the whole is over it."""
    assert "within 0.4 seconds" in refused(server.url("/", answer), timeout=0.4).message


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\r\n\r\n",
        b"hello",
        b"HTTP/1.1",
        b"HTTP/9.9 200 OK\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot gzip",
        b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n",
        b"HTTP/1.1 302 Found\r\nLocation: \xff\xfe\r\n\r\n",
        b"HTTP/1.1 302 Found\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 50_000 + b"\r\n",
        b"\x00\xff" * 500,
    ],
)
def test_a_broken_answer_is_a_clean_error(server: Server, data: bytes) -> None:
    refused(server.url("/", raw(data)), timeout=5)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "x",
        "://",
        "http://",
        "http:///path",
        "http://[::1",
        "http://a:b/",
        "http://a:99999999/",
        "http://\x00/",
        "http://" + "a" * 300 + "/",
        "http://" + "a." * 200 + "/",
        "http://xn--/",
        "http://\u2028/",
        "http://\ud800/",
        "file:///etc/passwd",
        "gopher://a/",
        "http://127.0.0.1:1/",
    ],
)
def test_a_link_that_is_none_is_a_clean_error(url: str) -> None:
    refused(url, timeout=5)


def test_a_password_in_a_link_is_refused_and_not_shown() -> None:
    error = refused("https://me:secret@example.org/page")
    assert "secret" not in error.block()


def test_an_unknown_name_is_said() -> None:
    assert "name is not known" in refused("https://nowhere.invalid/", timeout=20).message


def test_a_connection_that_cannot_be_made_safe_is_refused(server: Server) -> None:
    error = refused(server.url("/").replace("http:", "https:"), timeout=20)
    assert "not safe" in error.message


def test_addresses_are_judged_when_they_are_connected_to(server: Server) -> None:
    judged: list[str] = []

    def allow(address: str) -> bool:
        judged.append(address)
        return False

    error = refused(server.url("/", plain()).replace("127.0.0.1", "localhost"), allow_address=allow)
    assert "not read from" in error.message
    assert set(judged) <= {"127.0.0.1", "::1"}
    assert judged
    assert server.requests == []
    assert fetch(server.url("/"), allow_address=lambda address: address == "127.0.0.1").data == PAGE


def test_a_redirect_to_a_refused_address_is_refused(server: Server) -> None:
    url = server.url("/", redirect("http://127.0.0.2:1/"))
    assert "not read from" in refused(url, allow_address=lambda address: address == "127.0.0.1").message


def test_nothing_of_the_environment_is_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    assert fetch(server.url("/", plain())).data == PAGE
    assert "authorization" not in server.requests[0].lower()


def test_the_environments_proxy_is_used_when_asked(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", server.url(""))
    server.answers["http://example.invalid/page"] = plain()
    assert fetch("http://example.invalid/page", trust_env=True).data == PAGE


def test_the_errors_are_of_the_house() -> None:
    assert issubclass(FetchError, CircuitError)
