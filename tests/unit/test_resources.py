"""Schemas, themes and the compiled templates are found in a wheel and in a checkout alike."""

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from circuit_export import resources
from circuit_export.board import template

ROOT = Path(__file__).resolve().parents[2]
TARGETS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
WHEEL = TARGETS["wheel"]
CHECK = ROOT / "tests" / "tools" / "check_wheel.py"


def run(site: Path, *args: str) -> bytes:
    """A Python that sees the package as it is installed in `site`, away from the checkout."""
    environment = os.environ | {"PYTHONPATH": str(site), "PYTHONUTF8": "1"}
    ended = subprocess.run([sys.executable, *args], capture_output=True, cwd=site, env=environment, timeout=120)
    assert ended.returncode == 0, ended.stderr.decode()
    return ended.stdout


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """What a wheel unpacks to: the packages, what is put into them, and the templates that the build compiles."""
    folder = tmp_path / "site"
    forget = shutil.ignore_patterns("__pycache__", "_compiled.py")
    for package in WHEEL["packages"]:
        shutil.copytree(ROOT / package, folder / package, ignore=forget)
    for here, there in WHEEL["force-include"].items():
        shutil.copytree(ROOT / here, folder / there, ignore=forget)
    sources = {name: (template.FOLDER / name).read_text("utf-8") for name in template.NAMES}
    [artifact] = WHEEL["artifacts"]
    (folder / artifact).write_text(template.compiled_module(sources), "utf-8")
    return folder


def test_a_wheel_holds_all_that_a_checkout_does_and_draws_the_same_bytes(site: Path) -> None:
    schemas = sorted(path.name for path in (ROOT / "schemas").glob("*.json"))
    themes = sorted(path.parent.name for path in (ROOT / "themes").glob("*/theme.json"))
    assert run(site, str(CHECK)).decode().split() == [*themes, *schemas]
    source = str(ROOT / "examples" / "friday-digest.json")
    pages = {run(place, "-m", "circuit_export", "export", source, "-o", "-") for place in (site, ROOT)}
    assert len(pages) == 1


def test_a_checkout_has_them_beside_the_package() -> None:
    for name in ("schemas", "themes"):
        assert resources.folder(name) == ROOT / name


def test_the_package_is_typed() -> None:
    assert (ROOT / "circuit_export" / "py.typed").is_file()


def test_an_sdist_holds_all_that_its_tests_read() -> None:
    assert {"/goldens", "/.ci", "/tests", "/examples", "/schemas", "/themes"} <= set(TARGETS["sdist"]["include"])
