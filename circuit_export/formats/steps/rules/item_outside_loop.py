"""C305: `item` where no loop gives one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    graph = survey.graph
    for reference in survey.references:
        if reference.path.partition(".")[0] != "item" or reference.foreign or not graph.reached[reference.step]:
            continue
        inside = graph.in_loop[reference.step]
        if inside and (not graph.outside_loop[reference.step] or reference.tolerant):
            continue
        step = survey.steps[reference.step].id
        where = "can also be reached without going through a loop" if inside else "is inside no loop"
        yield RULE.found(
            f"Step {shown(step)} reads {shown(reference.path)}, but it {where}",
            reference.pointer,
            step=step,
            part=reference.part,
            severity=Severity.WARNING if inside else Severity.ERROR,
            hint="there is an item only behind the “out” of a logic.each, before its “done”",
        )


RULE = Rule(
    "C305",
    "item-outside-loop",
    Severity.ERROR,
    "A template or path reads `item` outside the body of a loop.",
    "There is an `item` only while a `logic.each` walks what is wired to its `out`. Elsewhere it is missing.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "each"}]},
 {"id": "each", "type": "logic.each", "title": "For each page", "config": {"list": "trigger.pages"},
  "next": [{"port": "out", "to": "look"}, {"port": "done", "to": "tell"}]},
 {"id": "look", "type": "tool.call", "title": "Look at it", "config": {"tool": "Wiki:get_page",
  "arguments": {"page": "{{item.id}}"}}},
 {"id": "tell", "type": "note.say", "title": "Say the last one", "config": {"template": "Ended with {{item.id}}."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "each"}]},
 {"id": "each", "type": "logic.each", "title": "For each page", "config": {"list": "trigger.pages"},
  "next": [{"port": "out", "to": "look"}, {"port": "done", "to": "tell"}]},
 {"id": "look", "type": "tool.call", "title": "Look at it", "config": {"tool": "Wiki:get_page",
  "arguments": {"page": "{{item.id}}"}}},
 {"id": "tell", "type": "note.say", "title": "Say how many", "config": {"template": "{{trigger.pages.length}} pages."}}
"""),
    check=check,
)
