"""Why a text that somebody took for a workflow is none, in the words of the format that it comes nearest to."""

from __future__ import annotations

import re

from circuit_export import formats
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Severity
from circuit_export.formats.json_text import parse
from circuit_export.validation.check import quick_findings


def explained(data: bytes, name: str) -> CircuitError | None:
    """The error of the format whose marker a text carries: it knows best what is wrong with its own."""
    text = data.decode("utf-8-sig", "replace")
    for claimant in map(formats.get, formats.NAMES):
        if claimant.claims(text):
            try:
                claimant.load(Definition(claimant.normalise(text), claimant.name, name))
            except CircuitError as error:
                return error
    return _misnamed(text, name) or _broken_json(text)


def _misnamed(text: str, name: str) -> CircuitError | None:
    """Why a file is not what its suffix says; None for a suffix that says nothing."""
    format = formats.of_file(name)
    if format is None or not text.strip():
        return None
    try:
        document = formats.get(format).load(Definition(formats.get(format).normalise(text), format, name))
    except CircuitError as error:
        return error
    first = next((one for one in quick_findings(document) if one.severity is Severity.ERROR), None)
    if first is None:
        return None
    return CircuitError(first.message, position=first.start, hint=first.hint, code=first.code)


def _broken_json(text: str) -> CircuitError | None:
    """The error of a text that sets out to be a JSON document of nobody's and breaks off; None for any other."""
    if not re.match(r"\s*(?:\{\s*[^\s{|%]|\[\s*[\[{])", text):
        return None
    try:
        parse(text)
    except CircuitError as error:
        return error
    return None
