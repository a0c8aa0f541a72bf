"""Hands directives out: counts them, says what is awaited, and ends or stops a run.

Whatever changes a run ends here, in `hand_out` or in `_stop`; so what was noted on the way is written down here.
"""

from __future__ import annotations

from typing import Any

from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.engine import wording
from circuit_export.formats.steps.engine.asking import Asked, ask
from circuit_export.formats.steps.engine.settings import Unfit
from circuit_export.formats.steps.engine.state import Walk
from circuit_export.runs.clipping import clip
from circuit_export.runs.directives import ASK, BLOCKED, DONE, Directive
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.record import (
    AWAITING,
    CANCELLED,
    FAILED,
    HELD,
    RETRYING,
    RUNNING,
    STEP_DONE,
    SUCCEEDED,
)


def hand_out(walk: Walk, step: Step, asked: Asked, *, note: str = "", batch: dict[str, Any] | None = None) -> Directive:
    """Gives out a directive and waits for its answer; blocks instead when the run has used up its directives.

    `note` says why something is asked again; it stands before what is expected.
    """
    run = walk.run
    if run["directives"] - run["since"] >= walk.limits.directives:
        reason = (
            f"{wording.named(step)} would be directive {run['directives'] + 1}, and {walk.limits.directives} are "
            "allowed in one go. Resume to allow as many again."
        )
        return block(walk, step, reason, batch=batch)
    run["directives"] += 1
    directive = asked.directive
    act = directive["act"]
    awaiting: dict[str, Any] = {"stepId": step.id, "act": act, "turn": run["directives"], "input": clip(asked.given)}
    if note:
        awaiting["note"] = note
    if batch is not None:
        awaiting["batch"] = batch
    run["awaiting"] = awaiting
    run["status"] = AWAITING if act == ASK else RUNNING
    failed = run["attempts"]
    state = HELD if act == ASK else RETRYING if failed else RUNNING
    walk.mark(step, state, attempts=failed + 1 if failed else 0)  # the try that is under way
    walk.timeline.flush(run["history"])
    return finished(directive, run["directives"], note)


def finished(directive: Directive, turn: int, note: str = "") -> Directive:
    """A directive with its turn, and with why it is asked again."""
    if note:
        directive["expect"] = f"{note} {directive['expect']}"
    directive["turn"] = turn
    return directive


def request(walk: Walk, step: Step, *, note: str = "") -> Directive:
    """Asks for what a step needs; blocks when its settings do not let it."""
    try:
        asked = ask(step, walk.data, walk.run["mode"])
    except Unfit as error:
        return unfit(walk, step, error)
    return hand_out(walk, step, asked, note=note)


def unfit(walk: Walk, step: Step, error: Unfit) -> Directive:
    """Blocks at a step whose settings do not let it work."""
    return block(walk, step, f"{wording.named(step)} cannot run: {error}. {wording.what_next(step, mend=True)}")


def block(walk: Walk, step: Step, reason: str, *, error: str = "", tries: int = 0, **kept: Any) -> Directive:
    """Stops the run at a step, with everything kept; `kept` is what resuming it needs besides the step."""
    run = walk.run
    given = run["awaiting"]["input"] if run["awaiting"] else MISSING
    walk.settle(step, FAILED, error=error or reason, attempts=tries, given=given)
    run["failedAt"] = step.id
    return _stop(walk, FAILED, {"act": BLOCKED, "stepId": step.id, "reason": reason}, kept)


def finish(walk: Walk) -> Directive:
    """Ends a run that has nothing left to do."""
    trace = walk.run["trace"]
    own = [entry["state"] for entry in trace if "path" not in entry]
    done = sum(1 for state in own if state == STEP_DONE)
    summary = f"“{walk.workflow.name}” is done: {done} of {wording.count(len(own), 'step')} ran."
    return _stop(walk, SUCCEEDED, {"act": DONE, "summary": summary}, {})


def cancel(walk: Walk, step: Step) -> Directive:
    """Ends a run that a person did not let go on."""
    summary = f"“{walk.workflow.name}” ended at {wording.named(step)}, which was rejected."
    return _stop(walk, CANCELLED, {"act": DONE, "summary": summary}, {})


def _stop(walk: Walk, status: str, directive: Directive, kept: dict[str, Any]) -> Directive:
    run = walk.run
    run["directives"] += 1
    run["status"] = status
    run["endedAt"] = walk.now
    run["awaiting"] = None
    walk.timeline.flush(run["history"])
    directive["turn"] = run["directives"]
    run["stopped"] = {
        "directive": dict(directive),
        **{key: value for key, value in kept.items() if value is not None},
    }
    return directive
