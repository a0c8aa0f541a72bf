"""Serves one client over stdin and stdout, until it leaves."""

from __future__ import annotations

import sys

from circuit_export.server.app import CircuitServer, make_server
from circuit_export.server.desk import Desk, Rules
from circuit_export.server.logs import log_to_stderr
from circuit_export.store import open_store


async def serve(address: str, workspace: str, rules: Rules) -> None:
    """Opens the store at an address first: what is wrong with it is said before a client asks anything."""
    store = open_store(address)
    try:
        await store.open()
        log_to_stderr()
        await talk(make_server(Desk(store, workspace, rules)))
    finally:
        await store.close()


async def talk(server: CircuitServer) -> None:
    """Serves stdin and stdout: as pipes where a loop can wait for pipes, else as the library does."""
    if sys.platform == "win32":
        await server.run_stdio_async()
        return
    from circuit_export.server.pipes import Incoming, Outgoing, taken

    with taken() as (reading, writing):
        outgoing = Outgoing(writing)
        await server.run_streams(Incoming(reading, outgoing), outgoing)
