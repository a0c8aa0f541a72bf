"""The stores that the tests in this folder are about, each empty and of its own."""

from pathlib import Path

import pytest
from support.postgres import Cluster

POSTGRES = pytest.param("postgres", marks=pytest.mark.postgres)


@pytest.fixture(params=["memory", "sqlite", POSTGRES])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store of each kind."""
    if request.param == "memory":
        return "memory"
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.database()


@pytest.fixture(params=["sqlite", POSTGRES])
def shared_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty store that several processes can use."""
    if request.param == "sqlite":
        return str(tmp_path / "store.db")
    cluster: Cluster = request.getfixturevalue("postgres")
    return cluster.database()
