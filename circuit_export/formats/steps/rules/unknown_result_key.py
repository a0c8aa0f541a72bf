"""C308: a part of a result that steps of that type do not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps import catalog
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import did_you_mean, names, respelled, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    shapes: dict[int, tuple[str, ...] | None] = {}
    for reference, source in survey.results:
        if reference.path.count(".") < 2:
            continue
        if source not in shapes:
            shapes[source] = _shape(survey.steps[source])
        known = shapes[source]
        segments = reference.segments
        if not known or segments[2] in known:
            continue
        part = reference.segment(2)
        near = survey.near(segments[2], known)
        step, read = survey.steps[reference.step].id, survey.steps[source]
        yield RULE.found(
            f"Step {shown(step)} reads {shown(segments[2])} of {shown(read.id)}, "
            f"whose result ({read.type}) has {names(known)}",
            reference.pointer,
            step=step,
            part=part,
            hint=did_you_mean(near, f"read {names(known, word='or')}"),
            fix=respelled(near, Place(reference.pointer, part=part)),
            related=(Related(f"{shown(read.id)} is defined here", Place(f"/steps/{source}/id")),),
        )


def _shape(step: Step) -> tuple[str, ...] | None:
    """The keys of a step's result, None when they are not known."""
    entry = catalog.CATALOG.get(step.type)
    known = entry.result if entry is not None else None
    if step.type == "model.extract":
        fields = step.config.get("fields")
        names = [field.get("name") for field in fields if isinstance(field, dict)] if isinstance(fields, list) else []
        known = tuple(name for name in names if isinstance(name, str)) or None
    if known and catalog.error_port(step) is not None:
        known = (*known, "error")
    return known


RULE = Rule(
    "C308",
    "unknown-result-key",
    Severity.WARNING,
    "A template or path reads a part that the step's result does not have.",
    "A write leaves `text`, a classify `label` and `why`, an approval `decision` and `edit`, an extract the fields "
    "it declares, and a step whose errors are routed also `error`. Anything else is missing.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "{{steps.draft.body}}"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "draft"}]},
 {"id": "draft", "type": "model.write", "title": "Draft it", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "{{steps.draft.text}}"}}
"""),
    check=check,
)
