"""C727: a member that the format does not know."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, graph, skill

RULE = Rule(
    "C727",
    "unknown-member",
    Severity.NOTE,
    "A member is none that the format knows at this place; it is carried, and does nothing.",
    "A misspelt member is silently the same as none. The public application drops such members on its next save; "
    "here they stay. Every such name is said once a kind of place.",
    bad=graph(skill("draft", '"lable": "Draft it"')),
    good=CHAIN,
)
