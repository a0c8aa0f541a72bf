"""C207: a step that no way from the entry reaches."""

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
    graph, board = survey.graph, survey.board
    if all(graph.reached):
        return
    broken, meant = _broken_wires(survey)
    islands = [
        (head, others)
        for head, others in _islands(survey)
        # Another step with its id, or a wire that means it, is the one thing to mend.
        if board.by_id.get(survey.steps[head].id) == head and survey.steps[head].id not in meant
    ]
    # A wire that leads nowhere was probably meant for one of them, even if it is spelt quite differently.
    if len(islands) <= broken - len(meant):
        return
    for head, others in islands:
        step = survey.steps[head]
        more = f", nor are the {others} behind it" if others > 1 else ", nor is the one behind it" if others else ""
        yield RULE.found(
            f"Step {shown(step.id)} is not reached by any way from the entry {shown(board.start.id)}{more}",
            f"/steps/{head}/id",
            step=step.id,
            hint="wire a step to it, or remove it",
        )


def _broken_wires(survey: Survey) -> tuple[int, set[str]]:
    """How many wires lead to no step, and the steps that they seem to mean."""
    broken, meant = 0, set()
    for step, targets in zip(survey.steps, survey.graph.targets, strict=True):
        for wire, target in zip(step.next, targets, strict=True):
            if target == -1:
                broken += 1
                if near := survey.near(wire.to, survey.board.by_id):
                    meant.add(near.name)
    return broken, meant


def _islands(survey: Survey) -> Iterator[tuple[int, int]]:
    """The first step of each group that hangs together by its wires, and how many others it alone leads to."""
    graph = survey.graph
    seen = bytearray(graph.reached)
    unreached = [step.index for step in survey.steps if not seen[step.index]]
    heads = [index for index in unreached if not any(source != index for source in graph.sources[index])]
    for head in [*heads, *unreached]:  # what is left after the heads are rings, which start with their first step
        if seen[head]:
            continue
        seen[head] = 1
        waiting, others = [head], 0
        while waiting:
            for target in graph.targets[waiting.pop()]:
                if target != -1 and not seen[target]:
                    seen[target] = 1
                    others += 1
                    waiting.append(target)
        yield head, others


RULE = Rule(
    "C207",
    "unreachable-step",
    Severity.WARNING,
    "No way from the entry leads to a step.",
    "The step never runs. Of several unreached steps in a row the first is named; where a wire leads nowhere, only "
    "the wire is reported.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "answer"}]},
 {"id": "answer", "type": "note.say", "title": "Answer", "config": {"template": "Here it is."}},
 {"id": "thanks", "type": "note.say", "title": "Say thanks", "config": {"template": "Thank you."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "answer"}]},
 {"id": "answer", "type": "note.say", "title": "Answer", "config": {"template": "Here it is."},
  "next": [{"port": "out", "to": "thanks"}]},
 {"id": "thanks", "type": "note.say", "title": "Say thanks", "config": {"template": "Thank you."}}
"""),
    check=check,
)
