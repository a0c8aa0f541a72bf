"""`circuit export --format bundle` and `circuit import` of one: a graph with its skills goes to another repository."""

import json
from pathlib import Path

import pytest
from support.command import Circuit
from support.skills import graph, write_skill

GRAPH = ".circuit/workflows/w.json"
SKILL = ".claude/skills/a/SKILL.md"


@pytest.fixture
def sender(tmp_path: Path) -> Path:
    """A repository with a graph of one skill."""
    root = tmp_path / "sender"
    write_skill(root, "a")
    (root / ".circuit/workflows").mkdir(parents=True)
    (root / GRAPH).write_text(json.dumps(graph(["a"])), "utf-8")
    return root


@pytest.fixture
def receiver(tmp_path: Path) -> Path:
    root = tmp_path / "receiver"
    (root / ".git").mkdir(parents=True)
    return root


def test_from_one_repository_to_another(circuit: Circuit, sender: Path, receiver: Path, tmp_path: Path) -> None:
    assert circuit("export", sender / GRAPH, "--format", "bundle").code == 0
    refused = circuit("import", "w.circuitflow", "--root", receiver)
    assert (refused.code, [path.name for path in receiver.iterdir()]) == (1, [".git"])
    assert "description: What a does" in refused.err
    assert "Nothing was written" in refused.err
    assert circuit("import", tmp_path / "w.circuitflow", "--yes", cwd=receiver).code == 0
    assert (receiver / SKILL).read_bytes() == (sender / SKILL).read_bytes()
    assert circuit("validate", cwd=receiver).code == 0


def test_nobody_is_asked_where_stdin_is_the_bundle(circuit: Circuit, sender: Path, receiver: Path) -> None:
    bundle = circuit("export", sender / GRAPH, "--format", "bundle", "-o", "-").out
    assert circuit("import", "-", "--root", receiver, stdin=bundle).code == 1
    assert circuit("import", "-", "--root", receiver, "--yes", "--id", "mine", stdin=bundle).code == 0
    assert json.loads((receiver / ".circuit/workflows/mine.json").read_text("utf-8"))["id"] == "mine"


def test_its_graph_alone(circuit: Circuit, sender: Path, tmp_path: Path) -> None:
    bundle = circuit("export", sender / GRAPH, "--format", "bundle", "-o", "-").out
    ended = circuit("import", "-", "-o", "graph.json", stdin=bundle)
    assert (ended.code, json.loads((tmp_path / "graph.json").read_text("utf-8"))) == (0, graph(["a"]))
    assert "only its graph is taken" in ended.err


def test_the_moment_can_be_fixed(circuit: Circuit, sender: Path) -> None:
    for _ in range(2):
        assert circuit("export", sender, "--format", "bundle", "-o", "b", env={"SOURCE_DATE_EPOCH": "0"}).code == 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("export", "board.json", "--format", "bundle"), "nothing to bundle"),
        (("export", "board.json", "--root", "/"), "The repository's folder"),
        (("import", "board.json", "--yes"), "--yes is for unpacking a bundle"),
        (("import", "board.json", "--root", "."), "--root is for unpacking a bundle"),
    ],
)
def test_what_it_is_not_for(circuit: Circuit, board_file: Path, args: tuple[str, ...], said: str) -> None:
    ended = circuit(*args)
    assert ended.code in (1, 2)
    assert said in ended.err


def test_a_bundle_needs_to_know_its_repository(circuit: Circuit, sender: Path, tmp_path: Path) -> None:
    (tmp_path / "loose.json").write_bytes((sender / GRAPH).read_bytes())
    assert "none is known" in circuit("export", "loose.json", "--format", "bundle").err
    assert circuit("export", "loose.json", "--format", "bundle", "--root", sender).code == 0


def test_a_page_says_what_the_skills_say_of_themselves(circuit: Circuit, sender: Path, tmp_path: Path) -> None:
    (tmp_path / "loose.json").write_bytes((sender / GRAPH).read_bytes())
    assert "What a does" in circuit("export", sender / GRAPH, "-o", "-").text
    assert "What a does" not in circuit("export", "loose.json", "-o", "-").text
    assert "What a does" in circuit("export", "loose.json", "--root", sender, "-o", "-").text


def test_a_bundle_that_is_to_be_checked_is_said_to_be_one(circuit: Circuit, sender: Path) -> None:
    assert circuit("export", sender / GRAPH, "--format", "bundle").code == 0
    ended = circuit("validate", "w.circuitflow")
    assert ended.code == 1
    assert "The file is a bundle" in ended.text
    assert "circuit import" in ended.text
