"""The public names are what they say, whatever else of the package was imported before."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import circuit_export

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", circuit_export.__all__)
def test_a_public_name_is_where_it_is_said_to_be(name: str) -> None:
    from importlib import import_module

    home = import_module(f"circuit_export.{circuit_export._HOMES[name]}")
    assert getattr(circuit_export, name) is getattr(home, name)
    assert name in dir(circuit_export)


def test_a_room_never_takes_the_place_of_a_public_name() -> None:
    """The room of restoring is called as its function is; importing it must not hide the function."""
    from circuit_export import restore
    from circuit_export.api import restore as function
    from circuit_export.restore import Digest  # as anybody's import may do

    assert restore is function
    assert Digest is sys.modules["circuit_export.restore"].Digest  # type: ignore[attr-defined]


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'restores'"):
        circuit_export.restores  # type: ignore[attr-defined]  # noqa: B018


def test_importing_the_package_imports_nothing_of_it() -> None:
    code = "import sys, circuit_export; print(*[name for name in sys.modules if name.startswith('circuit_export')])"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert ended.stdout.split() == ["circuit_export"]
