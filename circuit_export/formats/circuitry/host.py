"""The one place in the project that starts processes: commands as children, and that nothing of them is left running.

A command runs without a shell, in a process group of its own where there are such, so that what it leaves behind can
be ended with it.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import subprocess
import threading
from typing import TYPE_CHECKING, Any, Protocol

from circuit_export.formats.circuitry.engine.commands import Exit, Session
from circuit_export.formats.circuitry.leftovers import SCRIPT

if TYPE_CHECKING:
    from collections.abc import Callable

    from circuit_export.formats.circuitry.engine.commands import Command
    from circuit_export.formats.circuitry.engine.failures import Failure
    from circuit_export.formats.circuitry.leftovers import Guard
    from circuit_export.formats.circuitry.slots import Slots

GRACE = 1.0
"""Seconds between the request to end and the end."""
LEFT_OPEN = 1.0
"""Seconds that streams may stay open after the end, when somebody outside the group holds them."""
_AT_ONCE = 4096
"""Bytes of input that every system's pipes take at once."""
_FITS = 65_536
"""Bytes of input that are not missed when nobody reads them: they were on their way already."""
_STDIN, _STDOUT, _STDERR = 0, 1, 2
_FULL = frozenset((errno.EMFILE, errno.ENFILE, errno.EAGAIN, errno.ENOMEM))
_HAS_GROUPS = hasattr(os, "killpg")
_OWN_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)  # Windows: a Ctrl-C is for us, not for the command
_BREAK = getattr(signal, "CTRL_BREAK_EVENT", None)
_SHELL = "/bin/sh"
_HAS_BATCHES = os.name == "nt"
_BATCHES = (".bat", ".cmd")
_NOT_BEGUN = "the run was cancelled before"
_KILL = getattr(signal, "SIGKILL", signal.SIGABRT)


class Host(Protocol):
    """What a child needs of who started it."""

    loop: asyncio.AbstractEventLoop
    slots: Slots
    guard: Guard

    @property
    def environment(self) -> dict[str, str] | None: ...

    def say_values(self, id: int, values: list[Any]) -> bool: ...

    def say_ended(self, id: int, failure: Failure | None) -> None: ...


def _filled(data: bytes) -> int:
    """A pipe that holds this little data and its end, so that it does not count whether anybody reads it."""
    reading, writing = os.pipe()
    try:
        os.write(writing, data)
    finally:
        os.close(writing)
    return reading


def _argv(command: Command) -> list[str | bytes]:
    """What is handed to the system. Raises OSError for what a shell would read.

    Texts are UTF-8 wherever a command finds them, as its standard input is, whatever locale this process has. A batch
    file is run by the shell of Windows, whose reading of the arguments no quoting tames.
    """
    if _HAS_BATCHES and command.executable.rstrip(" .").lower().endswith(_BATCHES):
        raise OSError(errno.ENOEXEC, "a batch file is run by a shell, which would read the arguments as commands")
    texts = (command.executable, *command.arguments)
    return [text.encode() for text in texts] if _HAS_GROUPS else list(texts)


