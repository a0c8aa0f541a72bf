"""The run as the engine works on it: where it stands, the states of its steps, the wires it took."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.steps.catalog import leaving
from circuit_export.formats.steps.document import Step, StepsDocument
from circuit_export.formats.steps.engine.trail import Trail
from circuit_export.runs.dot_paths import MISSING
from circuit_export.runs.record import IDLE, LIVE, RUNNING, TEST, Limits, NotPlain, Run, plain
from circuit_export.runs.timeline import Moment, Timeline

Flows = Mapping[str, StepsDocument]
"""The workflows that `flow.call` steps mean, by the id they name them by."""


def start(
    workflow: StepsDocument,
    run_id: str,
    now: str,
    mode: str = LIVE,
    trigger: Any = None,
    input: Mapping[str, Any] | None = None,
) -> Run:
    """A new run of a workflow; nothing has happened yet.

    `now` is a time as text and `run_id` a name, both kept as they are. `mode` is `live` or `test`: a test run shows
    writes instead of asking for them. A `trigger` that is not given is an empty object. Declared inputs that are not
    given take their defaults. Raises CircuitError for a mode that is none or a trigger or input that is not JSON.
    """
    if mode not in (LIVE, TEST):
        raise CircuitError("There is no such mode", found=mode, expected=f"{LIVE} or {TEST}")
    try:
        given = with_defaults(workflow, plain({} if input is None else dict(input)))
        trigger = plain({} if trigger is None else trigger)
    except (NotPlain, TypeError, ValueError) as error:
        raise CircuitError(
            f"The trigger, the input or a default of it cannot be used: {error}", expected="plain JSON"
        ) from None
    return {
        "id": run_id,
        "workflowId": workflow.id,
        "status": RUNNING,
        "mode": mode,
        "startedAt": now,
        "data": {"trigger": trigger, "steps": {}, "input": given},
        "queue": [workflow.start.id],
        "loops": [],
        "flowId": workflow.id,
        "calls": [],
        "awaiting": None,
        "attempts": 0,
        "failedAt": None,
        "trace": [{"stepId": step.id, "state": IDLE} for step in workflow.steps],
        "history": [],
        "directives": 0,
        "taken": [],
        "since": 0,
        "stopped": None,
        "blocks": {},
        "seen": {},
    }


def with_defaults(workflow: StepsDocument, given: dict[str, Any]) -> dict[str, Any]:
    """Inputs, with the defaults of those that were not given. Raises NotPlain for a default that a run cannot hold."""
    defaults = {item.name: plain(item.default) for item in workflow.inputs if item.has_default}
    return {**defaults, **given} if defaults else given


def missing_inputs(workflow: StepsDocument, given: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of the inputs that must be given and are not."""
    return tuple(item.name for item in workflow.inputs if item.must_be_given and item.name not in given)


