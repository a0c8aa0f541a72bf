"""C205: an entry that is no trigger."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import names, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    start = survey.board.start
    if start.type.startswith("trigger."):
        return
    triggers = [step.id for step in survey.steps if step.type.startswith("trigger.")]
    pointer = "/entry" if "entry" in survey.board.value else f"/steps/{start.index}/type"
    if triggers:
        yield RULE.found(
            f"The entry {shown(start.id)} is no trigger ({start.type}), though the board has one",
            pointer,
            step=start.id,
            hint=f"start at {names(triggers, word='or')}",
        )
    elif not start.type.startswith("note."):
        yield RULE.found(
            f"The board has no trigger; it starts at {shown(start.id)} ({start.type})",
            pointer,
            step=start.id,
            severity=Severity.NOTE,
            hint="put a trigger.ask in front of it, unless the board is only called by others",
        )


RULE = Rule(
    "C205",
    "entry-no-trigger",
    Severity.WARNING,
    "A run starts at a step that is no trigger.",
    "What the trigger would have brought is not there. A board without any trigger is only noted: it may be one "
    "that others call.",
    bad=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page"}}
""",
        '"entry": "look", ',
    ),
    good=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page"}}
""",
        '"entry": "ask", ',
    ),
    check=check,
)
