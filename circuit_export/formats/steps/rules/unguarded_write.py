"""C501: a write that nobody approves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.connectors import Effect, tool_of
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.open_writes import open_writes, way_of
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.guards import Write
    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for write, muted_gate in open_writes(survey):
        if muted_gate is not None:
            continue  # the gate is the finding
        tool = shown(tool_of(write.step))
        does = f"changes something ({tool})" if write.effect is Effect.WRITES else f"is not known to only read ({tool})"
        inside = write.document is survey.board
        step = write.step if inside else write.called_at[0]
        who = f"Step {shown(step.id)}"
        if not inside:
            who += f" calls {shown(write.document.id)}, whose step {shown(write.step.id)}"
        yield RULE.found(
            f"{who} {does} and nobody approves it first, by the way {way_of(survey, write)}",
            f"/steps/{step.index}/config/{'tool' if inside else 'workflowId'}",
            step=step.id,
            severity=Severity.WARNING if write.effect is Effect.WRITES else Severity.NOTE,
            hint=_hint(write),
        )


def _hint(write: Write) -> str:
    if write.effect is Effect.UNKNOWN:
        return 'if it only reads, say so with "writes": false in its config; else put a gate.approve in front'
    return "put a gate.approve in front of it on every way"


RULE = Rule(
    "C501",
    "unguarded-write",
    Severity.WARNING,
    "A step changes something outside, and a way from the entry leads to it past no approval.",
    "The message names such a way. What a tool does follows from the words of its name; `writes` in the step's "
    "config decides when it is there. A tool whose name says neither is only noted.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "send"}]},
 {"id": "send", "type": "tool.call", "title": "Send it", "config": {"tool": "Slack:send_message",
  "arguments": {"text": "{{steps.draft.text}}"}}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "gate"}]},
 {"id": "gate", "type": "gate.approve", "title": "Let me read it", "config": {"preview": "steps.draft.text"},
  "next": [{"port": "out", "to": "send"}]},
 {"id": "send", "type": "tool.call", "title": "Send it", "config": {"tool": "Slack:send_message",
  "arguments": {"text": "{{steps.draft.text}}"}}}
"""),
    check=check,
)
