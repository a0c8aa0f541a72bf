"""C701: a member that an object has twice."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import CHAIN, edge, graph, skill

RULE = Rule(
    "C701",
    "json-duplicate-member",
    Severity.WARNING,
    "An object has the same member more than once; only the last one counts.",
    "Readers of JSON keep the last of two members of one name without a word, so half of what is written is lost.",
    bad=graph(
        skill("draft"),
        skill("check"),
        edges=(edge("draft", "check"),),
        head='"version": "0.1", "id": "example", "id": "other", "repositoryId": "handbook"',
    ),
    good=CHAIN,
)
