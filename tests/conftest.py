"""What tests of several rooms share."""

import os
from collections.abc import Iterator

import pytest
from support.node import Node, installed
from support.postgres import Cluster, binaries, running


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """One Postgres for all tests of a process: `postgres.database()` is the address of an empty one. CI must have it.

    Tests that use it are marked `postgres`.
    """
    if binaries() is None:
        message = "no Postgres: set CIRCUIT_POSTGRES to the folder of its initdb and pg_ctl"
        if os.environ.get("CI") == "true":
            pytest.fail(message)
        pytest.skip(message)
    with running() as cluster:
        yield cluster


@pytest.fixture(scope="session")
def node() -> Node:
    """Node with the packages of `tests/node`. They are installed when they are not there yet, which npm has to do."""
    return installed()
