"""C203: two steps with one id."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board

RULE = Rule(
    "C203",
    "duplicate-step-id",
    Severity.ERROR,
    "Two steps have the same id.",
    "Wires and paths name steps by id: they all mean the first of the two, and the second one is never reached.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "say"}]},
 {"id": "say", "type": "note.say", "title": "Say hello", "config": {"template": "Hello."}},
 {"id": "say", "type": "note.say", "title": "Say goodbye", "config": {"template": "Goodbye."}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "hello"}]},
 {"id": "hello", "type": "note.say", "title": "Say hello", "config": {"template": "Hello."},
  "next": [{"port": "out", "to": "goodbye"}]},
 {"id": "goodbye", "type": "note.say", "title": "Say goodbye", "config": {"template": "Goodbye."}}
"""),
)
