"""Where boards and their runs are kept: in memory, in one SQLite file, or in Postgres."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from circuit_export.diagnostics import UsageError

if TYPE_CHECKING:
    from circuit_export.store.base import Store

MEMORY = "memory"
FILE = "circuit.db"
WORKSPACE = "local"
"""The workspace of who is alone."""

_POSTGRES = ("postgres://", "postgresql://")


def default_address(environment: Mapping[str, str] = os.environ) -> str:
    """What CIRCUIT_STORE names, else DATABASE_URL, else a file in the user's own data folder."""
    return environment.get("CIRCUIT_STORE") or environment.get("DATABASE_URL") or str(data_folder(environment) / FILE)


def default_workspace(environment: Mapping[str, str] = os.environ) -> str:
    """What CIRCUIT_WORKSPACE names, else the one of who is alone."""
    return environment.get("CIRCUIT_WORKSPACE") or WORKSPACE


def data_folder(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the data of this program is kept for this user. Raises UsageError when there is no such place."""
    try:
        if sys.platform == "win32":
            base = Path(environment.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Application Support"
        else:
            base = Path(environment.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    except RuntimeError:  # nobody's home
        raise UsageError(
            "There is no folder to keep a store in", hint="name one: --store FILE, or CIRCUIT_STORE"
        ) from None
    return base / "circuit-export"


def is_made(address: str) -> bool:
    """Is there a store at an address already? Of a database nobody knows before asking it."""
    return address.startswith(_POSTGRES) or address == MEMORY or Path(_file(address)).exists()


def open_store(address: str = "") -> Store:
    """The store at an address: `memory`, a `postgresql://` URL, else a file; the default one for "".

    It connects when it is first used. Raises CircuitError for what is no address, or one whose library is missing.
    """
    where = address or default_address()
    if where == MEMORY:
        from circuit_export.store.memory import MemoryStore

        return MemoryStore()
    if where.startswith(_POSTGRES):
        from circuit_export.store.postgres import PostgresStore

        return PostgresStore(where)
    from circuit_export.store.sqlite import SqliteStore

    return SqliteStore(_file(where), sync=os.environ.get("CIRCUIT_SQLITE_SYNC", "").lower() == "full")


def _file(address: str) -> str:
    """The file that an address names. Raises UsageError when it names something else."""
    scheme, separator, path = address.partition("://")
    if separator and scheme not in ("sqlite", "file"):
        raise UsageError(
            "There is no such kind of store", found=f"{scheme}://…", expected="a file, postgresql://…, or memory"
        )
    return path if separator else address
