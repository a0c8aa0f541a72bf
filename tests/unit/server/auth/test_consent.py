"""The page on which the owner lets a client in, and nobody else does."""

import asyncio
import re
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from html import unescape

import httpx2
import pytest
from support.signing import BACK, BASE, KEY, Clock, Proof, Visitor, hidden, returned, site

from circuit_export.server.auth.access import Access
from circuit_export.server.desk import Desk
from circuit_export.server.http import make_app
from circuit_export.server.listening import Listening
from circuit_export.store.base import Grant
from circuit_export.store.memory import MemoryStore

PUBLIC = Listening("127.0.0.1", 8787, "https://circuit.example")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def visitor(clock: Clock) -> Iterator[Visitor]:
    with site(clock=clock) as visitor:
        yield visitor


@pytest.fixture
def page(visitor: Visitor) -> httpx2.Response:
    return visitor.ask(visitor.client_id(), Proof.new())


def test_it_says_who_asks_for_what(visitor: Visitor) -> None:
    client = visitor.client_id("https://claude.ai/back", client_name="Claude")
    page = visitor.ask(client, Proof.new(), redirect_uri="https://claude.ai/back")
    assert page.status_code == 200
    for said in ("Claude", "claude.ai", "Owner key", 'name="owner_key"', "one hour", "workflows", "connectors"):
        assert said in page.text
    assert "does not match" not in page.text
    fields = {"client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method", "resource", "seal"}
    assert set(hidden(page)) == fields


def test_it_can_do_and_be_shown_nothing_else(page: httpx2.Response) -> None:
    policy = dict(part.strip().split(" ", 1) for part in page.headers["content-security-policy"].split(";"))
    assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["form-action"] == "'self' http://127.0.0.1:5555"
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "same-origin"
    assert "<script" not in page.text
    assert not re.search(r"\bsrc=|@import|url\(|https?://(?!127)", page.text)


def test_what_a_client_says_of_itself_is_text(visitor: Visitor) -> None:
    name = '"><script>alert(1)</script>{{ 7 * 7 }}'
    page = visitor.ask(visitor.client_id(client_name=name), Proof.new(), state='"><b>\r\nset-cookie: x=1')
    assert "<script" not in page.text
    assert "<b>" not in page.text
    assert name in unescape(page.text)
    assert "x=1" not in str(page.headers)


def test_the_right_key_leads_back_with_a_code(visitor: Visitor, page: httpx2.Response) -> None:
    answer = visitor.send(page, f" {KEY}\n")
    said = returned(answer)
    assert said.keys() == {"code", "state", "iss"}
    assert (said["state"], said["iss"]) == ("some state", BASE)
    assert answer.headers["cache-control"] == "no-store"


def test_a_query_of_the_clients_stays(visitor: Visitor) -> None:
    uri = "https://a.example/back?keep=&x=%20"
    page = visitor.ask(visitor.client_id(uri), Proof.new(), redirect_uri=uri, state=None)
    location = visitor.send(page).headers["location"]
    assert location.startswith(f"{uri}&code=")
    assert "state" not in location


def test_a_state_cannot_break_out_of_its_place(visitor: Visitor) -> None:
    state = "x\r\nlocation: https://evil.example&code=mine#"
    answer = visitor.send(visitor.ask(visitor.client_id(), Proof.new(), state=state))
    assert "\r" not in answer.headers["location"]
    assert "evil" not in answer.headers.get("location", "").split("state=")[0]
    assert returned(answer)["state"] == state


@pytest.mark.parametrize("key", ["", "guess", KEY[:-1], KEY + "x", KEY.upper(), "é", "\0", "x" * 9_000])
def test_a_wrong_key_shows_the_page_again(visitor: Visitor, page: httpx2.Response, key: str) -> None:
    again = visitor.send(page, key)
    assert again.status_code == 200
    assert "does not match" in again.text
    assert 'name="owner_key"' in again.text
    assert 'value="guess' not in again.text
    assert returned(visitor.send(again))["code"]


def test_no_is_told_to_the_client(visitor: Visitor, page: httpx2.Response) -> None:
    said = returned(visitor.send(page, "", decision="deny"))
    assert said["error"] == "access_denied"
    assert (said["state"], said["iss"]) == ("some state", BASE)


# --- who is sent nowhere


@pytest.mark.parametrize(
    "more",
    [
        {"client_id": "cid_x.y"},
        {"client_id": None},
        {"redirect_uri": None},
        {"redirect_uri": "https://evil.example/"},
        {"redirect_uri": BACK + "/"},
        {"redirect_uri": BACK + "?x=1"},
        {"redirect_uri": BACK + "#x"},
        {"redirect_uri": BACK + "/../other"},
        {"redirect_uri": BACK.replace("/back", "/Back")},
        {"redirect_uri": BACK.replace("127.0.0.1", "localhost")},
        {"redirect_uri": "HTTP://127.0.0.1:5555/back"},
        {"redirect_uri": "javascript:alert(1)"},
    ],
    ids=str,
)
def test_nobody_is_sent_where_no_client_has_registered(visitor: Visitor, more: dict[str, str | None]) -> None:
    answer = visitor.ask(visitor.client_id(), Proof.new(), **more)
    assert answer.status_code == 400
    assert "location" not in answer.headers
    assert answer.headers["content-security-policy"]
    assert "form-action 'none'" in answer.headers["content-security-policy"]


