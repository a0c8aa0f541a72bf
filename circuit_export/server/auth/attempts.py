"""Counts wrong keys: after some from one address, or many from all, nobody is heard there until the minute is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from circuit_export.server.auth.seals import Seals
from circuit_export.store.base import Grant, Store, stamp

FROM_ONE: Final = 10
"""Wrong keys in a minute from one address."""
FROM_ALL: Final = 60
"""Wrong keys in a minute from all addresses."""
MINUTE: Final = timedelta(minutes=1)

_KIND: Final = "closed"


class Attempts:
    """The wrong keys of a workspace, counted in its store: for all servers that share it at once."""

    def __init__(self, store: Store, workspace: str, seals: Seals, now: Callable[[], datetime]) -> None:
        self._store = store
        self._workspace = workspace
        self._seals = seals
        self._now = now
        self.turn = asyncio.Lock()
        """Held from asking whether there were too many until the key is judged and counted: of many guesses at once
        no more are heard than of many in a row."""

    async def are_over(self, address: str) -> bool:
        """Were there too many, from this address or from all?"""
        now = self._now()
        for key in self._keys(address, now):
            if await self._store.get_grant(_KIND, key, now=stamp(now)) is not None:
                return True
        return False

    async def count(self, address: str) -> None:
        """Takes note of a wrong key."""
        now = self._now()
        until = stamp(now + MINUTE)
        for key, most in zip(self._keys(address, now), (FROM_ONE, FROM_ALL), strict=True):
            if await self._store.tally(self._workspace, f"signin {key}", now=stamp(now), until=until) >= most:
                await self._store.add_grant(Grant(_KIND, key, {}, until))

    def _keys(self, address: str, now: datetime) -> tuple[str, str]:
        """What the present minute is called for an address, and for all; the store learns no address."""
        minute = int(now.timestamp()) // 60
        return tuple(self._seals.digest(f"attempts {self._workspace} {minute}", who) for who in (address, ""))  # type: ignore[return-value]
