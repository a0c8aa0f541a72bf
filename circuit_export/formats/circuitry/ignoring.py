"""Findings that a program asks to leave out, in comments: `// circuit: ignore C841 why`, `<!-- … -->` in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from circuit_export.diagnostics import Lines

if TYPE_CHECKING:
    from circuit_export.diagnostics import Position
    from circuit_export.formats.circuitry.document import ProgramDocument

_MARK = "circuit: ignore"
_KDL = re.compile(r"//[ \t]*circuit: ignore[ \t]+([\w-]+)[ \t]*([^\r\n]*)")
_MARKDOWN = re.compile(r"<!--[ \t]*circuit: ignore[ \t]+([\w-]+)[ \t]*((?:(?!-->)[^\r\n])*)-->")


class Ignored(NamedTuple):
    """A code or name to leave out, with the reason ("" when none is given) and where it is asked for."""

    word: str
    reason: str
    start: Position
    end: Position


def ignored(document: ProgramDocument) -> tuple[Ignored, ...]:
    """What a program asks to leave out, in its order. A text that looks like a comment inside a string counts too."""
    text = document.definition.text
    if _MARK not in text:
        return ()
    source = document.source
    lines = Lines(text)
    end = source.start + len(source.kdl)
    matches = [*_KDL.finditer(text, source.start, end)]
    if source.markdown is not None:
        matches += _MARKDOWN.finditer(text, source.markdown_start)
    return tuple(
        Ignored(match[1], match[2].strip(), lines.position(match.start()), lines.position(match.end()))
        for match in matches
    )
