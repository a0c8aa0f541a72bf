"""C216: a loop whose `done` is open, though something is meant to follow it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.catalog import DONE
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey

BODIES = 200_000
"""Steps of loops' bodies that are looked at in all; nested loops have theirs in common."""


def check(survey: Survey) -> Iterator[Diagnostic]:
    looked = 0
    for step in survey.steps:
        if step.type != "logic.each" or not step.next or any(wire.port == DONE for wire in step.next):
            continue
        body = _body(survey, step)
        looked += len(body)
        if looked > BODIES:
            return
        follower = _follower(survey, step, body)
        if follower is not None:
            yield RULE.found(
                f"Step {shown(step.id)} has nothing on “done”, so {shown(follower.id)}, which takes nothing from an "
                "item, happens once for every item",
                f"/steps/{step.index}/next",
                step=step.id,
                hint=f"wire “done” to {shown(follower.id)}, if it is meant to follow the loop",
                related=(Related("this happens for every item", Place(f"/steps/{follower.index}/id")),),
            )


def _body(survey: Survey, loop: Step) -> set[int]:
    """The steps that the loop walks for every item."""
    targets = survey.graph.targets
    found: set[int] = set()
    waiting = [loop.index]
    while waiting:
        for target in targets[waiting.pop()]:
            if target >= 0 and target != loop.index and target not in found:
                found.add(target)
                waiting.append(target)
    return found


def _follower(survey: Survey, loop: Step, body: set[int]) -> Step | None:
    """A report that ends the body and says nothing of an item or what was done with it, after a step that does."""
    readers = _reading_items(survey, body)
    for index in sorted(body):
        step = survey.steps[index]
        if step.type == "note.say" and not step.next and index not in readers and step.config.get("template"):
            before = {source for source in survey.graph.sources[index] if source in body}
            if before and before <= readers and loop.index not in survey.graph.sources[index]:
                return step
    return None


def _reading_items(survey: Survey, body: set[int]) -> set[int]:
    """The steps of the body that read the item, or the result of a step of the body."""
    by_id = survey.board.by_id
    found = set()
    for reference in survey.references:
        if reference.step in body and not reference.foreign:
            root, _, rest = reference.path.partition(".")
            if root == "item" or (root == "steps" and by_id.get(rest.split(".")[0]) in body):
                found.add(reference.step)
    return found


RULE = Rule(
    "C216",
    "loop-without-done",
    Severity.WARNING,
    "A loop has nothing wired to `done`, and its body ends with a report that has nothing to do with the item.",
    "What hangs on `out` happens for every item, so a closing report is said again and again instead of once.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "each"}]},
 {"id": "each", "type": "logic.each", "title": "For each page", "config": {"list": "trigger.pages"},
  "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look at it", "config": {"tool": "Wiki:get_page",
  "arguments": {"page": "{{item.id}}"}}, "next": [{"port": "out", "to": "tell"}]},
 {"id": "tell", "type": "note.say", "title": "Say that it is done", "config": {"template": "Went through all pages."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "each"}]},
 {"id": "each", "type": "logic.each", "title": "For each page", "config": {"list": "trigger.pages"},
  "next": [{"port": "out", "to": "look"}, {"port": "done", "to": "tell"}]},
 {"id": "look", "type": "tool.call", "title": "Look at it", "config": {"tool": "Wiki:get_page",
  "arguments": {"page": "{{item.id}}"}}},
 {"id": "tell", "type": "note.say", "title": "Say that it is done", "config": {"template": "Went through all pages."}}
"""),
    check=check,
)
