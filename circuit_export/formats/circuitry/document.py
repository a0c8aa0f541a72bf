"""A program as a typed document that keeps its exact text: what it says, and what is wrong with it."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Lines
from circuit_export.formats.circuitry import sections as markdown
from circuit_export.formats.circuitry.program import Program
from circuit_export.formats.circuitry.reading import examine
from circuit_export.formats.circuitry.source import is_nearly_fenced, split
from circuit_export.formats.wording import one_line

if TYPE_CHECKING:
    from circuit_export.diagnostics import Diagnostic, Position
    from circuit_export.formats.circuitry.program import Call, Extent, Said
    from circuit_export.formats.circuitry.reading import Examined, Unread
    from circuit_export.formats.circuitry.sections import Section
    from circuit_export.formats.circuitry.source import Source

FORMAT_NAME: Final = "circuitry"
KDL_SUFFIX: Final = ".kdl"
MARKDOWN_SUFFIX: Final = ".md"
IN, OUT = "in", "out"
IGNORE: Final = "circuit: ignore"
"""How a comment begins that asks a check to leave something out."""

FENCES: Final = "front matter begins on the first line; the lines around it are exactly ---, with no blank behind it"

_DESCRIPTION = 600
_OUT = re.compile(r'(?:^|[;}\r\n/])[ \t]*(?:\([^)\r\n]*\)[ \t]*)?(?:out|"out")(?=[\s{;(/]|\Z)')
_NOTE = re.compile(r"<!--.*?-->", re.DOTALL)
_COMMENT = re.compile(r"\s*//[ \t]?(.*)")


class ProgramDocument(NamedTuple):
    """A program read. `program` holds the calls that are fine, even when others are not; `said` is what is wrong."""

    definition: Definition
    source: Source
    program: Program
    said: tuple[Said, ...]
    sections: tuple[Section, ...] = ()
    description: str = ""
    notes: tuple[Diagnostic, ...] = ()

    @property
    def id(self) -> str:
        """A program has no id of its own: its file's stem."""
        return self.definition.stem

    @property
    def name(self) -> str:
        return self.definition.stem or "Program"

    @property
    def is_valid(self) -> bool:
        """Whether nothing is wrong with it, so that it can run."""
        return not self.said

    @property
    def calls(self) -> tuple[Call, ...]:
        return self.program.calls

    def extents(self) -> dict[str, Extent | None]:
        """Where the names of the calls stand in the KDL, and the program's `in` and `out`, None where there is none."""
        names = {call.name: call.name_extent for call in self.calls}
        return {**names, IN: self.program.input_extent, OUT: self.program.output_extent}

    def kdl(self, extent: Extent) -> str:
        """A stretch of its KDL."""
        return self.source.kdl[extent.start : extent.end]

    def place(self, extent: Extent, lines: Lines | None = None) -> tuple[Position, Position]:
        """Where a stretch of its KDL starts and ends in its whole text."""
        found = lines or Lines(self.definition.text)
        start = self.source.start
        return found.position(start + extent.start), found.position(start + extent.end)


@lru_cache(maxsize=8)
def _examined(kdl_text: str) -> Examined:
    """What a text is; recognising and loading it are one after the other."""
    return examine(kdl_text)


def load(definition: Definition) -> ProgramDocument:
    """Reads a program.

    Raises CircuitError, with the position, for a text that is no KDL. What is wrong beyond that is in `said`.
    """
    text = definition.text
    source = split(text)
    found = _examined(text)
    if found.unread is not None:
        raise _unreadable(found.unread, found.said[-1], source, text)
    return ProgramDocument(
        definition, source, found.program, found.said, found.sections, _description(source, found.sections)
    )


def _unreadable(unread: Unread, said: Said, source: Source, text: str) -> CircuitError:
    position = None
    if said.exact is not None:
        position = Lines(text).position(source.start + said.exact.start)
    return CircuitError(
        "This is no program: its KDL cannot be read",
        position=position,
        found=unread.message,
        hint=FENCES if is_nearly_fenced(text) else unread.hint,
        code="C801",
    )


def recognise(text: str) -> bool:
    """Whether a text is a program: KDL that says what its `out` is. Never raises.

    Prose can be KDL by chance (`out of milk`), so an `out` that is nothing but bare words is not enough.
    """
    if not may_be(text):
        return False
    found = _examined(text)
    if found.unread is not None or not found.has_out:
        return False
    return found.is_certain or split(text).markdown is not None


def may_be(text: str) -> bool:
    """Whether it is worth looking whether a text is a program."""
    start = text.lstrip("\ufeff \t\r\n")[:1]
    if start in ("", "{", "["):
        return False
    return _OUT.search(split(text).kdl) is not None


def claims(text: str) -> bool:
    """Whether a text carries the marks of a program, so that what is wrong with it is worth saying."""
    if text.lstrip("\ufeff \t\r\n")[:5].lower() in ("<!doc", "<html") or not may_be(text):
        return False
    source = split(text)
    if "source=" in source.kdl and is_nearly_fenced(text):
        return True
    return recognise(text) or ("source=" in source.kdl and (source.markdown is not None or not _is_prose(text)))


def _is_prose(text: str) -> bool:
    """Whether a text is Markdown that quotes a program, rather than one."""
    return "```" in text or re.search(r"^#{1,6} ", text, re.MULTILINE) is not None


def suffix(text: str) -> str:
    """The suffix of the file that a program is written to."""
    return KDL_SUFFIX if split(text).markdown is None else MARKDOWN_SUFFIX


def _description(source: Source, sections: tuple[Section, ...]) -> str:
    """What the author says before all else: the text before the first heading, or the comment at the top.

    What is said to a check is not said to readers.
    """
    if source.markdown is not None:
        return one_line(_NOTE.sub("", markdown.before(source.markdown, sections)), _DESCRIPTION)
    said = []
    for line in source.kdl.lstrip("\ufeff \t\r\n").splitlines():
        comment = _COMMENT.match(line)
        if comment is None:
            break
        if not comment[1].lstrip().startswith(IGNORE):
            said.append(comment[1])
    return one_line(" ".join(said), _DESCRIPTION)
