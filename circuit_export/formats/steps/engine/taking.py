"""Takes the results of steps: stores them whole, and leaves by the port that they choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from circuit_export.formats.steps.catalog import OUT
from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.engine import wording
from circuit_export.formats.steps.engine.asking import would_call
from circuit_export.formats.steps.engine.gates import REJECT, decision_of, edited
from circuit_export.formats.steps.engine.handing import cancel, request
from circuit_export.formats.steps.engine.refusing import refuse
from circuit_export.formats.steps.engine.state import Walk
from circuit_export.formats.steps.engine.walk import walk_on
from circuit_export.runs.directives import PREVIEW, Directive
from circuit_export.runs.dot_paths import Unwritable
from circuit_export.runs.record import SKIPPED, STEP_DONE
from circuit_export.runs.templates import text_of


def take(walk: Walk, step: Step, value: Any) -> Directive:
    """Takes the result of the awaited step and walks on."""
    return _TAKERS.get(step.type, _take)(walk, step, value)


def _take(walk: Walk, step: Step, value: Any) -> Directive:
    """Stores a result whole and goes on."""
    awaiting = walk.run["awaiting"]
    shown = awaiting["act"] == PREVIEW
    summary = would_call(step, walk.data) or wording.SHOWN if shown else wording.counted(value)
    walk.data["steps"][step.id] = value
    tries = walk.run["attempts"]
    walk.settle(
        step,
        STEP_DONE,
        port=OUT,
        summary=summary,
        attempts=tries + 1 if tries else 0,
        given=awaiting["input"],
        answer=value,
    )
    walk.leave(step, OUT)
    return walk_on(walk)


def _take_trigger(walk: Walk, step: Step, value: Any) -> Directive:
    """The result of a watch is the trigger from here on."""
    walk.data["trigger"] = value
    return _take(walk, step, value)


def _take_label(walk: Walk, step: Step, value: Any) -> Directive:
    """The label is the port; one that is none of the labels takes the last, and that is said."""
    said = value.get("label") if isinstance(value, dict) else value
    labels = step.config.get("labels")
    known = [label for label in labels if isinstance(label, str)] if isinstance(labels, list) else []
    if not known:
        return refuse(walk, step.id, "but it has no labels any more")
    text = text_of(said)
    wanted = text.strip().casefold()
    port = next((label for label in known if label == said), None)
    if port is None:
        port = next((label for label in known if label.strip().casefold() == wanted), None)
    summary = port if port is not None else f"“{text}” is none of the labels: took the last one, “{known[-1]}”"
    port = known[-1] if port is None else port
    walk.data["steps"][step.id] = value if isinstance(value, dict) else {"label": said}
    walk.settle(step, STEP_DONE, port=port, summary=summary, given=walk.run["awaiting"]["input"], answer=value)
    walk.leave(step, port)
    return walk_on(walk)


def _take_decision(walk: Walk, step: Step, value: Any) -> Directive:
    """Approve goes on, reject ends the run, anything else is asked again."""
    given = walk.run["awaiting"]["input"]
    decision = decision_of(value)
    if decision is None:
        said = text_of(value.get("decision") if isinstance(value, dict) else value)
        return request(walk, step, note=f"“{said}” is neither approve nor reject.")
    stored = {"decision": decision.word, "edit": decision.edit}
    if decision.word == REJECT:
        walk.data["steps"][step.id] = stored
        walk.settle(step, SKIPPED, summary="rejected", given=given, answer=stored)
        return cancel(walk, step)
    if decision.edit is not None:
        try:
            walk.run["data"] = edited(step, walk.data, decision.edit)
        except Unwritable as error:
            return request(walk, step, note=f"The edit cannot be written: {error}. Approve without it, or reject.")
    walk.data["steps"][step.id] = stored
    summary = "approved" if decision.edit is None else "approved with an edit"
    walk.settle(step, STEP_DONE, port=OUT, summary=summary, given=given, answer=stored)
    walk.leave(step, OUT)
    return walk_on(walk)


_TAKERS: Final[dict[str, Callable[[Walk, Step, Any], Directive]]] = {
    "trigger.watch": _take_trigger,
    "model.classify": _take_label,
    "gate.approve": _take_decision,
}
