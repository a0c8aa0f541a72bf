"""The engine's front: every call by which a driver moves a run on.

A run belongs to its caller and is worked on in place: each call changes the record it is handed and returns the next
directive, so that a call costs what the move costs, however long the run is. Between two calls a run is plain JSON
and may be written down and read back. A directive may share values with the run and is not to be changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from circuit_export.formats.steps.document import Step, StepsDocument
from circuit_export.formats.steps.engine import batches, wording
from circuit_export.formats.steps.engine.handing import request, unfit
from circuit_export.formats.steps.engine.policies import settle_failure
from circuit_export.formats.steps.engine.refusing import awaited, blocked, expected, lost, refuse
from circuit_export.formats.steps.engine.settings import Unfit
from circuit_export.formats.steps.engine.state import Flows, Walk, missing_inputs
from circuit_export.formats.steps.engine.taking import take
from circuit_export.formats.steps.engine.walk import enter, pass_by, walk_on
from circuit_export.runs.directives import CALL_MANY, Directive
from circuit_export.runs.record import FAILED, RUNNING, Limits, NotPlain, Run, plain
from circuit_export.runs.templates import text_of

_NO_FLOWS: Flows = {}
_LIMITS = Limits()


def advance(
    workflow: StepsDocument, run: Run, flows: Flows = _NO_FLOWS, now: str = "", *, limits: Limits = _LIMITS
) -> Directive:
    """The next directive. While something is awaited, and when the run stands still, it is the same one again."""
    walk = Walk(workflow, run, flows, now, limits)
    if run["awaiting"]:
        return awaited(walk)
    if run["stopped"]:
        return dict(run["stopped"]["directive"])
    if walk.lost:
        return lost(walk)
    if run["directives"] == 0:
        blocked = _without_inputs(walk, workflow.start)
        if blocked is not None:
            return blocked
    return walk_on(walk)


def report(
    workflow: StepsDocument,
    run: Run,
    flows: Flows,
    now: str,
    step_id: str,
    result: Any,
    *,
    turn: int | None = None,
    limits: Limits = _LIMITS,
) -> Directive:
    """Takes the result of the awaited step and returns the next directive.

    A report for what is not awaited (another step, another turn, another kind of answer) or that is no plain JSON
    changes nothing and returns `blocked`, which says what is awaited.
    """
    walk = Walk(workflow, run, flows, now, limits)
    step, refusal = expected(walk, step_id, turn)
    if step is None:
        return refusal
    if run["awaiting"]["act"] == CALL_MANY:
        return refuse(walk, step_id, "several calls are awaited, which are reported as results and errors by stepId")
    try:
        value = plain(result)
    except NotPlain as error:
        return refuse(walk, step_id, f"the result is not plain JSON: {error}")
    return take(walk, step, value)


def report_many(
    workflow: StepsDocument,
    run: Run,
    flows: Flows,
    now: str,
    step_id: str,
    results: Mapping[str, Any],
    errors: Mapping[str, Any] | None = None,
    *,
    turn: int | None = None,
    limits: Limits = _LIMITS,
) -> Directive:
    """Takes the results and errors of an awaited batch, keyed by step id, and returns the next directive.

    Heads that neither names are asked for again. What names only others than the awaited heads changes nothing.
    """
    walk = Walk(workflow, run, flows, now, limits)
    step, refusal = expected(walk, step_id, turn)
    if step is None:
        return refusal
    if run["awaiting"]["act"] != CALL_MANY:
        return refuse(walk, step_id, "one result is awaited, not several")
    try:
        came, failed = plain(results), plain(errors or {})
    except NotPlain as error:
        return refuse(walk, step_id, f"the results are not plain JSON: {error}")
    if not isinstance(came, dict) or not isinstance(failed, dict):
        return refuse(walk, step_id, "results and errors are objects, keyed by stepId")
    named = {*came, *failed}
    if named and named.isdisjoint(run["awaiting"]["batch"]["pending"]):
        awaited = wording.quoted(run["awaiting"]["batch"]["pending"])
        return refuse(walk, step_id, f"it names none of the calls that are awaited, {awaited}")
    failures = {head: _error_text(error) for head, error in failed.items()}
    return batches.answer(walk, step, came, failures) or walk_on(walk)


def fail(
    workflow: StepsDocument,
    run: Run,
    flows: Flows,
    now: str,
    step_id: str,
    error: Any,
    *,
    turn: int | None = None,
    limits: Limits = _LIMITS,
) -> Directive:
    """Takes the failure of the awaited step, does what its policy says, and returns the next directive.

    For a batch, every call that is still awaited failed.
    """
    walk = Walk(workflow, run, flows, now, limits)
    step, refusal = expected(walk, step_id, turn)
    if step is None:
        return refusal
    text = _error_text(error)
    if run["awaiting"]["act"] == CALL_MANY:
        failures = dict.fromkeys(run["awaiting"]["batch"]["pending"], text)
        return batches.answer(walk, step, {}, failures) or walk_on(walk)
    return settle_failure(walk, step, text, request) or walk_on(walk)


def resume(
    workflow: StepsDocument,
    run: Run,
    flows: Flows,
    now: str,
    skip: bool = False,
    input: Mapping[str, Any] | None = None,
    *,
    limits: Limits = _LIMITS,
) -> Directive:
    """Takes up a run that stopped, at the step where it did; with `skip`, leaves that step as one that is muted.

    `input` is merged into the inputs of the workflow where the run stands. What is not stopped is not changed: the
    directive that it is at comes again.
    """
    walk = Walk(workflow, run, flows, now, limits)
    if run["status"] != FAILED:
        return advance(workflow, run, flows, now, limits=limits)
    if walk.lost:
        return lost(walk)
    step_id = run["failedAt"]
    step = walk.step(step_id)
    try:
        given = plain(dict(input or {}))
    except (NotPlain, TypeError, ValueError) as error:
        return refuse(walk, step_id, f"the input is not plain JSON: {error}")
    stopped = run["stopped"] or {}
    if step is None and not skip:
        reason = f"The workflow has no step “{step_id}” any more. Resume with skip to go on without it."
        return blocked(walk, step_id, reason)
    run["data"]["input"] = {**run["data"]["input"], **given}
    run.update(status=RUNNING, failedAt=None, stopped=None, attempts=0, since=run["directives"])
    run.pop("endedAt", None)
    if step is not None and not skip:
        return _again(walk, step, stopped)
    if step is not None:
        pass_by(walk, step, "passed over")
    return walk_on(walk)


def _again(walk: Walk, step: Step, stopped: Mapping[str, Any]) -> Directive:
    """Re-issues the step at which a run stopped."""
    if stopped.get("inputs"):
        blocked = _without_inputs(walk, step)
        if blocked is not None:
            return blocked
        return walk_on(walk)
    batch = stopped.get("batch")
    if batch:
        known = [head for head in batch["pending"] if walk.step(head)]
        return batches.ask_batch(walk, step, {**batch, "pending": known}) if known else _joined(walk, step)
    walk.trail.queued(1)
    walk.trail.follow((len(walk.run["calls"]), step.index))
    return enter(walk, step) or walk_on(walk)


def _joined(walk: Walk, step: Step) -> Directive:
    batches.join(walk, step)
    return walk_on(walk)


def _without_inputs(walk: Walk, step: Step) -> Directive | None:
    """Blocks at the entry when the run lacks inputs that it must be given."""
    missing = missing_inputs(walk.workflow, walk.data["input"])
    if not missing:
        return None
    directive = unfit(walk, step, Unfit(f"the run was not given {wording.quoted(missing)}"))
    walk.run["stopped"]["inputs"] = True
    return directive


def _error_text(error: Any) -> str:
    """What went wrong, as one text."""
    try:
        text = text_of(plain(error)).strip()
    except NotPlain:
        text = str(error).strip()
    return text or "no reason was given"
