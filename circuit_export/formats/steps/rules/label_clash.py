"""C315: labels or cases that cannot be told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.catalog import error_port
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.document import Step
    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step in survey.steps:
        if step.type == "model.classify":
            names = _labels(step)
        elif step.type == "logic.branch":
            names = _cases(step)
        else:
            continue
        yield from _clashes(step, names)


def _labels(step: Step) -> list[tuple[str, str]]:
    labels = step.config.get("labels")
    names = [
        (label, f"/steps/{step.index}/config/labels/{number}")
        for number, label in enumerate(labels if isinstance(labels, list) else ())
        if isinstance(label, str)
    ]
    error = error_port(step)
    return names if error is None else [(error, f"/steps/{step.index}/onError"), *names]


def _cases(step: Step) -> list[tuple[str, str]]:
    cases = step.config.get("cases")
    return [
        (case["equals"], f"/steps/{step.index}/config/cases/{number}/equals")
        for number, case in enumerate(cases if isinstance(cases, list) else ())
        if isinstance(case, dict) and isinstance(case.get("equals"), str) and "{{" not in case["equals"]
    ]


def _clashes(step: Step, names: list[tuple[str, str]]) -> Iterator[Diagnostic]:
    first: dict[str, tuple[str, str]] = {}
    for name, pointer in names:
        known, place = first.setdefault(name.strip().casefold(), (name, pointer))
        if place != pointer:
            same = "is there twice" if name == known else f"is the same as {shown(known)}"
            what = "case" if step.type == "logic.branch" else "label"
            yield RULE.found(
                f"Step {shown(step.id)}: the {what} {shown(name)} {same}, since capitals and blanks do not count",
                pointer,
                step=step.id,
                hint="keep one of them, or give them names that differ",
                related=(Related(f"{shown(known)} stands here", Place(place)),),
            )


RULE = Rule(
    "C315",
    "label-clash",
    Severity.ERROR,
    "Two labels or cases are the same, or differ in capitals or blanks alone.",
    "Labels and cases are compared without regard to capitals, so the second one is never chosen.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "sort"}]},
 {"id": "sort", "type": "model.classify", "title": "Sort it", "config": {"labels": ["urgent", "Urgent"]},
  "next": [{"port": "urgent", "to": "now"}, {"port": "Urgent", "to": "wait"}]},
 {"id": "now", "type": "note.say", "title": "Say it is urgent", "config": {"template": "Look at this now."}},
 {"id": "wait", "type": "note.say", "title": "Say it can wait", "config": {"template": "This can wait."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "sort"}]},
 {"id": "sort", "type": "model.classify", "title": "Sort it", "config": {"labels": ["urgent", "later"]},
  "next": [{"port": "urgent", "to": "now"}, {"port": "later", "to": "wait"}]},
 {"id": "now", "type": "note.say", "title": "Say it is urgent", "config": {"template": "Look at this now."}},
 {"id": "wait", "type": "note.say", "title": "Say it can wait", "config": {"template": "This can wait."}}
"""),
    check=check,
)
