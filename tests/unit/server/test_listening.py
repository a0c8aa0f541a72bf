"""What a server refuses before it listens, and what it calls itself."""

import socket

import pytest

from circuit_export.diagnostics import UsageError
from circuit_export.server.auth.access import Access, Token
from circuit_export.server.http import listen
from circuit_export.server.listening import Listening, check

KEY = Access(owner_key="a key")
TOKENS = Access(tokens=(Token("ws", "t"),))
PUBLIC = "https://circuit.example"


@pytest.mark.parametrize(
    ("listening", "access"),
    [
        (Listening("127.0.0.1", 1), Access()),
        (Listening("::1", 1), KEY),
        (Listening("127.0.0.1", 1, "https://circuit.example:8443/"), KEY),
        (Listening("127.0.0.1", 1, "http://localhost:1"), KEY),
        (Listening("0.0.0.0", 1, PUBLIC), KEY),
        (Listening("0.0.0.0", 1, PUBLIC), TOKENS),
        (Listening("0.0.0.0", 1, PUBLIC, anybody=True), Access()),
        (Listening("127.0.0.1", 1, "https://circuit.example/under"), Access()),
    ],
)
def test_what_it_starts_with(listening: Listening, access: Access) -> None:
    check(listening, access)


@pytest.mark.parametrize(
    ("listening", "access", "said"),
    [
        (Listening("0.0.0.0", 1, PUBLIC), Access(), "CIRCUIT_OWNER_KEY"),
        (Listening("192.0.2.1", 1, PUBLIC), Access(), "--open"),
        (Listening("circuit.example", 1), KEY, "--public-url"),
        (Listening("0.0.0.0", 1), TOKENS, "--public-url"),
        (Listening("127.0.0.1", 1, anybody=True), KEY, "--open"),
        (Listening("127.0.0.1", 1, anybody=True), TOKENS, "--open"),
        (Listening("127.0.0.1", 1, "http://circuit.example"), KEY, "in the clear"),
        (Listening("127.0.0.1", 1, "https://circuit.example/under"), KEY, "a host of its own"),
        (Listening("127.0.0.1", 1, "https://circuit.example?x"), KEY, "a host of its own"),
        (Listening("127.0.0.1", 1, "https://me@circuit.example"), KEY, "a host of its own"),
        *(
            (Listening("127.0.0.1", 1, url), KEY, "no address of a web server")
            for url in ("ftp://circuit.example", "circuit.example", "https://", "https://circuit.example:99999", "x")
        ),
        (Listening("127.0.0.1", 1, origins=("https://a b",)), Access(), "no address of a web server"),
    ],
)
def test_what_it_does_not_start_with(listening: Listening, access: Access, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        check(listening, access)
    assert said in caught.value.block()


def test_what_it_calls_itself() -> None:
    assert Listening("::1", 80).url == "http://[::1]:80"
    assert Listening("127.0.0.1", 80, "https://circuit.example/").url == "https://circuit.example"
    assert Listening("127.0.0.1", 80, "https://circuit.example/").asking == ("https://circuit.example",)


def test_it_is_called_as_browsers_write_it() -> None:
    listening = Listening("0.0.0.0", 80, "https://Circuit.Example:443/", ("HTTPS://Board.example",))
    assert listening.url == "https://circuit.example"
    assert listening.answered_hosts[-1] == "circuit.example"
    assert listening.answered_origins == ("https://board.example", "https://circuit.example")


def test_what_it_answers_is_sent_at_once() -> None:
    """Else the end of each answer waits until a client acknowledges the beginning, which it puts off."""
    with listen(Listening("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()[:2]):
        connection, _ = server.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
