"""Which store an address means, and which one is used when nobody says."""

import builtins
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.store import data_folder, default_address, default_workspace, is_made, open_store


def test_what_is_named_comes_first() -> None:
    home = {"XDG_DATA_HOME": "/data", "LOCALAPPDATA": "/data"}
    url = "postgresql://host/db"
    assert default_address({**home, "CIRCUIT_STORE": "here.db", "DATABASE_URL": url}) == "here.db"
    assert default_address({**home, "CIRCUIT_STORE": "", "DATABASE_URL": url}) == url
    assert default_address(home) == str(data_folder(home) / "circuit.db")


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="where others keep data")
def test_the_users_data_folder() -> None:
    assert data_folder({"XDG_DATA_HOME": "/data"}) == Path("/data/circuit-export")
    assert data_folder({}) == Path.home() / ".local" / "share" / "circuit-export"


def test_who_is_alone_has_a_workspace() -> None:
    assert default_workspace({}) == "local"
    assert default_workspace({"CIRCUIT_WORKSPACE": "team"}) == "team"


def test_kinds_of_address(tmp_path: Path) -> None:
    assert open_store("memory").kind == "memory"
    for address in ("a.db", str(tmp_path / "a.db"), f"sqlite://{tmp_path}/a.db", "./memory"):
        assert open_store(address).kind == "sqlite"
    for scheme in ("postgres", "postgresql"):
        assert open_store(f"{scheme}://me:pw@host/db").kind == "postgres"
    with pytest.raises(UsageError, match="no such kind of store") as raised:
        open_store("mysql://me:s3cret@host/db")
    assert "s3cret" not in str(raised.value)


def test_whether_a_store_is_there(tmp_path: Path) -> None:
    assert not is_made(str(tmp_path / "a.db"))
    (tmp_path / "a.db").touch()
    assert is_made(str(tmp_path / "a.db"))
    assert is_made(f"sqlite://{tmp_path}/a.db")
    assert is_made("postgresql://host/db")


def test_the_default_store_is_what_the_environment_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CIRCUIT_STORE", "memory")
    assert open_store().kind == "memory"


def test_a_missing_library_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: Callable[..., Any] = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.startswith("psycopg"):
            raise ModuleNotFoundError(f"No module named {name!r}")
        return imported(name, *args, **kwargs)

    monkeypatch.delitem(sys.modules, "circuit_export.store.postgres", raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(CircuitError, match=r"pip install 'circuit-export\[postgres\]'"):
        open_store("postgresql://host/db")
