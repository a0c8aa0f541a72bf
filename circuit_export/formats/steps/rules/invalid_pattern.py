"""C312: a regular expression that cannot be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from circuit_export.diagnostics import Diagnostic, Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.conditions import conditions
from circuit_export.formats.steps.rules.survey.examples import board
from circuit_export.formats.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from circuit_export.formats.steps.rules.survey import Survey


def check(survey: Survey) -> Iterator[Diagnostic]:
    for condition in conditions(survey):
        pattern = condition.written.get("value")
        if condition.op != "matches" or not isinstance(pattern, str) or condition.is_filled_in:
            continue
        reason = _refused(pattern)
        if reason is not None:
            yield RULE.found(
                f"Step {shown(condition.step.id)} has the pattern {shown(pattern)}, which cannot be used: {reason}",
                f"{condition.pointer}/value",
                step=condition.step.id,
                hint="use RE2's syntax; it has no look-around and no back-references",
            )


def _refused(pattern: str) -> str | None:
    """Why RE2 does not take a pattern, None when it does."""
    import re2

    options = re2.Options()
    options.case_sensitive = False
    options.log_errors = False
    try:
        re2.compile(pattern, options)
    except (re2.error, UnicodeError) as error:
        reason = error.args[0] if error.args else "it cannot be read"
        return reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    return None


RULE = Rule(
    "C312",
    "invalid-pattern",
    Severity.ERROR,
    "The pattern of a `matches` condition is not valid.",
    "A pattern that cannot be used never matches. Patterns are RE2's, which is linear in the text: a stranger's "
    "pattern cannot hang a run.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "ours"}]},
 {"id": "ours", "type": "logic.filter", "title": "Only our tickets",
  "config": {"all": [{"field": "trigger.subject", "op": "matches", "value": "(OPS-[0-9]+"}]},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "This one is ours."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "ours"}]},
 {"id": "ours", "type": "logic.filter", "title": "Only our tickets",
  "config": {"all": [{"field": "trigger.subject", "op": "matches", "value": "OPS-[0-9]+"}]},
  "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say so", "config": {"template": "This one is ours."}}
"""),
    check=check,
)
