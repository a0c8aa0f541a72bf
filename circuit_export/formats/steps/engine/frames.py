"""Loops, branches and called workflows: how each opens, goes round and closes."""

from __future__ import annotations

from typing import Any

from circuit_export.formats.steps.catalog import DONE, JOIN, OUT, setting
from circuit_export.formats.steps.document import Step, StepsDocument
from circuit_export.formats.steps.engine import settings, wording
from circuit_export.formats.steps.engine.settings import Unfit
from circuit_export.formats.steps.engine.state import Walk, missing_inputs, with_defaults
from circuit_export.runs.clipping import clip
from circuit_export.runs.dot_paths import MISSING, look_up
from circuit_export.runs.record import RUNNING, STEP_DONE, NotPlain

DEEPEST_CALL = 4
"""How many calls deep a run may be; the workflow that was started is at 0."""


def open_loop(walk: Walk, step: Step) -> None:
    """Opens a loop over a list: no items, and it is left at once. Raises Unfit."""
    path = settings.needed_path(step, "list", walk.data)
    found = look_up(walk.data, path)
    items = [] if found is MISSING or found is None else found if isinstance(found, list) else [found]
    limit = max(1, settings.whole(step, "limit", walk.data))
    summary = wording.count(len(items), "item") if len(items) <= limit else f"{limit} of {len(items)} items"
    walk.settle(step, RUNNING, summary=summary)
    frame: dict[str, Any] = {"stepId": step.id, "kind": "each", "items": items[:limit], "at": 0, "summary": summary}
    if "item" in walk.data:
        frame["item"] = walk.data["item"]
    _open(walk, frame)


def open_branches(walk: Walk, step: Step) -> None:
    """Opens branches that run one after another."""
    wires = walk.way_out(step, OUT)
    summary = f"{len(wires)} in turn"
    walk.settle(step, RUNNING, summary=summary)
    _open(walk, {"stepId": step.id, "kind": "branches", "wires": wires, "at": 0, "summary": summary})


def _open(walk: Walk, frame: dict[str, Any]) -> None:
    run = walk.run
    frame["queue"] = run["queue"]
    run["queue"] = []
    run["loops"].append(frame)
    walk.trail.open()


def go_round(walk: Walk) -> None:
    """The innermost loop or branches came to the end of a round: begins the next, or closes and leaves it."""
    frame = walk.run["loops"][-1]
    step = walk.step(frame["stepId"])
    if step is None:  # edited out of the workflow while the run stood still
        _close(walk, frame)
        return
    walk.trail.again()
    at = frame["at"]
    if frame["kind"] == "each":
        if at < len(frame["items"]) and walk.way_out(step, OUT):
            frame["at"] = at + 1
            walk.data["item"] = frame["items"][at]
            walk.leave(step, OUT)
            return
    elif at < len(frame["wires"]):
        frame["at"] = at + 1
        wire = frame["wires"][at]
        if wire < len(step.next):
            walk.take(step, wire)
            walk.run["queue"].append(step.next[wire].to)
            walk.trail.queued(1)
        return
    _close(walk, frame)
    port = DONE if frame["kind"] == "each" else JOIN
    walk.settle(step, STEP_DONE, port=port, summary=frame["summary"])
    walk.leave(step, port)


def _close(walk: Walk, frame: dict[str, Any]) -> None:
    run = walk.run
    run["loops"].pop()
    run["queue"] = frame["queue"]
    if frame["kind"] == "each":
        if "item" in frame:
            run["data"]["item"] = frame["item"]
        else:
            run["data"].pop("item", None)
    walk.trail.close()


# --- called workflows -----------------------------------------------------------------------------------------------


def open_call(walk: Walk, step: Step) -> None:
    """Begins a called workflow inside the run, with steps, input and trigger of its own. Raises Unfit."""
    run, data = walk.run, walk.data
    flow_id = settings.text(step, "workflowId", data).strip()
    called = _called(walk, flow_id)
    given = _with_defaults(called, settings.object_of(step, "input", data))
    missing = missing_inputs(called, given)
    if missing:
        raise Unfit(f"it does not give “{called.name}” the input {wording.quoted(missing)}")
    trigger = settings.filled("trigger", setting(step, "trigger"), data)
    returns = settings.path(step, "returns", data)
    path = [*walk.path, step.id]
    base = walk.open_block(called, path, flow_id)
    walk.settle(step, RUNNING, summary=called.name, given=clip({"input": given, "trigger": trigger}))
    run["calls"].append(
        {
            "stepId": step.id,
            "flowId": run["flowId"],
            "returns": returns,
            "base": base,
            "data": data,
            "queue": run["queue"],
            "loops": run["loops"],
        }
    )
    run["flowId"] = flow_id
    run["data"] = {"trigger": trigger, "steps": {}, "input": given}
    run["queue"] = [called.start.id]
    run["loops"] = []
    walk.look_around()
    walk.trail.open()
    walk.trail.queued(1)


def _with_defaults(called: StepsDocument, given: dict[str, Any]) -> dict[str, Any]:
    try:
        return with_defaults(called, given)
    except NotPlain as error:
        raise Unfit(f"a default of “{called.name}” cannot be used: {error}") from None


def _called(walk: Walk, flow_id: str) -> StepsDocument:
    """The workflow that an id means. Raises Unfit when it cannot be run from here."""
    if not flow_id:
        raise Unfit("it names no workflow")
    called = walk.flows.get(flow_id)
    if called is None:
        raise Unfit(f"the workflow “{flow_id}” is not to be had")
    run = walk.run
    way = [walk.workflow.id, *[call["flowId"] for call in run["calls"][1:]]]
    if run["calls"]:
        way.append(run["flowId"])
    if flow_id in way or (called.id and called.id in way) or called is walk.workflow:
        since = next((at for at, id in enumerate(way) if id in (flow_id, called.id)), 0)
        raise Unfit(f"the workflow would run itself: {' → '.join([*way[since:], flow_id])}")
    if len(run["calls"]) >= DEEPEST_CALL:
        raise Unfit(f"workflows may call each other {DEEPEST_CALL} deep: {' → '.join([*way, flow_id])}")
    return called


def close_call(walk: Walk) -> None:
    """A called workflow came to its end: its caller goes on with what it returns."""
    run = walk.run
    frame = run["calls"].pop()
    returned = run["data"]
    run.update(flowId=frame["flowId"], data=frame["data"], queue=frame["queue"], loops=frame["loops"])
    walk.look_around()
    walk.trail.close()
    result = look_up(returned, frame["returns"]) if frame["returns"] else returned["steps"]
    step = walk.step(frame["stepId"])
    if step is None:
        return
    result = None if result is MISSING else result
    run["data"]["steps"][step.id] = result
    walk.settle(step, STEP_DONE, port=OUT, summary=wording.counted(result), answer=result)
    walk.leave(step, OUT)