def test_a_field_that_is_there_twice(visitor: Visitor) -> None:
    address = str(visitor.ask(visitor.client_id(), Proof.new()).request.url)
    for twice in ("redirect_uri=https://evil.example/", "client_id=x", "state=x"):
        assert visitor.http.get(f"{address}&{twice}", follow_redirects=False).status_code == 400


def test_another_port_on_this_machine_is_the_same_program(visitor: Visitor) -> None:
    uri = BACK.replace("5555", "6666")
    assert returned(visitor.send(visitor.ask(visitor.client_id(), Proof.new(), redirect_uri=uri)), uri)["code"]


# --- what is told to the client at once


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"code_challenge": None}, "invalid_request"),
        ({"code_challenge": "short"}, "invalid_request"),
        ({"code_challenge_method": "plain"}, "invalid_request"),
        ({"code_challenge_method": None}, "invalid_request"),
        ({"response_type": "token"}, "unsupported_response_type"),
        ({"resource": "https://evil.example/mcp"}, "invalid_target"),
        ({"resource": f"{BASE}/mcp/"}, "invalid_target"),
        ({"resource": BASE}, "invalid_target"),
        ({"resource": f"{BASE}/mcp.evil.example"}, "invalid_target"),
    ],
    ids=str,
)
def test_what_nobody_can_be_asked_to_agree_to(visitor: Visitor, more: dict[str, str | None], error: str) -> None:
    said = returned(visitor.ask(visitor.client_id(), Proof.new(), **more))
    assert said["error"] == error
    assert (said["state"], said["iss"]) == ("some state", BASE)
    assert "code" not in said


def test_what_may_be_left_out(visitor: Visitor) -> None:
    page = visitor.ask(visitor.client_id(), Proof.new(), resource=None, response_type=None, state=None, scope="a b")
    assert returned(visitor.send(page)).keys() == {"code", "iss"}


def test_who_looks_at_the_headers_alone_is_answered_as_the_others(visitor: Visitor) -> None:
    address = str(visitor.ask(visitor.client_id(), Proof.new()).request.url)
    answer = visitor.http.head(address, follow_redirects=False)
    assert (answer.status_code, answer.text) == (200, "")
    assert answer.headers["content-security-policy"]


# --- a page is sent by who was shown it, as it was


def test_a_form_without_its_page_is_refused(visitor: Visitor, page: httpx2.Response) -> None:
    for seal in ("", "x", hidden(page)["client_id"], hidden(page)["seal"][:-1]):
        answer = visitor.send(page, seal=seal)
        assert answer.status_code == 403, seal
        assert "location" not in answer.headers


def test_a_page_cannot_be_sent_as_another(visitor: Visitor, page: httpx2.Response) -> None:
    other = visitor.client_id(client_name="Another")
    for name, value in (
        ("client_id", other),
        ("state", "x"),
        ("code_challenge", Proof.new().challenge),
        ("scope", "x"),
    ):
        assert visitor.send(page, **{name: value}).status_code == 403, name
    assert visitor.send(page, redirect_uri=BACK.replace("5555", "6666")).status_code == 403


def test_a_browser_needs_the_cookie_that_came_with_the_page(visitor: Visitor, page: httpx2.Response) -> None:
    own = {"origin": BASE, "sec-fetch-site": "same-origin"}
    with site() as somebody:
        assert somebody.send(page, headers=own).status_code == 403
        somebody.ask(somebody.client_id(), Proof.new())
        assert somebody.send(page, headers=own).status_code == 403
    assert returned(visitor.send(page, headers=own))["code"]


def test_a_script_sends_the_request_and_the_key_in_one(visitor: Visitor, page: httpx2.Response) -> None:
    fields = {name: value for name, value in hidden(page).items() if name != "seal"}
    address = f"{BASE}/oauth/authorize"
    visitor.http.cookies.clear()  # it never saw the page
    wrong = visitor.http.post(address, data={**fields, "owner_key": "wrong"}, follow_redirects=False)
    assert "does not match" in wrong.text
    visitor.http.cookies.clear()
    right = visitor.http.post(address, data={**fields, "owner_key": KEY}, follow_redirects=False)
    assert returned(right)["code"]


