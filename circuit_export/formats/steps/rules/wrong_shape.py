"""C101: a value of the wrong shape."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board

RULE = Rule(
    "C101",
    "wrong-shape",
    Severity.ERROR,
    "A value is missing, of the wrong kind, too small, too large or none of those allowed.",
    "What does not have the shape that the format asks for cannot be read, and a run would stop at it or go on "
    "without it. `schemas/steps.schema.json` holds every shape; an editor that knows it completes and checks them.",
    bad=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "write"}]},
 {"id": "write", "type": "model.write", "title": "Write it", "config": {"instructions": "Be brief.", "maxWords": "few"}}
"""),
    good=board("""
 {"id": "ask", "type": "trigger.ask", "title": "When asked", "next": [{"port": "out", "to": "write"}]},
 {"id": "write", "type": "model.write", "title": "Write it", "config": {"instructions": "Be brief.", "maxWords": 80}}
"""),
)