class Walk:
    """A run at work: one is made for each call of the engine, and all it learns is in the run.

    `workflow` is the run's own workflow, `here` the one whose steps it is among, `path` the ids of the calling steps
    that lead there and `base` where the steps of `here` begin in the run's trace.
    """

    __slots__ = ("_ways", "base", "flows", "here", "limits", "now", "path", "run", "timeline", "trail", "workflow")

    def __init__(self, workflow: StepsDocument, run: Run, flows: Flows, now: str, limits: Limits) -> None:
        self.workflow = workflow
        self.run = run
        self.flows = flows
        self.now = now
        self.limits = limits
        self.trail = Trail()
        self.timeline = Timeline()
        # What was queued from a port in this call; its wires are in `taken` then.
        self._ways: dict[tuple[int, int, str], list[str]] = {}
        self.here = workflow
        self.path: list[str] = []
        self.base = 0
        self.look_around()

    def look_around(self) -> None:
        """Finds out among which workflow's steps the run is; to be called whenever a call begins or ends."""
        calls = self.run["calls"]
        # A workflow that was called and can no longer be had leaves `here` at the outermost one, without its steps.
        self.here = self.flows.get(self.run["flowId"], self.workflow) if calls else self.workflow
        self.path = [call["stepId"] for call in calls]
        self.base = calls[-1]["base"] if calls else 0

    @property
    def lost(self) -> bool:
        """Is the run inside a called workflow that can no longer be had?"""
        return bool(self.run["calls"]) and self.run["flowId"] not in self.flows

    @property
    def data(self) -> dict[str, Any]:
        """What paths and templates read."""
        data: dict[str, Any] = self.run["data"]
        return data

    def step(self, step_id: str) -> Step | None:
        """The step with that id where the run is."""
        return self.here.step(step_id)

    # --- the states of steps -----------------------------------------------------------------------------------

    def entry(self, step: Step) -> dict[str, Any]:
        """A step's entry in the trace."""
        trace = self.run["trace"]
        at = self.base + step.index
        if at < len(trace):
            found: dict[str, Any] = trace[at]
            if found["stepId"] == step.id and found.get("path", [None])[:-1] == self.path:
                return found
        return self._entry_elsewhere(step)

    def _entry_elsewhere(self, step: Step) -> dict[str, Any]:
        """A step's entry when the workflow was edited since the run began."""
        trace = self.run["trace"]
        for found in trace:
            if found["stepId"] == step.id and found.get("path", [None])[:-1] == self.path:
                return found  # type: ignore[no-any-return]
        entry = self._idle(step)
        trace.append(entry)
        return entry

    def _idle(self, step: Step) -> dict[str, Any]:
        entry: dict[str, Any] = {"stepId": step.id}
        if self.path:
            entry["path"] = [*self.path, step.id]
        entry["state"] = IDLE
        return entry

    def open_block(self, workflow: StepsDocument, path: list[str], flow_id: str) -> int:
        """Where the steps of a called workflow begin in the trace; they are added the first time."""
        key = json.dumps([*path, flow_id])
        blocks = self.run["blocks"]
        if key not in blocks:
            trace = self.run["trace"]
            blocks[key] = len(trace)
            trace.extend({"stepId": step.id, "path": [*path, step.id], "state": IDLE} for step in workflow.steps)
        return int(blocks[key])

    def mark(
        self,
        step: Step,
        state: str,
        *,
        port: str = "",
        summary: str = "",
        error: str = "",
        attempts: int = 0,
    ) -> None:
        """Sets a step's state, and only what comes with it."""
        entry = self.entry(step)
        entry["state"] = state
        for key, value in (("port", port), ("summary", summary), ("error", error), ("attempts", attempts)):
            if value:
                entry[key] = value
            elif key in entry:
                del entry[key]

    def note(
        self,
        step: Step,
        state: str,
        *,
        port: str = "",
        summary: str = "",
        error: str = "",
        given: Any = MISSING,
        answer: Any = MISSING,
    ) -> None:
        """Adds a moment to the history, at the end of this call."""
        path = [*self.path, step.id] if self.path else None
        item = self.run["data"].get("item", MISSING)
        self.timeline.add(Moment(step.id, self.now, state, path, port, summary, error, given, answer, item))

    def settle(
        self,
        step: Step,
        state: str,
        *,
        port: str = "",
        summary: str = "",
        error: str = "",
        attempts: int = 0,
        given: Any = MISSING,
        answer: Any = MISSING,
    ) -> None:
        """Sets a step's state and adds the moment to the history."""
        self.mark(step, state, port=port, summary=summary, error=error, attempts=attempts)
        self.note(step, state, port=port, summary=summary, error=error, given=given, answer=answer)

    # --- wires -------------------------------------------------------------------------------------------------

    def way_out(self, step: Step, port: str) -> list[int]:
        """The wires (indices in `step.next`) that lead from a port to a step, in written order."""
        known = self.here.by_id
        return [index for index in leaving(step, port) if step.next[index].to in known]

    def leave(self, step: Step, port: str) -> None:
        """Queues what a port leads to, before everything that is queued already."""
        key = (self.base, step.index, port)
        targets = self._ways.get(key)
        if targets is None:
            wires = self.way_out(step, port)
            for index in wires:
                self.take(step, index)
            targets = self._ways[key] = [step.next[index].to for index in reversed(wires)]
        self.run["queue"].extend(targets)
        self.trail.queued(len(targets))

    def take(self, step: Step, index: int) -> None:
        """Records that a wire was taken."""
        wire = step.next[index]
        taken, seen = self.run["taken"], self.run["seen"]
        key = f"{self.base + step.index}.{len(wire.port)}.{wire.port}{wire.to}"
        at = seen.get(key)
        if at is not None:
            found = taken[at]
            if found["step"] == step.id and found["port"] == wire.port and found["to"] == wire.to:
                return
        entry: dict[str, Any] = {"path": [*self.path, step.id]} if self.path else {}
        entry.update(step=step.id, port=wire.port, to=wire.to)
        if at is not None and entry in taken:  # the workflow was edited since the run began
            return
        seen[key] = len(taken)
        taken.append(entry)
