"""C006: a workflow that cannot be loaded."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C006",
    "unreadable",
    Severity.ERROR,
    "A file cannot be read, or its workflow cannot be loaded though its shape gives no reason.",
    "The message says what stands in the way: a missing permission, a size beyond all bounds, nesting without end.",
    bad='{"circuit": 1, "name": "Hello", "steps": ' + "[" * 100_000 + "]" * 100_000 + "}",
    good="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
