"""What the loader has to say about a skill graph that it could read: each thing once, with where."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import Diagnostic, Severity, escape_pointer

if TYPE_CHECKING:
    from circuit_export.formats.json_text import Repeated
    from circuit_export.formats.skills.document import Graph

DOCUMENT_KEYS = frozenset(
    [
        "version",
        "id",
        "repositoryId",
        "nodes",
        "edges",
        "name",
        "continueOnFailure",
        "createdAt",
        "updatedAt",
        "description",
        "$schema",
        "x-circuit",
    ]
)
NODE_KEYS = frozenset(["id", "type", "skillRef", "label", "position", "description", "execution", "input", "x-circuit"])
REF_KEYS = frozenset(["source", "provider", "skillFile", "systemSkillId"])
EDGE_KEYS = frozenset(["id", "source", "target", "kind"])
EXECUTION_KEYS = frozenset(("model",))
POSITION_KEYS = frozenset("xy")

REPEATED = ("C701", "json-duplicate-member", Severity.WARNING)
SOME_PLACED = ("C728", "some-positions-missing", Severity.NOTE)
UNKNOWN_MEMBER = ("C727", "unknown-member", Severity.NOTE)
_PARTS = (
    ("skillRef", REF_KEYS, "a skill reference"),
    ("position", POSITION_KEYS, "a position"),
    ("execution", EXECUTION_KEYS, "an execution setting"),
)


def notes(value: dict[str, Any], graph: Graph, repeated: tuple[Repeated, ...]) -> tuple[Diagnostic, ...]:
    """All there is to say: members that stand there twice, that nobody knows, and positions that do not count."""
    return (*_repetitions(repeated), *_unknown_members(value), *_unplaced(graph))


def _repetitions(repeated: tuple[Repeated, ...]) -> list[Diagnostic]:
    code, name, severity = REPEATED
    return [
        Diagnostic(
            code,
            name,
            severity,
            f"{f'The object at {pointer}' if pointer else 'The document'} has “{member}” more than once; "
            "only the last one counts",
            f"{pointer}/{escape_pointer(member)}",
            hint="keep one of them",
        )
        for pointer, member in repeated
    ]


def _unknown_members(value: dict[str, Any]) -> list[Diagnostic]:
    """Members that no reader of this format knows; they are kept, and said once for each name and kind of place."""
    found: dict[tuple[str, str], tuple[int, str, str | None]] = {}

    def look(item: Any, known: frozenset[str], pointer: str, place: str, step: str | None = None) -> None:
        if type(item) is not dict or item.keys() <= known:
            return
        for name in item:
            if name not in known:
                count, first, id = found.get((name, place), (0, f"{pointer}/{escape_pointer(name)}", step))
                found[name, place] = (count + 1, first, id)

    look(value, DOCUMENT_KEYS, "", "a skill graph")
    for index, item in enumerate(value["nodes"]):
        look(item, NODE_KEYS, f"/nodes/{index}", "a node", item["id"])
        for key, known, place in _PARTS:
            if key in item:
                look(item[key], known, f"/nodes/{index}/{key}", place, item["id"])
    edges = value.get("edges")
    for index, item in enumerate(edges if isinstance(edges, list) else ()):
        look(item, EDGE_KEYS, f"/edges/{index}", "an edge")
    code, rule, severity = UNKNOWN_MEMBER
    return [
        Diagnostic(
            code,
            rule,
            severity,
            f"“{name}” is no member of {place}{'' if count == 1 else f' ({count:,} times)'}; it is kept as it is",
            pointer,
            step=step,
        )
        for (name, place), (count, pointer, step) in found.items()
    ]


def _unplaced(graph: Graph) -> list[Diagnostic]:
    """That the places of some nodes do not count, since others have none to be compared with."""
    without = [node for node in graph.nodes if node.position is None]
    if not without or len(without) == len(graph.nodes):
        return []
    code, rule, severity = SOME_PLACED
    message = f"{len(graph.nodes) - len(without):,} of {len(graph.nodes):,} nodes have a position, so none counts"
    pointer = f"/nodes/{without[0].index}/position"
    hint = "give every node one, or none; the picture is laid out afresh"
    return [Diagnostic(code, rule, severity, message, pointer, step=without[0].id, hint=hint)]
