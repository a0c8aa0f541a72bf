"""C505: a write that is done again when it fails, though it may have happened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.connectors import Effect, effect, split, tool_of
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey

_ONCE = frozenset(
    [
        "send",
        "post",
        "create",
        "add",
        "insert",
        "append",
        "reply",
        "forward",
        "invite",
        "comment",
        "pay",
        "charge",
        "transfer",
        "refund",
        "book",
        "schedule",
        "publish",
        "submit",
        "execute",
        "run",
        "trigger",
        "upload",
        "import",
        "log",
        "record",
    ]
)
_SAFE_TWICE = frozenset(("upsert", "or", "ensure", "idempotent"))


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step in survey.steps:
        policy = step.on_error
        if policy is None or policy.do != "retry" or policy.attempts < 2 or effect(step) is not Effect.WRITES:
            continue
        words = split(tool_of(step)).words
        verb = next((word for word in words if word in _ONCE), None)
        if verb is not None and _SAFE_TWICE.isdisjoint(words):
            yield RULE.found(
                f"Step {shown(step.id)} tries {shown(tool_of(step))} up to {policy.attempts} times; "
                f"“{verb}” may then happen more than once",
                f"/steps/{step.index}/onError",
                step=step.id,
                hint="stop or route the error, so that somebody looks whether it happened",
            )


RULE = Rule(
    "C505",
    "retried-write",
    Severity.WARNING,
    "A write that is not the same when it is done twice is retried on an error.",
    "A call can fail after it has taken effect: the answer got lost. Trying again then sends, creates or pays "
    "twice. Writes that set something to a value (update, label, delete …) may be retried.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "gate"}]},
 {"id": "gate", "type": "gate.approve", "title": "Let me read it", "config": {"preview": "steps.draft.text"},
  "next": [{"port": "out", "to": "send"}]},
 {"id": "send", "type": "tool.call", "title": "Send it", "onError": {"do": "retry", "attempts": 3},
  "config": {"tool": "Slack:send_message", "arguments": {"text": "{{steps.draft.text}}"}}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "onError": {"do": "retry", "attempts": 3},
  "config": {"instructions": "Two sentences."}, "next": [{"port": "out", "to": "gate"}]},
 {"id": "gate", "type": "gate.approve", "title": "Let me read it", "config": {"preview": "steps.draft.text"},
  "next": [{"port": "out", "to": "send"}]},
 {"id": "send", "type": "tool.call", "title": "Send it",
  "config": {"tool": "Slack:send_message", "arguments": {"text": "{{steps.draft.text}}"}}}
"""),
    check=check,
)
