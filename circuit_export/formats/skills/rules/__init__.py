"""The rules of skill graphs; each is a module here, and what they all look at is their survey."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from circuit_export.formats.skills.rules.relevance import relevant
from circuit_export.formats.skills.rules.survey import Profile, Survey, Terms

if TYPE_CHECKING:
    from circuit_export.diagnostics import Diagnostic
    from circuit_export.formats.base import Rule, Surroundings
    from circuit_export.formats.skills.document import SkillsDocument

__all__ = ["Profile", "Terms", "check", "check_value", "rules"]

SAYS_SHAPE = True
"""The rules say of a document that is wrong all that its schema would, with better words and codes."""

# In the order of their codes, which is that of the stages: shape, data, edges, graph, repository, run.
NAMES = (
    "workflow_not_object",
    "json_duplicate_member",
    "version_unsupported",
    "workflow_id_invalid",
    "workflow_id_not_storable",
    "repository_id_invalid",
    "continue_on_failure_type",
    "nodes_type",
    "edges_type",
    "nodes_empty",
    "node_not_object",
    "node_id_invalid",
    "node_id_duplicate",
    "node_id_unreferenceable",
    "node_type_unsupported",
    "skillref_missing",
    "source_unknown",
    "provider_unknown",
    "provider_reserved",
    "skillfile_missing",
    "system_skill_id_missing",
    "system_skill_file_present",
    "skillfile_absolute",
    "skillfile_traversal",
    "skillfile_not_posix",
    "skillfile_unusual",
    "input_type",
    "unknown_member",
    "some_positions_missing",
    "member_unread",
    "placeholder_malformed",
    "placeholder_unknown_node",
    "placeholder_not_upstream",
    "placeholder_not_ancestor",
    "edge_not_object",
    "edge_id_invalid",
    "edge_id_duplicate",
    "edge_endpoint_unknown",
    "edge_kind_unsupported",
    "edge_pair_duplicate",
    "graph_cycle",
    "graph_multiple_roots",
    "repository_path_invalid",
    "skill_file_not_found",
    "skill_file_outside_root",
    "skill_file_too_large",
    "skill_file_not_utf8",
    "skill_frontmatter_missing",
    "run_already_active",
    "provider_not_allowed",
    "provider_no_executor",
    "output_unavailable",
    "loop_limit",
)


@cache
def rule(name: str) -> Rule:
    """The rule in the file of that name."""
    found: Rule = import_module(f"{__name__}.{name}").RULE
    return found


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order of their codes."""
    return tuple(rule(name) for name in NAMES)


def check(
    document: SkillsDocument, around: Surroundings | None = None, *, terms: Terms | None = None
) -> list[Diagnostic]:
    """What the rules say of a graph, by stage and then by place; what the loader says is in its notes.

    Without `terms` they are those of the surroundings: a repository's root, when that is known.
    """
    return _check(Survey(document.value, terms or _terms(around), document.graph))


def check_value(value: Any, terms: Terms | None = None, *, around: Surroundings | None = None) -> list[Diagnostic]:
    """What the rules say of any JSON value that claims to be a skill graph. Never raises."""
    return _check(Survey(value, terms or _terms(around)))


def _terms(around: Surroundings | None) -> Terms:
    if around is None:
        return Terms()
    return Terms(Profile(around.profile) if around.profile else Profile.DEFAULT, around.allow_cycles, around.root)


def _check(survey: Survey) -> list[Diagnostic]:
    wanted = relevant(survey)
    found: list[Diagnostic] = []
    for name in NAMES:
        if wanted is None or name in wanted:
            ask = rule(name).check
            found += ask(survey) if ask is not None else ()
    if not found:
        return found
    places = {name: place for place, name in enumerate(survey.members)}

    def position(said: Diagnostic) -> tuple[int, int, int]:
        _, member, rest, *_ = f"{said.pointer}//".split("/", 3)
        return _stage(said.code), places.get(member, len(places)), int(rest) if rest.isdecimal() else -1

    return sorted(found, key=position)


def _stage(code: str) -> int:
    """Shape and references come first, then the order, then the files, then what only a run meets."""
    return max(0, int(code[2]) - 4)
