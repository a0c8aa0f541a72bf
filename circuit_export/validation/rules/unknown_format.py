"""C004: a file in which no workflow is recognised."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C004",
    "unknown-format",
    Severity.ERROR,
    "A file that should be a workflow holds none that is known.",
    'A board has "circuit": 1 at its top. Only files that are named, on the command line or in circuit.toml, '
    "are said to be no workflows; others in a folder are passed over.",
    bad="""{"name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
    good="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