@pytest.mark.parametrize("name", ["origin", "sec-fetch-site", "sec-fetch-mode", "referer", "cookie"])
def test_no_browser_sends_it_without_the_page(visitor: Visitor, page: httpx2.Response, name: str) -> None:
    fields = {name: value for name, value in hidden(page).items() if name != "seal"}
    visitor.http.cookies.clear()
    said = {"origin": BASE, "sec-fetch-site": "same-origin"}.get(name, "x")
    sent = {**fields, "owner_key": KEY}
    answer = visitor.http.post(f"{BASE}/oauth/authorize", data=sent, headers={name: said}, follow_redirects=False)
    assert answer.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": BASE.replace("http:", "https:")},
        {"origin": BASE + ".evil.example"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
    ids=str,
)
def test_another_page_cannot_send_it(visitor: Visitor, page: httpx2.Response, headers: dict[str, str]) -> None:
    assert visitor.send(page, headers=headers).status_code == 403


def test_two_tabs_do_not_disturb_each_other(visitor: Visitor, page: httpx2.Response) -> None:
    second = visitor.ask(visitor.client_id(), Proof.new())
    own = {"origin": BASE}
    assert returned(visitor.send(page, headers=own))["code"]
    assert returned(visitor.send(second, headers=own))["code"]


def test_a_page_of_half_an_hour_ago_is_stale(visitor: Visitor, clock: Clock, page: httpx2.Response) -> None:
    clock.ahead = timedelta(minutes=29)
    assert visitor.send(page, "wrong").status_code == 200
    clock.ahead = timedelta(minutes=31)
    assert visitor.send(page).status_code == 403


def test_the_cookie_is_for_this_host_alone() -> None:
    with site(listening=PUBLIC) as visitor:
        cookie = visitor.ask(visitor.client_id(), Proof.new()).headers["set-cookie"]
    assert cookie.startswith("__Host-circuit=")
    for part in ("Secure", "HttpOnly", "Path=/", "SameSite=lax"):
        assert part in cookie
    assert "Domain" not in cookie


# --- guessing


def test_ten_wrong_keys_in_a_minute_are_the_last(visitor: Visitor, clock: Clock, page: httpx2.Response) -> None:
    at_minute(clock)
    for _ in range(10):
        assert visitor.send(page, "wrong").status_code == 200
    over = visitor.send(page)
    assert over.status_code == 429
    assert over.headers["retry-after"] == "60"
    assert "too many" in over.text
    clock.ahead += timedelta(seconds=61)
    assert returned(visitor.send(page))["code"]


def test_the_right_key_is_never_counted(visitor: Visitor) -> None:
    for _ in range(20):
        assert visitor.sign_in(visitor.client_id())["access_token"]


def test_guesses_are_counted_for_all_servers_of_one_store(clock: Clock) -> None:
    at_minute(clock)
    store = MemoryStore()
    with site(store=store, clock=clock) as one, site(store=store, clock=clock) as other:
        page = one.ask(one.client_id(), Proof.new())
        for number in range(10):
            assert (one, other)[number % 2].send(page, "wrong").status_code == 200
        assert one.send(page).status_code == other.send(page).status_code == 429


class Afar(MemoryStore):
    """A store that answers after a while, as one over a network."""

    async def get_grant(self, kind: str, key: str, *, now: str) -> Grant | None:
        found = await super().get_grant(kind, key, now=now)
        await asyncio.sleep(0.002)
        return found


def test_many_at_once_cannot_guess_more_often(clock: Clock) -> None:
    at_minute(clock)
    app = make_app(Desk(Afar(), "owner", now=clock), Listening("127.0.0.1", 8787), Access(owner_key=KEY))
    asked = {"redirect_uri": BACK, "code_challenge": Proof.new().challenge, "code_challenge_method": "S256"}

    async def guesses() -> list[int]:
        async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=BASE) as http:
            registered = (await http.post("/oauth/register", json={"redirect_uris": [BACK]})).json()
            form = {"client_id": registered["client_id"], **asked}
            sent = (http.post("/oauth/authorize", data={**form, "owner_key": str(number)}) for number in range(40))
            return [answer.status_code for answer in await asyncio.gather(*sent)]

    assert Counter(asyncio.run(guesses())) == {200: 10, 429: 30}


def test_many_addresses_cannot_guess_for_long(clock: Clock) -> None:
    at_minute(clock)
    with site(clock=clock) as visitor:
        page = visitor.ask(visitor.client_id(), Proof.new())
        transport = visitor.http._transport
        for number in range(60):
            transport.client = (f"192.0.2.{number}", 1)  # type: ignore[attr-defined]
            assert visitor.send(page, "wrong").status_code == 200
        transport.client = ("198.51.100.1", 1)  # type: ignore[attr-defined]
        assert visitor.send(page).status_code == 429


def at_minute(clock: Clock) -> None:
    """Moves the clock on to the beginning of a minute, so that none ends in the middle of a test."""
    clock.ahead = timedelta(seconds=61 - clock().second)


def test_without_a_key_there_is_no_page() -> None:
    with site(Access()) as visitor:
        for path in ("/oauth/authorize", "/oauth/register", "/.well-known/oauth-protected-resource"):
            answer = visitor.http.get(visitor.base + path)
            assert (answer.status_code, answer.json()["error"]) == (404, "not_found")
