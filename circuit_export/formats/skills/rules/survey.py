"""What all rules look at of one skill graph, each thing found once and only when a rule asks for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

from circuit_export.formats.json_text import kind_of
from circuit_export.formats.skills import placeholders
from circuit_export.formats.skills.document import REPOSITORY, SYSTEM, Graph, SkillRef, read_graph, read_ref
from circuit_export.formats.skills.paths import faults
from circuit_export.formats.skills.plan import Plan, plan, reachable
from circuit_export.formats.wording import Near, Spelling, shown

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from circuit_export.formats.skills.repository import Unread


class Profile(StrEnum):
    """Whose idea of a runnable graph counts: ours, or the public application's, which refuses some of them."""

    DEFAULT = "default"
    APP = "app"


class Terms(NamedTuple):
    """On which terms a graph is looked at.

    `allow_cycles` says that it may be a loop, `root` is the repository's folder when it is known. Without `nested`
    placeholders count only where the public application looks for them, in the direct members of an input.
    """

    profile: Profile = Profile.DEFAULT
    allow_cycles: bool = False
    root: Path | None = None
    nested: bool = True


class Item(NamedTuple):
    """A node as it stands in the list, with its reference; whatever is wrong with either."""

    index: int  # type: ignore[assignment]
    value: Mapping[str, Any]
    ref: Mapping[str, Any] | None
    read: SkillRef

    @property
    def pointer(self) -> str:
        return f"/nodes/{self.index}"

    @property
    def id(self) -> str | None:
        """Its id, None when it has none that is a text."""
        id = self.value.get("id")
        return id if isinstance(id, str) and id else None

    @property
    def name(self) -> str:
        """What a sentence calls it, such as “Node “draft”” or “Node 3”."""
        return f"Node {self.index + 1}" if self.id is None else f"Node {shown(self.id)}"


class NodeUse(NamedTuple):
    """A placeholder and the node that has it; `reader` and `source` are places in the graph's nodes."""

    reader: int
    source: int | None
    use: placeholders.Use


class Survey:
    """One value that claims to be a skill graph. Everything can be asked of every value."""

    def __init__(self, value: Any, terms: Terms = Terms(), graph: Graph | None = None) -> None:  # noqa: B008
        self.value = value
        self.members: Mapping[str, Any] = value if isinstance(value, dict) else {}
        self.terms = terms
        self.graph = graph if graph is not None else read_graph(value)
        self._spelling = Spelling()

    @property
    def is_app(self) -> bool:
        return self.terms.profile is Profile.APP

    @property
    def allow_cycles(self) -> bool:
        """Whether a cycle is meant: the caller or the document (`"x-circuit": {"allowCycles": true}`) says so."""
        own = self.members.get("x-circuit")
        return self.terms.allow_cycles or (isinstance(own, dict) and own.get("allowCycles") is True)

    @cached_property
    def nodes(self) -> list[Any]:
        """What stands in the list of nodes."""
        items = self.members.get("nodes")
        return items if isinstance(items, list) else []

    @cached_property
    def edges(self) -> list[Any]:
        """What stands in the list of edges."""
        items = self.members.get("edges")
        return items if isinstance(items, list) else []

    @cached_property
    def items(self) -> list[Item]:
        """The nodes that are objects."""
        made = []
        for index, value in enumerate(self.nodes):
            if isinstance(value, dict):
                ref = value.get("skillRef")
                made.append(Item(index, value, ref if isinstance(ref, dict) else None, read_ref(ref)))
        return made

    def references(self) -> Iterator[tuple[Item, Mapping[str, Any]]]:
        """The nodes that have a reference, with it."""
        for item in self.items:
            if item.ref is not None:
                yield item, item.ref

    def files(self) -> Iterator[tuple[Item, str]]:
        """The nodes whose reference names a file that it should name, with its path."""
        for item, ref in self.references():
            path = ref.get("skillFile")
            if item.read.source != SYSTEM and isinstance(path, str) and path:
                yield item, path

    @cached_property
    def read_files(self) -> list[tuple[Item, str, str | Unread]]:
        """The files of the repository that the graph names, in order, each with its text or why it is not read.

        Empty when no repository is known. A path that is faulty by its text alone is not looked for.
        """
        from circuit_export.formats.roots import root_trouble
        from circuit_export.formats.skills.repository import read_skill

        root = self.terms.root
        if root is None or root_trouble(root):
            return []
        texts: dict[str, str | Unread] = {}
        found = []
        for item, path in self.files():
            if item.read.source != REPOSITORY or faults(path):
                continue
            if path not in texts:
                texts[path] = read_skill(root, path)
            found.append((item, path, texts[path]))
        return found

    # --- the graph ---------------------------------------------------------------------------------------------

    @cached_property
    def links(self) -> list[tuple[int, int]]:
        return self.graph.links()

    @cached_property
    def plan(self) -> Plan:
        return plan(len(self.graph.nodes), self.links)

    @cached_property
    def is_loop(self) -> bool:
        """Does it run in rounds: it has a cycle, and that is allowed?"""
        return bool(self.plan.cycle) and self.allow_cycles

    def ids(self, nodes: tuple[int, ...]) -> list[str]:
        return [self.graph.nodes[node].id for node in nodes]

    # --- placeholders ------------------------------------------------------------------------------------------

    @cached_property
    def uses(self) -> list[NodeUse]:
        """Every placeholder in the inputs of the nodes."""
        by_id = self.graph.by_id
        return [
            NodeUse(place, by_id.get(use.id) if use.id is not None else None, use)
            for place, node in enumerate(self.graph.nodes)
            if node.input
            for use in placeholders.uses(node.input, f"/nodes/{node.index}/input", nested=self.terms.nested)
        ]

    @cached_property
    def ways(self) -> set[tuple[int, int]]:
        """Of each node that reads another and the one that it reads: from which of the two a way leads to the other."""
        asked = set()
        for reader, source, _ in self.uses:
            if source is not None:
                asked |= {(source, reader), (reader, source)}
        return reachable(len(self.graph.nodes), self.links, asked)

    def comes_before(self, use: NodeUse) -> bool:
        """Does what is read run before its reader, by some way? In a loop, in the first round already?"""
        if use.source is None or use.source == use.reader or (use.source, use.reader) not in self.ways:
            return False
        return (use.reader, use.source) not in self.ways or use.source < use.reader

    # --- words -------------------------------------------------------------------------------------------------

    def near(self, word: str, known: Collection[str]) -> Near | None:
        return self._spelling.near(word, known)


def is_text(value: Any) -> TypeGuard[str]:
    """Is it a text that says something: not of the wrong kind, and not empty?"""
    return isinstance(value, str) and bool(value)


def stands(item: Mapping[str, Any], key: str) -> str:
    """What stands at a key, as the end of a sentence: “it is null”, “there is none”."""
    if key not in item:
        return "there is none"
    return "it is empty" if item[key] == "" else f"it is {kind_of(item[key])}"
