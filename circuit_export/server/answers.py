"""What a tool answers: a text for the model to act on and, for boards, the payload that a view draws."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.diagnostics import CircuitError
from circuit_export.runs.directives import Directive

if TYPE_CHECKING:
    from circuit_export.runs.record import Run
    from circuit_export.server.desk import Opened

NEXT = "--- do this next ---"


class Answer(NamedTuple):
    """An answer; `props` is the board payload, None for a text alone; `failed` says that nothing was done.

    `opened` is the board of the payload and `run` its run, for a view that is to draw them.
    """

    text: str
    props: Mapping[str, Any] | None = None
    failed: bool = False
    structured: Mapping[str, Any] | None = None
    """Structured content that is no board."""
    opened: Opened | None = None
    run: Run | None = None


def refusal(error: CircuitError) -> Answer:
    """What is answered when something cannot be done."""
    return Answer(error.block(), failed=True)


def lines(*parts: str) -> str:
    """Paragraphs of an answer; empty ones are left out."""
    return "\n".join(part for part in parts if part)


def instruct(text: str, directive: Directive) -> str:
    """A text that ends with the directive to obey."""
    return f"{text}\n\n{NEXT}\n{json.dumps(directive, ensure_ascii=False, indent=1)}"
