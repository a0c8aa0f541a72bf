"""C770: a repository in which a run is at work already."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C770",
    "run-already-active",
    Severity.ERROR,
    "A second run is started in a repository while one is at work.",
    "Two agents that change the same files at once undo each other's work. The second run is refused.",
    bad="a run of “nightly-tidy” is started while one of “release-notes” is at work in the same repository\n",
    good="it is started once the other run has ended\n",
)
