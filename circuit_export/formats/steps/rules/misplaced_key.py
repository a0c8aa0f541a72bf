"""C104: a setting beside a step's config instead of in it."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board

RULE = Rule(
    "C104",
    "misplaced-key",
    Severity.WARNING,
    "A setting stands on the step itself, where nothing reads it, instead of in the step's config.",
    "It has no effect where it is. This matters most for `writes`: a call that was meant to be declared is not.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "writes": false, "config": {"tool": "Wiki:get_page"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "look"}]},
 {"id": "look", "type": "tool.call", "title": "Look it up", "config": {"tool": "Wiki:get_page", "writes": false}}
"""),
)
