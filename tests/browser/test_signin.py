"""Signing in with a real browser: the page is shown, sent and left, and no other page can do it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from playwright.sync_api import Browser, Page
from support.browsing import violations
from support.hosting import Server, serving
from support.signing import KEY, Proof, Visitor

pytestmark = pytest.mark.browser


class Program(NamedTuple):
    """A program on this machine that waits for somebody to be sent back; what it shows is `body`."""

    base: str
    body: list[str]

    @property
    def back(self) -> str:
        return f"{self.base}/back"


@contextmanager
def program() -> Iterator[Program]:
    body = ["back"]

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(body[0].encode())

        def log_message(self, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield Program(f"http://127.0.0.1:{server.server_port}", body)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    place = tmp_path_factory.mktemp("signin")
    with serving(place, "--store", "memory", environment={"CIRCUIT_OWNER_KEY": KEY}) as running:
        yield running


@pytest.fixture
def waiting() -> Iterator[Program]:
    with program() as waiting:
        yield waiting


@pytest.fixture
def visitor(server: Server) -> Iterator[Visitor]:
    with httpx2.Client() as http:
        yield Visitor(http, server.base)


@contextmanager
def window(browser: Browser, said: list[str], **options: Any) -> Iterator[Page]:
    """A window whose console must stay silent, but for what is put into `said`."""
    context = browser.new_context(viewport={"width": 1100, "height": 800}, **options)
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    try:
        yield page
    finally:
        context.close()


def address(visitor: Visitor, waiting: Program, proof: Proof, name: str = "A client") -> str:
    client = visitor.client_id(waiting.back, client_name=name)
    return str(visitor.ask(client, proof, redirect_uri=waiting.back).request.url)


def test_allow_leads_back_with_a_code_that_is_good(browser: Browser, visitor: Visitor, waiting: Program) -> None:
    proof, said = Proof.new(), list[str]()
    where = address(visitor, waiting, proof)
    with window(browser, said) as page:
        page.goto(where)
        assert page.evaluate("document.activeElement.name") == "owner_key"
        page.get_by_label("Owner key").fill("a guess")
        page.keyboard.press("Enter")
        assert page.get_by_role("alert").inner_text() == "This key does not match the owner key of this server."
        page.get_by_label("Owner key").fill(KEY)
        page.get_by_role("button", name="Allow", exact=True).click()
        page.wait_for_url(f"{waiting.back}?**")
        query = {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
    assert said == []
    client = {name: values[0] for name, values in parse_qs(urlsplit(where).query).items()}["client_id"]
    assert (query["state"], query["iss"]) == ("some state", visitor.base)
    tokens = visitor.exchange(client, proof, query["code"], redirect_uri=waiting.back).json()
    assert visitor.call(tokens["access_token"]).status_code == 200


def test_no_needs_no_key(browser: Browser, visitor: Visitor, waiting: Program) -> None:
    said: list[str] = []
    with window(browser, said) as page:
        page.goto(address(visitor, waiting, Proof.new()))
        page.get_by_role("button", name="Do not allow").click()
        page.wait_for_url(f"{waiting.back}?**")
        assert "error=access_denied" in page.url
    assert said == []


def test_another_page_cannot_show_it_in_itself(browser: Browser, visitor: Visitor, waiting: Program) -> None:
    where = address(visitor, waiting, Proof.new())
    waiting.body[0] = f'<iframe src="{where.replace("&", "&amp;")}"></iframe>'
    said: list[str] = []
    with window(browser, said) as page:
        page.goto(waiting.base)
        page.wait_for_function("frames.length == 1")
        page.wait_for_load_state("networkidle")
        assert all("Owner key" not in frame.content() for frame in page.frames)
    assert any("frame-ancestors" in line or "X-Frame-Options" in line for line in said)


def test_another_page_cannot_send_it(browser: Browser, visitor: Visitor, waiting: Program) -> None:
    """Somebody has a page of their own, with its seal, and lets the owner's browser send it with a known key."""
    client, proof = visitor.client_id(waiting.back), Proof.new()
    shown = visitor.ask(client, proof, redirect_uri=waiting.back).text
    form = shown[shown.index("<form") : shown.index("</form>")].replace('action="', f'action="{visitor.base}')
    form = form.replace('name="owner_key"', f'name="owner_key" value="{KEY}"').replace("required", "")
    waiting.body[0] = form + '</form><script>document.querySelector("button").click()</script>'
    with window(browser, []) as page:
        page.goto(address(visitor, waiting, Proof.new()))  # the owner has a cookie
        page.goto(waiting.base)
        page.wait_for_url(f"{visitor.base}/**")
        assert "This was sent by another page" in page.content()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1100])
def test_axe_finds_nothing_and_all_fits(
    browser: Browser, visitor: Visitor, waiting: Program, scheme: Any, width: int
) -> None:
    said: list[str] = []
    name = "AClientWithAVeryLongNameThatHasNoSpacesAtAllInItAndGoesOnForAsLongAsItMay"
    with window(browser, said, color_scheme=scheme) as page:
        page.set_viewport_size({"width": width, "height": 700})
        page.goto(address(visitor, waiting, Proof.new(), name))
        for step in ("asked", "wrong", "home", "refused"):
            if step == "wrong":
                page.get_by_label("Owner key").fill("a guess")
                page.keyboard.press("Enter")
                page.get_by_role("alert").wait_for()
            elif step == "home":
                page.goto(visitor.base)
            elif step == "refused":
                page.goto(f"{visitor.base}/oauth/authorize")
            assert violations(page) == [], step
            assert page.evaluate("document.documentElement.scrollWidth") <= width, step
    assert [line for line in said if "400" not in line] == []


def test_nothing_else_is_asked_for(browser: Browser, visitor: Visitor, waiting: Program, tmp_path: Path) -> None:
    asked: list[str] = []
    where = address(visitor, waiting, Proof.new())
    with window(browser, []) as page:
        page.on("request", lambda request: asked.append(request.url))
        page.goto(where)
        page.goto(visitor.base + "/")
        page.wait_for_load_state("networkidle")
    assert asked == [where, visitor.base + "/"]
