"""A skill graph as a typed document that keeps its exact text, and what there is to say about it on loading."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError, Diagnostic, Position, Severity, locate_all
from circuit_export.formats import json_text
from circuit_export.formats.skills.notes import notes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from circuit_export.formats.skills.front_matter import SkillCard

FORMAT_NAME = "skills"
VERSION = "0.1"
SKILL = "skill"
DEPENDENCY = "dependency"

REPOSITORY = "repository"
DEFAULT = "default"
SYSTEM = "system"
SOURCES = (REPOSITORY, DEFAULT, SYSTEM)

PROVIDERS = ("claude", "codex", "shell", "git")
RUNNABLE = ("claude", "codex")
"""The providers that somebody can execute; the other two are reserved."""

LOOP_LIMITER = ".codex/skills/loop-limit/SKILL.md"
"""The bundled skill that no agent runs: it counts the rounds of a loop."""


class SkillRef(NamedTuple):
    """Which skill a node runs. `file` is a POSIX path below the repository ("" for a system skill)."""

    source: str = REPOSITORY
    provider: str = ""
    file: str = ""
    system_id: str = ""

    @property
    def is_loop_limiter(self) -> bool:
        return self.source == DEFAULT and self.file == LOOP_LIMITER

    @property
    def target(self) -> str:
        """What is run, in one word: the file's path, or the id of a system skill."""
        return self.system_id if self.source == SYSTEM else self.file


class Point(NamedTuple):
    """Where the editor has a node, in pixels."""

    x: float
    y: float


class Node(NamedTuple):
    """A node as written. `index` is its place in the list, from 0; `input` is {} when there is none."""

    index: int  # type: ignore[assignment]  # tuple.index is never wanted here
    id: str
    ref: SkillRef
    label: str = ""
    description: str = ""
    model: str = ""
    input: Mapping[str, Any] = {}
    position: Point | None = None


class Edge(NamedTuple):
    """A dependency: the node with the id `target` runs after the one with the id `source`, if they exist."""

    index: int  # type: ignore[assignment]
    id: str
    source: str
    target: str


class Graph(NamedTuple):
    """The nodes and edges of a document that can be made out; of nodes with one id the first is meant (`by_id`)."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    by_id: Mapping[str, int]

    def links(self) -> list[tuple[int, int]]:
        """The edges as places in `nodes`, in their order, those with an unknown end left out."""
        by_id = self.by_id
        return [
            (by_id[source], by_id[target]) for _, _, source, target in self.edges if source in by_id and target in by_id
        ]


@dataclass(frozen=True)
class SkillsDocument:
    """A skill graph read. `value` is the parsed JSON, untouched.

    `skills` says what is known of the skills' files, by their paths: empty unless a repository was at hand.
    """

    definition: Definition
    value: dict[str, Any]
    id: str
    name: str
    description: str
    repository_id: str
    graph: Graph
    continue_on_failure: bool = False
    skills: Mapping[str, SkillCard] = field(default_factory=dict)
    notes: tuple[Diagnostic, ...] = ()

    @property
    def nodes(self) -> tuple[Node, ...]:
        return self.graph.nodes

    @property
    def edges(self) -> tuple[Edge, ...]:
        return self.graph.edges

    @property
    def by_id(self) -> Mapping[str, int]:
        return self.graph.by_id

    def node(self, id: str) -> Node | None:
        """The node with that id, None when there is none."""
        index = self.by_id.get(id)
        return None if index is None else self.nodes[index]

    def with_skills(self, skills: Mapping[str, SkillCard]) -> SkillsDocument:
        """The document with what is known of its skills' files."""
        return replace(self, skills=skills)


class Unreadable(CircuitError):
    """A skill graph that cannot be drawn; `findings` are all that its rules say, the error is the first of them."""

    findings: tuple[Diagnostic, ...] = ()


def load(definition: Definition) -> SkillsDocument:
    """Reads a skill graph.

    Raises CircuitError, with the position, for what is no JSON, no skill graph of a known version, or has nothing
    that could be drawn (then Unreadable, with every finding). All else that is odd is the rules' to say.
    """
    parsed = json_text.parse(definition.text)
    return _read(definition, parsed.value, parsed.repeated)


def load_value(value: Any, path: str = "") -> SkillsDocument:
    """Reads a skill graph from a parsed JSON value; its text is the value as this format is written."""
    return _read(Definition(dump(value), FORMAT_NAME, path), value, ())


def dump(value: Any) -> str:
    """The text of a skill graph: indented by two spaces, keys in their order, non-ASCII kept.

    Raises CircuitError for a value that JSON cannot hold.
    """
    try:
        return json_text.write(value, indent=2)
    except (TypeError, ValueError) as error:
        raise CircuitError("This value cannot be written as JSON", found=str(error)) from None


