"""C310: `{{` that is no template."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.steps.rules.survey.references import TEMPLATE
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for step, _, text, pointer in survey.texts:
        start = _first_bad(text)
        if start is None:
            continue
        empty = TEMPLATE.match(text, start)
        end = empty.end() if empty else min(len(text), start + 2)
        id = survey.steps[step].id
        yield RULE.found(
            f"Step {shown(id)} has an empty template" if empty else f"Step {shown(id)} has “{{{{” that is never closed",
            pointer,
            step=id,
            part=(start, end),
            hint="write {{ path }}: two braces, a path without braces, two braces",
        )


def _first_bad(text: str) -> int | None:
    """Where the first `{{` is that starts no template, or an empty one; None when there is none."""
    for found in re.finditer(r"\{\{([^{}]*)(\}\})?", text):
        if not found[2]:
            # Of three braces and a template the first is only a brace.
            if text.startswith("{{{", found.start()) and TEMPLATE.match(text, found.start() + 1):
                continue
            return found.start()
        if not found[1].strip():
            return found.start()
    return None


RULE = Rule(
    "C310",
    "malformed-template",
    Severity.ERROR,
    "A text holds two opening braces that are no template, or a template with nothing in it.",
    "It goes out as it is written, braces and all.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Greet them", "config": {"template": "Hello {{trigger.name}."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Greet them", "config": {"template": "Hello {{trigger.name}}."}}
"""),
    check=check,
)
