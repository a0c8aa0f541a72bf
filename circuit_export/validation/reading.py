"""From the bytes of a file to its workflow, or to the findings that say why there is none."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from circuit_export import formats
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Diagnostic, Position, Severity
from circuit_export.formats import json_text
from circuit_export.formats.json_text import kind_of

if TYPE_CHECKING:
    from circuit_export.formats.base import Document

SCENARIOS = ".scenarios.json"
_MARKERS = (("circuit",), ("version", "nodes", "edges"))
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Read:
    """What became of one file: its text with line feeds, its format ("" when it has none), its document if it loads.

    `value` is the parsed JSON of a file that is JSON. The findings are those of reading, with their places.
    """

    file: str
    text: str
    format: str = ""
    value: Any = None
    document: Document | None = None
    findings: tuple[Diagnostic, ...] = ()
    clean: bool = False
    """Known to have no findings, so that it was not even read."""
    whole: bool = False
    """Found in a text that holds nothing else."""


def decode(data: bytes, file: str) -> tuple[str, Diagnostic | None]:
    """The text of a file, without a byte-order mark; what is not UTF-8 is a finding, read as far as it goes."""
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError as error:
        hint = "save it as UTF-8"
        if data[:2] in _UTF16:
            text, what = data.decode("utf-16", "replace"), "it is UTF-16"
            position = Position(1, 1)
        else:
            text = data.decode("utf-8-sig", "replace")
            before = data[: error.start].decode("utf-8-sig", "replace")
            position = Position.at(before, len(before))
            what = f"the byte {data[error.start]:02x} means nothing there"
        message = f"The file is not UTF-8: {what}"
        found = Diagnostic("C002", "wrong-encoding", Severity.ERROR, message, file=file, hint=hint, start=position)
        return text, found


def read(data: bytes, file: str, path: str | None = None) -> Read:
    """Reads one file that is to be a workflow; `path` is the name that its definition goes by, `file` if None."""
    raw, wrong = decode(data, file)
    text = raw.replace("\r\n", "\n").replace("\r", "\n") if "\r" in raw else raw
    if wrong is not None:
        return Read(file, text, findings=(wrong,))
    called = path if path is not None else file
    return _claimed(text, raw, called, file) or _not_recognised(text, raw, called, file)


def _claimed(text: str, raw: str, path: str, file: str) -> Read | None:
    """The workflow of a text that a format claims or recognises; None when none does."""
    for name in formats.NAMES:
        if formats.get(name).claims(text):
            definition = Definition(formats.get(name).normalise(raw), name, path)
            try:
                document = formats.get(name).load(definition)
            except CircuitError:  # another format's text may hold this one's marker; why it fails is found out below
                continue
            return Read(file, definition.text, name, getattr(document, "value", None), document)
    recognised = formats.recognise(text)
    if recognised is None:
        return None
    return _loaded(Definition(formats.get(recognised).normalise(raw), recognised, path), file)


def _loaded(definition: Definition, file: str) -> Read:
    text, name = definition.text, definition.format
    try:
        document = formats.get(name).load(definition)
    except CircuitError as error:
        value = _value(text)
        return Read(file, text, name, value, findings=(_refused(error, file, value),))
    return Read(file, text, name, getattr(document, "value", None), document)


def _value(text: str) -> Any:
    """The JSON value of a text, None when it is none (a program, say)."""
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json_text.parse(text).value
    except CircuitError:
        return None


def _is_version(value: Any) -> bool:
    """Whether a document that was refused says another version than those there are."""
    version = value.get("circuit") if isinstance(value, Mapping) else None
    return isinstance(version, int | float) and not isinstance(version, bool) and version != 1


def _refused(error: CircuitError, file: str, value: Any) -> Diagnostic:
    if error.code:
        from circuit_export.validation.catalogue import find_rule

        rule = find_rule(error.code)
        return as_finding(error, rule.code, rule.name, file)._replace(reference=rule.reference)
    code, name = ("C005", "unsupported-version") if _is_version(value) else ("C006", "unreadable")
    return as_finding(error, code, name, file)


def as_finding(error: CircuitError, code: str, name: str, file: str) -> Diagnostic:
    """An error that stops the reading of a file, as a finding."""
    message = error.message
    if error.found:
        message += f": found {error.found}"
    if error.expected:
        message += f"{', ' if error.found else ': '}expected {error.expected}"
    start = error.position or Position(1, 1)
    return Diagnostic(code, name, Severity.ERROR, message, hint=error.hint, file=file, start=start)


def _not_recognised(text: str, raw: str, path: str, file: str) -> Read:
    """Why no format takes a text."""

    def loaded(name: str) -> Read:
        return _loaded(Definition(formats.get(name).normalise(raw), name, path), file)

    claimed = next((name for name in formats.NAMES if formats.get(name).claims(text)), "")
    if text.lstrip(" \t\r\n").startswith(("{", "[")):
        try:
            value = json_text.parse(text).value
        except CircuitError as error:
            code, name = ("C001", "not-json") if error.message == "This is not JSON" else ("C006", "unreadable")
            return Read(file, text, claimed, findings=(as_finding(error, code, name, file),))
        if claimed and has_marker(value):
            return loaded(claimed)
        return Read(file, text, "", value, findings=(_no_workflow(value, text, file),))
    claimed = claimed or formats.of_file(file) or ""
    if claimed and text.strip():
        return loaded(claimed)
    if file.endswith(".json"):
        wrong = _json_error(text)
        if wrong is not None:
            return Read(file, text, findings=(as_finding(wrong, "C001", "not-json", file),))
    return Read(file, text, findings=(_no_workflow(None, text, file),))


def has_marker(value: Any) -> bool:
    """Whether a JSON value says at its top that it is a workflow, be it of a version or shape that is not known."""
    return isinstance(value, Mapping) and any(all(key in value for key in marker) for marker in _MARKERS)


def _json_error(text: str) -> CircuitError | None:
    try:
        json_text.parse(text)
    except CircuitError as error:
        return error
    return None


def _no_workflow(value: Any, text: str, file: str) -> Diagnostic:
    hint = _sign(file)
    if isinstance(value, Mapping) and "steps" in value:
        message = "The file has “steps”, but no “circuit”, so it is no board"
    elif any(format.is_bundle(text) for format in formats.in_repository()):
        message = "The file is a bundle: a workflow packed with its skills"
        hint = "unpack it into a repository first: `circuit import` shows what is in it"
    elif value is not None:
        message = f"The file holds {kind_of(value)} that is no workflow"
    elif not text.strip():
        message = "The file is empty"
    else:
        message = f"The file is no workflow: it starts with “{_start(text)}”"
    return Diagnostic("C004", "unknown-format", Severity.ERROR, message, hint=hint, file=file, start=Position(1, 1))


def _sign(file: str) -> str:
    """What a workflow in a file of that name is known by."""
    suffix = PurePosixPath(file).suffix.lower()
    signs = [known.sign for known in map(formats.get, formats.NAMES) if suffix in known.suffixes]
    return "; ".join(signs) or formats.get(formats.NAMES[0]).sign


def _start(text: str) -> str:
    line = re.sub(r"[^\x20-\x7e\xa0-\ud7ff\ue000-\uffff]", "�", text.strip()[:60].split("\n")[0])
    return line if len(line) < 40 else line[:39] + "…"
