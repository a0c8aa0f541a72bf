"""Which rules can have something to say of a graph: the others are not even imported, which is most of their cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from circuit_export.formats.skills.document import DEPENDENCY, PROVIDERS, RUNNABLE, SKILL, SOURCES, SYSTEM, VERSION
from circuit_export.formats.skills.paths import faults, is_slug, is_usual
from circuit_export.formats.skills.rules.display import unread
from circuit_export.formats.skills.rules.survey import is_text

if TYPE_CHECKING:
    from circuit_export.formats.skills.rules.survey import Survey

_PLACEHOLDERS = (
    "placeholder_malformed",
    "placeholder_unknown_node",
    "placeholder_not_upstream",
    "placeholder_not_ancestor",
)
_PATHS = ("skillfile_absolute", "skillfile_traversal", "skillfile_not_posix")
_ON_DISK = (
    "repository_path_invalid",
    "skill_file_not_found",
    "skill_file_outside_root",
    "skill_file_too_large",
    "skill_file_not_utf8",
    "skill_frontmatter_missing",
)


def relevant(survey: Survey) -> frozenset[str] | None:
    """The names of the rules to ask about a graph whose shape is sound; None for one whose shape is not: all."""
    if not is_sound(survey.value):
        return None
    found = [*_of_nodes(survey), *_of_edges(survey)]
    if survey.terms.root is not None:
        found += _ON_DISK
    if next(unread(survey), None) is not None:
        found.append("member_unread")
    return frozenset(found)


def _of_nodes(survey: Survey) -> list[str]:
    found = [] if is_slug(survey.value["id"]) else ["workflow_id_not_storable"]
    if len(survey.graph.by_id) < len(survey.graph.nodes):
        found.append("node_id_duplicate")
    if any("." in id or "}" in id for id in survey.graph.by_id):
        found.append("node_id_unreferenceable")
    refs = {node.ref for node in survey.graph.nodes}
    if any(ref.provider not in RUNNABLE for ref in refs):
        found.append("provider_reserved")
    if any(faults(ref.file) for ref in refs):
        found += _PATHS
    if not all(is_usual(ref.file, ref.provider) for ref in refs if ref.source != SYSTEM):
        found.append("skillfile_unusual")
    if survey.uses:
        found += _PLACEHOLDERS
    return found


def _of_edges(survey: Survey) -> list[str]:
    found = []
    count = len(survey.edges)
    if len({edge["id"] for edge in survey.edges}) < count:
        found.append("edge_id_duplicate")
    if len(survey.links) < count:
        found.append("edge_endpoint_unknown")
    if len(set(survey.links)) < len(survey.links):
        found.append("edge_pair_duplicate")
    if survey.plan.cycle:
        found.append("graph_cycle")
    if len(survey.plan.roots) > 1:
        found.append("graph_multiple_roots")
    return found


# --- shape -------------------------------------------------------------------------------------------------------


def is_sound(value: Any) -> bool:
    """Whether every value that has a meaning is of the right kind: what the rules of shape say, in one quick pass."""
    if not isinstance(value, dict):
        return False
    nodes, edges = value.get("nodes"), value.get("edges")
    return (
        value.get("version") == VERSION
        and is_text(value.get("id"))
        and is_text(value.get("repositoryId"))
        and isinstance(value.get("continueOnFailure", False), bool)
        and isinstance(nodes, list)
        and isinstance(edges, list)
        and bool(nodes)
        and all(_is_node(node) for node in nodes)
        and all(_is_edge(edge) for edge in edges)
    )


def _is_node(node: Any) -> bool:
    return (
        isinstance(node, dict)
        and is_text(node.get("id"))
        and node.get("type") == SKILL
        and isinstance(node.get("input", {}), dict)
        and isinstance(ref := node.get("skillRef"), dict)
        and _is_ref(ref)
    )


def _is_ref(ref: Mapping[str, Any]) -> bool:
    source, provider = ref.get("source"), ref.get("provider")
    if (source is not None and source not in SOURCES) or provider not in PROVIDERS:
        return False
    if source == SYSTEM:
        return is_text(ref.get("systemSkillId")) and ref.get("skillFile") in (None, "")
    return is_text(ref.get("skillFile"))


def _is_edge(edge: Any) -> bool:
    return isinstance(edge, dict) and is_text(edge.get("id")) and edge.get("kind") == DEPENDENCY
