"""The canonical form of a definition: the same value, laid out as its format is written."""

from __future__ import annotations

from typing import NamedTuple

from circuit_export import formats
from circuit_export.diagnostics import CircuitError, Severity
from circuit_export.validation.reading import SCENARIOS, decode, read


class Own(NamedTuple):
    """A text that is laid out by its author, since its format has no one form; `kind` is what people call it."""

    text: str
    kind: str


def canonical(data: bytes, name: str) -> str | Own:
    """The canonical text of a file, with one line feed at its end; its own where there is no such form.

    Raises CircuitError for what is no workflow, and for one that would lose something: a member that is there twice.
    """
    if name.endswith(SCENARIOS):
        return _scenarios(data)
    found = read(data, name)
    if found.document is None:
        wrong = found.findings[0]
        raise CircuitError(wrong.message, file=name, position=wrong.start, hint=wrong.hint)
    for note in found.document.notes:
        if note.code == "C003" and note.severity is Severity.ERROR:
            raise CircuitError(note.message, file=name, hint="keep one of them, then format it")
    if found.value is None:
        return Own(found.text, formats.get(found.format).title)
    return formats.get(found.format).dump(found.value).rstrip("\n") + "\n"


def _scenarios(data: bytes) -> str:
    from circuit_export.formats import json_text

    text, _ = decode(data, "")
    parsed = json_text.parse(text.replace("\r\n", "\n"))
    if parsed.repeated:
        raise CircuitError(f"“{parsed.repeated[0].name}” is there twice", hint="keep one of them, then format it")
    return json_text.write(parsed.value) + "\n"