class Child(asyncio.SubprocessProtocol):
    """One command, from its start until it is reported as ended, exactly once."""

    def __init__(self, host: Host, id: int, command: Command) -> None:
        self._host = host
        self._id = id
        self._command = command
        self._session = Session(command)
        self._transport: asyncio.SubprocessTransport | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_fed = command.stdin is not None and len(command.stdin) > _AT_ONCE
        self._open = {_STDIN, _STDOUT, _STDERR} if self._is_fed else {_STDOUT, _STDERR}
        self._exited = self._unread = self._stopping = self._done = self._paused = self._lingers = False
        self._timers: list[asyncio.TimerHandle] = []

    # --- its start -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Starts it, as soon as there is room."""
        if self._host.slots.take(self):
            self._task = self._host.loop.create_task(self._begin())

    async def _begin(self) -> None:
        command = self._command
        if self._stopping:
            return self._end(Exit(not_started=_NOT_BEGUN))
        stdin = subprocess.PIPE
        try:
            if not self._is_fed:
                stdin = subprocess.DEVNULL if command.stdin is None else _filled(command.stdin)
            await self._host.loop.subprocess_exec(
                lambda: self,
                *_argv(command),
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                cwd=command.folder,
                env=self._host.environment,
                start_new_session=_HAS_GROUPS,
                creationflags=_OWN_GROUP,
            )
        except (OSError, ValueError) as error:
            full = isinstance(error, OSError) and error.errno in _FULL
            if full and not self._stopping:
                if self._host.slots.wait(self):
                    return None
                self._host.slots.taken += 1
            self._end(Exit(not_started=getattr(error, "strerror", None) or str(error)))
        finally:
            if stdin >= 0:
                os.close(stdin)
        return None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.SubprocessTransport)
        self._transport = transport
        self._host.guard.watch(transport.get_pid())
        if self._stopping:
            self._terminate()
        if self._is_fed:
            stream = transport.get_pipe_transport(_STDIN)
            assert isinstance(stream, asyncio.WriteTransport)
            self._unread = stream.is_closing()  # it has ended already, before anything was written
            stream.write(self._command.stdin or b"")
            stream.write_eof()

    # --- its streams ---------------------------------------------------------------------------------------------

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        assert isinstance(data, bytes)
        if fd == _STDERR:
            self._session.stderr(data)
            return
        values = self._session.stdout(data)
        if values and not self._host.say_values(self._id, values):
            self._pause()
        if self._session.failure is not None:
            self._kill()

    def _pause(self) -> None:
        stream = self._transport.get_pipe_transport(_STDOUT) if self._transport is not None else None
        if isinstance(stream, asyncio.ReadTransport) and not self._paused and not stream.is_closing():
            self._paused = True
            stream.pause_reading()

    def resume(self) -> None:
        """Goes on reading its output, which nobody could take for a while."""
        if not self._paused or self._transport is None:
            return
        self._paused = False
        stream = self._transport.get_pipe_transport(_STDOUT)
        if isinstance(stream, asyncio.ReadTransport) and not stream.is_closing():
            stream.resume_reading()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == _STDIN:
            self._unread = self._unread or isinstance(exc, BrokenPipeError | ConnectionResetError)
        self._open.discard(fd)
        self._look()

    # --- its end -------------------------------------------------------------------------------------------------

    def process_exited(self) -> None:
        self._exited = True
        self._look()
        if not self._done and (self._stopping or self._session.failure is not None):
            self._later(LEFT_OPEN, self._finish)

    def _look(self) -> None:
        """Ends it when all that counts has ended: itself and its output. What it leaves behind is ended then."""
        if not self._exited or _STDOUT in self._open or self._done:
            return
        self._signal(_KILL)
        if not self._open:
            self._finish()
        elif not self._lingers:
            self._lingers = True
            self._later(LEFT_OPEN, self._finish)

    def stop(self) -> None:
        """Asks it to end, and makes it end a second later."""
        if self._stopping:
            return
        self._stopping = True
        if self._transport is not None:
            self._terminate()
        elif self._host.slots.leave(self):
            self._end(Exit(not_started=_NOT_BEGUN), waited=True)

    def _terminate(self) -> None:
        self._signal(signal.SIGTERM)
        self._later(GRACE, self._kill)
        self.resume()

    def _kill(self) -> None:
        self._signal(_KILL)
        if self._exited:
            self._later(LEFT_OPEN, self._finish)

    def _signal(self, number: signal.Signals) -> None:
        """Sends a signal to its whole group, to itself where there are no groups."""
        if self._transport is None:
            return
        try:
            if _HAS_GROUPS:
                os.killpg(self._transport.get_pid(), number)
            elif not self._exited and number == signal.SIGTERM and _BREAK is not None:
                self._transport.send_signal(_BREAK)
            elif not self._exited:
                self._transport.kill()
        except OSError:
            return  # nothing of it is left, or (Windows) it has no console to be asked by: it is ended a little later

    def _later(self, seconds: float, do: Any) -> None:
        self._timers.append(self._host.loop.call_later(seconds, do))

    def _finish(self) -> None:
        code = self._transport.get_returncode() if self._transport is not None else None
        self._unread = self._unread or self._has_unwritten()
        unread = self._unread and len(self._command.stdin or b"") > _FITS
        if code is not None and code < 0:
            self._end(Exit(None, _signal_name(-code), unread))
        else:
            self._end(Exit(code, None, unread))

    def _has_unwritten(self) -> bool:
        """Whether some of its input was never taken: its end can be seen before that of its input."""
        stream = self._transport.get_pipe_transport(_STDIN) if self._transport is not None else None
        return isinstance(stream, asyncio.WriteTransport) and stream.get_write_buffer_size() > 0

    def _end(self, exit: Exit, *, waited: bool = False) -> None:
        if self._done:
            return
        self._done = True
        for timer in self._timers:
            timer.cancel()
        values, failure = self._session.ended(exit)
        if values:
            self._host.say_values(self._id, values)
        self._host.say_ended(self._id, failure)
        if self._transport is not None:
            self._host.guard.forget(self._transport.get_pid())
            self._transport.close()
        if not waited:
            self._host.slots.release()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"SIG{number}"


def hear_of_ends() -> Callable[[], None]:
    """Sees to it that the ends of children are told, where whoever started us had that ignored; what undoes it."""
    number = getattr(signal, "SIGCHLD", None)
    if number is None or threading.current_thread() is not threading.main_thread():
        return lambda: None
    if signal.getsignal(number) != signal.SIG_IGN:
        return lambda: None
    signal.signal(number, signal.SIG_DFL)

    def undo() -> None:
        signal.signal(number, signal.SIG_IGN)

    return undo


class Watcher:
    """The shell that waits beside a run and ends its commands when this process was killed."""

    def __init__(self) -> None:
        null, pipe = subprocess.DEVNULL, subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603  # our own script, with nothing of a stranger's in it
            [_SHELL, "-c", SCRIPT],
            stdin=pipe,
            stdout=null,
            stderr=null,
            cwd="/",
            env={"PATH": "/usr/bin:/bin"},
            start_new_session=True,
        )

    @classmethod
    def start(cls) -> Watcher | None:
        """Starts one, where there are groups of processes and a shell."""
        if not _HAS_GROUPS:
            return None
        try:
            return cls()
        except OSError:
            return None

    def tell(self, line: str) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            os.write(self._process.stdin.fileno(), line.encode())

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
