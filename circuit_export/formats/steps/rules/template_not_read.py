"""C317: a template where names are read as written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
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
        for name, pointer in _names(step):
            if isinstance(name, str) and "{{" in name:
                yield RULE.found(
                    f"Step {shown(step.id)} names a port {shown(name)}; names of ports are read as written",
                    pointer,
                    step=step.id,
                    hint="write the name itself; use logic.branch to choose by a value",
                )


def _names(step: Step) -> Iterator[tuple[object, str]]:
    config = f"/steps/{step.index}/config"
    if step.type == "model.classify" and isinstance(labels := step.config.get("labels"), list):
        yield from ((label, f"{config}/labels/{number}") for number, label in enumerate(labels))
    elif step.type == "logic.branch":
        if isinstance(cases := step.config.get("cases"), list):
            for number, case in enumerate(cases):
                if isinstance(case, dict):
                    yield case.get("port"), f"{config}/cases/{number}/port"
        yield step.config.get("fallback"), f"{config}/fallback"
    if error_port(step) is not None:
        yield error_port(step), f"/steps/{step.index}/onError/port"


RULE = Rule(
    "C317",
    "template-not-read",
    Severity.WARNING,
    "A template stands in a label or another name of a port.",
    "Ports are read as written: the label is the text with its braces.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "sort"}]},
 {"id": "sort", "type": "model.classify", "title": "Sort it", "config": {"labels": ["{{trigger.label}}", "later"]},
  "next": [{"port": "{{trigger.label}}", "to": "now"}, {"port": "later", "to": "wait"}]},
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
