"""C304: a path to the result of a step that has run on some ways only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey import Before
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.order import before
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Reference, Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    doubtful = [
        (reference, source)
        for reference, source in survey.results
        if not reference.tolerant and survey.before.get(((source,), reference.step)) is Before.SOMETIMES
    ]
    covered = _covered_together(survey, doubtful)
    for reference, source in doubtful:
        if reference.step in covered:
            continue
        step, read = survey.steps[reference.step].id, survey.steps[source].id
        yield RULE.found(
            f"Step {shown(step)} reads the result of {shown(read)}, which has not run on every way that leads there",
            reference.pointer,
            step=step,
            part=reference.part,
            hint="read a step that all ways pass, or bring the ways together later",
            related=(Related(f"{shown(read)} is defined here", Place(f"/steps/{source}/id")),),
        )


def _covered_together(survey: Survey, doubtful: list[tuple[Reference, int]]) -> set[int]:
    """The steps that read several results of which one is always there, as a step after a parting of ways may."""
    sources: dict[int, set[int]] = {}
    for reference, source in doubtful:
        sources.setdefault(reference.step, set()).add(source)
    groups = [(tuple(sorted(found)), step) for step, found in sources.items() if len(found) > 1]
    judged = before(survey.graph, groups)
    return {step for group, step in groups if judged.get((group, step)) is Before.ALWAYS}


RULE = Rule(
    "C304",
    "result-not-always",
    Severity.WARNING,
    "A template or path reads the result of a step that only some of the ways pass.",
    "On the other ways the result is missing: the text stays empty, the argument is left out. Paths in `context`, "
    "and conditions that ask whether something exists, are made for that and are not reported; nor are steps that "
    "read several results of which one is always there.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "sort"}]},
 {"id": "sort", "type": "model.classify", "title": "Sort it", "config": {"labels": ["question", "thanks"]},
  "next": [{"port": "question", "to": "draft"}, {"port": "thanks", "to": "say"}]},
 {"id": "draft", "type": "model.write", "title": "Draft an answer", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "Draft: {{steps.draft.text}}"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "sort"}]},
 {"id": "sort", "type": "model.classify", "title": "Sort it", "config": {"labels": ["question", "thanks"]},
  "next": [{"port": "question", "to": "draft"}, {"port": "thanks", "to": "nothing"}]},
 {"id": "draft", "type": "model.write", "title": "Draft an answer", "config": {"instructions": "Two sentences."},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Show the draft", "config": {"template": "Draft: {{steps.draft.text}}"}},
 {"id": "nothing", "type": "note.say", "title": "Say that none is due", "config": {"template": "No answer is due."}}
"""),
    check=check,
)
