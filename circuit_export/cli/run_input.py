"""The input of a program at the command line: JSON, a file of JSON, stdin, or one field after the other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from circuit_export import api
from circuit_export.cli.files import read_stdin
from circuit_export.diagnostics import CircuitError, Position, UsageError

Reader = Callable[[str], Any]
"""Reads JSON as a format does; raises ValueError."""

EXAMPLES = '--input \'{"name": "Ada"}\', --input input.json, --input name=Ada, or --input - for stdin'
_FIELD = re.compile(r"([A-Za-z0-9_][A-Za-z0-9_.-]*)=(.*)", re.DOTALL)
_SHOWN = 60


class Input(NamedTuple):
    """An input; there is none when not `given`, which null is."""

    given: bool = False
    value: Any = None


def input_of(texts: tuple[str, ...], read: Reader) -> Input:
    """What --input gives, however often. Raises CircuitError for what is no JSON, UsageError for what is nothing."""
    if not texts:
        return Input()
    fields = [_field(text) for text in texts]
    if len(texts) == 1 and (fields[0] is None or Path(texts[0]).is_file()):
        return Input(True, _whole(texts[0], read))
    found: dict[str, Any] = {}
    for text, field in zip(texts, fields, strict=True):
        if field is None:
            raise UsageError("A program has one input", found=_short(text), hint="give it once, or as NAME=VALUE each")
        name, value = field
        if name in found:
            raise UsageError(f"The input “{name}” is given twice", hint="give it once")
        found[name] = _value(value, read)
    return Input(True, found)


def _field(text: str) -> tuple[str, str] | None:
    found = _FIELD.fullmatch(text)
    return (found[1], found[2]) if found else None


def _value(text: str, read: Reader) -> Any:
    """JSON where a text is JSON, else the text."""
    try:
        return read(text)
    except ValueError:
        return text


def _whole(text: str, read: Reader) -> Any:
    if text == "-":
        return _read(read_stdin(), "<stdin>", read)
    try:
        return read(text)
    except ValueError as error:
        if text.lstrip()[:1] in ("{", "[", '"') and not _is_file(text):
            raise _no_json(error, "--input") from None
    if not _is_file(text):
        raise UsageError("The input is neither JSON nor a file", found=_short(text), expected=EXAMPLES)
    return _read(api.read_file(Path(text)), text, read)


def _is_file(text: str) -> bool:
    try:
        return Path(text).exists()
    except (OSError, ValueError):
        return False


def _read(data: bytes, name: str, read: Reader) -> Any:
    try:
        return read(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise CircuitError("The input is not UTF-8", file=name, hint="save it as UTF-8") from None
    except ValueError as error:
        raise _no_json(error, name) from None


def _no_json(error: ValueError, name: str) -> CircuitError:
    if isinstance(error, json.JSONDecodeError):
        position = Position(error.lineno, error.colno)
        return CircuitError("The input is no JSON", file=name, position=position, found=error.msg)
    return CircuitError("The input is no JSON", file=name, found=str(error))


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
