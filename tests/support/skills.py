"""What the tests of skill graphs share: the vectors, small graphs, and a repository with hostile files in it."""

import json
import os
from pathlib import Path
from typing import Any

VECTORS = Path(__file__).parent.parent / "conformance" / "skills"


def vectors(name: str) -> list[dict[str, Any]]:
    """The list of vectors in a file."""
    found: list[dict[str, Any]] = json.loads((VECTORS / name).read_text("utf-8"))
    return found


def named(name: str) -> list[Any]:
    """The vectors in a file as pairs of name and vector, for a parametrized test."""
    return [(vector["name"], vector) for vector in vectors(name)]


def node(id: str, **more: Any) -> dict[str, Any]:
    ref = {"provider": "claude", "skillFile": f".claude/skills/{id}/SKILL.md"}
    return {"id": id, "type": "skill", "skillRef": ref, **more}


def graph(nodes: list[Any], edges: list[tuple[str, str]] | None = None, **more: Any) -> dict[str, Any]:
    """A graph of nodes (an id, or a whole node) and edges (pairs of ids)."""
    return {
        "version": "0.1",
        "id": "w",
        "repositoryId": "r",
        "nodes": [node(item) if isinstance(item, str) else item for item in nodes],
        "edges": [
            {"id": f"e{number}", "source": source, "target": target, "kind": "dependency"}
            for number, (source, target) in enumerate(edges or [])
        ],
        **more,
    }


FRONT = "---\nname: {name}\ndescription: What {name} does\n---\nDo it.\n"


def write_skill(root: Path, name: str, content: bytes | None = None, *, provider: str = "claude") -> Path:
    """Writes the SKILL.md of a skill and returns its path."""
    file = root / f".{provider}" / "skills" / name / "SKILL.md"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(FRONT.format(name=name).encode() if content is None else content)
    return file


def hostile_repository(folder: Path) -> Path:
    """A repository with a good skill, `draft`, and one of each bad kind, named after what is bad about it."""
    root = folder / "repository"
    (root / ".circuit" / "workflows").mkdir(parents=True)
    outside = write_skill(folder / "outside", "secret")
    write_skill(root, "draft")
    write_skill(root, "huge", b"---\nname: huge\n---\n" + b"x" * 1024 * 1024)
    write_skill(root, "latin", b"---\nname: caf\xe9\n---\n")
    write_skill(root, "bare", b"Just do it.\n")
    skills = root / ".claude" / "skills"
    (skills / "folder" / "SKILL.md").mkdir(parents=True)
    (skills / "linked").symlink_to(outside.parent, target_is_directory=True)
    (skills / "linkedfile").mkdir()
    (skills / "linkedfile" / "SKILL.md").symlink_to(outside)
    (skills / "circle").symlink_to(skills / "circle")
    (skills / "inside").symlink_to(skills / "draft", target_is_directory=True)
    if hasattr(os, "mkfifo"):
        (skills / "pipe").mkdir()
        os.mkfifo(skills / "pipe" / "SKILL.md")
    return root
