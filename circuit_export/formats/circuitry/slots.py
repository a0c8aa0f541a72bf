"""Room for processes: how many commands may run at once, and which ones wait for room."""

from __future__ import annotations

from collections import deque
from typing import Final, Protocol

_MOST: Final = 4096
_FILES_EACH: Final = 6  # its three streams, what watches it, and what is open only while it starts
_OTHER_FILES: Final = 64


class Waiting(Protocol):
    """What waits for room."""

    def start(self) -> None: ...


class Slots:
    """Room for processes: where the system has no more, the next ones wait until one of ours has ended."""

    def __init__(self) -> None:
        self.taken = 0
        self.most = _most_processes()
        self._waiting: deque[Waiting] = deque()

    def take(self, child: Waiting) -> bool:
        """Takes room; false when there is none and the child has to wait until it is started again."""
        if self.taken < self.most:
            self.taken += 1
            return True
        self._waiting.append(child)
        return False

    def wait(self, child: Waiting) -> bool:
        """Gives room back that the system did not grant; false when nothing of ours runs that could make some."""
        self.taken -= 1
        if not self.taken:
            return False
        self.most = self.taken
        self._waiting.append(child)
        return True

    def leave(self, child: Waiting) -> bool:
        """Waits no longer; whether it did."""
        if child in self._waiting:
            self._waiting.remove(child)
            return True
        return False

    def release(self) -> None:
        """One has ended: the next one may start."""
        self.taken -= 1
        if self._waiting:
            self._waiting.popleft().start()


def _most_processes() -> int:
    """How many commands may run at once, by the open files that they need of us."""
    try:
        import resource
    except ImportError:
        return _MOST
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return _MOST if files == resource.RLIM_INFINITY else max(1, (files - _OTHER_FILES) // _FILES_EACH)
