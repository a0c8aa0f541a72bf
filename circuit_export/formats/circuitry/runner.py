"""Runs programs for real: drives a machine, hands its commands to the host, and gives the records as they happen.

Records are made only as fast as they are taken; who stops taking them cancels the run.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from circuit_export.formats.circuitry.engine.failures import CANCELLED, LIMIT, Failure
from circuit_export.formats.circuitry.engine.machine import Machine
from circuit_export.formats.circuitry.engine.state import Emit, Limits, Load, Start
from circuit_export.formats.circuitry.host import Child, Watcher, hear_of_ends
from circuit_export.formats.circuitry.leftovers import Adopted, Guard
from circuit_export.formats.circuitry.loading import read_source
from circuit_export.formats.circuitry.reading import parse
from circuit_export.formats.circuitry.slots import Slots
from circuit_export.formats.circuitry.values import ABSENT, SAFE, value_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping

    from circuit_export.formats.circuitry.engine.state import Effect, Record
    from circuit_export.formats.circuitry.program import Program

AT_ONCE = 200
"""Bits of work that are done before others get their turn, and news that may wait before commands have to."""


class Cancel:
    """Cancels a run, from wherever it is called: a signal handler or another thread too."""

    def __init__(self) -> None:
        self.reason: str | None = None
        self._listeners: list[Callable[[], None]] = []

    def __call__(self, reason: str = "The run was cancelled") -> None:
        """Cancels; the first reason is the one that counts."""
        if self.reason is None:
            self.reason = reason
            for listener in tuple(self._listeners):
                listener()

    def listen(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    def forget(self, listener: Callable[[], None]) -> None:
        self._listeners.remove(listener)


class Terms(NamedTuple):
    """On which terms a program runs.

    `cwd` is the absolute folder of relative names, None for none; `environment` the whole of a command's, None for
    that of this process. `seconds` bounds the whole run, None for no bound. `sources` are texts of programs by their
    absolute paths, which are not read from there. `adopts` says that this process starts nothing else meanwhile, so
    that whatever commands leave behind can be told and is ended with the run.
    """

    cwd: str | None = None
    limits: Limits = Limits()
    environment: dict[str, str] | None = None
    seconds: float | None = None
    sources: Mapping[str, str] | None = None
    adopts: bool = False


_USUAL = Terms()


class BadTerms(ValueError):
    """Terms or an input that no run can have; `code` says which."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def checked(terms: Terms) -> Terms:
    """The terms. Raises BadTerms for a folder that is not absolute or a bound that is none."""
    if terms.cwd is not None and not Path(terms.cwd).is_absolute():
        raise BadTerms("run.cwd", f"The folder of a run is an absolute path; {terms.cwd} is not")
    for name, bound in terms.limits._asdict().items():
        if bound is None and name in ("generations", "depth"):
            continue
        if isinstance(bound, bool) or not isinstance(bound, int) or not 0 < bound < SAFE:
            raise BadTerms("run.limits", f"{name} is a whole number from 1; {bound!r} is not")
    if terms.seconds is not None and not terms.seconds > 0:
        raise BadTerms("run.limits", f"The seconds of a run are more than nothing; {terms.seconds!r} are not")
    return terms


def run(
    text: str,
    *,
    input: Any = ABSENT,
    terms: Terms = _USUAL,
    cancel: Cancel | None = None,
    program: Program | None = None,
) -> Iterator[Record]:
    """Runs a program and gives its records as they happen, the last one its result.

    It executes the program's commands. Raises, before any record: InvalidProgram, BadTerms, NotAValue for an input
    that is none. `program` spares compiling a text that was compiled already.
    """
    return _driven(_machine(text, input, checked(terms), program), terms, cancel)


async def records(
    text: str,
    *,
    input: Any = ABSENT,
    terms: Terms = _USUAL,
    cancel: Cancel | None = None,
    program: Program | None = None,
) -> AsyncIterator[Record]:
    """Like `run`, in the event loop that is running."""
    host = _Host(_machine(text, input, checked(terms), program), terms, cancel)
    try:
        while batch := await host.batch():
            for record in batch:
                yield record
    finally:
        await host.close()


def _machine(text: str, input: Any, terms: Terms, program: Program | None) -> Machine:
    value = input if input is ABSENT else value_of(input)
    return Machine(program or parse(text), text, input=value, folder=terms.cwd, limits=terms.limits)


def _driven(machine: Machine, terms: Terms, cancel: Cancel | None) -> Iterator[Record]:
    """The records of a run in an event loop of its own, which stands still while nobody asks for more."""

    async def opened() -> _Host:
        return _Host(machine, terms, cancel)

    loop = asyncio.new_event_loop()
    host = loop.run_until_complete(opened())
    task: asyncio.Task[list[Record]] | None = None
    try:
        while True:
            task = loop.create_task(host.batch())
            batch = loop.run_until_complete(task)
            if not batch:
                return
            yield from batch
    finally:
        if task is not None and not task.done():  # interrupted while it waited
            task.cancel()
            loop.run_until_complete(asyncio.wait([task]))
        loop.run_until_complete(host.close())
        loop.run_until_complete(asyncio.sleep(0))  # what was closed is let go of
        loop.close()


