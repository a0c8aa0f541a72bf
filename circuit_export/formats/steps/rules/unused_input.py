"""C307: an input that nothing reads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    inputs = survey.board.inputs
    if not inputs:
        return
    read = {reference.path for reference in survey.references if not reference.foreign}
    if "input" in read:
        return
    names = {path.split(".")[1] for path in read if path.startswith("input.")}
    declared = {item.name for item in inputs}
    # An input that a misspelt path means is used: the path is what is wrong.
    names |= {near.name for name in names - declared if (near := survey.near(name, declared))}
    # In a path field without its root the name stands first; the path is what is wrong there too.
    names |= {path.split(".")[0] for path in read} & declared
    names |= {path.split(".")[1] for path in read if path.count(".") and path.split(".")[0] not in _ROOTS} & declared
    for index, item in enumerate(_as_written(survey)):
        name = item.get("name") if isinstance(item, dict) else None
        if not isinstance(name, str) or name in names or ("." in name and any(p == f"input.{name}" for p in read)):
            continue
        yield RULE.found(
            f"The input {shown(name)} is asked for, and no step reads it",
            f"/inputs/{index}/name",
            hint=f"read it with {{{{input.{name}}}}}, or remove it",
        )


_ROOTS = frozenset(("trigger", "steps", "item"))


def _as_written(survey: Survey) -> list[Any]:
    inputs = survey.board.value.get("inputs")
    return inputs if isinstance(inputs, list) else []


RULE = Rule(
    "C307",
    "unused-input",
    Severity.WARNING,
    "The board asks for an input that no step reads.",
    "Whoever runs the board has to give it, for nothing; often the step that should read it has it typed in instead.",
    bad=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Greet the team", "config": {"template": "Hello team."}}
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
