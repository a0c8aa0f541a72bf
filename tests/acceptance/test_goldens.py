"""The examples' pages and drawings are those that are checked in, byte for byte.

`pytest tests/acceptance/test_goldens.py --snapshot-update` renews them.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.goldens import GoldenFile
from syrupy.assertion import SnapshotAssertion

from circuit_export import api, formats

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(path for path in (ROOT / "examples").rglob("*") if path.suffix in formats.suffixes())
EXAMPLES = [path.relative_to(ROOT) for path in FILES if formats.recognise(path.read_text("utf-8"))]


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(GoldenFile)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_looks_as_it_did(path: Path, golden: SnapshotAssertion) -> None:
    workflow = api.load(ROOT / path)
    drawn = api.picture(workflow)
    assert api.export_page(workflow, drawn=drawn).encode() == golden(name=path.with_suffix(".html").as_posix())
    assert api.export_svg(workflow, drawn=drawn).encode() == golden(name=path.with_suffix(".svg").as_posix())


def test_every_golden_is_that_of_an_example() -> None:
    found = {path.relative_to(GoldenFile.folder).as_posix() for path in GoldenFile.folder.rglob("*") if path.is_file()}
    assert found == {path.with_suffix(kind).as_posix() for path in EXAMPLES for kind in (".html", ".svg")}


def test_every_example_has_its_golden_trace_and_no_other_is_there() -> None:
    traces = ROOT / "goldens" / "traces"
    found = {path.relative_to(traces).as_posix() for path in traces.rglob("*") if path.is_file()}
    assert found == {path.with_suffix(".trace").as_posix() for path in EXAMPLES}


PROJECT = """
from pathlib import Path
import pytest
from support.goldens import GoldenFile

class Here(GoldenFile):
    folder = Path(__file__).parent / "goldens"

@pytest.mark.parametrize("name", ["a", "b", "sub/c"])
def test_it(name, snapshot):
    assert name.encode() == snapshot.use_extension(Here)(name=f"{name}.html")

def test_nothing():
    pass
"""


@pytest.mark.parametrize("workers", ["0", "2"])
def test_an_update_touches_no_other_file(tmp_path: Path, workers: str) -> None:
    (tmp_path / "test_pages.py").write_text(PROJECT, "utf-8")
    goldens = tmp_path / "goldens"
    (goldens / "sub").mkdir(parents=True)
    others = {"old.html": "old", "notes.txt": "mine", "a.html.bak": "kept", "sub/old.html": "old", "sub/old.raw": "old"}
    for name, text in {**others, "a.html": "stale"}.items():
        (goldens / name).write_text(text, "utf-8")

    def pytest_there(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", "-n", workers, *more],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(ROOT / "tests"), "PYTHONDONTWRITEBYTECODE": "1"},
            capture_output=True,
            text=True,
            encoding="utf-8",
        )

    before = pytest_there()
    assert before.returncode == 1
    assert "-stale" in before.stdout
    assert {path.name for path in goldens.rglob("*.html")} == {"old.html", "a.html"}
    updated = pytest_there("--snapshot-update")
    assert updated.returncode == 0, updated.stdout + updated.stderr
    assert "warning" not in updated.stdout.lower()
    held = {
        path.relative_to(goldens).as_posix(): path.read_text("utf-8") for path in goldens.rglob("*") if path.is_file()
    }
    assert held == {**others, "a.html": "a", "b.html": "b", "sub/c.html": "sub/c"}
    assert pytest_there().returncode == 0
