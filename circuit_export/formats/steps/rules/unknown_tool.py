"""C401: a tool that nobody here has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Action, Diagnostic, Edit, Fix, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.likeness import plain
from circuit_export.formats.steps.connectors import suggest, tool_of
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import COMPARISONS, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    tools = survey.around.tools
    if tools is None:
        return
    had = {plain(name) for name in tools}
    near: dict[str, str | None] = {}
    for step in survey.steps:
        tool = tool_of(step)
        if not tool or "{{" in tool or plain(tool) in had:
            continue
        if tool not in near:
            near[tool] = suggest(tool, tools) if (len(near) + 1) * len(tools) <= COMPARISONS else None
        better = near[tool]
        place = Place(f"/steps/{step.index}/config/tool")
        yield RULE.found(
            f"Step {shown(step.id)} needs the tool {shown(tool)}, which is not among the connectors",
            place.pointer,
            step=step.id,
            hint=f"did you mean “{better}”?" if better else "connect the service, or use a tool that is there",
            fix=Fix(f"write “{better}”", (Edit(Action.REPLACE, place, better),)) if better else None,
        )


RULE = Rule(
    "C401",
    "unknown-tool",
    Severity.ERROR,
    "A step needs a tool that is not in the binding.",
    "A run blocks at the step. The binding is the file given with `--tools`, or under `tools` in circuit.toml; "
    "without one nothing is said of tools. Capitals and everything but letters and digits do not count.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look for mail", "config": {"tool": "Gmail:search_thread"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look for mail", "config": {"tool": "Gmail:search_threads"}}
"""),
    check=check,
    tools=("Gmail:search_threads", "Gmail:send_message", "Slack:send_message"),
)
