"""C003: a member that an object has twice."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C003",
    "duplicate-member",
    Severity.ERROR,
    "An object has the same member more than once; only the last one counts.",
    "Readers of JSON keep the last of two members of one name without a word, so half of what is written is lost.",
    bad="""{"circuit": 1, "name": "First name", "name": "Second name", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
    good="""{"circuit": 1, "name": "The one name", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
