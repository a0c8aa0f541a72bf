"""C303: a path to the result of a step that has never run by then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey import Before
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for reference, source in survey.results:
        # That the source itself is not reached is said of the source.
        if survey.before.get(((source,), reference.step)) is not Before.NEVER or not survey.graph.reached[source]:
            continue
        step, read = survey.steps[reference.step].id, survey.steps[source].id
        what = "its own result" if source == reference.step else f"the result of {shown(read)}"
        why = "it has not run yet" if source == reference.step else f"{shown(read)} has never run by then"
        yield RULE.found(
            f"Step {shown(step)} reads {what}, but {why}",
            reference.pointer,
            step=step,
            part=reference.part,
            hint=f"lead a wire from {shown(read)} to it" if source != reference.step else "read an earlier step",
            related=(Related(f"{shown(read)} is defined here", Place(f"/steps/{source}/id")),),
        )


RULE = Rule(
    "C303",
    "result-not-yet",
    Severity.ERROR,
    "A template or path reads the result of a step that runs later, or on another way.",
    "No way leads from that step to this one, so its result is missing every time.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "{{steps.draft.text}}"},
  "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "{{steps.draft.text}}"}}
"""),
    check=check,
)
