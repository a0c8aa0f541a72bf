"""C012: an ignored finding that is not there."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C012",
    "ignored-in-vain",
    Severity.WARNING,
    "A finding is ignored that there is not, or a code that does not exist.",
    "What it was about has been mended, or it is misspelt and ignores nothing.",
    bad="""{"circuit": 1, "name": "Hello", "x-circuit": {"ignore": {"C501": "The note is only for us."}}, "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
    good="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
