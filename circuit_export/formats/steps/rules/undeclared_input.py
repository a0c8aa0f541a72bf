"""C306: a path to an input that the board does not declare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.paths import is_well_formed
from circuit_export.formats.wording import did_you_mean, respelled, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    declared = {item.name: None for item in survey.board.inputs}
    for reference in survey.references:
        if not reference.path.startswith("input.") or reference.foreign or not is_well_formed(reference.path):
            continue
        name = reference.segments[1]
        if name in declared or any(reference.path.startswith(f"input.{known}") for known in declared if "." in known):
            continue
        part = reference.segment(1)
        near = survey.near(name, declared)
        step = survey.steps[reference.step].id
        yield RULE.found(
            f"Step {shown(step)} reads the input {shown(name)}, which the board does not declare",
            reference.pointer,
            step=step,
            part=part,
            hint=did_you_mean(near, f'add {{"name": "{name}"}} to the board\'s “inputs”'),
            fix=respelled(near, Place(reference.pointer, part=part)),
        )


RULE = Rule(
    "C306",
    "undeclared-input",
    Severity.ERROR,
    "A template or path reads an input that the board does not declare.",
    "Nobody is asked for it, so it is missing unless somebody happens to give it.",
    bad=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Greet the team", "config": {"template": "Hello {{input.taem}}."}}
""",
        '"inputs": [{"name": "team", "description": "Which team to greet"}], ',
    ),
    good=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Greet the team", "config": {"template": "Hello {{input.team}}."}}
""",
        '"inputs": [{"name": "team", "description": "Which team to greet"}], ',
    ),
    check=check,
)
