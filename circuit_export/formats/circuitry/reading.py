"""Reads a program: `inspect` says everything that is wrong with a text at once, `parse` raises it."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from circuit_export.formats.circuitry import sections as markdown
from circuit_export.formats.circuitry.calls import CallReader
from circuit_export.formats.circuitry.expressions import Sections
from circuit_export.formats.circuitry.patterns import EMPTY
from circuit_export.formats.circuitry.program import Extent, Inspected, InvalidProgram, Mark, Program, Said
from circuit_export.formats.circuitry.roots import RootReader
from circuit_export.formats.circuitry.source import split

if TYPE_CHECKING:
    from kdlquery.types import CSTDocument, CSTNode, Span

    from circuit_export.formats.circuitry.source import Source

IN, OUT, ERROR, CIRCUITRY = "in", "out", "error", "circuitry"
_BLANKS = " \t"
_LINE_END = "\r\n|[\n\r\x85\v\f\u2028\u2029]"
DEEPEST = 200
"""How deep children of a node may be nested."""


class Unread(NamedTuple):
    """A KDL text that cannot be parsed: why, and where, as code points from 1."""

    message: str
    line: int = 0
    column: int = 0


def inspect(text: str) -> Inspected:
    """Everything that is wrong with a program's text, and the program when nothing is. Never raises."""
    source = split(text)
    said, texts = _sections(source)
    document = parse_kdl(source.kdl)
    if isinstance(document, Unread):
        return Inspected(None, (*said, _unread(document, source.kdl)))
    found = _compiled(document, source.kdl, texts)
    return Inspected(None if said else found.program, (*said, *found.said))


def parse(text: str) -> Program:
    """The program of a text. Raises InvalidProgram with everything that is wrong."""
    found = inspect(text)
    if found.program is None:
        raise InvalidProgram(found.said)
    return found.program


def _sections(source: Source) -> tuple[list[Said], dict[str, str]]:
    if source.markdown is None or not any(character in source.markdown for character in "#=-"):
        return [], {}
    texts: dict[str, str] = {}
    for section in markdown.read(source.markdown):
        if section.name in texts:
            message = f"The section “{section.name}” is there twice; every section needs a name of its own"
            return [Said("program.section.duplicate", message)], {}
        texts[section.name] = section.text
    return [], texts


def parse_kdl(text: str) -> CSTDocument | Unread:
    """The nodes of a KDL text, or why it is none."""
    from kdlquery.parser import KDL2CSTParser
    from kdlquery.types import KDLParseError

    try:
        document = KDL2CSTParser().parse(text)
    except KDLParseError as error:
        return Unread(error.msg, error.line, error.col)
    except RecursionError:
        return Unread("Its blocks are nested too deep")
    except ValueError as error:  # a number with more digits than Python reads
        return Unread(f"A number cannot be read: {error}")
    return document if _is_shallow(document.nodes) else Unread(f"Its blocks are nested more than {DEEPEST} deep")


def _is_shallow(nodes: list[CSTNode]) -> bool:
    """Whether no block lies deeper than what can be gone through with ease."""
    level = nodes
    for _ in range(DEEPEST):
        level = [child for node in level if node.children for child in node.children]
        if not level:
            return True
    return False


def _unread(found: Unread, kdl: str) -> Said:
    if not found.line:
        return Said("program.kdl", found.message)
    places = Places(kdl)
    start = min(places.offset(found.line, found.column), len(kdl))
    return Said(
        "program.kdl", f"{found.message} (line {found.line}, column {found.column})", exact=Extent(start, start)
    )


def _compiled(document: CSTDocument, kdl: str, texts: dict[str, str]) -> Inspected:
    sections = Sections(texts)
    places = Places(kdl)
    reader = CallReader(sections, places)
    special: dict[str, list[CSTNode]] = {IN: [], OUT: [], CIRCUITRY: []}
    for node in document.nodes:
        kept = special.get(node.name.value)
        if kept is None:
            reader.read(node)
        else:
            kept.append(node)
    roots = RootReader(sections, places)
    roots.version(special[CIRCUITRY])
    input = roots.input(special[IN])
    output = roots.output(special[OUT])
    said = (*reader.said, *roots.said)
    if said or output is None:
        return Inspected(None, said)
    program = Program(
        tuple(reader.calls),
        output,
        EMPTY if input is None else input,
        frozenset(sections.used),
        tuple(sections.optional_missing),
        places.extent(special[OUT][0]),
        places.extent(special[IN][0]) if special[IN] else None,
    )
    return Inspected(program, said)


class Places:
    """Says where the nodes of a KDL text are, in UTF-16 units as diagnostics count."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._wide = [] if text.isascii() else [at for at, character in enumerate(text) if ord(character) > 0xFFFF]

    def offset(self, line: int, column: int) -> int:
        """The offset of a place that the parser names."""
        starts = [0, *(found.end() for found in re.finditer(_LINE_END, self.text))]
        return starts[min(line, len(starts)) - 1] + column - 1

    def extent(self, node: CSTNode) -> Extent:
        """The stretch of a node, with the blanks after it."""
        end = node.span.end.offset
        while end < len(self.text) and self.text[end] in _BLANKS:
            end += 1
        return Extent(node.span.start.offset, end)

    def marks(self, span: Span) -> tuple[Mark, Mark]:
        """Where a node starts and ends."""
        start, end = span
        blanks = end.offset
        while blanks < len(self.text) and self.text[blanks] in _BLANKS:
            blanks += 1
        more = blanks - end.offset
        return self._mark(start.line, start.column, start.offset), self._mark(end.line, end.column + more, blanks)

    def _mark(self, line: int, column: int, offset: int) -> Mark:
        if not self._wide:
            return Mark(line, column, offset)
        before = bisect_left(self._wide, offset)
        in_line = before - bisect_left(self._wide, offset - (column - 1))
        return Mark(line, column + in_line, offset + before)
