"""C202: a wire from a port that the step does not have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Place, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.catalog import ERROR
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import did_you_mean, names, respelled, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step, ports in zip(survey.steps, survey.ports, strict=True):
        if survey.stands_for_all(step):
            continue
        for number, wire in enumerate(step.next):
            if wire.port in ports:
                continue
            pointer = f"/steps/{step.index}/next/{number}/port"
            near = survey.near(wire.port, ports)
            otherwise = (
                'for an error port, give the step "onError": {"do": "route"}'
                if wire.port == ERROR
                else f"use {names(ports, word='or')}"
            )
            yield RULE.found(
                f"Step {shown(step.id)} has no port {shown(wire.port)}; it has {names(ports)}",
                pointer,
                step=step.id,
                wire=f"{wire.port} → {wire.to}",
                hint=did_you_mean(near, otherwise),
                fix=respelled(near, Place(pointer)),
            )


RULE = Rule(
    "C202",
    "unknown-port",
    Severity.ERROR,
    "A wire leaves a step by a port that the step does not have.",
    "The wire is never taken. The ports follow from the step's type: its labels, its cases and the fallback, "
    "`done` of a loop, `join` of branches, and an error port when its errors are routed.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "sort"}]},
 {"id": "sort", "type": "model.classify", "title": "Sort it", "config": {"labels": ["urgent", "later"]},
  "next": [{"port": "urgent", "to": "now"}, {"port": "latter", "to": "wait"}]},
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
