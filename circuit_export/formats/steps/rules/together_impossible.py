"""C211: branches that cannot go out at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.catalog import OUT
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey


SHOWN = 5
"""How many branches are named."""


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step, targets in zip(survey.steps, survey.graph.targets, strict=True):
        if step.type != "logic.branches" or step.config.get("together") is not True or -1 in targets:
            continue
        heads = [survey.steps[to] for wire, to in zip(step.next, targets, strict=True) if wire.port == OUT]
        why = "it has fewer than two branches" if len(heads) < 2 else _all_of(list(filter(None, map(_why_not, heads))))
        if why:
            yield RULE.found(
                f"Step {shown(step.id)} is to call its branches together, but {why}; they go one after another",
                f"/steps/{step.index}/config/together",
                step=step.id,
                hint="make each branch one tool.call, or leave “together” out",
            )


def _all_of(reasons: list[str]) -> str:
    """The reasons, those after the first few as their number."""
    more = len(reasons) - SHOWN
    return ", ".join([*reasons[:SHOWN], *([f"and {more:,} more"] if more > 0 else [])])


def _why_not(head: Step) -> str:
    """Why a branch that starts at `head` cannot go out with the others, "" when it can."""
    if head.type != "tool.call":
        return f"{shown(head.id)} is a {head.type}, not a tool.call"
    if head.next:
        return f"{shown(head.id)} has something after it"
    if head.on_error is not None and head.on_error.do in ("retry", "route"):
        return f"{shown(head.id)} wants its errors {'retried' if head.on_error.do == 'retry' else 'routed'}"
    return ""


RULE = Rule(
    "C211",
    "together-impossible",
    Severity.WARNING,
    "Branches are to go out together, and cannot.",
    "Calls go out at once only if there are at least two branches and each is exactly one tool.call with nothing "
    "after it whose errors are neither retried nor routed. Otherwise the branches run in turn.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "gather"}]},
 {"id": "gather", "type": "logic.branches", "title": "Gather both", "config": {"together": true},
  "next": [{"port": "out", "to": "mail"}, {"port": "out", "to": "plan"}]},
 {"id": "mail", "type": "tool.call", "title": "Look for mail", "config": {"tool": "Gmail:search_threads"}},
 {"id": "plan", "type": "model.write", "title": "Write a plan", "config": {"instructions": "Three points."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "gather"}]},
 {"id": "gather", "type": "logic.branches", "title": "Gather both", "config": {"together": true},
  "next": [{"port": "out", "to": "mail"}, {"port": "out", "to": "plan"}]},
 {"id": "mail", "type": "tool.call", "title": "Look for mail", "config": {"tool": "Gmail:search_threads"}},
 {"id": "plan", "type": "tool.call", "title": "Look for the plan", "config": {"tool": "Wiki:get_page"}}
"""),
    check=check,
)
