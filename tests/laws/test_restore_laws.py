"""Laws of restoring: a page comes back character for character however it was rewritten; nothing else ever happens."""

import base64
import gzip
import html
import json
import quopri
import zlib
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export.diagnostics import CircuitError
from circuit_export.restore import Digest, find, single

Mangle = Callable[[str], str | bytes]


def recognise(text: str) -> str | None:
    """A board of steps, or any text that begins so: the second stands for formats that are not JSON."""
    if text.startswith("(program)"):
        return "program"
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return "steps" if isinstance(value, dict) and isinstance(value.get("circuit"), int) and "steps" in value else None


def page(text: str, format: str = "steps") -> str:
    """A page as it is exported: the block, and things around it that could be taken for one."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")
    shown = html.escape(text[:200].replace("\r", " "))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>A board</title>\n'
        "<style>pre{white-space:pre-wrap}.chip{color:#123}</style></head><body>\n"
        f'<main><a href="#circuit-workflow">back</a><details><code>{shown}</code></details>\n'
        f'<pre id="circuit-workflow" data-format="{format}" data-sha256="{digest(text)}">\n{escaped}</pre>\n'
        "</main></body></html>\n"
    )


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def restored(source: str | bytes) -> tuple[str, Digest]:
    found = single(find(source, recognise))
    return found.bundle.main.text, found.digest


# --- what happens to pages ---------------------------------------------------------------------------------------


def inside(page: str, change: Callable[[str], str]) -> str:
    """Changes only what stands in the block."""
    start = page.index(">", page.index('id="circuit-workflow"')) + 1
    end = page.index("</pre", start)
    return page[:start] + change(page[start:end]) + page[end:]


def tag(page: str, change: Callable[[str], str]) -> str:
    start = page.index("<pre")
    end = page.index(">", page.index("circuit-workflow", start)) + 1
    return page[:start] + change(page[start:end]) + page[end:]


def numeric(text: str) -> str:
    return "".join(f"&#{ord(char)};" if ord(char) > 126 else char for char in text)


def hexadecimal(text: str) -> str:
    text = text.replace("&amp;", "&#x26;").replace("&lt;", "&#x3C;").replace("&gt;", "&#X3e;")
    return "".join(f"&#x{ord(char):X};" if ord(char) > 126 else char for char in text)


def highlighted(text: str) -> str:
    lines = text.split("\n")
    return "\n".join(f'<span class="line"><span style="color:#24292E">{line}</span></span>' for line in lines)


def numbered(text: str) -> str:
    lines = text.removeprefix("\n").split("\n")
    return "\n".join(f'<span class="lineno">{n:>4}</span><span class="c">{line}</span>' for n, line in enumerate(lines))


def rows(text: str) -> str:
    lines = text.removeprefix("\n").split("\n")
    cells = "".join(
        f'<tr><td class="blob-num" data-line-number="{n}">{n}</td><td>{line or "<br>"}</td></tr>'
        for n, line in enumerate(lines)
    )
    return f"<table><tbody>{cells}</tbody></table>"


def mhtml(page: str, encoding: str = "quoted-printable") -> bytes:
    body = page.replace("\r\n", "\n").encode()
    if encoding == "base64":
        packed = base64.encodebytes(body).replace(b"\n", b"\r\n")
    else:
        packed = quopri.encodestring(body).replace(b"\n", b"\r\n")
    return (
        b"From: <Saved by a browser>\r\nSnapshot-Content-Location: https://example.org/\r\nSubject: A board\r\n"
        b'MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype="text/html";\r\n'
        b'\tboundary="----Boundary--x1----"\r\n\r\n\r\n------Boundary--x1----\r\nContent-Type: text/html\r\n'
        b"Content-ID: <frame-1>\r\nContent-Transfer-Encoding: " + encoding.encode() + b"\r\n"
        b"Content-Location: https://example.org/\r\n\r\n" + packed + b"\r\n------Boundary--x1----\r\n"
        b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\niVBORw0KGgo=\r\n"
        b"------Boundary--x1------\r\n"
    )


# Text to text: these compose with each other and with a wrapping.
REWRITTEN: dict[str, Callable[[str], str]] = {
    "untouched": lambda page: page,
    "upper-case markup": lambda page: tag(page, lambda t: t.replace("<pre", "<PRE").replace("id=", "ID=")).replace(
        "</pre>", "</PRE>"
    ),
    "unquoted attributes": lambda page: tag(page, lambda t: t.replace('"', "")),
    "single quotes": lambda page: tag(page, lambda t: t.replace('"', "'")),
    "more attributes": lambda page: tag(
        page, lambda t: t.replace("<pre ", '<pre title="a > b" class="x\ny" ').replace(">", " style='a:b'\n>")
    ),
    "blank in end tag": lambda page: page.replace("</pre>", "</pre\n >"),
    "first line feed dropped": lambda page: inside(page, lambda t: t.removeprefix("\n")),
    "quotes escaped": lambda page: inside(page, lambda t: t.replace('"', "&quot;").replace("'", "&#39;")),
    "numeric entities": lambda page: inside(page, numeric),
    "hexadecimal entities": lambda page: inside(page, hexadecimal),
    "code inside": lambda page: inside(page, lambda t: f'<code class="language-json">{t}</code>'),
    "highlighted": lambda page: inside(page, highlighted),
    "line numbers": lambda page: inside(page, numbered),
    "table of lines": lambda page: inside(page, rows),
    "breaks for lines": lambda page: inside(page, lambda t: t.removeprefix("\n").replace("\n", "<br>")),
    "breaks and lines": lambda page: inside(page, lambda t: t.removeprefix("\n").replace("\n", "<br/>\r\n")),
    "comments inside": lambda page: inside(page, lambda t: t.replace("{", "<!-- -->{")),
    "CRLF": lambda page: page.replace("\r", "").replace("\n", "\r\n"),
    "non-breaking indentation": lambda page: inside(page, lambda t: t.replace("\n ", "\n\u00a0")),
    "non-breaking entities": lambda page: inside(page, lambda t: t.replace("\n ", "\n&nbsp;")),
    "escaped inside once more": lambda page: inside(page, lambda t: t.replace("&", "&amp;")),
    "id prefixed": lambda page: page.replace('id="circuit-workflow"', 'id="user-content-circuit-workflow"'),
    "id lost": lambda page: page.replace('id="circuit-workflow" ', ""),
    "indented": lambda page: page.replace("\n", "\n    "),
    "last feed added": lambda page: inside(page, lambda t: t + "\n"),
    "no end": lambda page: page[: page.index("</pre>")],
    "read as Windows-1252": lambda page: page.encode().decode("latin-1"),
}
WRAPPED: dict[str, Mangle] = {
    "not at all": lambda page: page,
    "byte-order mark": lambda page: b"\xef\xbb\xbf" + page.encode(),
    "UTF-16 with mark": lambda page: page.encode("utf-16"),
    "UTF-16 LE": lambda page: page.encode("utf-16-le"),
    "UTF-16 BE": lambda page: page.encode("utf-16-be"),
    "UTF-32": lambda page: page.encode("utf-32"),
    "srcdoc": lambda page: f'<html><body><iframe sandbox srcdoc="{html.escape(page)}"></iframe></body></html>',
    "srcdoc, brackets raw": lambda page: "<iframe srcdoc='{}'>".format(
        page.replace("&", "&amp;").replace("'", "&#39;")
    ),
    "escaped": html.escape,
    "escaped twice": lambda page: html.escape(html.escape(page)),
    "MHTML": mhtml,
    "MHTML base64": lambda page: mhtml(page, "base64"),
    "quoted-printable": lambda page: quopri.encodestring(page.replace("\r\n", "\n").encode()),
    "base64": lambda page: base64.encodebytes(page.encode()),
    "JSON string": lambda page: json.dumps(page),
    "JSON member": lambda page: json.dumps({"a": [1, {"html": page}]}, ensure_ascii=False),
    "NDJSON": lambda page: '{"n": 1}\n' + json.dumps({"body": page}) + "\n",
    "script of a page": lambda page: (
        "<html><script>window.x = " + json.dumps({"html": page}).replace("<", "\\u003c") + ";</script>"
    ),
    "data URL": lambda page: "data:text/html;charset=utf-8;base64," + base64.b64encode(page.encode()).decode(),
    "data URL percent": lambda page: "data:text/html;charset=utf-8," + quote(page),
    "link": lambda page: f'<a href="data:text/html;base64,{base64.b64encode(page.encode()).decode()}">save</a>',
    "gzip": lambda page: gzip.compress(page.encode(), mtime=0),
    "zlib": lambda page: zlib.compress(page.encode()),
    "fence": lambda page: f"Here you are:\n\n```html\n{page}\n```\n\nDone.",
}
ASCII_ONLY = {"read as Windows-1252"}  # with other charsets around it this is not invertible
ODD = {
    # changes that are lost on one another
    ("indented", "fence"),
}

texts = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=30)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
boards = st.builds(
    lambda name, extra, indent: json.dumps(
        {"circuit": 1, "name": name, "steps": [extra]}, indent=indent, ensure_ascii=False
    ),
    texts,
    values,
    st.sampled_from([1, 2, None]),
)

TRICKY = [
    '</pre><pre id="circuit-workflow">',
    "<pre id='circuit-workflow'>{}</pre>",
    "a &amp; b &lt; c &copy; &#39; &nbsp;",
    "<!-- --> ]]> <script>alert(1)</script>",
    "é ü 漢字 🙂 \u2028 \u00a0 \u200b \ufeff \u00ad",
    "=3D =\n =20",
    "%3Cpre%3E data:text/html,<p>",
    '```json\n{"circuit": 1, "steps": []}\n```',
    "> quoted\n    indented\ttab",
    "\x7f \x80 \x85 \x9f \ufffe",
]


@pytest.mark.parametrize("wrapping", WRAPPED)
@pytest.mark.parametrize("rewriting", REWRITTEN)
def test_a_rewritten_page_restores_exactly(rewriting: str, wrapping: str) -> None:
    for indent, name in product([1, None], [" ".join(TRICKY[:5]), "Plain name", "\n".join(TRICKY[5:9])]):
        text = json.dumps({"circuit": 1, "name": name, "steps": [{"id": "a"}]}, indent=indent, ensure_ascii=False)
        source = WRAPPED[wrapping](REWRITTEN[rewriting](page(text)))
        assert restored(source) == (text, Digest.MATCHES), (name, indent)
