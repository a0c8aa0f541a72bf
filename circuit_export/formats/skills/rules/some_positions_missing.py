"""C728: some nodes have a position, others have none."""

from circuit_export.diagnostics import Severity
from circuit_export.formats.base import Rule
from circuit_export.formats.skills.rules.examples import edge, graph, skill

EDGES = (edge("draft", "check"),)

RULE = Rule(
    "C728",
    "some-positions-missing",
    Severity.NOTE,
    "Some nodes have a position, and others have none.",
    "Positions are kept as the order of the nodes in the picture, left, right, above and below. That needs one for "
    "every node, so the picture is laid out afresh instead. The public application's editor needs them all, too.",
    bad=graph(skill("draft", '"position": {"x": 0, "y": 0}'), skill("check"), edges=EDGES),
    good=graph(
        skill("draft", '"position": {"x": 0, "y": 0}'), skill("check", '"position": {"x": 280, "y": 0}'), edges=EDGES
    ),
)
