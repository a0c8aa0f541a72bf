"""C771: a provider that this run may not use."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C771",
    "provider-not-allowed",
    Severity.ERROR,
    "A node's provider is not among those that the run allows.",
    "The node fails and nothing is executed; the run goes on or ends as after any failure.",
    bad="a node of codex, in a run that allows claude alone\n",
    good="a node of claude, in a run that allows claude alone\n",
)
