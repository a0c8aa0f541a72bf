"""Where a client may let somebody be sent back to."""

import pytest

from circuit_export.server.auth.redirects import is_registered, refused, source, target

GOOD = [
    "https://claude.ai/api/mcp/auth_callback",
    "https://a.example",
    "https://a.example:8443/back?x=1&y=",
    "http://localhost",
    "http://localhost:3000/back",
    "http://127.0.0.1:1/",
    "http://[::1]:65535/back",
    "cursor://anysphere.cursor-mcp/oauth/callback",
    "vscode://vscode.github-authentication/did-authenticate",
]
BAD = [
    "",
    "back",
    "/back",
    "//a.example/back",
    "http://a.example/back",
    "http://127.0.0.1.a.example/back",
    "http://localhost.a.example/",
    "http://localhost@a.example/",
    "http://127.1/back",
    "http://0x7f000001/",
    "http://2130706433/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "https://user@a.example/",
    "https://user:word@a.example/",
    "https://a.example/back#part",
    "https://a.example/back#",
    "https://A.example/back",
    "https://a.example:443/back",
    "https://a.example/x/../back",
    "https:\\\\a.example\\back",
    "https:/\\a.example/back",
    "https://a.example/back\r\nset-cookie: x=1",
    "https://a.example/b ack",
    " https://a.example/back",
    "https://a.example/bäck",
    "https://",
    "https:///back",
    "javascript:alert(1)",
    "javascript://a.example/%0aalert(1)",
    "JavaScript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:x",
    "file:///etc/passwd",
    "blob:https://a.example/x",
    "about:blank",
    "myapp://a.example/back",
    "cursor:back",
    "ftp://a.example/",
    "ws://a.example/",
    "https://a.example/" + "x" * 400,
    None,
    7,
    ["https://a.example/"],
]


@pytest.mark.parametrize("uri", GOOD)
def test_what_may_be_registered(uri: str) -> None:
    assert refused(uri) == ""
    assert is_registered(uri, [uri])


@pytest.mark.parametrize("uri", BAD, ids=repr)
def test_what_may_not(uri: object) -> None:
    assert refused(uri)


def test_what_is_written_another_way_is_said_how() -> None:
    assert "https://a.example/back" in refused("https://A.example:443/back")


@pytest.mark.parametrize(
    ("uri", "registered", "good"),
    [
        ("https://a.example/back", "https://a.example/back/", False),
        ("https://a.example/back", "https://a.example/back?x", False),
        ("https://a.example/Back", "https://a.example/back", False),
        ("https://a.example:8443/back", "https://a.example/back", False),
        ("https://a.example.evil.example/back", "https://a.example/back", False),
        ("https://a.example/back/../evil", "https://a.example/back", False),
        ("http://127.0.0.1:5/back", "http://127.0.0.1:4/back", True),
        ("http://127.0.0.1/back", "http://127.0.0.1:4/back", True),
        ("http://[::1]:5/", "http://[::1]:4/", True),
        ("http://localhost:5/back?x=1", "http://localhost:4/back?x=1", True),
        ("http://localhost:5", "http://localhost:4", True),
        ("http://localhost:5/other", "http://localhost:4/back", False),
        ("http://localhost:5/back", "http://127.0.0.1:4/back", False),
        ("https://localhost:5/back", "http://localhost:4/back", False),
        ("http://localhost:5@evil.example/back", "http://localhost:4/back", False),
        ("http://localhost:99999/back", "http://localhost:4/back", False),
        ("http://localhost:5evil.example/back", "http://localhost:4/back", False),
        ("http://localhost.evil.example/back", "http://localhost/back", False),
        ("", "https://a.example/back", False),
    ],
)
def test_only_what_was_registered_to_the_letter_save_for_a_port_on_this_machine(
    uri: str, registered: str, good: bool
) -> None:
    assert is_registered(uri, [registered]) is good


def test_who_an_address_belongs_to() -> None:
    assert target("https://claude.ai/x") == "claude.ai"
    assert target("http://[::1]:4/") == "a program on this machine"
    assert "cursor://" in target("cursor://anysphere.cursor-mcp/oauth/callback")


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("https://a.example/back", "https://a.example:443"),
        ("https://a.example:8443/back", "https://a.example:8443"),
        ("http://127.0.0.1:4/x", "http://127.0.0.1:4"),
        ("http://[::1]:4/x", "http:"),
        ("cursor://anysphere.cursor-mcp/x", "cursor:"),
    ],
)
def test_as_a_policy_says_it(uri: str, said: str) -> None:
    assert source(uri) == said
