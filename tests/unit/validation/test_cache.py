"""The cache only ever spares work: with it, without it and with a broken one the findings are the same."""

from pathlib import Path

import pytest

from circuit_export.validation import schema
from circuit_export.validation.cache import VARIABLE, ShapeCache, default_folder
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
    (file,) = cache.iterdir()
    file.write_bytes(b"\xff\xfe")
    assert found(folder, cache) == [("bad.json", "C101")]


def test_a_cache_that_cannot_be_written_is_no_failure(folder: Path) -> None:
    (folder / "file").write_text("", "utf-8")
    assert found(folder, folder / "file") == [("bad.json", "C101")]


def test_without_a_folder_nothing_is_remembered() -> None:
    cache = ShapeCache(None)
    cache.add("steps", GOOD)
    assert not cache.has("steps", GOOD)


def test_the_folder_can_be_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    assert default_folder() == tmp_path
