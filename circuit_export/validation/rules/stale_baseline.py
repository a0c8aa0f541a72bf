"""C013: an entry of the baseline whose finding is gone."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C013",
    "stale-baseline",
    Severity.WARNING,
    "The baseline holds a finding that is no longer there.",
    "It has been mended: take it out with --write-baseline, so that it cannot come back unseen. A baseline is "
    "a file of its own, so its examples are boards.",
    bad="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
    good="""{"circuit": 1, "name": "Hello", "steps": [
 {"id": "ask", "type": "trigger.ask", "title": "When asked"}
]}
""",
)
