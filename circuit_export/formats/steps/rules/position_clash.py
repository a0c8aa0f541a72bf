"""C218: given positions that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey

FARTHEST = 10_000


def check(survey: Survey) -> Iterator[Diagnostic]:
    taken: dict[tuple[int, int], int] = {}
    for step in survey.steps:
        place = step.position
        if place is None:
            continue
        pointer = f"/steps/{step.index}/position"
        key, number = ("col", place.col) if not 0 <= place.col <= FARTHEST else ("lane", place.lane)
        if not 0 <= number <= FARTHEST:
            yield RULE.found(
                f"Step {shown(step.id)} is placed in {'column' if key == 'col' else 'lane'} {number}; "
                "the whole board is laid out afresh",
                f"{pointer}/{key}",
                step=step.id,
                hint=f"use a number from 0 to {FARTHEST:,}, or leave the position out",
            )
            continue
        other = taken.setdefault((place.col, place.lane), step.index)
        if other != step.index:
            name = shown(survey.steps[other].id)
            yield RULE.found(
                f"Step {shown(step.id)} is placed where {name} is; the whole board is laid out afresh",
                pointer,
                step=step.id,
                hint="give it a place of its own, or leave the position out",
                related=(Related(f"{name} is placed there", Place(f"/steps/{other}/position")),),
            )


RULE = Rule(
    "C218",
    "position-clash",
    Severity.WARNING,
    "Two steps are given the same place, or one is given a place off the board.",
    "The picture cannot keep such positions: it lays the whole board out afresh, also what was placed well.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "position": {"col": 0, "lane": 0},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "position": {"col": 0, "lane": 0}, "config": {"template": "Hi."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "position": {"col": 0, "lane": 0},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "position": {"col": 1, "lane": 0}, "config": {"template": "Hi."}}
"""),
    check=check,
)
