"""What a tool answers: a text for the model to act on and, for boards, the payload that a view draws."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from circuit_export.board.text_clean import flat
from circuit_export.diagnostics import CircuitError
from circuit_export.runs.directives import Directive

if TYPE_CHECKING:
    from circuit_export.runs.record import Run
    from circuit_export.server.desk import Opened

NEXT = "--- do this next ---"

LABEL: Final = 200
"""Characters of a title, or of what a service said, that a text for the model shows; the payload has all of it."""

FEW: Final = 100
"""Lines of one kind that a text for the model has at most."""

LAST_FEW: Final = 5
"""How many of those are the last ones."""


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


def few(said: Sequence[str], most: int = FEW) -> list[str]:
    """Lines; of very many the first ones and the last, and how many are between: who reads a text reads no thousands,
    and the structured content has them all."""
    if len(said) <= most:
        return list(said)
    first, last = most - LAST_FEW - 1, len(said) - LAST_FEW
    return [*said[:first], f"  … {last - first:,} more …", *said[last:]]


def listed(head: str, items: Iterable[str]) -> str:
    """A line, and one below it for each item."""
    return "\n".join([head, *(f"  {flat(item)}" for item in items)])


class Listed(CircuitError):
    """An error with a line for each thing that is wrong. Of any other error the message is one line."""

    def __init__(self, message: str, items: Iterable[str], *, hint: str = "") -> None:
        super().__init__(listed(flat(message), items), hint=hint)


def refusal(error: CircuitError) -> Answer:
    """What is answered when something cannot be done."""
    told = CircuitError(
        error.message if isinstance(error, Listed) else flat(error.message),
        file=error.file,
        position=error.position,
        found=flat(error.found),
        expected=flat(error.expected),
        hint=flat(error.hint),
    )
    return Answer(told.block(), failed=True)


def label(text: str, most: int = LABEL) -> str:
    """What somebody else wrote, inside a line of ours: whatever is in it, it cannot pass for a line of its own, which
    the model might obey."""
    return flat(text if len(text) <= most else text[: most - 1] + "…")


def lines(*parts: str) -> str:
    """Paragraphs of an answer; empty ones are left out."""
    return "\n".join(part for part in parts if part)


def instruct(text: str, directive: Directive) -> str:
    """A text that ends with the directive to obey."""
    return f"{text}\n\n{NEXT}\n{json.dumps(directive, ensure_ascii=False, indent=1)}"
