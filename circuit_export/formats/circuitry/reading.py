"""Reads a program: `inspect` says everything that is wrong with a text at once, `parse` raises it."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

from circuit_export.formats.circuitry import sections as markdown
from circuit_export.formats.circuitry.calls import CallReader
from circuit_export.formats.circuitry.expressions import Literal, Sections
from circuit_export.formats.circuitry.kdl_words import explained
from circuit_export.formats.circuitry.patterns import EMPTY
from circuit_export.formats.circuitry.program import Extent, Inspected, InvalidProgram, Mark, Program, Said
from circuit_export.formats.circuitry.roots import RootReader
from circuit_export.formats.circuitry.source import split

if TYPE_CHECKING:
    from kdlquery.types import CSTDocument, CSTNode, Span

    from circuit_export.formats.circuitry.source import Source

IN, OUT, ERROR, CIRCUITRY = "in", "out", "error", "circuitry"
_BLANKS = " \t"
_FENCES = ("```", "~~~")
_LINE_END = "\r\n|[\n\r\x85\v\f\u2028\u2029]"
DEEPEST = 200
"""How deep children of a node may be nested."""


class Unread(NamedTuple):
    """A KDL text that cannot be parsed: what was found, where, as code points from 1, and what to do about it."""

    message: str
    line: int = 0
    column: int = 0
    hint: str = ""


class Examined(NamedTuple):
    """A text gone through: the calls that are fine even when others are not, and all that is wrong.

    `unread` says why it is no KDL. `is_certain` says that it is a program rather than words that are KDL by chance.
    """

    program: Program
    said: tuple[Said, ...]
    sections: tuple[markdown.Section, ...] = ()
    unread: Unread | None = None
    has_out: bool = False
    is_certain: bool = False


_TOO_DEEP = Unread(
    f"blocks that are nested more than {DEEPEST} deep", hint="nest them less, or in programs of their own"
)
_NOTHING = Program((), Literal({}))


def examine(text: str) -> Examined:
    """Everything that is wrong with a program's text, and whatever of it is fine. Never raises."""
    source = split(text)
    said, sections = _sections(source)
    document = parse_kdl(source.kdl)
    if isinstance(document, Unread):
        return Examined(_NOTHING, (*said, _unread(document, source.kdl)), sections, document)
    texts = {} if said else {section.name: section.text for section in sections}
    program, wrong = _compiled(document, source.kdl, texts)
    has_out = any(node.name.value == OUT for node in document.nodes)
    return Examined(program, (*said, *wrong), sections, None, has_out, has_out and _is_certain(document.nodes))


def _is_certain(nodes: list[CSTNode]) -> bool:
    """Whether nodes are those of a program: words that happen to be nodes have no source and are nothing but words."""
    special = [node for node in nodes if node.name.value in (IN, OUT, CIRCUITRY)]
    calls = [node for node in nodes if any(map(_is_source, node.entries))]
    others = len(nodes) - len(special) - len(calls)
    if any(node.name.value.startswith(_FENCES) for node in nodes):
        return False  # Markdown that quotes a program
    return others <= len(calls) if calls else not others and any(map(_is_written, special))


def _is_source(entry: object) -> bool:
    key = getattr(entry, "key", None)
    return key is not None and key.value == "source"


def _is_written(node: CSTNode) -> bool:
    """Whether a node says something that is more than bare words."""
    if node.has_children_block or not node.entries:
        return True
    return any(getattr(entry, "key", None) is not None or _is_marked(entry.value.raw) for entry in node.entries)


def _is_marked(raw: str) -> bool:
    return not raw[:1].isalpha() or raw[:2] == "r#"


def inspect(text: str) -> Inspected:
    """Everything that is wrong with a program's text, and the program when nothing is. Never raises."""
    found = examine(text)
    return Inspected(None if found.said else found.program, found.said)


def parse(text: str) -> Program:
    """The program of a text. Raises InvalidProgram with everything that is wrong."""
    found = inspect(text)
    if found.program is None:
        raise InvalidProgram(found.said)
    return found.program


def _sections(source: Source) -> tuple[list[Said], tuple[markdown.Section, ...]]:
    if source.markdown is None or not any(character in source.markdown for character in "#=-"):
        return [], ()
    sections = tuple(markdown.read(source.markdown))
    seen: set[str] = set()
    for section in sections:
        if section.name in seen:
            message = f"The section “{section.name}” is there twice; every section needs a name of its own"
            return [Said("program.section.duplicate", message)], sections
        seen.add(section.name)
    return [], sections


def parse_kdl(text: str) -> CSTDocument | Unread:
    """The nodes of a KDL text, or why it is none."""
    from kdlquery.parser import KDL2CSTParser
    from kdlquery.types import KDLParseError

    if text.startswith("\ufeff"):
        text = f" {text[1:]}"  # as wide, so that places stay what they are
    try:
        document = KDL2CSTParser().parse(text)
    except KDLParseError as error:
        found, hint = explained(error.msg)
        return Unread(found, error.line, error.col, hint)
    except RecursionError:
        return _TOO_DEEP
    except ValueError:
        return Unread("a number with more digits than can be read", hint="write fewer digits, or a text in quotes")
    return document if _is_shallow(document.nodes) else _TOO_DEEP


def _is_shallow(nodes: list[CSTNode]) -> bool:
    """Whether no block lies deeper than what can be gone through with ease."""
    level = nodes
    for _ in range(DEEPEST):
        level = [child for node in level if node.children for child in node.children]
        if not level:
            return True
    return False


def _unread(found: Unread, kdl: str) -> Said:
    message = f"The KDL cannot be read: found {found.message}"
    if not found.line:
        return Said("program.kdl", message)
    places = Places(kdl)
    start = min(places.offset(found.line, found.column), len(kdl))
    return Said("program.kdl", f"{message} (line {found.line}, column {found.column})", exact=Extent(start, start))


def _compiled(document: CSTDocument, kdl: str, texts: dict[str, str]) -> tuple[Program, tuple[Said, ...]]:
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
    program = Program(
        tuple(reader.calls),
        _NOTHING.output if output is None else output,
        EMPTY if input is None else input,
        frozenset(sections.used),
        tuple(sections.optional_missing),
        places.extent(special[OUT][0]) if special[OUT] else None,
        places.extent(special[IN][0]) if special[IN] else None,
    )
    return program, (*reader.said, *roots.said)


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
