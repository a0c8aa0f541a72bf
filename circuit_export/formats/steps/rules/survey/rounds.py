"""Cycles of a board: which wires close them, and whether anything on them asks for something or leads out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.formats.steps import catalog
from circuit_export.formats.steps.rules.survey.graph import NOWHERE, Closing, walk

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey

NAMED = 12
"""Steps of a cycle that a message names."""
_SETTLED = frozenset(
    ("logic.filter", "logic.branch", "logic.each", "logic.branches", "trigger.ask", "trigger.schedule")
)


def _is_settled(step: Step) -> bool:
    """Whether the engine passes a step without asking anybody for anything."""
    return step.type in _SETTLED or not step.enabled


def endless_cycles(survey: Survey) -> Iterator[Closing]:
    """The cycles through steps that the engine settles by itself, one for each step that they come back to."""
    steps = survey.steps
    if not survey.graph.walk[1]:
        return
    targets = [
        tuple(target if target != NOWHERE and _is_settled(steps[target]) else NOWHERE for target in row)
        if _is_settled(steps[index])
        else ()
        for index, row in enumerate(survey.graph.targets)
    ]
    roots = [index for index in survey.graph.order if _is_settled(steps[index])]
    seen = set()
    for closing in walk(targets, roots, survey.graph.returns)[1]:
        if not closing.returns and closing.target not in seen:
            seen.add(closing.target)
            yield closing


def cycles(survey: Survey) -> Iterator[Closing]:
    """The cycles with a step on them that asks for something, one for each step that they come back to."""
    seen = set()
    for closing in survey.graph.walk[1]:
        if closing.returns or closing.target in seen:
            continue
        if not all(_is_settled(survey.steps[index]) for index in closing.path):
            seen.add(closing.target)
            yield closing


def leaves(survey: Survey, path: tuple[int, ...]) -> bool:
    """Whether something on a cycle can end it: a decision, a filter, a loop, an approval or an error that leads out."""
    for index in path:
        step = survey.steps[index]
        entry = catalog.CATALOG.get(step.type)
        if step.type in ("logic.filter", "gate.approve") or len(survey.ports[index]) > 1 or entry is None:
            return True
        if step.on_error is not None and step.on_error.do == "skip":
            return True
    return False


def spelled(survey: Survey, path: tuple[int, ...]) -> str:
    """The cycle with arrows, back to its first step; the middle of a long one is left out."""
    names = [survey.steps[index].id for index in path]
    if len(names) > NAMED:
        names = [*names[: NAMED - 2], f"… {len(names) - NAMED + 1} more …", names[-1]]
    names.append(survey.steps[path[0]].id)
    return " → ".join(name if len(name) <= 40 else name[:39] + "…" for name in names)
