"""Paths of skill files, judged by their text."""

import pytest

from circuit_export.formats.skills.paths import Fault, faults, is_slug, is_usual


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        (".claude/skills/a/SKILL.md", []),
        ("a/..b/...", []),
        ("a:b/c", [Fault.NOT_POSIX]),
        ("ab:c", []),
        ("/etc/passwd", [Fault.ABSOLUTE]),
        ("a/../b", [Fault.TRAVERSAL]),
        ("..", [Fault.TRAVERSAL]),
        ("a\\..\\b", [Fault.NOT_POSIX, Fault.TRAVERSAL]),
        ("C:/x", [Fault.NOT_POSIX]),
        ("\\\\server\\share", [Fault.NOT_POSIX]),
        ("a\0b", [Fault.NOT_POSIX]),
        ("/../x", [Fault.ABSOLUTE, Fault.TRAVERSAL]),
    ],
)
def test_faults(path: str, expected: list[Fault]) -> None:
    assert faults(path) == expected


@pytest.mark.parametrize(
    ("path", "provider", "expected"),
    [
        (".claude/skills/a-b_1/SKILL.md", "claude", True),
        (".codex/skills/a/SKILL.md", "claude", False),
        (".claude/skills/a/skill.md", "claude", False),
        (".claude/skills/a/b/SKILL.md", "claude", False),
        (".claude/skills/ä/SKILL.md", "claude", False),
        (".claude/skills//SKILL.md", "claude", False),
    ],
)
def test_usual(path: str, provider: str, expected: bool) -> None:
    assert is_usual(path, provider) is expected


@pytest.mark.parametrize(
    ("name", "expected"), [("a-b_1", True), ("-", True), ("", False), ("a.b", False), ("é", False)]
)
def test_slugs(name: str, expected: bool) -> None:
    assert is_slug(name) is expected
