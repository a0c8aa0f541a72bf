"""What happens when a step fails: it is tried again, its error is routed, its way ends, or the run stops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.engine import wording
from circuit_export.formats.steps.engine.handing import block
from circuit_export.formats.steps.engine.state import Walk
from circuit_export.runs.directives import Directive
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.record import FAILED, RETRYING

Again = Callable[[Walk, Step], Directive]
"""Hands a step's directive out once more."""


def settle_failure(
    walk: Walk, step: Step, error: str, again: Again, batch: dict[str, Any] | None = None
) -> Directive | None:
    """Does what a failed step's policy says; None when the walk goes on.

    `batch` is what resuming asks for when the run stops at branches whose calls went out at once.
    """
    run = walk.run
    policy = step.on_error
    do = policy.do if policy else "stop"
    given = run["awaiting"]["input"] if run["awaiting"] else MISSING
    run["attempts"] += 1
    tries = run["attempts"]
    if do == "retry" and policy and tries < policy.attempts:
        walk.note(step, RETRYING, summary=f"try {tries} of {policy.attempts} failed", error=error, given=given)
        return again(walk, step)
    unwired = ""
    if do == "route" and policy:
        if walk.way_out(step, policy.port):
            run["awaiting"] = None
            walk.data["steps"][step.id] = {"error": error}
            walk.settle(step, FAILED, port=policy.port, error=error, given=given)
            walk.leave(step, policy.port)
            return None
        unwired = f" Its error should leave by “{policy.port}”, which leads to no step."
    if do == "skip":
        run["awaiting"] = None
        walk.settle(step, FAILED, error=error, summary=wording.DROPPED, given=given)
        return None
    after = f" after {wording.count(tries, 'try').replace('trys', 'tries')}" if tries > 1 else ""
    reason = f"{wording.named(step)} failed{after}: {error.rstrip('.')}.{unwired} {wording.what_next(step)}"
    return block(walk, step, reason, error=error, tries=tries if tries > 1 else 0, batch=batch)