class _Host:
    """Performs what a machine asks for and tells it what came of it."""

    def __init__(self, machine: Machine, terms: Terms, cancel: Cancel | None) -> None:
        self.machine = machine
        self.terms = terms
        self.loop = asyncio.get_running_loop()
        self.slots = Slots()
        self.guard = Guard(Watcher.start)
        self._adopted = Adopted() if terms.adopts else None
        self._undo = hear_of_ends()
        self._cancel = cancel
        self._children: dict[int, Child] = {}
        self._news: deque[tuple[Callable[..., None], tuple[Any, ...]]] = deque()
        self._woken = asyncio.Event()
        self._began = time.monotonic()
        self._timer: asyncio.TimerHandle | None = None
        self._turns = 0
        self._begin()

    @property
    def now(self) -> int:
        """Milliseconds since the run began."""
        return int((time.monotonic() - self._began) * 1000)

    def _begin(self) -> None:
        from uuid import uuid4

        seconds = time.time()
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{int(seconds * 1000) % 1000:03d}Z"
        self.machine.begin(str(uuid4()), at)
        if self._cancel is not None:
            self._cancel.listen(self._cancelled)
            if self._cancel.reason is not None:
                self.machine.cancel(0, Failure(CANCELLED, self._cancel.reason))
        if self.terms.seconds is not None:
            self._timer = self.loop.call_later(self.terms.seconds, self._timed_out, self.terms.seconds)

    def _cancelled(self) -> None:
        self.loop.call_soon_threadsafe(self._stop, CANCELLED, (self._cancel and self._cancel.reason) or "")

    def _timed_out(self, seconds: float) -> None:
        self._stop(LIMIT, f"The run takes longer than {seconds:g} {'second' if seconds == 1 else 'seconds'}")

    def _stop(self, code: str, message: str) -> None:
        self.machine.cancel(self.now, Failure(code, message))
        self._woken.set()

    async def batch(self) -> list[Record]:
        """The next records, as soon as there are any; none when the run has ended."""
        found: list[Record] = []
        effects = self.machine.effects
        while True:
            while effects:
                effect = effects[0]
                if isinstance(effect, Emit):
                    found.append(effect.record)
                elif found:
                    return found  # what comes next is not begun before these are taken
                else:
                    self._perform(effect)
                effects.popleft()
            if found or self.machine.finished:
                return found
            await self._proceed()

    def _perform(self, effect: Effect) -> None:
        """Begins what the machine asks for."""
        if isinstance(effect, Load):
            self.machine.loaded(effect.path, read_source(effect.path, effect.limit, self.terms.sources), self.now)
        elif isinstance(effect, Start):
            self._children[effect.id] = Child(self, effect.id, effect.command)
            self._children[effect.id].start()
        elif not isinstance(effect, Emit) and effect.id in self._children:
            self._children[effect.id].stop()

    async def _proceed(self) -> None:
        """Does what can be done now, or waits for news."""
        self._turns += 1
        if not self._turns % AT_ONCE:
            await asyncio.sleep(0)  # a run without commands lets others have their turn too
        if self.machine.work(self.now):
            return
        if not self._news:
            self._woken.clear()
            await self._woken.wait()
        now = self.now
        for _ in range(min(AT_ONCE, len(self._news))):
            tell, arguments = self._news.popleft()
            tell(*arguments, now)
        if not self._news:
            for child in self._children.values():
                child.resume()

    # --- what children say ---------------------------------------------------------------------------------------

    @property
    def environment(self) -> dict[str, str] | None:
        return self.terms.environment

    def say_values(self, id: int, values: list[Any]) -> bool:
        """Takes values of a command; whether it may go on without being read for a while."""
        for value in values:
            self._news.append((self.machine.yielded, (id, value)))
        self._woken.set()
        return len(self._news) < AT_ONCE

    def say_ended(self, id: int, failure: Failure | None) -> None:
        """Takes the end of a command."""
        del self._children[id]
        self._news.append((self.machine.ended, (id, failure)))
        self._woken.set()

    async def close(self) -> None:
        """Ends everything that still runs, and waits for it."""
        if self._timer is not None:
            self._timer.cancel()
        if self._cancel is not None:
            self._cancel.forget(self._cancelled)
        for child in list(self._children.values()):
            child.stop()
        cancelled = False
        while self._children:
            self._woken.clear()
            try:
                await self._woken.wait()
            except asyncio.CancelledError:  # first nothing may be left running
                cancelled = True
        self.guard.close()
        if self._adopted is not None:
            await self._adopted.end()
        self._undo()
        if cancelled:
            raise asyncio.CancelledError
