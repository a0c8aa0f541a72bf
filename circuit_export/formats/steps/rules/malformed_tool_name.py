"""C402: a tool's name that is not `Service:action`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.connectors import split, tool_of
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step in survey.steps:
        name = tool_of(step)
        if not name or "{{" in name:
            continue
        tool = split(name)
        if tool.service.strip() and tool.action.strip() and name == name.strip():
            continue
        if name != name.strip():
            what = "has blanks around it"
        elif tool.service.strip() or name[:1] in ":.":
            what = "names no service" if not tool.service.strip() else "names no action"
        else:
            what = "names no service"
        yield RULE.found(
            f"Step {shown(step.id)} needs the tool {shown(name)}, which {what}",
            f"/steps/{step.index}/config/tool",
            step=step.id,
            hint="write it as Service:action, such as Gmail:search_threads",
        )


RULE = Rule(
    "C402",
    "malformed-tool-name",
    Severity.WARNING,
    "A tool's name is not a service and an action with a colon between them.",
    "It is found among the connectors by its whole name, and told to a person by its two parts.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look for mail", "config": {"tool": "search_threads"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look for mail", "config": {"tool": "Gmail:search_threads"}}
"""),
    check=check,
)
