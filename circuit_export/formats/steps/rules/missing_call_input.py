"""C215: a call that does not give what the workflow needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.calling import calls
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import names, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step, id in calls(survey):
        callee = survey.called.get(id)
        given = step.config.get("input", {})
        if callee is None or not isinstance(given, Mapping):
            continue
        missing = [item.name for item in callee.inputs if item.must_be_given and item.name not in given]
        if missing:
            yield RULE.found(
                f"Step {shown(step.id)} calls {shown(id)} without its required "
                f"input{'s' if len(missing) > 1 else ''} {names(missing)}",
                f"/steps/{step.index}/config/{'input' if 'input' in step.config else 'workflowId'}",
                step=step.id,
                hint=f"give {'them' if len(missing) > 1 else 'it'} under “input” in the step's config",
            )


_CHILD = """{"circuit": 1, "name": "Greet", "id": "greet", "inputs": [{"name": "who"}], "steps": [
 {"id": "go", "type": "trigger.ask", "title": "Go", "next": [{"to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Greet", "config": {"template": "Hello {{input.who}}."}}
]}"""

RULE = Rule(
    "C215",
    "missing-call-input",
    Severity.ERROR,
    "A call leaves out an input that the called workflow requires.",
    "A run blocks at the call and names the input.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "greet"}]},
 {"id": "greet", "type": "flow.call", "title": "Greet them", "config": {"workflowId": "greet"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "greet"}]},
 {"id": "greet", "type": "flow.call", "title": "Greet them",
  "config": {"workflowId": "greet", "input": {"who": "{{trigger.name}}"}}}
"""),
    check=check,
    workflows=(_CHILD,),
)
