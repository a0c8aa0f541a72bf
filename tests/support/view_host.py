"""A browser in which a host shows the view: the official AppBridge and client, connected to a server that runs."""

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Frame, FrameLocator, Page

from support.node import FOLDER, Node

_PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A host</title>
<style>body{margin:0}</style></head><body><script type="module" src="/host.js"></script></body></html>"""

BUNDLE = ("--bundle", "--format=esm", "--platform=browser", "--log-level=error")


def bundled(node: Node, folder: Path) -> Path:
    """The host's script with all that it imports, in one file."""
    made = folder / "host.js"
    said = node.run("node_modules/esbuild/bin/esbuild", str(FOLDER / "host.js"), *BUNDLE, f"--outfile={made}")
    assert said.code == 0, said.text
    return made


class Host(NamedTuple):
    """A host's window, with the view in it."""

    window: Page
    said: list[str]

    def run(self, script: str, *args: Any) -> Any:
        """Runs an asynchronous function of the host's page, `host` being its host."""
        return self.window.evaluate(
            f"async args => {{ const {{ host }} = window; return ({script})(...args); }}", list(args)
        )

    def connect(self, url: str, **options: Any) -> Any:
        """Connects the client; the tools that it lists."""
        return self.run("(url, options) => host.connect(url, options)", url, options)

    def open(self, context: Mapping[str, Any] | None = None, **capabilities: Any) -> None:
        """Shows the view, and waits until it has shaken hands; `capabilities` in place of all that a host can."""
        more = [capabilities] if capabilities else []
        self.run("(context, ...more) => host.open(context, ...more)", dict(context or {}), *more)

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """A tool that the model calls; its result, which the view has been sent."""
        return self.run("(name, args) => host.call(name, args)", f"circuit_{tool}", arguments)

    def ask(self, tool: str, /, **arguments: Any) -> Any:
        """A tool that the model calls while nothing is shown."""
        call = "(name, args) => host.client.callTool({ name, arguments: args })"
        return self.run(call, f"circuit_{tool}", arguments)

    def tell(self, what: str, params: Any) -> None:
        """Something that the host tells the view, by the name of the bridge's method."""
        self.run("(what, params) => host.tell(what, params)", what, params)

    @property
    def view(self) -> FrameLocator:
        return self.window.frame_locator("iframe")

    @property
    def frame(self) -> Frame:
        return self.window.frames[-1]

    @property
    def seen(self) -> Any:
        """What the view has told the host."""
        return self.run("() => host.seen")


@contextlib.contextmanager
def hosting(browser: Browser, script: Path, server: str, **options: Any) -> Iterator[Host]:
    """A window at the server's own address, so that its client may call it. Neither it nor the view may say a word on
    the console, open a dialog or ask for anything from anywhere else."""
    parts = urlsplit(server)
    origin = f"{parts.scheme}://{parts.netloc}"
    context = browser.new_context(**{"viewport": {"width": 900, "height": 900}, **options})
    window = context.new_page()
    said: list[str] = []
    # The bridge itself tells of each message that it hands on.
    window.on("console", lambda message: None if message.type == "debug" else said.append(message.text))
    window.on("pageerror", lambda error: said.append(str(error)))
    window.on("dialog", lambda dialog: (said.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    expected = (f"{origin}/host.html", f"{origin}/host.js", server, "about:srcdoc")
    window.on("request", lambda request: None if request.url in expected else said.append(request.url))
    window.route(f"{origin}/host.html", lambda route: route.fulfill(body=_PAGE, content_type="text/html"))
    window.route(f"{origin}/host.js", lambda route: route.fulfill(path=script, content_type="text/javascript"))
    try:
        window.goto(f"{origin}/host.html")
        window.wait_for_function("window.host !== undefined")
        yield Host(window, said)
        assert said == [], json.dumps(said)
    finally:
        context.close()
