"""C212: a call of a workflow that is not there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.calling import calls
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import did_you_mean, respelled, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    if survey.around.workflows is None:
        return
    for step, id in calls(survey):
        if id not in survey.called and id != survey.board.id:
            pointer = f"/steps/{step.index}/config/workflowId"
            near = survey.near(id, survey.called)
            yield RULE.found(
                f"Step {shown(step.id)} calls the workflow {shown(id)}, which was not found",
                pointer,
                step=step.id,
                hint=did_you_mean(near, "add the workflow, or name it under “workflows” in circuit.toml"),
                fix=respelled(near, Place(pointer)),
            )


_CHILD = (
    '{"circuit": 1, "name": "Tidy up", "id": "tidy-up", "steps": [{"id": "go", "type": "trigger.ask", "title": "Go"}]}'
)

RULE = Rule(
    "C212",
    "unknown-workflow",
    Severity.ERROR,
    "A step calls a workflow that is not in the project.",
    "A run blocks at the call. A workflow goes by the `id` it declares, else by the name of its file without the "
    "suffix.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "tidy"}]},
 {"id": "tidy", "type": "flow.call", "title": "Tidy up", "config": {"workflowId": "tidy-pu"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "tidy"}]},
 {"id": "tidy", "type": "flow.call", "title": "Tidy up", "config": {"workflowId": "tidy-up"}}
"""),
    check=check,
    workflows=(_CHILD,),
)
