"""C217: a step that one run reaches by two wires, and so runs twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.tails import tails
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for tail in tails(survey.graph):
        step, fork = survey.steps[tail.step], survey.steps[tail.fork]
        yield RULE.found(
            f"Step {shown(step.id)} runs more than once: {shown(fork.id)} leads to it several times, in turn",
            f"/steps/{step.index}/id",
            step=step.id,
            hint="gather the ways with logic.branches and go on from its “join”, if once is enough",
            related=(Related(f"the ways part at {shown(fork.id)}", Place(f"/steps/{fork.index}/next")),),
        )


RULE = Rule(
    "C217",
    "shared-tail",
    Severity.NOTE,
    "Several wires that are all taken in one run lead to the same step.",
    "Every wire that arrives runs the step, and all that follows it, once more. That may be meant; it is noted "
    "because it often is not. Wires of different labels or cases are never both taken and do not count.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked",
  "next": [{"port": "out", "to": "mail"}, {"port": "out", "to": "page"}]},
 {"id": "mail", "type": "tool.call", "title": "Look for mail", "config": {"tool": "Gmail:search_threads"},
  "next": [{"port": "out", "to": "tell"}]},
 {"id": "page", "type": "tool.call", "title": "Look for the page", "config": {"tool": "Wiki:get_page"},
  "next": [{"port": "out", "to": "tell"}]},
 {"id": "tell", "type": "note.say", "title": "Say what was found", "config": {"template": "Looked everywhere."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "both"}]},
 {"id": "both", "type": "logic.branches", "title": "Look at both",
  "next": [{"port": "out", "to": "mail"}, {"port": "out", "to": "page"}, {"port": "join", "to": "tell"}]},
 {"id": "mail", "type": "tool.call", "title": "Look for mail", "config": {"tool": "Gmail:search_threads"}},
 {"id": "page", "type": "tool.call", "title": "Look for the page", "config": {"tool": "Wiki:get_page"}},
 {"id": "tell", "type": "note.say", "title": "Say what was found", "config": {"template": "Looked everywhere."}}
"""),
    check=check,
)
