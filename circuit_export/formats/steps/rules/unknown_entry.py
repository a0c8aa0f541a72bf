"""C204: an entry that names no step."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.steps.rules.survey.examples import board

RULE = Rule(
    "C204",
    "unknown-entry",
    Severity.ERROR,
    "The entry names no step of the board.",
    "A run then starts at the first trigger, or at the first step: perhaps not where its author meant.",
    bad=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
""",
        '"entry": "aks", ',
    ),
    good=board(
        """
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
""",
        '"entry": "ask", ',
    ),
)
