"""Branches whose calls go out at once: what is asked, what of it was answered, and what is asked again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from circuit_export.formats.steps.catalog import JOIN, OUT
from circuit_export.formats.steps.document import Step, StepsDocument
from circuit_export.formats.steps.engine import settings, wording
from circuit_export.formats.steps.engine.asking import Asked, call, would_call
from circuit_export.formats.steps.engine.handing import hand_out, unfit
from circuit_export.formats.steps.engine.policies import settle_failure
from circuit_export.formats.steps.engine.settings import Unfit
from circuit_export.formats.steps.engine.state import Walk
from circuit_export.runs.directives import CALL_MANY, Directive
from circuit_export.runs.record import FAILED, RUNNING, SKIPPED, STEP_DONE, TEST

Batch = dict[str, Any]
"""What is known of a batch: `pending` (heads to be asked for) and `failed` (heads that failed, with the error)."""


def heads_together(workflow: StepsDocument, step: Step) -> tuple[Step, ...] | None:
    """The heads of branches whose calls may go out at once, None when they have to run in turn.

    Each branch must be exactly one tool call with nothing after it, whose errors are neither retried nor routed, and
    there must be at least two. Muted heads are judged as written.
    """
    heads = [workflow.step(wire.to) for wire in step.next if wire.port == OUT]
    found = [head for head in heads if head is not None]
    if len(found) < 2 or len({head.id for head in found}) < len(found):
        return None
    for head in found:
        if head.type != "tool.call" or head.next or (head.on_error and head.on_error.do in ("retry", "route")):
            return None
    return tuple(found)


def wants_together(step: Step, data: settings.Data) -> bool:
    """Is the step set to make its calls at once? Raises Unfit when it does not say."""
    return bool(settings.yes_no(step, "together", data))


def open_batch(walk: Walk, step: Step, heads: tuple[Step, ...]) -> Directive | None:
    """Asks for the calls of all heads that are not muted; with none left, the branches are done."""
    for wire in walk.way_out(step, OUT):
        walk.take(step, wire)
    for head in heads:
        if not head.enabled:
            walk.settle(head, SKIPPED, summary="muted")
    pending = [head.id for head in heads if head.enabled]
    if not pending:
        join(walk, step)
        return None
    return ask_batch(walk, step, {"pending": pending, "failed": {}})


def ask_batch(walk: Walk, step: Step, batch: Batch, note: str = "") -> Directive:
    """Asks for the calls of the heads that are pending; blocks when the settings of one do not let it."""
    try:
        asked = build(walk, step, batch)
    except Unfit as error:
        return unfit_batch(walk, step, batch, error)
    directive = hand_out(walk, step, asked, note=note, batch=batch)
    if directive["act"] == CALL_MANY:
        for head_id in batch["pending"]:
            head = walk.step(head_id)
            if head is not None:
                walk.mark(head, RUNNING)
    return directive


def unfit_batch(walk: Walk, step: Step, batch: Batch, error: Unfit) -> Directive:
    """Blocks at branches of which a head cannot run, and keeps what was answered already."""
    directive = unfit(walk, step, error)
    walk.run["stopped"]["batch"] = batch
    return directive


def build(walk: Walk, step: Step, batch: Batch) -> Asked:
    """The directive for the heads that are pending. Raises Unfit, naming the head."""
    calls: list[dict[str, Any]] = []
    shows = False
    for head_id in batch["pending"]:
        head = walk.step(head_id)
        if head is None:
            raise Unfit(f"the branch “{head_id}” is not there any more")
        try:
            tool, arguments, reads = call(head, walk.data)
        except Unfit as error:
            raise Unfit(f"in the branch {wording.named(head)}, {error}") from None
        made: dict[str, Any] = {"stepId": head.id, "title": head.title, "tool": tool, "arguments": arguments}
        if walk.run["mode"] == TEST and not reads:
            made["preview"] = shows = True
        calls.append(made)
    directive = {
        "act": CALL_MANY,
        "stepId": step.id,
        "title": step.title,
        "calls": calls,
        "expect": wording.EXPECT_MANY_TEST if shows else wording.EXPECT_MANY,
    }
    return Asked(directive, {made["stepId"]: made["arguments"] for made in calls})


def answer(walk: Walk, step: Step, results: Mapping[str, Any], errors: Mapping[str, str]) -> Directive | None:
    """Takes what came back for a batch: missing heads are asked for, failures settled, and else the branches join.

    A head in both counts as failed. What is named and was not asked for is left aside, and said.
    """
    batch: Batch = walk.run["awaiting"]["batch"]
    given = walk.run["awaiting"]["input"]
    failed = dict(batch["failed"])
    pending = []
    for head_id in batch["pending"]:
        head = walk.step(head_id)
        if head_id in errors:
            failed[head_id] = errors[head_id]
        elif head_id in results:
            walk.data["steps"][head_id] = results[head_id]
        else:
            pending.append(head_id)
            continue
        if head is not None:
            _settle_head(walk, head, given.get(head_id), errors.get(head_id), results.get(head_id))
    strangers = sorted(({*results, *errors}) - set(batch["pending"]))
    aside = f"Nothing was asked of {wording.quoted(strangers)}. " if strangers else ""
    if pending:
        note = f"{aside}Nothing came back for {wording.quoted(pending)}: make these calls."
        return ask_batch(walk, step, {"pending": pending, "failed": failed}, note)
    if aside:
        walk.note(step, RUNNING, summary=aside.strip())
    unhandled = {head_id: error for head_id, error in failed.items() if not _skips(walk.step(head_id))}
    if not unhandled:
        join(walk, step)
        return None
    return _fail(walk, step, unhandled)


def _skips(head: Step | None) -> bool:
    return head is not None and head.on_error is not None and head.on_error.do == "skip"


def _settle_head(walk: Walk, head: Step, given: Any, error: str | None, result: Any) -> None:
    if error is None:
        shown = would_call(head, walk.data) if walk.run["mode"] == TEST else ""
        walk.settle(head, STEP_DONE, port=OUT, summary=shown or wording.counted(result), given=given, answer=result)
    else:
        walk.settle(head, FAILED, error=error, summary=wording.DROPPED if _skips(head) else "", given=given)


def _fail(walk: Walk, step: Step, failed: dict[str, str]) -> Directive | None:
    """Heads failed: what the branches' own policy says, and if that is to stop, resuming asks for just these."""
    what = []
    for head_id, error in failed.items():
        head = walk.step(head_id)
        what.append(f"{wording.named(head) if head else head_id}: {error}")
    batch = {"pending": list(failed), "failed": {}}
    again = _Again(batch)
    return settle_failure(walk, step, "; ".join(what), again, batch)


class _Again:
    """Asks for a batch once more."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch

    def __call__(self, walk: Walk, step: Step) -> Directive:
        return ask_batch(walk, step, self.batch)


def join(walk: Walk, step: Step) -> None:
    """All of the branches are done: goes on from where they join."""
    heads = walk.way_out(step, OUT)
    walk.run["awaiting"] = None
    walk.settle(step, STEP_DONE, port=JOIN, summary=f"{len(heads)} at once")
    walk.leave(step, JOIN)
