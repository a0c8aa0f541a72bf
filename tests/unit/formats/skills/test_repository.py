"""Skills on disk: what is found, and that nothing outside the root is ever read or waited for."""

from pathlib import Path

import pytest
from support.skills import graph, hostile_repository, write_skill

from circuit_export.formats.roots import root_of, root_trouble
from circuit_export.formats.skills.document import load_value
from circuit_export.formats.skills.repository import Trouble, Unread, cards, discover, read_skill


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return hostile_repository(tmp_path)


def test_a_good_file_is_read(root: Path) -> None:
    text = read_skill(root, ".claude/skills/draft/SKILL.md")
    assert isinstance(text, str)
    assert text.startswith("---\nname: draft\n")


def test_a_link_that_stays_inside_is_followed(root: Path) -> None:
    assert isinstance(read_skill(root, ".claude/skills/inside/SKILL.md"), str)


@pytest.mark.parametrize(
    ("path", "trouble"),
    [
        (".claude/skills/nothing/SKILL.md", Trouble.NOT_FOUND),
        (".claude/skills/draft/SKILL.md/deeper", Trouble.NOT_FOUND),
        (".claude/skills/folder/SKILL.md", Trouble.NOT_FOUND),
        (".claude/skills/circle/SKILL.md", Trouble.NOT_FOUND),
        (".claude/skills/" + "x" * 5000, Trouble.NOT_FOUND),
        (".claude/skills/\ud800/SKILL.md", Trouble.NOT_FOUND),
        (".claude/skills/linked/SKILL.md", Trouble.OUTSIDE_ROOT),
        (".claude/skills/linkedfile/SKILL.md", Trouble.OUTSIDE_ROOT),
        ("../outside/.claude/skills/secret/SKILL.md", Trouble.OUTSIDE_ROOT),
        ("/etc/hostname", Trouble.OUTSIDE_ROOT),
        ("C:/x", Trouble.OUTSIDE_ROOT),
        ("a\0b", Trouble.OUTSIDE_ROOT),
        (".", Trouble.OUTSIDE_ROOT),
        (".claude/skills/huge/SKILL.md", Trouble.TOO_LARGE),
        (".claude/skills/latin/SKILL.md", Trouble.NOT_UTF8),
    ],
)
def test_what_is_not_read(root: Path, path: str, trouble: Trouble) -> None:
    found = read_skill(root, path)
    assert isinstance(found, Unread)
    assert found.trouble is trouble


def test_a_pipe_is_not_waited_for(root: Path) -> None:
    assert read_skill(root, ".claude/skills/pipe/SKILL.md") == Unread(Trouble.NOT_FOUND, "is not a file")


def test_a_file_of_just_the_limit_is_read(root: Path) -> None:
    write_skill(root, "full", b"x" * 1024 * 1024)
    assert isinstance(read_skill(root, ".claude/skills/full/SKILL.md"), str)


def test_an_introduction_is_cut_at_a_character(root: Path) -> None:
    write_skill(root, "long", b"x" + "é".encode() * 100)
    found = read_skill(root, ".claude/skills/long/SKILL.md", limit=10, whole=False)
    assert found == "x" + "é" * 4


def test_discovery(root: Path) -> None:
    write_skill(root, "zeta", provider="codex")
    lower = root / ".codex" / "skills" / "lower" / "skill.md"
    lower.parent.mkdir()
    lower.write_text("# Lower\n")
    other = root / ".codex" / "skills" / "other" / "Skill.MD"
    other.parent.mkdir()
    other.write_text("# Other\n")
    (root / ".codex" / "skills" / "SKILL.md").write_text("# Not in a folder of its own\n")
    found = discover(root)
    assert [(skill.provider, skill.folder, skill.card.name) for skill in found.skills] == [
        ("claude", "bare", "bare"),
        ("claude", "draft", "draft"),
        ("claude", "huge", "huge"),
        ("claude", "inside", "draft"),
        ("codex", "lower", "Lower"),
        ("codex", "zeta", "zeta"),
    ]
    assert found.skills[4].file == ".codex/skills/lower/skill.md"
    unread = {path.split("/")[2]: said.trouble for path, said in found.unread}
    assert unread.pop("pipe", Trouble.NOT_FOUND) is Trouble.NOT_FOUND
    assert unread == {
        "folder": Trouble.NOT_FOUND,
        "latin": Trouble.NOT_UTF8,
        "linked": Trouble.OUTSIDE_ROOT,
        "linkedfile": Trouble.OUTSIDE_ROOT,
    }


def test_a_folder_of_skills_that_is_a_link_out_is_not_listed(tmp_path: Path) -> None:
    write_skill(tmp_path / "outside", "secret")
    (tmp_path / "root" / ".claude").mkdir(parents=True)
    (tmp_path / "root" / ".claude" / "skills").symlink_to(tmp_path / "outside" / ".claude" / "skills")
    found = discover(tmp_path / "root")
    assert found.skills == ()
    assert [(path, said.trouble) for path, said in found.unread] == [(".claude/skills", Trouble.OUTSIDE_ROOT)]


def test_nothing_there_is_nothing_found(tmp_path: Path) -> None:
    assert discover(tmp_path) == ((), ())


def test_cards_of_a_graph(root: Path) -> None:
    found = cards(load_value(graph(["draft", "nothing", "linked"])), root)
    assert {path: card.description for path, card in found.items()} == {
        ".claude/skills/draft/SKILL.md": "What draft does"
    }


def test_the_root_of_a_file(root: Path) -> None:
    assert root_of(root / ".circuit" / "workflows" / "a.json") == root
    (root / "inner" / ".git").mkdir(parents=True)
    assert root_of(root / "inner" / "deep" / "a.json") == root / "inner"


def test_what_cannot_be_a_root(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert root_trouble(Path("/")) == "is the root of the whole disk"
    assert root_trouble(tmp_path / "nothing") == "does not exist or cannot be read"
    assert root_trouble(tmp_path / "file") == "is no folder"
    assert root_trouble(tmp_path) == ""
