"""Signing in: what is sealed opens as it was and no other way, and nothing that is sent is too odd to be answered."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.signing import BACK, KEY, Proof, Visitor, site

from circuit_export.server.auth.redirects import is_registered, parsed, refused
from circuit_export.server.auth.seals import Seals, same

SEALS = Seals("a secret")
TEXTS = st.text(max_size=20)
ODD = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
FEW = settings(max_examples=60, deadline=None)

ANSWERS = {200, 201, 302, 400, 401, 403, 413, 429}
NAMES = (
    *("grant_type", "client_id", "redirect_uri", "code", "code_verifier", "refresh_token", "scope", "resource"),
    *("token", "token_type_hint", "client_secret", "response_type", "state", "code_challenge", "code_challenge_method"),
    *("owner_key", "seal", "decision", "redirect_uris", "client_name"),
)


@given(st.lists(TEXTS | st.integers(), max_size=4))
@FEW
def test_a_seal_opens_as_it_was_for_its_purpose_and_with_its_secret(value: list[object]) -> None:
    text = SEALS.seal("one", value)
    assert text.isascii()
    assert SEALS.opened("one", text) == value
    assert SEALS.opened("two", text) is None
    assert OTHER.opened("one", text) is None


OTHER = Seals("a secret ")


@given(st.data())
@FEW
def test_a_seal_does_not_open_with_any_character_changed(data: st.DataObject) -> None:
    text = SEALS.seal("one", ["client", "https://a.example/back"])
    place = data.draw(st.integers(0, len(text) - 1))
    sign = data.draw(st.sampled_from("AB-_.=z9é\ud800 "))
    changed = text[:place] + sign + text[place + 1 :]
    assert changed == text or SEALS.opened("one", changed) is None


@given(TEXTS, TEXTS)
@FEW
def test_the_same_is_the_same(one: str, other: str) -> None:
    assert same(one, other) == (one == other)
    assert same(one, one)


PIECES = st.sampled_from(
    [
        "https:",
        "http:",
        "//",
        "/",
        "\\",
        "localhost",
        "127.0.0.1",
        "[::1]",
        ":",
        "@",
        "#",
        "?",
        "a.example",
        "%2f",
        "80",
    ]
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=8).map("".join))
@settings(max_examples=300, deadline=None)
def test_what_may_be_registered_is_where_a_browser_goes(uri: str) -> None:
    if refused(uri):
        return
    url = parsed(uri)
    assert url is not None
    assert url.scheme != "http" or url.host in ("localhost", "127.0.0.1", "[::1]")
    assert uri in (str(url), str(url)[:-1])
    assert is_registered(uri, [uri])


@given(st.lists(PIECES | st.text(max_size=3), max_size=8).map("".join))
@settings(max_examples=300, deadline=None)
def test_what_counts_as_registered_leads_to_the_same_machine_and_path(uri: str) -> None:
    for registered in ("http://localhost:4/back", "http://127.0.0.1/", "https://a.example/back"):
        if is_registered(uri, [registered]) and uri != registered:
            here, there = parsed(uri), parsed(registered)
            assert here is not None
            assert there is not None
            assert (here.scheme, here.host, here.path, here.query) == (
                there.scheme,
                there.host,
                there.path,
                there.query,
            )
            assert there.scheme == "http"


@pytest.fixture(scope="module")
def visitor() -> Iterator[Visitor]:
    with site() as visitor:
        yield visitor


FIELDS = st.dictionaries(
    st.sampled_from(NAMES) | TEXTS, TEXTS | st.sampled_from([BACK, KEY, "S256", "code"]), max_size=6
)
PATHS = st.sampled_from(["register", "authorize", "token", "revoke"])


@given(path=PATHS, fields=FIELDS, grant=st.sampled_from(["authorization_code", "refresh_token", ""]))
@ODD
def test_odd_fields_are_answered(visitor: Visitor, path: str, fields: dict[str, str], grant: str) -> None:
    url = f"{visitor.base}/oauth/{path}"
    client = {"client_id": CLIENTS.setdefault("one", visitor.client_id()), "grant_type": grant, "redirect_uri": BACK}
    try:
        sent = [visitor.http.post(url, data={**client, **fields}, follow_redirects=False)]
    except UnicodeEncodeError:
        return  # half a surrogate pair, which no client can send
    sent.append(visitor.http.post(url, json={**client, **fields}, follow_redirects=False))
    if path == "authorize":
        challenge = {"code_challenge": Proof.new().challenge}
        sent.append(visitor.http.get(url, params={**challenge, **client, **fields}, follow_redirects=False))
    for answer in sent:
        assert answer.status_code in ANSWERS
        assert answer.status_code != 302 or answer.headers["location"].startswith("http://127.0.0.1:")


CLIENTS: dict[str, str] = {}


@given(
    path=PATHS,
    body=st.binary(max_size=200),
    kind=st.sampled_from(["", "application/json", "text/plain", "multipart/form-data"]),
)
@ODD
def test_odd_bodies_are_answered(visitor: Visitor, path: str, body: bytes, kind: str) -> None:
    kinds = (kind, "application/x-www-form-urlencoded")
    for one in kinds:
        answer = visitor.http.post(f"{visitor.base}/oauth/{path}", content=body, headers={"content-type": one})
        assert answer.status_code in ANSWERS


@given(header=st.binary(max_size=60).filter(lambda value: not set(value) & {0, 10, 13}))
@ODD
def test_odd_headers_let_nobody_in(visitor: Visitor, header: bytes) -> None:
    headers: Any = {"authorization": b"Bearer " + header}
    answer = visitor.http.get(f"{visitor.base}/mcp", headers=headers)
    assert answer.status_code == 401
