"""Puts the examples of the rules together: only what a rule is about is written out."""

from __future__ import annotations


def skill(id: str, more: str = "", *, provider: str = "claude") -> str:
    """A node that runs the skill of its own name; `more` are further members of it."""
    ref = f'{{"provider": "{provider}", "skillFile": ".{provider}/skills/{id}/SKILL.md"}}'
    return node(id, ref, more)


def node(id: str, ref: str, more: str = "") -> str:
    """A node with this reference."""
    rest = f",\n     {more}" if more else ""
    return f'{{"id": "{id}", "type": "skill",\n     "skillRef": {ref}{rest}}}'


def edge(source: str, target: str) -> str:
    """A dependency."""
    return f'{{"id": "{source}-{target}", "source": "{source}", "target": "{target}", "kind": "dependency"}}'


HEAD = '"version": "0.1", "id": "example", "repositoryId": "handbook"'


def graph(*nodes: str, edges: tuple[str, ...] = (), head: str = HEAD) -> str:
    """The text of a graph with these nodes and edges."""
    return whole(head, f'"nodes": {_list(nodes)}', f'"edges": {_list(edges)}')


def _list(items: tuple[str, ...]) -> str:
    return "[\n    " + ",\n    ".join(items) + "\n  ]" if items else "[]"


def whole(*members: str) -> str:
    """The text of a document with these members."""
    return "{\n  " + ",\n  ".join(members) + "\n}\n"


CHAIN = graph(skill("draft"), skill("check"), edges=(edge("draft", "check"),))
"""Two nodes, one after the other, with nothing wrong."""
