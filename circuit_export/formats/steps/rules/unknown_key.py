"""C103: a key that the format does not know."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board

RULE = Rule(
    "C103",
    "unknown-key",
    Severity.NOTE,
    "A key is none that the format knows at this place; it is carried, and does nothing.",
    "A misspelt key is silently the same as none: its default counts. Every such name is said once a place.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "enabeld": false}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "enabled": true}
"""),
)
