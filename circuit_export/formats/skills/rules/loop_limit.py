"""C774: a graph that goes round too often."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule

RULE = Rule(
    "C774",
    "loop-limit",
    Severity.ERROR,
    "A graph that runs in rounds reached the greatest number of rounds.",
    "Nothing else would ever end it: the run fails there instead of going on for ever.",
    bad="a loop without a loop-limit node, whose skills never say that it is done\n",
    good="the same loop with a loop-limit node of five rounds\n",
)
