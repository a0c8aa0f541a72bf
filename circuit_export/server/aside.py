"""What takes long is done beside the event loop, in a thread, so that the calls of other clients go on meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

if TYPE_CHECKING:
    from circuit_export.server.desk import Desk
    from circuit_export.store.base import Store

T = TypeVar("T")

MANY: Final = 200
"""Steps, or changes, from which on a call is a large one."""

MANY_WIRES: Final = 1000
"""Wires from which on it is, though the steps be few."""

_LONG: Final = frozenset(
    f"circuit_{name}"
    for name in (
        *("validate", "trace", "export", "import", "diff", "health", "bind", "open", "arm", "disarm", "scheduled"),
        *("patch", "move", "set_enabled", "wire", "unwire", "rename", "run", "runs"),
    )
)
"""What looks at whole boards, which may be large ones, and is not called at every step of a run."""


def takes_long(tool: str, arguments: Mapping[str, Any]) -> bool:
    """May a call take longer than the others can wait?"""
    given = arguments.get("steps") or arguments.get("ops")
    return tool in _LONG or (isinstance(given, list) and (len(given) > MANY or _wires(given) > MANY_WIRES))


def _wires(steps: list[Any]) -> int:
    wires = (step.get("next") for step in steps if isinstance(step, dict))
    return sum(len(leaving) for leaving in wires if isinstance(leaving, list))


async def aside(desk: Desk, work: Callable[[Desk], Coroutine[Any, Any, T]]) -> T:
    """Does something with a desk in a thread that has a loop of its own."""
    afar = desk._replace(store=cast("Store", _Afar(desk.store, asyncio.get_running_loop())))
    return await asyncio.to_thread(lambda: asyncio.run(work(afar)))


class _Afar:
    """A store as another thread may use it: what it is asked, it is asked on the loop that it belongs to."""

    def __init__(self, store: Store, loop: asyncio.AbstractEventLoop) -> None:
        self.kind, self.durable = store.kind, store.durable
        self._store, self._loop = store, loop

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Any]]:
        asked = getattr(self._store, name)
        return lambda *given, **named: asyncio.wrap_future(
            asyncio.run_coroutine_threadsafe(asked(*given, **named), self._loop)
        )