def recognise(text: str) -> bool:
    """Whether a text is a skill graph: a JSON object whose nodes name skills, or that says so otherwise."""
    if ('"nodes"' not in text and "\\u" not in text) or not text.lstrip(" \t\r\n").startswith("{"):
        return False
    try:
        value = json_text.parse(text).value
    except CircuitError:
        return False
    return isinstance(value, dict) and _is_marked(value)


def _is_marked(value: dict[str, Any]) -> bool:
    """Whether an object has this format's marker: nodes that name skills, a repository, or a graph with no nodes yet.

    A graph of something else has other members in its nodes.
    """
    nodes = value.get("nodes")
    if isinstance(nodes, list) and any(isinstance(node, dict) and "skillRef" in node for node in nodes):
        return True
    if nodes is not None and "repositoryId" in value:
        return True
    return nodes == [] and isinstance(value.get("version"), str) and isinstance(value.get("edges"), list)


def claims(text: str) -> bool:
    """Whether a text holds this format's marker, whole or not, so that its errors are this format's to explain."""
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return False
    return '"skillRef"' in text or all(f'"{key}"' in text for key in ("version", "nodes", "edges", "repositoryId"))


# --- reading -----------------------------------------------------------------------------------------------------


def _read(definition: Definition, value: Any, repeated: tuple[json_text.Repeated, ...]) -> SkillsDocument:
    graph = read_graph(value)
    if not _can_be_drawn(value, graph):
        raise _refusal(definition, value)
    stem, id, name = definition.stem, _text(value, "id"), _text(value, "name")
    return SkillsDocument(
        definition=definition,
        value=value,
        id=id or stem,
        name=next((text for text in (name, id, stem) if text.strip()), "Untitled skill graph"),
        description=_text(value, "description"),
        repository_id=_text(value, "repositoryId"),
        graph=graph,
        continue_on_failure=value.get("continueOnFailure") is True,
        notes=notes(value, graph, repeated),
    )


def read_graph(value: Any) -> Graph:
    """What can be made out of any JSON value: its nodes that have an id, and its edges that name two ends."""
    items = value.get("nodes") if isinstance(value, dict) else None
    nodes: list[Node] = []
    by_id: dict[str, int] = {}
    if isinstance(items, list):
        for index, item in enumerate(items):
            if type(item) is dict and type(id := item.get("id")) is str and id:
                by_id.setdefault(id, len(nodes))
                nodes.append(_node(index, id, item))
    items = value.get("edges") if isinstance(value, dict) else None
    edges = [_edge(index, item) for index, item in enumerate(items)] if isinstance(items, list) else []
    return Graph(tuple(nodes), tuple([edge for edge in edges if edge is not None]), by_id)


def _node(index: int, id: str, item: dict[str, Any]) -> Node:
    given = item.get("input")
    execution = item.get("execution")
    model = execution.get("model") if type(execution) is dict else None
    return Node(
        index,
        id,
        read_ref(item.get("skillRef")),
        _text(item, "label"),
        _text(item, "description"),
        model.strip() if type(model) is str else "",
        given if type(given) is dict else {},
        _position(item.get("position")),
    )


def read_ref(item: Any) -> SkillRef:
    """A reference as far as it can be made out; null as its source counts as no source."""
    if type(item) is not dict:
        return SkillRef(provider="")
    source = item.get("source")
    return SkillRef(
        REPOSITORY if source is None else source if type(source) is str else "",
        _text(item, "provider"),
        _text(item, "skillFile"),
        _text(item, "systemSkillId"),
    )


def _edge(index: int, item: Any) -> Edge | None:
    if type(item) is not dict:
        return None
    source, target = item.get("source"), item.get("target")
    return Edge(index, _text(item, "id"), source, target) if type(source) is str and type(target) is str else None


def _text(item: Mapping[str, Any], key: str) -> str:
    value = item.get(key)
    return value if type(value) is str else ""


def _position(item: Any) -> Point | None:
    if type(item) is not dict:
        return None
    x, y = item.get("x"), item.get("y")
    return Point(_pixels(x), _pixels(y)) if _is_number(x) and _is_number(y) else None


def _pixels(value: float) -> float:
    try:
        return float(value)
    except OverflowError:  # a whole number that no float holds
        return inf if value > 0 else -inf


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _can_be_drawn(value: Any, graph: Graph) -> bool:
    """Whether it is a graph of a known version in which every node has an id to be found by."""
    return (
        isinstance(value, dict)
        and value.get("version") == VERSION
        and isinstance(value.get("nodes"), list)
        and 0 < len(graph.nodes) == len(value["nodes"])
    )


def _refusal(definition: Definition, value: Any) -> Unreadable:
    """The error about a value that cannot be drawn, said by the rules."""
    from circuit_export.formats.skills.rules import check_value

    findings = tuple(check_value(value))
    first = next(said for said in findings if said.severity is Severity.ERROR)
    start, _ = locate_all(definition.text, [first.place])[0]
    error = Unreadable(
        first.message, file=definition.path, position=Position.at(definition.text, start), hint=first.hint
    )
    error.findings = findings
    return error
