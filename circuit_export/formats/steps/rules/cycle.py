"""C209: wires that lead round in a circle through a step that asks for something."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.rounds import cycles, leaves, spelled
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for closing in cycles(survey):
        step = survey.steps[closing.source]
        has_exit = leaves(survey, closing.path)
        yield RULE.found(
            f"Step {shown(step.id)} leads back in a cycle: {spelled(survey, closing.path)}"
            + ("" if has_exit else "; nothing on it ever ends it"),
            f"/steps/{closing.source}/next/{closing.wire}/to",
            step=step.id,
            wire=f"{step.next[closing.wire].port} → {survey.steps[closing.target].id}",
            severity=Severity.NOTE if has_exit else Severity.WARNING,
            hint="walk a list with logic.each, or make sure that a decision on the cycle leads out of it",
        )


RULE = Rule(
    "C209",
    "cycle",
    Severity.WARNING,
    "Wires lead round in a circle.",
    "Each round asks for something again. A cycle that a decision, a filter or an approval can end is only noted; "
    "one that nothing ends goes on until the bound on directives stops the run. A wire back into the loop or the "
    "branches that a step is inside of is no cycle: it ends that item's way.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page"},
  "next": [{"port": "out", "to": "write"}]},
 {"id": "write", "type": "model.write", "title": "Write it up", "config": {"instructions": "Be brief.",
  "context": ["steps.look"]}, "next": [{"port": "out", "to": "look"}]}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page"},
  "next": [{"port": "out", "to": "write"}]},
 {"id": "write", "type": "model.write", "title": "Write it up", "config": {"instructions": "Be brief.",
  "context": ["steps.look"]}}
"""),
    check=check,
)
