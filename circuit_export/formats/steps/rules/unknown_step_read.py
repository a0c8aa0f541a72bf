"""C302: a path to the result of a step that does not exist."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.paths import is_well_formed
from circuit_export.formats.wording import did_you_mean, respelled, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import StepsDocument
    from circuit_export.formats.steps.rules.survey import Reference, Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for reference in survey.references:
        if not reference.path.startswith("steps.") or not is_well_formed(reference.path):
            continue
        target = _read_in(survey, reference)
        name = reference.segments[1]
        if target is None or name in target.by_id:
            continue
        part = reference.segment(1)
        near = survey.near(name, target.by_id)
        step = survey.steps[reference.step].id
        where = f"the workflow {shown(target.id)}" if reference.foreign else "the board"
        yield RULE.found(
            f"Step {shown(step)} reads {shown(reference.path)}, but {where} has no step {shown(name)}",
            reference.pointer,
            step=step,
            part=part,
            hint=_dotted(target, reference) or did_you_mean(near, "name a step that runs before it"),
            fix=respelled(near, Place(reference.pointer, part=part)),
        )


def _read_in(survey: Survey, reference: Reference) -> StepsDocument | None:
    """The board whose data the path is about; None when that is not known."""
    if not reference.foreign:
        return survey.board
    return survey.called.get(str(survey.steps[reference.step].config.get("workflowId", "")))


def _dotted(target: StepsDocument, reference: Reference) -> str:
    """What to say when the step's id has full stops in it, which a path takes apart."""
    segments = reference.segments[1:]
    for count in range(2, min(len(segments), 8) + 1):
        name = ".".join(segments[:count])
        if name in target.by_id:
            return f"a path takes {shown(name)} apart at its full stops; give the step an id without them"
    return ""


RULE = Rule(
    "C302",
    "unknown-step-read",
    Severity.ERROR,
    "A template or path reads the result of a step that does not exist.",
    "It is always missing: the text stays empty, the argument is left out.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "{{steps.darft.text}}"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "{{steps.draft.text}}"}}
"""),
    check=check,
)
