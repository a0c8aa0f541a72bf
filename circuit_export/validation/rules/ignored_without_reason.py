"""C011: a finding that is ignored without a reason."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C011",
    "ignored-without-reason",
    Severity.WARNING,
    "A finding is ignored without saying why.",
    "An ignored finding is a decision, and whoever comes next has to know what it was. Without a reason it is "
    "not ignored.",
    bad="""{"circuit": 1, "name": "Hello", "x-circuit": {"ignore": {"C307": ""}}, "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
    good="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
