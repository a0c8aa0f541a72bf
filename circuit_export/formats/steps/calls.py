"""Which workflows a board calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from circuit_export.formats.steps.document import Step, StepsDocument

CALL = "flow.call"


def called_id(step: Step) -> str:
    """The id of the workflow that a step calls, "" when it calls none or one that only a run will know."""
    if step.type != CALL:
        return ""
    id = step.config.get("workflowId")
    return id if isinstance(id, str) and "{{" not in id else ""


def called_ids(document: StepsDocument) -> tuple[str, ...]:
    """The ids of the workflows that a board calls, each once, in the order they are first named."""
    return tuple(dict.fromkeys(id for step in document.steps if (id := called_id(step))))
