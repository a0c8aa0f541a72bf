"""The cache only ever spares work: with it, without it and with a broken one the findings are the same."""

from pathlib import Path

import pytest

from circuit_export.validation import schema
from circuit_export.validation.cache import VARIABLE, Cache, default_folder
from circuit_export.validation.report import Request
from circuit_export.validation.run import validate

GOOD = '{"circuit": 1, "name": "x", "steps": [{"id": "a", "type": "trigger.ask", "title": "Go"}]}'
BAD = GOOD.replace('"Go"', "7")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "good.json").write_text(GOOD, "utf-8")
    (tmp_path / "boards" / "bad.json").write_text(BAD, "utf-8")
    return tmp_path


def found(folder: Path, cache: Path | None) -> list[tuple[str, str]]:
    report = validate(Request((folder / "boards",), cache=cache))
    return [(one.file, one.code) for one in report.findings]


def test_a_warm_run_finds_the_same_and_asks_the_schema_less(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    plain = schema.shape_findings

    def counted(value: object, name: str) -> list[object]:
        asked.append(name)
        return plain(value, name)  # type: ignore[return-value]

    monkeypatch.setattr(schema, "shape_findings", counted)
    cold = found(folder, folder / "cache")
    assert (cold, len(asked)) == ([("bad.json", "C101")], 2)
    assert found(folder, folder / "cache") == cold
    assert len(asked) == 3  # what has findings is always looked at again
    assert found(folder, None) == cold
    assert len(asked) == 5


def test_a_broken_cache_is_as_none(folder: Path) -> None:
    cache = folder / "cache"
    found(folder, cache)
    for file in cache.iterdir():
        file.write_bytes(b"\xff\xfe")
    assert found(folder, cache) == [("bad.json", "C101")]


def test_a_cache_that_cannot_be_written_is_no_failure(folder: Path) -> None:
    (folder / "file").write_text("", "utf-8")
    assert found(folder, folder / "file") == [("bad.json", "C101")]


def test_without_a_folder_nothing_is_remembered() -> None:
    cache = Cache(None)
    cache.add("steps", GOOD)
    assert not cache.has("steps", GOOD)


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert default_folder() == tmp_path


def test_a_clean_workflow_that_others_call_is_read_for_them(folder: Path) -> None:
    child = folder / "other" / "child.json"
    child.parent.mkdir()
    child.write_text(GOOD, "utf-8")
    caller = folder / "boards" / "caller.json"
    wire = '"Go", "next": [{"to": "c"}]}, '
    caller.write_text(
        GOOD.replace(
            '"Go"}', wire + '{"id": "c", "type": "flow.call", "title": "x", "config": {"workflowId": "child"}}'
        ),
        "utf-8",
    )
    request = Request((folder / "boards", folder / "other"), cache=folder / "cache")
    cold = [(one.file, one.code) for one in validate(request).findings]
    assert cold == [("boards/bad.json", "C101")] or cold == [("bad.json", "C101")]
    assert [(one.file, one.code) for one in validate(request).findings] == cold


def test_another_binding_is_another_question(folder: Path) -> None:
    tool = '{"id": "t", "type": "tool.call", "title": "x", "config": {"tool": "Wiki:get_page"}}'
    (folder / "boards" / "good.json").write_text(
        GOOD.replace('"Go"}', '"Go", "next": [{"to": "t"}]}, ' + tool), "utf-8"
    )
    tools = folder / "tools.txt"
    tools.write_text('["Other:get_page"]', "utf-8")
    cache = folder / "cache"
    assert found(folder, cache) == [("bad.json", "C101")]
    report = validate(Request((folder / "boards",), tools=tools, cache=cache))
    assert ("good.json", "C401") in [(one.file, one.code) for one in report.findings]


def test_what_was_mended_is_not_remembered_as_it_was(folder: Path) -> None:
    board = folder / "boards" / "good.json"
    said = '{"id": "say", "type": "note.say", "title": "x", "config": {"template": "x"}}'
    broken = GOOD.replace('"Go"}', f'"Go", "next": [{{"to": "sayy"}}]}}, {said}')
    board.write_text(broken, "utf-8")
    cache = folder / "cache"
    before = found(folder, cache)
    assert ("good.json", "C201") in before
    validate(Request((folder / "boards",), fix=True, unsafe_fixes=True, cache=cache))
    board.write_text(broken, "utf-8")
    assert found(folder, cache) == before
