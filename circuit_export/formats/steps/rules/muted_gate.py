"""C502: a gate that is switched off in front of a write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.open_writes import open_writes
from circuit_export.formats.wording import names, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    behind: dict[int, list[Step]] = {}
    for write, gate in open_writes(survey):
        if gate is not None:
            behind.setdefault(gate, []).append(write.step)
    for index in sorted(behind):
        gate_step, writes = survey.steps[index], behind[index]
        place = Place(f"/steps/{index}/enabled")
        which = names([step.id for step in writes])
        yield RULE.found(
            f"The gate {shown(gate_step.id)} is switched off, so {which} happen{'s' if len(writes) == 1 else ''} "
            "without anybody's approval",
            place.pointer,
            step=gate_step.id,
            hint="switch the gate on",
            fix=Fix("switch the gate on", (Edit(Action.REPLACE, place, True),)),
            related=tuple(
                Related(f"{shown(step.id)} changes something", Place(f"/steps/{step.index}/id")) for step in writes[:5]
            ),
        )


RULE = Rule(
    "C502",
    "muted-gate",
    Severity.WARNING,
    "A gate in front of a write is switched off.",
    "A gate that is switched off asks nobody and guards nothing: the write goes through.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "gate"}]},
 {"id": "gate", "type": "gate.approve", "title": "Let me read it", "enabled": false,
  "config": {"preview": "steps.draft.text"}, "next": [{"port": "out", "to": "send"}]},
 {"id": "send", "type": "tool.call", "title": "Send it", "config": {"tool": "Slack:send_message",
  "arguments": {"text": "{{steps.draft.text}}"}}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "gate"}]},
 {"id": "gate", "type": "gate.approve", "title": "Let me read it",
  "config": {"preview": "steps.draft.text"}, "next": [{"port": "out", "to": "send"}]},
 {"id": "send", "type": "tool.call", "title": "Send it", "config": {"tool": "Slack:send_message",
  "arguments": {"text": "{{steps.draft.text}}"}}}
"""),
    check=check,
)
