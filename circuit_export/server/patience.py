"""A connection that asks for nothing is closed after a while: who only begins to ask would hold it for ever."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

PATIENCE: Final = 30.0
"""Seconds that a request may take to arrive; after twice as many, at the latest, its connection is closed."""


class PatientProtocol(H11Protocol):
    """HTTP as uvicorn speaks it, with an end to waiting. What is being answered may take as long as it takes."""

    patience = PATIENCE

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self._waited_with: Any = transport  # neither a request nor none
        self._timer = asyncio.get_running_loop().call_later(self.patience, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        self._timer.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        """Closes the connection if it waits for the same request as at the last look."""
        cycle = self.cycle
        waits = cycle is None or cycle.response_complete or cycle.more_body
        if waits and self._waited_with is cycle:
            self.transport.close()
            return
        self._waited_with = cycle if waits else self.transport
        self._timer = asyncio.get_running_loop().call_later(self.patience, self._look)
