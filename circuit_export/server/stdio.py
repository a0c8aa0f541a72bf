"""Serves one client over stdin and stdout, until it leaves."""

from __future__ import annotations

from circuit_export.server.app import make_server
from circuit_export.server.desk import Desk, Rules
from circuit_export.store import open_store


async def serve(address: str, workspace: str, rules: Rules) -> None:
    """Opens the store at an address first: what is wrong with it is said before a client asks anything."""
    store = open_store(address)
    try:
        await store.open()
        await make_server(Desk(store, workspace, rules)).run_stdio_async()
    finally:
        await store.close()
