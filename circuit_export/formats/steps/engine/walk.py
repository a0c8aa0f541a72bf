"""The walk: settles what the engine can by itself, step after step, until it has something to ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from circuit_export.formats.steps.catalog import CATALOG, OUT, passing_port
from circuit_export.formats.steps.document import Step
from circuit_export.formats.steps.engine import conditions, wording
from circuit_export.formats.steps.engine.asking import asks
from circuit_export.formats.steps.engine.batches import heads_together, open_batch, wants_together
from circuit_export.formats.steps.engine.frames import close_call, go_round, open_branches, open_call, open_loop
from circuit_export.formats.steps.engine.handing import block, finish, request, unfit
from circuit_export.formats.steps.engine.settings import Unfit
from circuit_export.formats.steps.engine.state import Walk
from circuit_export.runs.clipping import clip
from circuit_export.runs.directives import Directive
from circuit_export.runs.record import RUNNING, SKIPPED, STEP_DONE

_SHOWN_OF_A_CYCLE = 8


def walk_on(walk: Walk) -> Directive:
    """Moves on until there is something to ask for, the run stops, or it is done."""
    run, trail = walk.run, walk.trail
    run["awaiting"] = None
    moves = 0
    while True:
        queue = run["queue"]
        if not queue:
            if run["loops"]:
                go_round(walk)
            elif run["calls"]:
                close_call(walk)
            else:
                return finish(walk)
            continue
        step = walk.step(queue.pop())
        if step is None or _is_open(walk, step):
            # Edited out of the workflow, or a way back into an open loop: that ends this way.
            trail.drop()
            continue
        moves += 1
        cycle = trail.follow((len(run["calls"]), step.index))
        if cycle:
            return _blocked_by_cycle(walk, step, cycle)
        if moves > walk.limits.moves:
            return _blocked_by_moves(walk, step)
        directive = enter(walk, step)
        if directive is not None:
            return directive


def _is_open(walk: Walk, step: Step) -> bool:
    """Is it an open loop or branches, reached from inside its own body?"""
    loops = walk.run["loops"]
    if not loops or walk.entry(step)["state"] != RUNNING:
        return False
    return any(frame["stepId"] == step.id for frame in reversed(loops))


def enter(walk: Walk, step: Step) -> Directive | None:
    """Takes up a step: None when it was settled and the walk goes on."""
    walk.run["attempts"] = 0
    if not step.enabled:
        pass_by(walk, step, "muted")
        return None
    if asks(step):
        return request(walk, step)
    settle = _SETTLED.get(step.type)
    if settle is None:
        known = ", ".join(CATALOG)
        return unfit(walk, step, Unfit(f"“{step.type}” is no type of step (there are {known})"))
    try:
        return settle(walk, step)
    except Unfit as error:
        return unfit(walk, step, error)


def pass_by(walk: Walk, step: Step, why: str) -> None:
    """Leaves a step as one that is muted is left, without doing anything."""
    port = passing_port(step)
    walk.settle(step, SKIPPED, port=port, summary=why)
    walk.leave(step, port)


def _trigger(walk: Walk, step: Step) -> None:
    trigger = walk.data.get("trigger")
    walk.data["steps"][step.id] = trigger
    walk.settle(step, STEP_DONE, port=OUT, summary="started", answer=trigger)
    walk.leave(step, OUT)


def _filter(walk: Walk, step: Step) -> None:
    if conditions.holds(step, walk.data):
        walk.settle(step, STEP_DONE, port=OUT, summary="passed")
        walk.leave(step, OUT)
    else:
        walk.settle(step, SKIPPED, summary="did not hold")


def _branch(walk: Walk, step: Step) -> None:
    port, value = conditions.case_port(step, walk.data)
    walk.settle(step, STEP_DONE, port=port, summary=port, given=clip(value))
    walk.leave(step, port)


def _branches(walk: Walk, step: Step) -> Directive | None:
    heads = heads_together(walk.here, step) if wants_together(step, walk.data) else None
    if heads is not None:
        return open_batch(walk, step, heads)
    open_branches(walk, step)
    return None


_SETTLED: Final[dict[str, Callable[[Walk, Step], Directive | None]]] = {
    "trigger.ask": _trigger,
    "trigger.schedule": _trigger,
    "logic.filter": _filter,
    "logic.branch": _branch,
    "logic.each": open_loop,
    "logic.branches": _branches,
    "flow.call": open_call,
}


def _blocked_by_cycle(walk: Walk, step: Step, cycle: list[Any]) -> Directive:
    ids = [walk.here.steps[index].id for _depth, index in cycle[:_SHOWN_OF_A_CYCLE]]
    if len(cycle) > _SHOWN_OF_A_CYCLE:
        ids.append(f"… {len(cycle) - _SHOWN_OF_A_CYCLE} more")
    reason = (
        f"{wording.named(step)} leads back to itself without asking for anything on the way: "
        f"{' → '.join([*ids, step.id])}. {wording.MEND}"
    )
    return block(walk, step, reason)


def _blocked_by_moves(walk: Walk, step: Step) -> Directive:
    reason = (
        f"{walk.limits.moves} moves were made without anything to ask for, and {wording.named(step)} would be one "
        "more. Resume to allow as many again."
    )
    return block(walk, step, reason)
