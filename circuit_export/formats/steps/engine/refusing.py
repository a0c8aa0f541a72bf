"""Refuses what is not awaited, and says what is; asks once more for what is. Neither changes a run."""

from __future__ import annotations

from typing import Final

from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.engine import batches
from circuit_export.formats.steps.engine.asking import ask
from circuit_export.formats.steps.engine.handing import finished
from circuit_export.formats.steps.engine.settings import Unfit
from circuit_export.formats.steps.engine.state import Walk
from circuit_export.runs.directives import BLOCKED, CALL_MANY, Directive
from circuit_export.runs.templates import text_of

GONE: Final = "but the workflow has no such step any more: put it back, or start another run"


def expected(walk: Walk, step_id: str, turn: int | None) -> tuple[Step | None, Directive]:
    """The awaited step when the report is about it, else None and the refusal."""
    awaiting = walk.run["awaiting"]
    if not awaiting:
        ended = "the run has ended or stands still" if walk.run["stopped"] else "the run has not been advanced yet"
        return None, blocked(walk, step_id, f"Nothing is awaited: {ended}.")
    if step_id != awaiting["stepId"]:
        return None, refuse(walk, step_id, f"a report about “{text_of(step_id)}” is not")
    if turn is not None and turn != awaiting["turn"]:
        return None, refuse(walk, step_id, f"a report for turn {text_of(turn)} is not")
    if walk.lost:
        return None, lost(walk)
    step = walk.step(awaiting["stepId"])
    if step is None:
        return None, refuse(walk, step_id, GONE)
    return step, {}


def refuse(walk: Walk, step_id: str, why: str) -> Directive:
    """`blocked`, about the awaited step; the run stays as it is."""
    awaiting = walk.run["awaiting"]
    if not awaiting:
        return blocked(walk, step_id, f"Nothing was changed: {why}.")
    what = f"Turn {awaiting['turn']}, {awaiting['act']} “{awaiting['stepId']}”, is awaited; {why}. Nothing was changed."
    return blocked(walk, awaiting["stepId"], what)


def blocked(walk: Walk, step_id: str, reason: str) -> Directive:
    """`blocked` about a step, with the turn that the run is at."""
    return {"act": BLOCKED, "stepId": step_id, "reason": reason, "turn": walk.run["directives"]}


def lost(walk: Walk) -> Directive:
    """`blocked`, because the workflow that the run is inside of cannot be had."""
    flow = walk.run["flowId"]
    awaiting = walk.run["awaiting"]
    step_id = awaiting["stepId"] if awaiting else walk.run["failedAt"] or walk.path[-1]
    return blocked(walk, step_id, f"The run is inside the workflow “{flow}”, which is not to be had.")


def awaited(walk: Walk) -> Directive:
    """The directive that is awaited, once more; the run stays as it is."""
    awaiting = walk.run["awaiting"]
    if walk.lost:
        return lost(walk)
    step = walk.step(awaiting["stepId"])
    if step is None:
        return refuse(walk, awaiting["stepId"], GONE)
    try:
        if awaiting["act"] == CALL_MANY:
            asked = batches.build(walk, step, awaiting["batch"])
        else:
            asked = ask(step, walk.data, walk.run["mode"])
    except Unfit as error:
        return refuse(walk, step.id, f"but it cannot run: {error}")
    return finished(asked.directive, awaiting["turn"], awaiting.get("note", ""))
