"""Findings that a program asks to leave out, in comments: `// circuit: ignore C841 why`, `<!-- … -->` in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Lines
from circuit_export.formats.base import Ignored
from circuit_export.formats.circuitry.document import IGNORE
from circuit_export.formats.circuitry.program import Extent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.circuitry.document import ProgramDocument

# Strings and block comments are passed over whole: what looks like a comment in them is none.
_TOKEN = re.compile(
    r'(?P<raw>#+)(?:"""[^\r\n]*[\r\n].*?"""|"[^"\r\n]*(?:"(?!(?P=raw))[^"\r\n]*)*")(?P=raw)'
    r'|"""[ \t]*\r?\n(?:\\.|[^\\])*?"""'
    r'|"(?:\\.|[^"\\])*"'
    r"|/\*.*?\*/"
    r"|//(?P<comment>[^\r\n]*)",
    re.DOTALL,
)
_KDL = re.compile(r"[ \t]*circuit: ignore[ \t]+([\w-]+)[ \t]*(.*)")
_COMMENTS = re.compile(r"(?:[ \t]*//[^\r\n]*\r?\n)+[ \t]*")
_MARKDOWN = re.compile(r"<!--[ \t]*circuit: ignore[ \t]+([\w-]+)[ \t]*((?:(?!-->)[^\r\n])*)-->")


def ignored(document: ProgramDocument) -> tuple[Ignored, ...]:
    """What a program asks to leave out, in its order.

    A comment in a call, behind it or on the lines right above it is about that call, any other about the whole program.
    """
    text = document.definition.text
    if IGNORE not in text:
        return ()
    lines = Lines(text)
    found = []
    for start, end, match in _matches(document):
        first = lines.position(start)
        found.append(Ignored(match[1], match[2].strip(), first, lines.position(end), _call(document, start)))
    return tuple(found)


def comments(kdl: str, extent: Extent) -> Iterator[Extent]:
    """The comments in a stretch of a KDL text that begins outside of strings."""
    for token in _TOKEN.finditer(kdl, *extent):
        if kdl.startswith(("//", "/*"), token.start()):
            yield Extent(*token.span())


def _matches(document: ProgramDocument) -> Iterator[tuple[int, int, re.Match[str]]]:
    """The comments that ask for it, each with where it starts and ends in the whole text."""
    text, source = document.definition.text, document.source
    for token in _TOKEN.finditer(text, source.start, source.start + len(source.kdl)):
        asked = _KDL.match(token["comment"]) if token["comment"] is not None else None
        if asked is not None:
            yield token.start(), token.end(), asked
    if source.markdown is not None:
        for match in _MARKDOWN.finditer(text, source.markdown_start):
            yield match.start(), match.end(), match


def _call(document: ProgramDocument, offset: int) -> str:
    """The name of the call that a comment at an offset of the whole text is about, "" when it is about none."""
    kdl, at = document.source.kdl, offset - document.source.start
    line = kdl.rfind("\n", 0, at) + 1
    for call in document.calls:
        if call.extent.end > line:
            start = call.extent.start
            above = start > at and not kdl[line:at].strip() and _COMMENTS.fullmatch(kdl, at, start)
            return call.name if start <= at or above else ""
    return ""
