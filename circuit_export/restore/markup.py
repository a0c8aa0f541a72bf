"""Markup to the text that a reader of it sees: tags taken off, line breaks kept, character references decoded."""

from __future__ import annotations

import html
import re

# Neither alternative passes a `<`, so each attempt ends at the next one and the whole is linear.
_TAG = re.compile(
    r"<(/?)([A-Za-z][A-Za-z0-9:-]*+)(?:(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+|[^<>]*+)>"
    r"|<[!?][^<>]*+>"
)
# Elements that begin and end a line.
_LINE_NAMES = (
    r"address|article|aside|blockquote|body|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|form|"
    r"h[1-6]|head|header|hr|html|li|main|nav|ol|p|pre|section|summary|table|tbody|tfoot|thead|title|tr|ul"
)
_LINES = re.compile(_LINE_NAMES)
# All other tags, and those whose content may have to go or to be replaced: without them, the others can just go.
_INLINE = re.compile(
    rf"<(?!/?(?:br|{_LINE_NAMES})(?=[\s/>]))/?[A-Za-z](?:(?:[^<>\"']++|\"[^\"<]*+\"|'[^'<]*+')*+|[^<>]*+)>",
    re.IGNORECASE,
)
_UNSEEN = frozenset(["script", "style", "template", "noscript", "button"])
_NUMBERS = re.compile(
    r"(?:^|[\s_-])(?:line-?num(?:ber)?s?|linenos?|lineno|line-no|ln|gutter|ln-numbers|blob-num)(?:$|[\s_-])",
    re.IGNORECASE,
)
_BEYOND = re.compile(rf"</?(?:{_LINE_NAMES})(?=[\s/>])", re.IGNORECASE)
_SPECIAL = re.compile(
    r"line|gutter|blob-num|\bln\b|-ln-|<script|<style|<templ|<nosc|<butt|emoji|cfemail", re.IGNORECASE
)
_MAY_BE_NUMBERS = re.compile(r"line|gutter|blob-num|\bln\b|-ln-", re.IGNORECASE)
_REFERENCE = re.compile(r"&#(?:[xX]([0-9a-fA-F]{1,8})|([0-9]{1,8}));?")
_LONG = re.compile(r"&#(?:([xX])([0-9a-fA-F]{9,})|([0-9]{9,}));?")
_USUAL = (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&nbsp;", "\u00a0"))
_FOUR = (("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def has_tags(markup: str) -> bool:
    return "<" in markup and _TAG.search(markup) is not None


def is_plain(markup: str) -> bool:
    """Are there no tags but such as stand within a line and can just go?"""
    return _BEYOND.search(markup) is None and _SPECIAL.search(markup) is None


def text_of(markup: str, *, lines: bool = True, unseen: bool = True) -> str:
    """`markup` without tags and comments; its character references stay as they are.

    `<br>` is a line feed. With `lines` every block-level element begins and ends a line. With `unseen` what is
    not text goes: scripts, styles, buttons, line numbers of a highlighter.
    """
    markup = _without_comments(markup)
    if not (unseen and _SPECIAL.search(markup)):
        markup = _INLINE.sub("", markup)
    out: list[str] = []
    position = 0
    dropped, depth = "", 0  # the element whose content is left out, and how deep in elements of its own name
    last = "\n"  # the last character written
    for tag in _TAG.finditer(markup):
        if not dropped and tag.start() > position:
            out.append(markup[position : tag.start()])
            last = markup[tag.start() - 1]
        position = tag.end()
        name = (tag.group(2) or "").lower()
        closing = tag.group(1) == "/"
        if dropped:
            if name == dropped:
                depth += -1 if closing else 1
                dropped = dropped if depth else ""
            continue
        if name == "br":
            out.append("\n")
            last = "\n"
        elif lines and _LINES.fullmatch(name):
            if out and last != "\n":
                out.append("\n")
                last = "\n"
        elif not closing and unseen and _is_unseen(name, tag.group()):
            dropped, depth = name, 1
        elif name in ("img", "a", "span") and not closing:
            stand_in = _stand_in(name, tag.group())
            if stand_in is not None:
                out.append(stand_in)
                last = stand_in[-1:] or last
                if name != "img":
                    dropped, depth = name, 1
    if not dropped:
        out.append(markup[position:])
    return "".join(out)


def decode(text: str) -> str:
    """Character references decoded once, as HTML means them."""
    if "&" not in text:
        return text
    text = _usual_decoded(text)
    if text.count("&") == text.count("&amp;"):
        return text.replace("&amp;", "&")
    return html.unescape(_REFERENCE.sub(_as_html, text) if "&#" in text else text)


def _usual_decoded(text: str) -> str:
    """The references that there are most of, decoded at once. None of their characters continues another reference,
    and an escaped one (`&amp;lt;`) has no ampersand of its own."""
    for reference, char in _USUAL:
        text = text.replace(reference, char)
    return _LONG.sub(_shortened, text) if "&#" in text else text


def _shortened(reference: re.Match[str]) -> str:
    """A number of many digits without its zeros; one that is no character's is U+FFFD, and is never computed."""
    digits = (reference.group(2) or reference.group(3)).lstrip("0")
    return f"&#{reference.group(1) or ''}{digits or 0};" if len(digits) < 9 else "\ufffd"


def decode_literally(text: str) -> str:
    """Character references decoded once, numbers taken at their word: 128 is U+0080, surrogates make pairs."""
    if "&" not in text:
        return text
    joined = html.unescape(_REFERENCE.sub(_as_number, _usual_decoded(text)))
    return joined.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def decode_four(text: str) -> str:
    """Only `&quot; &lt; &gt; &amp;` decoded, in that order: what the known reader does."""
    for reference, char in _FOUR:
        text = text.replace(reference, char)
    return text


def _as_html(reference: re.Match[str]) -> str:
    """The references that `html.unescape` drops although a browser shows them; the others are left to it."""
    number = _number(reference)
    if number is not None and (0x1 <= number <= 0x1F or number == 0x7F or _is_noncharacter(number)):
        return chr(number)
    return reference.group()


def _as_number(reference: re.Match[str]) -> str:
    number = _number(reference)
    if number is None or number == 0x26:  # an ampersand must not become part of another reference
        return "&amp;" if number == 0x26 else reference.group()
    return chr(number)


def _number(reference: re.Match[str]) -> int | None:
    number = int(reference.group(1), 16) if reference.group(1) else int(reference.group(2))
    return number if number <= 0x10FFFF else None


def _is_noncharacter(number: int) -> bool:
    return number & 0xFFFE == 0xFFFE or 0xFDD0 <= number <= 0xFDEF


def _without_comments(markup: str) -> str:
    if "<!--" not in markup:
        return markup
    out, position = [], 0
    while True:
        start = markup.find("<!--", position)
        end = markup.find("-->", start + 4) if start >= 0 else -1
        if start < 0 or end < 0:
            out.append(markup[position:])
            return "".join(out)
        out.append(markup[position:start])
        position = end + 3


def _is_unseen(name: str, tag: str) -> bool:
    if name in _UNSEEN:
        return True
    if not _MAY_BE_NUMBERS.search(tag):
        return False
    return bool(_NUMBERS.search(_attribute(tag, "class"))) or (name == "td" and "data-line-number" in tag)


def _stand_in(name: str, tag: str) -> str | None:
    """The text that a picture or an obscured address stands for; None when it stands for none."""
    if name == "img":
        return (_attribute(tag, "alt") or None) if "emoji" in tag.lower() else None
    if "data-cfemail" not in tag:
        return None
    try:
        secret = bytes.fromhex(_attribute(tag, "data-cfemail"))
        return bytes(byte ^ secret[0] for byte in secret[1:]).decode("utf-8") if secret else None
    except ValueError:
        return None


def _attribute(tag: str, name: str) -> str:
    """One attribute of a tag; there may be hundreds of thousands of tags, too many for a parser."""
    found = re.search(rf"\s{name}\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]++))", tag, re.IGNORECASE)
    return decode(next(value for value in found.groups() if value is not None)) if found else ""
