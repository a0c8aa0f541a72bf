"""C102: a step of a type that does not exist."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board

RULE = Rule(
    "C102",
    "unknown-step-type",
    Severity.ERROR,
    "A step has a type that is none of the step kit's.",
    "Nobody knows what such a step does: it is drawn as a plain chip, and a run stops at it.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "tell"}]},
 {"id": "tell", "type": "note.tell", "title": "Say so", "config": {"template": "Done."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "tell"}]},
 {"id": "tell", "type": "note.say", "title": "Say so", "config": {"template": "Done."}}
"""),
)
