"""Workflows that are handed in with a call, as a text of any kind."""

from __future__ import annotations

from circuit_export import api
from circuit_export.diagnostics import CircuitError


def opened_text(source: api.Source) -> api.Workflow:
    """The one workflow in a text. Raises CircuitError, whose advice is for who calls a tool."""
    try:
        return api.open_source(source)
    except CircuitError as error:
        if "--pick" not in error.hint:
            raise
        raise CircuitError(
            error.message, file=error.file, found=error.found, expected="one", hint="hand in one of them, alone"
        ) from None
