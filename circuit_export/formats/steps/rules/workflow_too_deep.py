"""C214: calls that are nested too deep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.calling import DEEPEST, back_to, calls, deeper_than
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    chains: dict[str, list[str] | None] = {}
    for step, id in calls(survey):
        if id not in chains:
            round_trip = back_to(survey.board, survey.called, id) if survey.board.id else None
            chains[id] = deeper_than(survey.called, id, DEEPEST) if round_trip is None else None
        chain = chains[id]
        if chain is not None and len(set(chain)) == len(chain):
            yield RULE.found(
                f"Step {shown(step.id)} calls more than {DEEPEST} workflows deep: {' → '.join(chain)}",
                f"/steps/{step.index}/config/workflowId",
                step=step.id,
                hint="bring some of what is called into its caller",
            )


def _link(id: str, callee: str) -> str:
    call = f'{{"id": "on", "type": "flow.call", "title": "Go on", "config": {{"workflowId": "{callee}"}}}}'
    start = '{"id": "go", "type": "trigger.ask", "title": "Go", "next": [{"to": "on"}]}'
    return f'{{"circuit": 1, "name": "{id}", "id": "{id}", "steps": [{start}, {call}]}}'


_LAST = '{"circuit": 1, "name": "five", "id": "five", "steps": [{"id": "go", "type": "trigger.ask", "title": "Go"}]}'

RULE = Rule(
    "C214",
    "workflow-too-deep",
    Severity.ERROR,
    "Workflows call each other more than four deep.",
    "A run blocks at the fifth call inside one another.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "first"}]},
 {"id": "first", "type": "flow.call", "title": "Run the first of five", "config": {"workflowId": "one"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "second"}]},
 {"id": "second", "type": "flow.call", "title": "Run the second of five", "config": {"workflowId": "two"}}
"""),
    check=check,
    workflows=(_link("one", "two"), _link("two", "three"), _link("three", "four"), _link("four", "five"), _LAST),
)
