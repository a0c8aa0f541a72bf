"""What would outlive a run: commands whose runner was killed, and what commands leave behind out of their group.

Two things that the end of a command does not reach. A runner that is killed (no handler runs then) cannot end its
commands: a small shell waits beside it and ends them. And a process that has left its command's group and session is
known by nothing but its parent: on Linux a process can ask to become that when the real one has ended. Elsewhere such
a process stays; Windows has neither.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

WAITED: Final = 2.0
"""Seconds in which what is killed has to be gone."""
SCRIPT: Final = """
trap '' HUP INT TERM
live=' '
while read -r sign group; do
  case $sign in
  +) live="$live$group " ;;
  -) live="${live%% $group *} ${live#* $group }" ;;
  esac
done
set -- $live
[ $# -gt 0 ] || exit 0
for group; do kill -TERM "-$group"; done 2>/dev/null
sleep 1
for group; do kill -KILL "-$group"; done 2>/dev/null
"""
"""It is told which groups run (`+ 12`) and which no longer do (`- 12`); the end of that is the end of who told it."""
_PROC: Final = Path("/proc")
_SET_CHILD_SUBREAPER: Final = 36
_PAUSE: Final = 0.01


class Watcher(Protocol):
    """The shell that waits beside a run."""

    def tell(self, line: str) -> None: ...

    def close(self) -> None: ...


class Guard:
    """Ends the groups of commands when this process cannot: it is told of each, and is started with the first."""

    def __init__(self, start: Callable[[], Watcher | None]) -> None:
        self._start = start
        self._watcher: Watcher | None = None
        self._started = False

    def watch(self, group: int) -> None:
        """A command has started."""
        if not self._started:
            self._started = True
            self._watcher = self._start()
        self._tell(f"+ {group}\n")

    def forget(self, group: int) -> None:
        """A command has ended, with its group."""
        self._tell(f"- {group}\n")

    def _tell(self, line: str) -> None:
        if self._watcher is not None:
            self._watcher.tell(line)

    def close(self) -> None:
        """The run is over."""
        if self._watcher is not None:
            self._watcher.close()
            self._watcher = None


class Adopted:
    """Makes this process the parent of what commands leave behind, so that it can be found and ended.

    It is for a process that starts nothing else: whatever becomes its child from then on was left behind.
    """

    def __init__(self) -> None:
        self.works = _adopt(True)
        # A shell that had something in the background and became this process has left us that as our own.
        self._ours = frozenset(children()) if self.works else frozenset()

    async def end(self) -> None:
        """Ends everything that was left behind, and what that leaves behind in turn."""
        if not self.works:
            return
        last = time.monotonic() + WAITED
        while (pids := [pid for pid in children() if pid not in self._ours]) and time.monotonic() < last:
            for pid in pids:
                with contextlib.suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                with contextlib.suppress(OSError):
                    os.waitpid(pid, os.WNOHANG)
            await asyncio.sleep(_PAUSE)
        _adopt(False)


def _adopt(on: bool) -> bool:
    """Asks the system for orphans; whether it can give them."""
    if not _PROC.joinpath("self", "stat").exists():
        return False
    import ctypes

    try:
        return bool(ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, int(on), 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def children() -> list[int]:
    """The processes whose parent is this one, as /proc has them."""
    found, us = [], os.getpid()
    for folder in _PROC.iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            told = (folder / "stat").read_bytes()
        except OSError:
            continue  # it ended meanwhile
        # The name in parentheses may hold anything, so the fields are counted from its end: state, parent, …
        if int(told[told.rindex(b")") + 1 :].split()[1]) == us:
            found.append(int(folder.name))
    return found
