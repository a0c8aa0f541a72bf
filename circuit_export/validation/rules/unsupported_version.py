"""C005: a version of a format that is not supported."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C005",
    "unsupported-version",
    Severity.ERROR,
    "A workflow declares a version of its format that this release does not know.",
    "What the version means is not known, so nothing else in the file can be judged.",
    bad="""{"circuit": 2, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
    good="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
