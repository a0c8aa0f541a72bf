"""C001: a text that is not JSON."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C001",
    "not-json",
    Severity.ERROR,
    "A file that should be JSON is not.",
    "Nothing in it can be read. The place is where reading stopped, which may be a little behind the slip itself.",
    bad="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"},
]}
""",
    good="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
