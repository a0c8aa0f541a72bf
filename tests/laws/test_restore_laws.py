"""Laws of restoring: a page comes back character for character however it was rewritten; nothing else ever happens."""

import base64
import gzip
import html
import json
import quopri
import re
import zlib
from collections.abc import Callable
from hashlib import sha256
from itertools import product
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from circuit_export import api
from circuit_export.diagnostics import CircuitError
from circuit_export.restore import Digest, find, single
from circuit_export.restore.search import Layer, Search

EXAMPLES = Path(__file__).parents[2] / "examples"
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


TAG = re.compile(r"<pre(?=\s)(?:[^>\"']|\"[^\"]*\"|'[^']*')*>", re.IGNORECASE)


def inside(page: str, change: Callable[[str], str]) -> str:
    """Changes only what stands in the block."""
    start = TAG.search(page).end()
    end = page.lower().index("</pre", start)
    return page[:start] + change(page[start:end]) + page[end:]


def tag(page: str, change: Callable[[str], str]) -> str:
    """Changes only the block's start tag."""
    found = TAG.search(page)
    return page[: found.start()] + change(found.group()) + page[found.end() :]


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
    "non-breaking indentation": lambda page: inside(page, lambda t: t.replace("\n ", "\n\u00a0")),
    "non-breaking entities": lambda page: inside(page, lambda t: t.replace("\n ", "\n&nbsp;")),
    "escaped inside once more": lambda page: inside(page, lambda t: t.replace("&", "&amp;")),
    "last feed added": lambda page: inside(page, lambda t: t + "\n"),
    # From here on the block is not found any more by the changes above, so these come after them.
    "blank in end tag": lambda page: page.replace("</pre>", "</pre\n >"),
    "id prefixed": lambda page: tag(page, lambda t: t.replace("circuit-", "user-content-circuit-")),
    "id lost": lambda page: tag(page, lambda t: t.replace('id="circuit-workflow" ', "")),
    "more attributes": lambda page: tag(
        page, lambda t: t.replace("<pre ", '<pre title="a > b" class="x\ny" ').replace(">", " style='a:b'\n>")
    ),
    "upper-case markup": lambda page: tag(page, lambda t: t.replace("<pre", "<PRE").replace("id=", "ID=")).replace(
        "</pre>", "</PRE>"
    ),
    "unquoted attributes": lambda page: tag(page, lambda t: t.replace('"', "")),
    "single quotes": lambda page: tag(page, lambda t: t.replace('"', "'")),
    "CRLF": lambda page: page.replace("\r", "").replace("\n", "\r\n"),
    "indented": lambda page: page.replace("\n", "\n    "),
    "read as Windows-1252": lambda page: page.encode().decode("latin-1"),
    "no end": lambda page: page[: page.lower().rindex("</pre")],
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


@settings(max_examples=150, deadline=None)
@given(boards, st.lists(st.sampled_from(sorted(REWRITTEN)), max_size=2, unique=True), st.sampled_from(sorted(WRAPPED)))
def test_any_board_comes_back_through_two_rewritings_and_a_wrapping(text: str, first: list[str], last: str) -> None:
    source = page(text)
    for name in sorted(first, key=list(REWRITTEN).index):
        source = REWRITTEN[name](source)
    found, state = restored(WRAPPED[last](source))
    # Two rewritings may undo what tells them apart; the text is then restored by guess, and said to be.
    if state is Digest.MATCHES:
        assert found == text
    else:
        assert len(first) == 2
        assert state is Digest.DIFFERS


@settings(max_examples=100, deadline=None)
@given(boards, st.sampled_from(sorted(WRAPPED)), st.sampled_from(sorted(WRAPPED)))
def test_any_board_comes_back_through_two_wrappings(text: str, inner: str, outer: str) -> None:
    source = WRAPPED[inner](page(text))
    if isinstance(source, bytes):
        source = "data:application/octet-stream;base64," + base64.b64encode(source).decode()
    assert restored(WRAPPED[outer](source)) == (text, Digest.MATCHES)


@settings(max_examples=100, deadline=None)
@given(
    st.text(st.characters(codec="utf-8", exclude_characters="\0", exclude_categories=["Cs"]), max_size=60),
    st.sampled_from(["untouched", "single quotes", "upper-case markup", "code inside", "highlighted"]),
)
def test_formats_that_are_not_json_come_back_byte_for_byte(text: str, name: str) -> None:
    text = "(program)" + text
    source = REWRITTEN[name](page(text, "program"))
    assert restored(source.encode()) == (text, Digest.MATCHES)


@settings(max_examples=100, deadline=None)
@given(boards, st.sampled_from(["", "\n", "\r\n", " \n\t"]), st.sampled_from(["", "\ufeff"]))
def test_a_plain_definition_is_the_whole_text(text: str, blank: str, mark: str) -> None:
    text = blank + text + blank
    assert restored((mark + text).encode()) == (text.replace("\r\n", "\n"), Digest.ABSENT)


prose = st.text(
    st.characters(codec="utf-8", exclude_characters='{}"&<>`~\ufeff', exclude_categories=["Cs", "Cc"]), max_size=40
)
pastes = st.sampled_from(
    ["{}{}{}", "{}\n```json\n{}\n```\n{}", "{}\n~~~~\n{}\n~~~~\n{}", "“{{” {}: {} {}"],
)


@settings(max_examples=100, deadline=None)
@given(boards, prose, prose, pastes)
def test_a_pasted_definition_is_exactly_its_own_text(text: str, before: str, after: str, way: str) -> None:
    assert restored(way.format(before, text, after)) == (text, Digest.ABSENT)


