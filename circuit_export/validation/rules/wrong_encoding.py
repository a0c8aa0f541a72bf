"""C002: a file that is not UTF-8."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C002",
    "wrong-encoding",
    Severity.ERROR,
    "A file is not UTF-8.",
    "JSON is UTF-8, and so is every definition. A file in another encoding shows other letters to every reader.",
    bad="""{"circuit": 1, "name": "Caf\udce9", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
    good="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
