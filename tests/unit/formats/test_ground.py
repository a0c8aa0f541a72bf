"""Documents that are called by their paths: where they lie, and that nothing outside the project is read."""

import os
from pathlib import Path

import pytest

from circuit_export import formats
from circuit_export.definition import Definition
from circuit_export.diagnostics import CircuitError
from circuit_export.formats.base import Document, Need
from circuit_export.formats.calls import gather
from circuit_export.formats.ground import Ground, definition_at, ground_of


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    """A project with a folder in it where paths start."""
    (tmp_path / "project" / "work").mkdir(parents=True)
    (tmp_path / "outside.kdl").write_text("out 1\n")
    return Ground(tmp_path / "project" / "work", tmp_path / "project")


def found(path: str, ground: Ground) -> Definition | None:
    return definition_at(path, "circuitry", ground)


def test_a_file_is_read_as_it_is_without_a_mark_at_its_start(ground: Ground) -> None:
    (ground.root / "a.kdl").write_bytes(b"\xef\xbb\xbfout 1\r\n")
    assert found("../a.kdl", ground) == Definition("out 1\r\n", "circuitry", "../a.kdl")
    assert found("none.kdl", ground) is None
    assert found("", ground) is None


def test_what_does_not_tell_its_format_has_that_of_its_caller(ground: Ground) -> None:
    (ground.origin / "a.kdl").write_text("in $x\n")
    (ground.origin / "b.kdl").write_text('{"circuit": 1, "steps": []}')
    definitions = [found("a.kdl", ground), found("b.kdl", ground)]
    assert [one and one.format for one in definitions] == ["circuitry", "steps"]


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("../../outside.kdl", "outside the project"),
        ("../parts/../../outside.kdl", "outside the project"),
        ("/etc/passwd", "absolute"),
        ("\\\\server\\share", "absolute"),
        ("C:/a.kdl", "absolute"),
        ("c:a.kdl", "absolute"),
        ("a\0.kdl", "no path has"),
    ],
)
def test_a_path_that_leads_out_is_not_followed(ground: Ground, path: str, why: str) -> None:
    assert why in ground.why_not(path)
    with pytest.raises(CircuitError, match=why):
        found(path, ground)


@pytest.mark.skipif(os.name != "posix", reason="links need a right on Windows")
def test_a_link_counts_by_where_it_leads(ground: Ground) -> None:
    (ground.origin / "out.kdl").symlink_to(ground.root.parent / "outside.kdl")
    (ground.root / "real.kdl").write_text("out 2\n")
    (ground.origin / "in.kdl").symlink_to(ground.root / "real.kdl")
    (ground.origin / "up").symlink_to(ground.root.parent)
    (ground.origin / "loop.kdl").symlink_to(ground.origin / "loop.kdl")
    assert "outside" in ground.why_not("out.kdl")
    assert "outside" in ground.why_not("up/outside.kdl")
    inside = found("in.kdl", ground)
    assert inside is not None and inside.text == "out 2\n"
    assert ground.why_not("loop.kdl") == "cannot be followed" or found("loop.kdl", ground) is None


def test_what_cannot_be_read_says_why(ground: Ground) -> None:
    (ground.origin / "a.kdl").write_bytes(b"out \xff")
    with pytest.raises(CircuitError, match="it is not UTF-8"):
        found("a.kdl", ground)
    (ground.origin / "folder.kdl").mkdir()
    assert found("folder.kdl", ground) is None


def test_the_project_is_the_repository_around_a_folder_or_the_folder_itself(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    assert ground_of(folder).root in (folder, *folder.parents)
    (tmp_path / "a" / ".git").mkdir()
    assert ground_of(folder) == Ground(folder, tmp_path / "a")
    assert ground_of(folder, folder) == Ground(folder, folder)


def program(text: str, path: str) -> Document:
    return formats.get("circuitry").load(Definition(text, "circuitry", path))


def test_what_is_called_is_found_from_where_each_caller_lies(ground: Ground) -> None:
    (ground.origin / "sub").mkdir()
    (ground.origin / "sub" / "b.kdl").write_text(
        'x source="c.kdl" { out $v }\ny source="../a.kdl" { out $w }\nout $v\n'
    )
    (ground.origin / "sub" / "c.kdl").write_text("out 1\n")
    main = program('x source="sub/b.kdl" { out $v }\nz source="sub/gone.kdl" { out $u }\nout $v\n', "a.kdl")

    def lookup(need: Need, caller: Definition) -> Definition | None:
        return definition_at(need.path, caller.format, ground)

    called = gather(main, lookup)
    assert list(called.documents) == ["sub/b.kdl", "sub/c.kdl"]
    assert called.missing == ("“a” calls “sub/gone.kdl”, which was not found",)


def test_what_is_of_another_format_is_not_called() -> None:
    main = program('x source="b.kdl" { out $v }\nout $v\n', "a.kdl")
    board = Definition('{"circuit": 1, "name": "B", "steps": []}', "steps", "b.kdl")
    called = gather(main, lambda need, caller: board)
    assert (called.documents, len(called.missing)) == ({}, 1)
    assert "of another kind (Circuit board)" in called.missing[0]