@settings(max_examples=60, deadline=None)
@given(st.lists(boards, min_size=2, max_size=4, unique=True), st.sampled_from(["array", "lines", "pages", "fences"]))
def test_several_definitions_are_all_found_in_order(texts: list[str], way: str) -> None:
    source = {
        "array": "[" + ",".join(texts) + "]",
        "lines": "\n\n".join(texts),
        "pages": "".join(map(page, texts)),
        "fences": "".join(f"Number:\n```\n{text}\n```\n" for text in texts),
    }[way]
    findings = find(source, recognise)
    assert [found.bundle.main.text for found in findings.found] == texts
    with pytest.raises(CircuitError, match="--pick"):
        single(findings)
    assert single(findings, 2).bundle.main.text == texts[1]


pieces = st.sampled_from(
    [
        "<pre ",
        '<pre id="circuit-workflow" data-format=steps data-sha256=' + "0" * 64 + ">",
        "</pre>",
        "</pre ",
        "&#",
        "&amp;",
        "{",
        '{"circuit": 1,',
        '"steps": []}',
        "[",
        "]",
        '"',
        "\\",
        "srcdoc='",
        "data:text/html;base64,",
        "```",
        "~~~",
        "> ",
        "=3D",
        "%3C",
        "<!--",
        "-->",
        "Content-Type: multipart/related; boundary=b\n\n",
        "--b\n",
        "\0",
        "\r",
        "\n",
        "\ufeff",
        "\u00a0",
        "\ud800",
        "<html>",
        "<script>",
        "<iframe ",
        "\x1f\x8b\x08",
        "x\x9c",
        "é",
        "“",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces | st.text(max_size=5), max_size=12), st.integers(1, 40))
def test_any_text_ends_in_a_result(parts: list[str], times: int) -> None:
    source = "".join(parts) * times
    findings = find(source, recognise)
    assert findings.found or (findings.looks_like and findings.hint)
    if not findings.found:
        with pytest.raises(CircuitError):
            single(findings)


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=200)
    | st.builds(
        lambda head, rest: head + rest,
        st.sampled_from(
            [
                b"\x1f\x8b\x08\0\0\0\0\0\0\3",
                b"x\x9c",
                b"\xff\xfe",
                b"\xfe\xff",
                b"\xef\xbb\xbf",
                b"PK\3\4",
                b"MIME-Version: 1.0\n",
                b"data:;base64,",
                b"{\0",
                b"\0{",
            ]
        ),
        st.binary(max_size=60),
    )
)
def test_any_bytes_end_in_a_result(source: bytes) -> None:
    findings = find(source, recognise)
    assert findings.found or (findings.looks_like and findings.hint)


@settings(max_examples=100, deadline=None)
@given(boards, st.data())
def test_a_damaged_page_never_claims_to_be_whole(text: str, data: st.DataObject) -> None:
    whole = page(text)
    at = data.draw(st.integers(0, len(whole)))
    damaged = data.draw(st.sampled_from([whole[:at], whole[:at] + "x" + whole[at:], whole[:at] + whole[at + 1 :]]))
    for found in find(damaged, recognise).found:
        assert found.digest is not Digest.MATCHES or found.bundle.main.text == text


HOSTILE = [
    "<pre ",
    "{",
    '{"',
    '{"a":',
    "[",
    "&#",
    "&amp;",
    "<a ",
    "<!--",
    "```\n",
    "circuit-workflow",
    "data-sha256=",
    '"\\',
    '<pre id="circuit-workflow">',
    "<iframe srcdoc='",
    "data:,",
    "> ",
    "\u00a0",
    "=3D",
    '{"circuit":1,',
    "<title ",
    "\r\n",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_work_grows_with_the_text_and_no_faster(unit: str) -> None:
    """Work is counted in characters gone through, by the search and by whatever is asked to recognise."""

    def work(size: int) -> int:
        asked = 0

        def counting(text: str) -> str | None:
            nonlocal asked
            asked += len(text)
            return None

        source = unit * (size // len(unit))
        search = Search(counting, len(source), len(source))
        search.visit(Layer(source))
        return asked + search.budget.spent + search.mending.spent

    assert work(400_000) <= 8 * work(100_000) + 100_000  # quadratic would be 16


def test_deep_nesting_is_a_clean_result() -> None:
    for source in ("[" * 100_000, '{"a":' * 100_000, '{"circuit":' + "[" * 100_000 + "]" * 100_000 + "}"):
        assert find(source, recognise).looks_like


def test_a_bomb_is_refused() -> None:
    for depth in (1, 2):
        bomb = bytes(40 << 20)
        for _ in range(depth):
            bomb = gzip.compress(bomb, mtime=0)
        with pytest.raises(CircuitError, match="unpacks to more"):
            find(bomb, recognise)


REAL = {name: api.load(EXAMPLES / f"{name}.json") for name in ("meeting-brief", "clinic-reminders", "support-desk")}
REAL_WAYS = [(rewritten, "not at all") for rewritten in REWRITTEN] + [("untouched", wrapped) for wrapped in WRAPPED]


@pytest.mark.parametrize(("rewritten", "wrapped"), REAL_WAYS)
@pytest.mark.parametrize("name", REAL)
def test_a_real_page_comes_back_however_it_was_rewritten(name: str, rewritten: str, wrapped: str) -> None:
    workflow = REAL[name]
    source = WRAPPED[wrapped](REWRITTEN[rewritten](api.export_page(workflow)))
    found = api.restore(source)
    assert (found.bundle.main.text, found.digest) == (workflow.definition.text, Digest.MATCHES)
    if rewritten != "no end":  # which cuts off what follows, too
        assert found.bundle.others == workflow.bundle.others
