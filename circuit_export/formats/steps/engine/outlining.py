"""A board's outline: its steps, its wires, and what each step asks for."""

from __future__ import annotations

from circuit_export.formats.steps.catalog import OUT, setting
from circuit_export.formats.steps.document import StepsDocument
from circuit_export.formats.steps.engine.batches import heads_together
from circuit_export.formats.steps.engine.frames import DEEPEST_CALL
from circuit_export.formats.steps.engine.state import Flows
from circuit_export.runs.directives import ASK, CALL_MANY, CALL_TOOL, SAY
from circuit_export.runs.outline import Outline, Way

_ASKS = {
    "trigger.watch": CALL_TOOL,
    "tool.call": CALL_TOOL,
    "model.classify": "classify",
    "model.write": "write",
    "model.extract": "extract",
    "gate.approve": ASK,
    "note.say": SAY,
}


def outline(workflow: StepsDocument, flows: Flows, depth: int = 0) -> Outline:
    """The outline of a board and of what it calls, as deep as calls may go."""
    steps = [workflow.steps[index] for index in workflow.by_id.values()]
    wires = {
        Way(step.id, wire.port, wire.to): None for step in steps for wire in step.next if wire.to in workflow.by_id
    }
    asks = {step.id: _ASKS[step.type] for step in steps if step.type in _ASKS and step.enabled}
    calls: dict[str, Outline | None] = {}
    batched: set[str] = set()
    for step in steps:
        if step.type == "logic.branches" and setting(step, "together") is True and step.enabled:
            heads = heads_together(workflow, step)
            if heads is not None:
                asks[step.id] = CALL_MANY
                batched.update(head.id for head in heads)
        elif step.type == "flow.call" and depth < DEEPEST_CALL:
            name = step.config.get("workflowId")
            called = flows.get(name) if isinstance(name, str) else None
            calls[step.id] = outline(called, flows, depth + 1) if called is not None else None
    for head in batched - _led_to_otherwise(workflow, batched):
        asks.pop(head, None)
    return Outline(tuple(step.id for step in steps), tuple(wires), asks, calls)


def _led_to_otherwise(workflow: StepsDocument, heads: set[str]) -> set[str]:
    """The heads of batches that another way leads to as well, where they ask for themselves."""
    found = {workflow.start.id}
    for step in workflow.steps:
        together = step.type == "logic.branches" and setting(step, "together") is True
        batch = together and heads_together(workflow, step) is not None
        found.update(wire.to for wire in step.next if not (batch and wire.port == OUT))
    return found & heads
