"""Plain English for programs: what a call does, what it is given, and what it gives."""

from __future__ import annotations

import re
from enum import StrEnum
from posixpath import dirname, join, normpath
from typing import TYPE_CHECKING

from circuit_export.formats.circuitry.engine.state import names_program
from circuit_export.formats.circuitry.expressions import Interpolation, Literal, Reference, references
from circuit_export.formats.circuitry.program import JSON
from circuit_export.formats.wording import counted, one_line, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.formats.circuitry.document import ProgramDocument
    from circuit_export.formats.circuitry.program import Call

_PLAIN = re.compile(r'"([^"\\\s]+)"')
"""A quoted argument that reads as well without its quotes."""
SAID = 300
"""Characters of a summary at most; a chip shows as much of it as it has room for."""


class Kind(StrEnum):
    """What a call runs, as its source tells it."""

    PASS = "pass"  # noqa: S105  # no password
    NESTED = "nested"
    GENERATED = "generated"
    COMMAND = "command"


def kind(call: Call) -> Kind:
    """What a call runs; a source that only a run tells is a command unless it ends like a program's file."""
    if call.generated:
        return Kind.GENERATED
    text = literal(call)
    if text is None and isinstance(call.source, Interpolation) and isinstance(call.source.pieces[-1], str):
        text = f"x{call.source.pieces[-1]}"
    if text == "":
        return Kind.PASS
    return Kind.NESTED if text is not None and names_program(text) else Kind.COMMAND


def literal(call: Call) -> str | None:
    """The text of a call's source, None when only a run tells it."""
    if isinstance(call.source, Literal) and isinstance(call.source.value, str):
        return call.source.value
    return None


def nested_path(call: Call, document: ProgramDocument) -> str | None:
    """The path of the program that a call names, relative to the main program's folder; None when it names none."""
    text = literal(call)
    if call.generated or text is None or not names_program(text):
        return None
    return normpath(join(dirname(document.definition.path), text))


def summary(call: Call, document: ProgramDocument, called: Mapping[str, ProgramDocument]) -> str:
    """What a call does, in one line."""
    what = kind(call)
    if what is Kind.PASS:
        return _passed(call)
    if what is Kind.GENERATED:
        return _generated(call)
    source = literal(call) or _PLAIN.sub(r"\1", _part(call, document, "source"))
    if what is Kind.COMMAND:
        arguments = _PLAIN.sub(r"\1", _part(call, document, "arguments"))
        return _line(f"runs {source} {arguments}")
    path = nested_path(call, document)
    found = called.get(path) if path is not None else None
    size = f", {counted(len(found.calls), 'call')}" if found is not None else ""
    return _line(f"runs {source}{size}")


def _passed(call: Call) -> str:
    if call.input is None:
        return "hands on an empty object"
    if not any(references(call.input)):
        return "gives what is always the same"
    return "hands on what it is given"


def _generated(call: Call) -> str:
    if isinstance(call.source, Reference):
        return f"runs the program in {shown(call.source.name)}"
    return "runs a program made for it" if literal(call) is None else "runs a program written out for it"


def _line(text: str) -> str:
    return one_line(text, SAID)


def _part(call: Call, document: ProgramDocument, name: str) -> str:
    extent = dict(call.parts).get(name)
    return " ".join(document.kdl(extent).split()) if extent is not None else ""


def settings(call: Call, document: ProgramDocument) -> tuple[tuple[str, str], ...]:
    """What a page lists of a call: its parts as they are written, with codecs that are not the usual one."""
    codecs = {"in": call.input_codec, "out": call.output_codec}
    listed = []
    for name, extent in call.parts:
        codec = codecs.get(name, JSON)
        label = name if codec == JSON else f"{name} · {codec}"
        listed.append((label, _body(document.kdl(extent)) or ("(empty text)" if name == "source" else "(nothing)")))
    return tuple(listed)


def _body(text: str) -> str:
    """A body without the indentation that it has in its file."""
    first, *rest = text.strip().split("\n")
    if not rest:
        return first
    indent = min((len(line) - len(line.lstrip()) for line in rest if line.strip()), default=0)
    return "\n".join([first, *(line[indent:].rstrip() for line in rest)])
