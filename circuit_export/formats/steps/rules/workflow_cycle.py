"""C213: a workflow that calls itself in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.calling import back_to, calls
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if not survey.board.id:
        return
    chains: dict[str, list[str] | None] = {}
    for step, id in calls(survey):
        if id not in chains:
            chains[id] = back_to(survey.board, survey.called, id)
        chain = chains[id]
        if chain is not None:
            yield RULE.found(
                f"Step {shown(step.id)} leads back to this workflow: {' → '.join([survey.board.id, *chain])}",
                f"/steps/{step.index}/config/workflowId",
                step=step.id,
                hint="a workflow cannot be inside itself; walk a list with logic.each, or take the call out",
            )


_QUIET = (
    '{"circuit": 1, "name": "Remind", "id": "remind", "steps": [{"id": "go", "type": "trigger.ask", "title": "Go"}]}'
)

RULE = Rule(
    "C213",
    "workflow-cycle",
    Severity.ERROR,
    "A workflow calls itself, directly or by way of others.",
    "Such a call would never end, so a run blocks at it.",
    bad=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "again"}]},
 {"id": "again", "type": "flow.call", "title": "Follow up again", "config": {"workflowId": "follow-up"}}
""",
        '"id": "follow-up", ',
    ),
    good=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "again"}]},
 {"id": "again", "type": "flow.call", "title": "Send a reminder", "config": {"workflowId": "remind"}}
""",
        '"id": "follow-up", ',
    ),
    check=check,
    workflows=(_QUIET,),
)
