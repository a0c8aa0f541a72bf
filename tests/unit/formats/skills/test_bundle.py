"""Bundles: a graph with its skills in one file, and back into a repository without overwriting anything unasked."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.skills import graph, hostile_repository, node, write_skill

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.skills.bundle import Bundle, content_hash, pack, read, recognise
from circuit_export.formats.skills.document import SkillsDocument, load_value
from circuit_export.formats.skills.installing import State, install, installation
from circuit_export.formats.skills.repository import read_skill

NOW = "2026-06-01T00:00:00Z"


@pytest.mark.parametrize(
    ("text", "expected"), [("", "cbf29ce484222325"), ("a", "af63dc4c8601ec8c"), ("foobar", "85944171f73967e8")]
)
def test_the_checksum(text: str, expected: str) -> None:
    assert content_hash(text) == f"fnv1a64:{expected}"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "from"
    (root / ".git").mkdir(parents=True)
    write_skill(root, "a")
    write_skill(root, "b", "---\nname: B\n---\nÜber\n".encode(), provider="codex")
    return root


def document() -> SkillsDocument:
    b = {"provider": "codex", "skillFile": ".codex/skills/b/SKILL.md"}
    system = {"source": "system", "provider": "codex", "systemSkillId": "codex:x"}
    value = graph(["a", node("b", skillRef=b), node("c", skillRef=node("a")["skillRef"]), node("d", skillRef=system)])
    return load_value(value)


def packed(root: Path, found: SkillsDocument) -> str:
    return pack(found, lambda path: read_skill(root, path), NOW).text


def test_there_and_back(root: Path) -> None:
    text = packed(root, document())
    assert recognise(text)
    bundle = read(text)
    assert json.loads(text)["exportedAt"] == bundle.exported_at == NOW
    assert bundle.document.value == document().value
    assert [(skill.provider, skill.file) for skill in bundle.skills] == [
        ("claude", ".claude/skills/a/SKILL.md"),
        ("codex", ".codex/skills/b/SKILL.md"),
    ]
    assert bundle.damaged == ()


def test_what_cannot_ride_along_is_said(tmp_path: Path) -> None:
    names = ["draft", "linked", "nothing", node("z", skillRef={"provider": "claude", "skillFile": "docs/z.md"})]
    root = hostile_repository(tmp_path)
    found = pack(load_value(graph(names)), lambda path: read_skill(root, path), NOW)
    assert found.left_out == (
        (".claude/skills/linked/SKILL.md", "leads out of the repository by a link"),
        (".claude/skills/nothing/SKILL.md", "does not exist"),
        ("docs/z.md", "is not named as .claude/skills/NAME/SKILL.md"),
    )


def test_a_damaged_text_is_found(root: Path) -> None:
    bundle = read(packed(root, document()).replace("Do it.", "Do that."))
    assert bundle.damaged == (".claude/skills/a/SKILL.md",)


def changed(root: Path, **members: Any) -> str:
    value = json.loads(packed(root, document()))
    value["skills"][0] |= members
    return json.dumps(value)


@pytest.mark.parametrize(
    "path",
    [
        "../.claude/skills/a/SKILL.md",
        "/.claude/skills/a/SKILL.md",
        ".claude/skills/../SKILL.md",
        ".claude/skills/con/SKILL.md",
        ".claude/skills/a/run.sh",
        ".codex/skills/a/SKILL.md",
        ".claude\\skills\\a\\SKILL.md",
        ".git/hooks/x/SKILL.md",
    ],
)
def test_an_unsafe_path_is_refused(root: Path, path: str) -> None:
    with pytest.raises(CircuitError, match="a path that is not its place") as caught:
        read(changed(root, skillFile=path))
    assert caught.value.position is not None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "not a bundle"),
        ('{"version": "0.1"}', "not a bundle"),
        ('{"version": "9", "workflow": {}}', "version of a bundle"),
        ('{"version": "0.1", "workflow": {}, "skills": []}', "of a skill graph"),
        ('{"version": "0.1", "workflow": {}, "skills": 3}', "no list"),
        ("{", "not JSON"),
    ],
)
def test_what_is_no_bundle_is_said(text: str, message: str) -> None:
    assert recognise(text) is (message == "of a skill graph")
    with pytest.raises(CircuitError, match=message):
        read(text)


def test_one_file_twice_is_refused(root: Path) -> None:
    value = json.loads(packed(root, document()))
    value["skills"].append({**value["skills"][0], "content": "other"})
    with pytest.raises(CircuitError, match="one file twice"):
        read(json.dumps(value))


def test_letter_case_does_not_make_two_files_of_one(root: Path) -> None:
    value = json.loads(packed(root, document()))
    value["skills"].append({**value["skills"][0], "skillFile": ".claude/skills/A/SKILL.md"})
    with pytest.raises(CircuitError, match="one file twice"):
        read(json.dumps(value))


@pytest.mark.parametrize("provider", ["git", "shell", "github", ""])
def test_only_who_has_skills_is_brought_some(root: Path, provider: str) -> None:
    with pytest.raises(CircuitError, match="for nobody that has skills"):
        read(changed(root, provider=provider, skillFile=f".{provider}/skills/a/SKILL.md"))


def test_a_skill_of_nobody_cannot_ride_along(root: Path) -> None:
    value = graph([node("a", skillRef={"provider": "git", "skillFile": ".git/skills/a/SKILL.md"})])
    left_out = pack(load_value(value), lambda path: read_skill(root, path), NOW).left_out
    assert [path for path, _ in left_out] == [".git/skills/a/SKILL.md"]


@pytest.mark.parametrize(("content", "message"), [("x" * (1024 * 1024 + 1), "larger than any"), ("\ud800", "half a")])
def test_a_text_that_no_skill_can_be_is_refused(root: Path, content: str, message: str) -> None:
    with pytest.raises(CircuitError, match=message):
        read(changed(root, content=content))


def test_a_bundle_that_breaks_off_is_still_one_to_explain(root: Path) -> None:
    broken = packed(root, document())[:-20]
    assert recognise(broken)
    with pytest.raises(CircuitError, match="not JSON") as caught:
        read(broken, "sent.circuitflow")
    assert caught.value.position is not None
    assert caught.value.file == "sent.circuitflow"


@pytest.fixture
def bundle(root: Path) -> Bundle:
    return read(packed(root, document()))


@pytest.fixture
def target(tmp_path: Path) -> Path:
    target = tmp_path / "to"
    (target / ".git").mkdir(parents=True)
    return target


def test_installing_into_an_empty_repository(bundle: Bundle, target: Path) -> None:
    plan = installation(bundle, target, "here", NOW)
    assert plan.conflicts == ()
    assert [item.state for item in plan.skills] == [State.NEW, State.NEW]
    assert plan.skills[0].front_matter == "name: a\ndescription: What a does\n"
    assert install(plan) == (".claude/skills/a/SKILL.md", ".codex/skills/b/SKILL.md", ".circuit/workflows/w.json")
    stored = json.loads((target / ".circuit/workflows/w.json").read_text("utf-8"))
    assert (stored["repositoryId"], stored["createdAt"], stored["updatedAt"]) == ("here", NOW, NOW)
    assert (target / ".codex/skills/b/SKILL.md").read_text("utf-8") == "---\nname: B\n---\nÜber\n"
    again = installation(bundle, target, "here", NOW)
    assert {item.state for item in (again.workflow, *again.skills)} == {State.SAME}
    assert install(again) == ()


def test_what_is_there_is_kept_unless_it_is_said(bundle: Bundle, target: Path) -> None:
    mine = write_skill(target, "a", b"mine\n")
    plan = installation(bundle, target, "here", NOW)
    assert [item.path for item in plan.conflicts] == [".claude/skills/a/SKILL.md"]
    install(plan)
    assert mine.read_bytes() == b"mine\n"
    install(plan, overwrite=True)
    assert mine.read_text("utf-8").startswith("---\nname: a\n")


def test_another_graph_of_that_name_is_left_alone(bundle: Bundle, target: Path) -> None:
    other = target / ".circuit" / "workflows" / "w.json"
    other.parent.mkdir(parents=True)
    other.write_text("{}")
    plan = installation(bundle, target, "here", NOW)
    assert plan.workflow.path == ".circuit/workflows/w-2.json"
    assert plan.notes == ("There is a graph “w” already, so this one becomes “w-2”.",)
    install(plan)
    assert other.read_text() == "{}"
    assert json.loads((target / plan.workflow.path).read_text())["id"] == "w-2"


def test_a_damaged_skill_is_not_installed_unasked(root: Path, target: Path) -> None:
    plan = installation(read(packed(root, document()).replace("Do it.", "Do that.")), target, "here", NOW)
    assert [item.is_damaged for item in plan.skills] == [True, False]
    assert ".claude/skills/a/SKILL.md" not in install(plan)
    assert ".claude/skills/a/SKILL.md" in install(plan, with_damaged=True)


@pytest.mark.parametrize("place", [".claude", ".claude/skills", ".claude/skills/a", ".claude/skills/a/SKILL.md"])
def test_nothing_is_written_through_a_link(bundle: Bundle, target: Path, tmp_path: Path, place: str) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    link = target / place
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(outside / "SKILL.md" if place.endswith("md") else outside)
    with pytest.raises(CircuitError, match="leads out of it by a link"):
        installation(bundle, target, "here", NOW)
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("id", ["../x", "", "CON", "com1", "a" * 201])
def test_an_id_that_cannot_be_stored_is_refused(bundle: Bundle, target: Path, id: str) -> None:
    with pytest.raises(CircuitError, match="cannot be a file's name"):
        installation(bundle, target, "here", NOW, workflow_id=id)


def test_a_root_that_is_none_is_refused(bundle: Bundle) -> None:
    with pytest.raises(CircuitError, match="is the root of the whole disk"):
        installation(bundle, Path("/"), "here", NOW)


def test_what_cannot_be_written_leaves_nothing_half_and_says_what_is_there(bundle: Bundle, target: Path) -> None:
    in_the_way = target / ".circuit/workflows/w.json"
    in_the_way.mkdir(parents=True)
    plan = installation(bundle, target, "here", NOW, workflow_id="w")
    with pytest.raises(CircuitError, match="cannot be written") as caught:
        install(plan, overwrite=True)
    assert "already written: .claude/skills/a/SKILL.md" in caught.value.hint
    assert [path.name for path in in_the_way.parent.iterdir()] == ["w.json"]
