"""Says what a source without a definition looks like, and what to do about it."""

from __future__ import annotations

import json
import re
from typing import NamedTuple

from circuit_export.diagnostics import Position
from circuit_export.restore.scan import Block

_HEAD = 200_000  # characters looked at to tell what a page is


class Look(NamedTuple):
    """What it is in words, what to do, and where it stops being a definition."""

    what: str
    hint: str
    position: Position | None = None


_PAGE = re.compile(r"<(?:!doctype html|html|head|body|title|script)(?=[\s/>])", re.IGNORECASE)
_SAVE = "open it in a browser, save the page (or copy all of it), and import that"
_OTHER = "another tool's workflow is not read here: have a board built from it in a conversation, and import that"
_BINARY = (
    (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"PK\x05\x06", "a ZIP archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\x00", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
    (b"SQLite format 3\x00", "an SQLite database"),
    (b"bplist00", "a Safari web archive (a binary property list)"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\x00", "a program"),
    (b"\x00asm", "a WebAssembly program"),
)


def binary(data: bytes) -> str:
    """What binary kind of file `data` is by its first bytes; "" for text."""
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "a WebP picture"
    return next((what for magic, what in _BINARY if data.startswith(magic)), "")


class Looks:
    """What was seen on a search; `answer` makes the best of it when nothing was found."""

    def __init__(self) -> None:
        self._binary = ""
        self._block: Block | None = None
        self._near: Look | None = None
        self._layers: list[tuple[int, str]] = []

    def binary(self, what: str) -> None:
        self._binary = self._binary or what

    def block(self, block: Block) -> None:
        self._block = self._block or block

    def text(self, text: str, depth: int = 0) -> None:
        """A text in which nothing was found, `depth` unwrappings below the source; the outermost few tell most."""
        self._layers.append((depth, text))
        if len(self._layers) > 3:
            self._layers.sort(key=lambda layer: layer[0])  # stable: of one depth the first were met first
            self._layers.pop()

    @property
    def _texts(self) -> list[str]:
        return [text for _, text in sorted(self._layers, key=lambda layer: layer[0])]

    def near(self, part: str, text: str, start: int, *, is_source: bool = True) -> None:
        """An object that is none of the definitions but has their marker, at `start` in `text`.

        Its place is told only when `text` is the source itself: in what was unwrapped nobody could look it up.
        """
        if self._near is None and '"circuit"' in part[:_HEAD]:
            look = _near(part, text, start)
            self._near = look if is_source else look._replace(position=None)

    def answer(self) -> Look:
        """The best that can be said."""
        if self._block is not None:
            return _of_block(self._block)
        if self._near is not None:
            return self._near
        for text in self._texts:
            look = of_text(text)
            if look is not None:
                return look
        if self._binary:
            return _of_binary(self._binary)
        if not any(text.strip() for text in self._texts):
            return Look("an empty text", "check that it was saved completely")
        if any(_is_page(text) for text in self._texts):
            return Look(f"{_titled(self._texts[0])} without a workflow's block", _SAVE)
        return Look("text without a workflow in it", "give the whole of an exported page, or the workflow's own text")


def _of_binary(what: str) -> Look:
    if "archive" in what:
        return Look(what, "unpack it and import the page or file inside it")
    if "picture" in what or "PDF" in what:
        return Look(what, "a picture of a workflow does not hold it; import the exported page (.html) or its own file")
    return Look(what, "import the exported page (.html) or the workflow's own file")


def _of_block(block: Block) -> Look:
    if not block.closed:
        inner = block.inner.rstrip()
        lines = inner.count("\n") + 1
        tail = " ".join(inner[-60:].split())
        return Look(
            f"an exported page that is cut off inside its workflow (after {lines} lines, at “…{_shown(tail)}”)",
            "save or fetch the page again; it was not written to its end",
        )
    if not block.inner.strip():
        return Look("an exported page whose workflow is empty", "save the page again with all of its text")
    error = _syntax(block.inner)
    what = "an exported page whose workflow's block holds something else"
    return Look(f"{what} ({error[0]})" if error else what, "import the page as it was published, or its own file")


def _near(part: str, text: str, start: int) -> Look:
    error = _syntax(part)
    if error is not None:
        message, offset = error
        where = Position.at(text, start + offset)
        return Look(
            f"a workflow whose JSON is broken: {message} at line {where.line}, column {where.column}",
            "mend it there and import it again",
            where,
        )
    value = _value(part)
    if isinstance(value, dict) and "circuit" in value and not isinstance(value.get("steps"), list):
        return Look('JSON with "circuit" but without a list of "steps"', 'a board needs "name" and "steps"')
    if isinstance(value, dict) and "circuit" in value:
        shown = _shown(json.dumps(value["circuit"])[:40])
        return Look(f'a board of version "circuit": {shown}', 'this program reads "circuit": 1')
    return Look("JSON that names a circuit but is no workflow", "import the workflow itself")


def _syntax(text: str) -> tuple[str, int] | None:
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        return error.msg[:1].lower() + error.msg[1:], error.pos
    except RecursionError:
        return "it is nested too deeply", 0
    except ValueError:
        return "it holds a number that is too long", 0
    return None


def _value(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _shown(text: str) -> str:
    return "".join(char if char.isprintable() else "\ufffd" for char in text)


# --- what a text is ----------------------------------------------------------------------------------------------


def of_text(text: str) -> Look | None:
    """What a text without a definition is, when it is something known."""
    head = text[:_HEAD]
    stripped = head.lstrip("\ufeff \t\r\n")
    if stripped[:1] in ("{", "["):
        return _of_json(text)
    if _is_page(head) and not _is_picture(stripped):  # a picture may have a title, too
        return _of_page(head)
    return _of_plain(stripped, text)


def _is_page(text: str) -> bool:
    return _PAGE.search(text, 0, _HEAD) is not None


def _of_json(text: str) -> Look | None:
    error = _syntax(text)
    if error is not None:
        where = Position.at(text, error[1])
        cut = " (it ends too early)" if error[1] >= len(text.rstrip()) else ""
        return Look(
            f"JSON that is broken: {error[0]} at line {where.line}, column {where.column}{cut}",
            "mend it there and import it again",
            where,
        )
    return _of_value(json.loads(text))


def _of_value(value: object) -> Look:
    if isinstance(value, dict):
        nodes = value.get("nodes")
        if isinstance(nodes, list) and isinstance(value.get("connections"), dict):
            return Look("an n8n workflow export", _OTHER)
        if isinstance(value.get("flow"), list) and ("metadata" in value or "name" in value):
            return Look("a Make (Integromat) blueprint", _OTHER)
        if "zaps" in value or ("steps" in value and "zap" in json.dumps(list(value)).lower()):
            return Look("a Zapier export", _OTHER)
        if isinstance(value.get("definition"), dict) and "triggers" in value["definition"]:
            return Look("a Power Automate or Logic Apps export", _OTHER)
        if "StartAt" in value and "States" in value:
            return Look("an AWS Step Functions state machine", _OTHER)
        if "openapi" in value or "swagger" in value:
            return Look("an OpenAPI description", "name the workflow's own file or page")
        if "circuit" in value:
            return _near(json.dumps(value), "", 0)
        keys = ", ".join(f"“{_shown(str(key)[:30])}”" for key in list(value)[:5])
        return Look(f"JSON that is no workflow (its keys: {keys or 'none'})", 'a board has "circuit": 1 and "steps"')
    if isinstance(value, list):
        if any(isinstance(item, dict) and "wires" in item and "type" in item for item in value[:1000]):
            return Look("a Node-RED flow", _OTHER)
        return Look("a list in JSON without a workflow in it", 'a board is an object with "circuit": 1 and "steps"')
    return Look("a single value in JSON", 'a board is an object with "circuit": 1 and "steps"')


def _title(page: str) -> str:
    found = re.search(r"<title[^>]{0,200}>([^<]{0,300})", page, re.IGNORECASE)
    from circuit_export.restore.markup import decode

    return _shown(" ".join(decode(found.group(1)).split()))[:80] if found else ""


def _titled(page: str) -> str:
    title = _title(page[:_HEAD])
    return f"a page (“{title}”)" if title else "a page"


_INDEX = "each on a page of its own that gives it back"
"""The words by which the index of exported pages is known."""
_LEADS_TO = re.compile(r'<h2[^<>]{0,99}><a href="([^"<>]{1,200})"')


def _of_index(page: str, named: str) -> Look:
    """Our own index holds no workflow, but leads to the pages that do."""
    links = _LEADS_TO.findall(page)
    shown = ", ".join(_shown(link) for link in links[:5]) + (", …" if len(links) > 5 else "")
    leads = f": {shown}" if links else ""
    return Look(f"the index of exported pages{named}", f"import one of the pages that it leads to{leads}")


def _of_page(page: str) -> Look | None:
    title, low = _title(page), page.lower()
    named = f" (“{title}”)" if title else ""
    if _INDEX in low:
        return _of_index(page, named)
    if re.match(r"directory listing for|index of /", title, re.IGNORECASE):
        return Look(
            f"the list of a folder's files{named}", "import one of the files that it lists: add its name to the link"
        )
    if any(sign in low for sign in ("cf-chl", "challenge-platform", "cf-browser-verification", "just a moment...")):
        return Look(f"a check by Cloudflare that a browser has to pass{named}", _SAVE)
    if any(sign in low for sign in ("g-recaptcha", "hcaptcha", "are you a robot", "unusual traffic")):
        return Look(f"a check that a person is reading{named}", _SAVE)
    words = title.lower()
    if re.search(r"\b(?:sign in|log ?in|sign-in|anmelden|authenticate|single sign-on)\b", words) or (
        re.search(r"type\s*=\s*[\"']?password", low) is not None
    ):
        return Look(f"a sign-in page{named}", f"sign in, then {_SAVE}")
    if re.search(r"\b(?:40[0-9]|410|50[0-9])\b|not found|error|forbidden|access denied|unavailable", words):
        return Look(f"an error page{named}", "check the link; it may have moved or be private")
    if "claude.ai" in low or "claudeusercontent" in low or "claude.site" in low:
        return Look(f"the application around a published artifact{named}, which loads the page later", _SAVE)
    if "github.com" in low and ("blob" in low or "react-app" in low):
        return Look(f"a page of GitHub around a file{named}", "use the “Raw” button, and import that link or file")
    if _is_shell(page):
        return Look(f"an application's shell{named}: it has no text and loads everything by script", _SAVE)
    if re.search(r"\bpage not found\b|\b404\b", low[:20_000]) and len(page) < 20_000:
        return Look(f"an error page{named}", "check the link; it may have moved or be private")
    return None


def _is_shell(page: str) -> bool:
    from circuit_export.restore.markup import text_of

    body = re.split(r"<body\b", page, maxsplit=1, flags=re.IGNORECASE)[-1]
    return "<script" in page.lower() and len(" ".join(text_of(body).split())) < 200


def _is_picture(stripped: str) -> bool:
    """Whether a text is SVG: on its own, or behind the head that XML may have."""
    return (
        re.match(
            r"(?:<\?xml[^>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)?(?:<!doctype svg[^>]{0,300}>\s*)?<svg\b",
            stripped,
            re.IGNORECASE | re.DOTALL,
        )
        is not None
    )


def _of_plain(stripped: str, text: str) -> Look | None:
    if _is_picture(stripped):
        return Look("an SVG picture", "a picture of a workflow does not hold it; import the exported page (.html)")
    if re.match(r"(?:```mermaid\s+)?(?:---\s[^-]{0,400}---\s+)?(?:flowchart|graph)\s+(?:TB|TD|BT|LR|RL)\b", stripped):
        return Look("a Mermaid flowchart", "a picture of a workflow does not hold it; import the exported page (.html)")
    if '"circuit"' in text:
        at = text.rfind("{", 0, text.index('"circuit"'))
        if at >= 0:
            return _near(text[at:], text, at)
        return Look("the middle of a workflow: its beginning is missing", "copy all of it, from the first brace")
    if re.match(r"(?i)https?://\S+\s*\Z", stripped) and len(stripped) < 3000:
        return Look("a link", "give the link itself as the source")
    return None
