"""Gates: what counts as a decision, and where an edit may be written."""

from __future__ import annotations

from typing import Any, NamedTuple

from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.engine import settings
from circuit_export.formats.steps.engine.settings import Data, Unfit
from circuit_export.runs.dot_paths import Unwritable, write

APPROVE, REJECT = "approve", "reject"
_RESERVED = ("constructor", "prototype")


class Decision(NamedTuple):
    """What a person decided; `edit` is None when the preview was left as it is."""

    word: str
    edit: Any = None


def decision_of(value: Any) -> Decision | None:
    """The decision in a report: the bare word or `{decision, edit?}`, in any case of letters.

    None for everything else: a gate takes nothing for an approval that is not the word.
    """
    word = value.get("decision") if isinstance(value, dict) else value
    if not isinstance(word, str) or word.strip().lower() not in (APPROVE, REJECT):
        return None
    return Decision(word.strip().lower(), value.get("edit") if isinstance(value, dict) else None)


def edited(step: Step, data: dict[str, Any], edit: Any) -> dict[str, Any]:
    """The run's data with the edit at the gate's preview path; the data handed in stays as it is.

    Raises Unwritable for a path that an edit must not be written to, or cannot.
    """
    path = _preview(step, data)
    segments = path.split(".")
    if not path:
        raise Unwritable("the gate shows nothing that could be edited")
    if segments[0] not in ("steps", "trigger", "item") or path == "steps":
        raise Unwritable(f"“{path}” is not under steps, trigger or item")
    if segments[0] not in data:
        raise Unwritable(f"there is no “{segments[0]}” here")
    for segment in segments:
        if segment.startswith("__") or segment in _RESERVED or not segment:
            raise Unwritable(f"“{segment}” is a reserved name" if segment else f"“{path}” has an empty name in it")
    return write(data, path, edit)


def _preview(step: Step, data: Data) -> str:
    try:
        return settings.path(step, "preview", data)
    except Unfit as error:
        raise Unwritable(str(error)) from None
