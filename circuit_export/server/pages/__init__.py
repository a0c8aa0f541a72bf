"""The few pages that a person sees in a browser: sign-in, what went wrong with it, and what this server is."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import jinja2
from starlette.responses import HTMLResponse

from circuit_export.board.theme import compact, load_theme

FOLDER: Final = Path(__file__).parent

_HEADERS: Final = {
    "cache-control": "no-store",
    "x-frame-options": "DENY",
    "x-content-type-options": "nosniff",
    # The address of a page that asks for a key says who asks: nobody else needs it. A form must say where it is from.
    "referrer-policy": "same-origin",
}


def consent(
    *, name: str, target: str, fields: Mapping[str, str], message: str, leads_to: str, status: int
) -> HTMLResponse:
    """Asks for the owner key. `leads_to` is where the form may end, as a content security policy says it."""
    values = {"name": name, "target": target, "fields": fields, "message": message}
    return _page("consent", values, status, f"'self' {leads_to}")


def refused(reason: str, status: int) -> HTMLResponse:
    """Says why nobody is asked, or sent anywhere."""
    return _page("refused", {"reason": reason}, status)


def home(*, url: str, auth: str) -> HTMLResponse:
    """Says what this server is, and by which address a client connects."""
    return _page("home", {"url": url, "auth": auth})


def _page(name: str, values: Mapping[str, Any], status: int = 200, forms: str = "'none'") -> HTMLResponse:
    style = _style()
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'sha256-{digest}'; form-action {forms}; base-uri 'none'; frame-ancestors 'none'"
    )
    text = _environment().get_template(f"{name}.html.j2").render(style=style, **values)
    return HTMLResponse(text, status, {**_HEADERS, "content-security-policy": policy})


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


@cache
def _style() -> str:
    """The style of all pages, in the colours that exported pages have."""
    theme = load_theme("copper")
    light, dark = (
        ";".join(f"--{name}:{colour}" for name, colour in scheme.items()) for scheme in (theme.light, theme.dark)
    )
    rules = compact((FOLDER / "style.css").read_text("utf-8"))
    return f":root{{color-scheme:light dark;{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"
