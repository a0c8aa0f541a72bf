"""Which other documents a workflow needs, followed as far as they go, through whatever library knows them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from circuit_export import formats
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.base import Document, Need

Lookup = Callable[[Need, Definition], Definition | None]
"""Finds the definition of a need of the given caller; None when there is none. Raises CircuitError to say why not."""


class Called(NamedTuple):
    """What a workflow calls, and what those call in turn.

    `documents` holds them by what they are called by (a need's id, else its path), in the order they were first met;
    `missing` says of each one that was not found who calls it and why it is not there.
    """

    documents: dict[str, Document]
    missing: tuple[str, ...]


def gather(document: Document, lookup: Lookup) -> Called:
    """Finds all that `document` needs, breadth first, each once; a workflow that calls itself ends there."""
    documents: dict[str, Document] = {}
    missing: dict[str, str] = {}
    known = {document.id, document.definition.path}
    waiting = deque([document])
    while waiting:
        caller = waiting.popleft()
        for need in formats.get(caller.definition.format).needs(caller):
            key = need.id or need.path
            if key in known or key in missing:
                continue
            try:
                found = lookup(need, caller.definition)
                if found is not None and found.format != caller.definition.format:
                    raise CircuitError(f"it is of another kind ({formats.get(found.format).title})")
                callee = None if found is None else formats.get(found.format).load(found)
            except CircuitError as error:
                missing[key] = f"“{caller.name}” calls “{key}”, which is left out: {_inside(error.message)}"
                continue
            if callee is None:
                missing[key] = f"“{caller.name}” calls “{key}”, which was not found"
                continue
            known.add(key)
            documents[key] = callee
            waiting.append(callee)
    return Called(documents, tuple(missing.values()))


def _inside(message: str) -> str:
    """A message as the end of a sentence."""
    return message[:1].lower() + message[1:]
