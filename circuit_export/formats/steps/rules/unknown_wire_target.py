"""C201: a wire to a step that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import did_you_mean, respelled, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step, targets in zip(survey.steps, survey.graph.targets, strict=True):
        if -1 not in targets:
            continue
        for number, (wire, target) in enumerate(zip(step.next, targets, strict=True)):
            if target == -1:
                pointer = f"/steps/{step.index}/next/{number}/to"
                near = survey.near(wire.to, survey.board.by_id)
                yield RULE.found(
                    f"Step {shown(step.id)} has a wire from {shown(wire.port)} to {shown(wire.to)}, which is no step",
                    pointer,
                    step=step.id,
                    wire=f"{wire.port} → {wire.to}",
                    hint=did_you_mean(near, "name a step of this board, or remove the wire"),
                    fix=respelled(near, Place(pointer)),
                )


RULE = Rule(
    "C201",
    "unknown-wire-target",
    Severity.ERROR,
    "A wire leads to a step that does not exist.",
    "A run that takes the wire has nowhere to go: the way ends there, and what was meant to follow never happens.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "anser"}]},
 {"id": "answer", "type": "note.say", "title": "Answer", "config": {"template": "Here it is."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "answer"}]},
 {"id": "answer", "type": "note.say", "title": "Answer", "config": {"template": "Here it is."}}
"""),
    check=check,
)
