"""C316: a path to the result of a step that is switched off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for reference, source in survey.results:
        read, step = survey.steps[source], survey.steps[reference.step]
        if read.enabled or not step.enabled or reference.tolerant:
            continue
        yield RULE.found(
            f"Step {shown(step.id)} reads the result of {shown(read.id)}, which is switched off and leaves none",
            reference.pointer,
            step=step.id,
            part=reference.part,
            hint=f"switch {shown(read.id)} on, or read another step",
            related=(Related(f"{shown(read.id)} is switched off here", Place(f"/steps/{source}/enabled")),),
        )


RULE = Rule(
    "C316",
    "muted-result",
    Severity.WARNING,
    "A template or path reads the result of a step that is switched off.",
    "A run passes such a step without doing it, so there is no result.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "enabled": false,
  "config": {"instructions": "Two sentences."}, "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "{{steps.draft.text}}"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it",
  "config": {"instructions": "Two sentences."}, "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "{{steps.draft.text}}"}}
"""),
    check=check,
)
