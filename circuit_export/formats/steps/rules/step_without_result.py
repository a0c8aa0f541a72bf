"""C309: a path to the result of a step that never leaves one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Related, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.catalog import CATALOG
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey

_SILENT = frozenset(name for name, entry in CATALOG.items() if entry.result == ())


def check(survey: Survey) -> Iterator[Diagnostic]:
    for reference, source in survey.results:
        read = survey.steps[source]
        if read.type not in _SILENT:
            continue
        step = survey.steps[reference.step].id
        yield RULE.found(
            f"Step {shown(step)} reads the result of {shown(read.id)}, but a {read.type} leaves none",
            reference.pointer,
            step=step,
            part=reference.part,
            hint="read what that step looked at",
            related=(Related(f"{shown(read.id)} is defined here", Place(f"/steps/{source}/type")),),
        )


RULE = Rule(
    "C309",
    "step-without-result",
    Severity.WARNING,
    "A template or path reads the result of a step that only decides or loops.",
    "Filters, routes and loops leave nothing under `steps`: the value is always missing.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "big"}]},
 {"id": "big", "type": "logic.filter", "title": "Only big ones",
  "config": {"all": [{"field": "trigger.size", "op": "gt", "value": 10}]}, "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say how big", "config": {"template": "It is {{steps.big.size}}."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "big"}]},
 {"id": "big", "type": "logic.filter", "title": "Only big ones",
  "config": {"all": [{"field": "trigger.size", "op": "gt", "value": 10}]}, "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say how big", "config": {"template": "It is {{trigger.size}}."}}
"""),
    check=check,
)
