"""C772: a provider that nobody executes."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C772",
    "provider-no-executor",
    Severity.ERROR,
    "A node's provider has nobody that could execute it.",
    "The node fails and nothing is executed; the run goes on or ends as after any failure.",
    bad="a node of shell, which nobody executes\n",
    good="a node of codex, where codex is installed\n",
)
