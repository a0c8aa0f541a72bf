"""C301: a path that starts with something a run does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.paths import is_well_formed
from circuit_export.formats.steps.rules.survey.references import ROOTS
from circuit_export.formats.wording import did_you_mean, respelled, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Reference, Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for reference in survey.references:
        root = reference.path.partition(".")[0]
        if root in ROOTS or not is_well_formed(reference.path):
            continue
        hint, fix = _meant(survey, reference, root)
        step = survey.steps[reference.step].id
        yield RULE.found(
            f"Step {shown(step)} reads {shown(reference.path)}, but a run has no {shown(root)}",
            reference.pointer,
            step=step,
            part=reference.segment(0),
            hint=hint,
            fix=fix,
        )


def _meant(survey: Survey, reference: Reference, root: str) -> tuple[str, Fix | None]:
    place = Place(reference.pointer, part=reference.segment(0))
    for prefix, names in (("steps", survey.board.by_id), ("input", {item.name for item in survey.board.inputs})):
        if root in names and not reference.foreign:
            meant = f"{prefix}.{root}"
            edit = Edit(Action.REPLACE, place, meant)
            rest = reference.path[len(root) :]
            return f"did you mean “{meant}{rest}”?", Fix(f"write “{meant}”", (edit,))
    near = survey.near(root, ROOTS)
    return did_you_mean(near, "start with trigger, steps, input or item"), respelled(near, place)


RULE = Rule(
    "C301",
    "unknown-root",
    Severity.ERROR,
    "A template or path starts with a word that is none of trigger, steps, input and item.",
    "There is nothing by that name in a run, so it is always missing: the text stays empty, the argument is left out.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page"},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say what it says", "config": {"template": "It says {{step.look.text}}."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page"},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say what it says", "config": {"template": "It says {{steps.look.text}}."}}
"""),
    check=check,
)
