"""The machine: it turns a program into records and requests, and is told what came of the requests.

It touches no clock, disk or process. `effects` fills with what happened and what is wanted; `work` does one bit of
what can be done without an answer, `loaded`, `yielded` and `ended` bring the answers. Times are handed in, as
milliseconds since the run began. Whatever the order of the answers, what a generation commits is the same: bindings
are applied in the order of declaration when all its calls have settled.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from hashlib import sha256
from os.path import normpath
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from circuit_export.formats.circuitry.dataflow import needed
from circuit_export.formats.circuitry.engine.codecs import argument, encoded
from circuit_export.formats.circuitry.engine.commands import Command
from circuit_export.formats.circuitry.engine.failures import CANCELLED, FINAL, LIMIT, Failed, Failure
from circuit_export.formats.circuitry.engine.state import (
    Effect,
    Emit,
    Invocation,
    Limits,
    Load,
    Record,
    Running,
    Start,
    Stop,
    names_program,
)
from circuit_export.formats.circuitry.expressions import NOT_READY, evaluate
from circuit_export.formats.circuitry.patterns import match_all
from circuit_export.formats.circuitry.program import JSONL
from circuit_export.formats.circuitry.reading import inspect
from circuit_export.formats.circuitry.values import ABSENT, canonical, check_depth
from circuit_export.formats.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from circuit_export.formats.circuitry.program import Call, Program

_LONGEST_IDENTITY = 128
_USUAL = Limits()


class Machine:
    """One run of one program. `finished` when its last record is among the effects."""

    def __init__(
        self, program: Program, text: str, *, input: Any = ABSENT, folder: str | None = None, limits: Limits = _USUAL
    ) -> None:
        self.limits = limits
        self.effects: deque[Effect] = deque()
        self.finished = False
        self.now = 0
        self._text = text
        self._root = Invocation(program, folder, input, None)
        self._todo: deque[tuple[Callable[[Any], None], Any]] = deque()
        self._ordinals = 0
        self._generations = 0
        self._introduced: dict[str, int] = {text: 0}
        self._programs: dict[str, Program | Failure] = {text: program}
        self._texts: dict[str, str | Failure] = {}
        self._needers: dict[int, dict[str, list[int]]] = {}  # of a program which of its calls take a name
        self._waiting: dict[str, list[Invocation]] = {}
        self._commands: dict[int, Running] = {}
        self._stopping: Failure | None = None

    # --- what the host calls -------------------------------------------------------------------------------------

    def begin(self, trace: str, at: str) -> None:
        """Begins the run: `trace` is a name for it that no other has, `at` the time as UTC text."""
        header: Record = {"at": at, "source": self._text, "trace": trace}
        if self._root.input is not ABSENT:
            header["input"] = self._root.input
        self._emit(header)
        self._todo.append((self._advance, self._root))

    def work(self, now: int) -> bool:
        """Does one bit of what can be done now; whether there was anything to do."""
        self.now = now
        if not self._todo:
            return False
        do, what = self._todo.popleft()
        do(what)
        return True

    def loaded(self, path: str, found: str | Failure, now: int) -> None:
        """Takes the text of a file, or why it cannot be had."""
        self.now = now
        self._texts[path] = found
        for invocation in self._waiting.pop(path, ()):
            invocation.open -= 1
            if not invocation.open:
                self._todo.append((self._launch, invocation))

    def yielded(self, id: int, value: Any, now: int) -> None:
        """Takes a value that a command gave."""
        self.now = now
        running = self._commands.get(id)
        if running is not None and self._stopping is None:
            self._yield(running, value)

    def ended(self, id: int, failure: Failure | None, now: int) -> None:
        """Takes the end of a command, after all its values."""
        self.now = now
        running = self._commands.pop(id, None)
        if running is not None:
            self._settle(running, failure)

    def cancel(self, now: int, failure: Failure | None = None) -> None:
        """Ends the run as soon as everything that it started has ended."""
        self.now = now
        if self._stopping is not None or self.finished:
            return
        self._stopping = failure or Failure(CANCELLED, "The run was cancelled")
        self.effects.extend(Stop(id) for id in self._commands)
        for invocations in self._waiting.values():
            for invocation in invocations:
                if invocation.open:
                    invocation.open = 0
                    self._todo.append((self._launch, invocation))
        self._waiting.clear()

    # --- a generation --------------------------------------------------------------------------------------------

    def _advance(self, invocation: Invocation) -> None:
        """Finds the calls that can run now and asks for the programs they need; ends the invocation without any."""
        if self._stopping is not None:
            return self._conclude(invocation, self._stopping)
        try:
            if not invocation.started and not self._take_input(invocation):
                return None
            for name in invocation.fresh:
                check_depth(invocation.state[name])
            ready = self._ready(invocation)
            if not ready:
                return self._finish(invocation)
        except RecursionError:
            return self._conclude(invocation, Failure("value.invalid", "A value is nested too deep"))
        self._generations += 1
        if self.limits.generations is not None and self._generations > self.limits.generations:
            most = counted(self.limits.generations, "generation")
            return self._exhausted(invocation, f"The run needs more than {most}")
        invocation.running = ready
        wanted = self._resolve(invocation)
        if not wanted:
            return self._launch(invocation)
        invocation.open = len(wanted)
        for path in wanted:
            if path not in self._waiting:
                self._waiting[path] = []
                self.effects.append(Load(path, self.limits.source_bytes))
            self._waiting[path].append(invocation)
        return None

    def _take_input(self, invocation: Invocation) -> bool:
        invocation.started = True
        value = {} if invocation.input is ABSENT else invocation.input
        state = match_all(invocation.program.input, [value])
        if state is None:
            self._conclude(
                invocation, Failure("match.input", "The input does not have the shape that the program needs")
            )
            return False
        invocation.state = state
        return True

    def _ready(self, invocation: Invocation) -> list[Running]:
        """The calls whose every need is met and that have not run just so, in the order of declaration.

        After the first time only those are looked at that take a name which was just bound: nothing is new for others.
        """
        found: list[Running] = []
        identities: list[str] = []
        state = invocation.state
        for call in self._candidates(invocation):
            running = _prepared(invocation, call, state)
            if running is None:
                continue
            identity = _identity(running)
            if identity not in invocation.seen:
                identities.append(identity)
                found.append(running)
        invocation.seen.update(identities)
        return found

    def _candidates(self, invocation: Invocation) -> Iterable[Call]:
        calls = invocation.program.calls
        if not invocation.looked:
            invocation.looked = True
            return calls
        needers = self._needers.get(id(invocation.program))
        if needers is None:
            needers = self._needers[id(invocation.program)] = {}
            for at, call in enumerate(calls):
                for name in needed(call):
                    needers.setdefault(name, []).append(at)
        return [calls[at] for at in sorted({at for name in invocation.fresh for at in needers.get(name, ())})]

    def _finish(self, invocation: Invocation) -> None:
        output = evaluate(invocation.program.output, invocation.state)
        if output is NOT_READY or output is ABSENT:
            message = "No call can run any more, and the program's out needs state that nothing has bound"
            return self._conclude(invocation, Failure("run.quiescent", message))
        return self._conclude(invocation, None, output)

    def _resolve(self, invocation: Invocation) -> list[str]:
        """Says of each ready call what program it runs, if any; the paths of files that must be read first."""
        wanted: dict[str, None] = {}
        for running in invocation.running:
            source = running.source
            if not isinstance(source, str):
                running.problem = Failure("call.source", "The source of a call is no text")
            elif running.call.generated:
                running.text = source
            elif names_program(source):
                if not PurePath(source).is_absolute() and running.folder is None:
                    running.problem = Failure("source.cwd", f"{source} is relative, and the run has no folder")
                    continue
                running.path = normpath(PurePath(running.folder or "", source))
                running.folder = str(PurePath(running.path).parent)
                if running.path not in self._texts:
                    wanted[running.path] = None
        return list(wanted)

    def _launch(self, invocation: Invocation) -> None:
        """Records the calls of a generation, then starts them."""
        if self._stopping is not None:
            return self._conclude(invocation, self._stopping)
        invocation.open = len(invocation.running)
        for running in invocation.running:
            self._introduce(running)
        for running in invocation.running:
            self._start(running)
        return None

    def _introduce(self, running: Running) -> None:
        """Records a call; a program's text is written out the first time, and is its ordinal from then on."""
        record: Record = {"at": self.now, "call": running.call.name}
        if running.owner.parent is not None:
            record["parent"] = running.owner.parent.ordinal
        if running.path is not None:
            found = self._texts[running.path]
            if isinstance(found, Failure):
                running.problem = found
            else:
                running.text = found
        if running.text is not None:
            record["source"] = self._introduced.get(running.text, running.text)
            self._introduced.setdefault(running.text, self._ordinals)
        running.ordinal = self._emit(record)

    def _start(self, running: Running) -> None:
        problem = self._stopping or running.problem
        if problem is not None:
            self._settle(running, problem)
        elif running.text is not None:
            self._nest(running, running.text)
        elif running.source == "":
            self._yield(running, {} if running.input is ABSENT else running.input)
            self._settle(running, None)
        else:
            self._command(running)

    def _nest(self, running: Running, text: str) -> None:
        program = self._program(text)
        if isinstance(program, Failure):
            return self._settle(running, program)
        invocation = Invocation(program, running.folder, running.input, running)
        if self.limits.depth is not None and invocation.depth > self.limits.depth:
            return self._exhausted(invocation, f"Programs run programs more than {self.limits.depth:,} deep")
        self._todo.append((self._advance, invocation))
        return None

    def _program(self, text: str) -> Program | Failure:
        found = self._programs.get(text)
        if found is None:
            inspected = inspect(text)
            found = inspected.program
            if found is None:
                message = "\n".join(one.message for one in inspected.said)
                found = Failure("program.invalid", message, [one.value() for one in inspected.said])
            self._programs[text] = found
        return found

    def _command(self, running: Running) -> None:
        call = running.call
        try:
            stdin = None
            if running.input is not ABSENT:
                stdin = encoded(call.input_codec, running.input, self.limits.input_bytes)
            arguments = tuple(map(argument, running.arguments))
            executable = argument(running.source)
        except Failed as found:
            return self._settle(running, found.failure)
        command = Command(executable, arguments, stdin, running.folder, call.output_codec, self.limits.output_bytes)
        self._commands[running.ordinal] = running
        self.effects.append(Start(running.ordinal, command, call.name, running.input))
        return None

    # --- results -------------------------------------------------------------------------------------------------

    def _yield(self, running: Running, value: Any) -> None:
        self._emit({"at": self.now, "value": value, "yield": running.ordinal})
        running.values.append(value)

    def _settle(self, running: Running, failure: Failure | None) -> None:
        """Records what became of a call; the last one of a generation ends it."""
        call, values = running.call, running.values
        bindings: dict[str, Any] | None = None
        if self._stopping is not None:
            failure = self._stopping
        if failure is None:
            bindings = match_all(call.output, values, collect=call.output_codec == JSONL)
            if bindings is None:
                failure = Failure("match.output", f"Nothing that {call.name} gave has the shape of its out", values)
        record: Record = {"at": self.now, "result": running.ordinal}
        if failure is not None:
            record["error"] = failure.value()
            if call.error is not None and failure.code not in FINAL:
                bindings = match_all(call.error, [failure.value()])
        if bindings is None:
            running.failure = failure
        else:
            record["bindings"] = running.bindings = bindings
        self._emit(record)
        running.settled = True
        running.values = []
        running.owner.open -= 1
        if not running.owner.open:
            self._todo.append((self._commit, running.owner))

    def _commit(self, invocation: Invocation) -> None:
        """Makes what a generation bound visible, all at once, or fails with its first failure."""
        failure = self._stopping or next((one.failure for one in invocation.running if one.failure is not None), None)
        if failure is not None:
            return self._conclude(invocation, failure)
        for running in invocation.running:
            invocation.state.update(running.bindings)
            invocation.fresh.update(running.bindings)
        invocation.running = []
        self._advance(invocation)
        return invocation.fresh.clear()

    def _conclude(self, invocation: Invocation, failure: Failure | None, output: Any = None) -> None:
        """Ends an invocation: the run itself, or the call that runs this program."""
        parent = invocation.parent
        if parent is None:
            result = {"output": output} if failure is None else {"error": failure.value()}
            self._emit({"at": self.now, "result": 0, **result})
            self.finished = True
            return
        if failure is None:
            self._yield(parent, output)
        self._settle(parent, failure)

    def _exhausted(self, invocation: Invocation, message: str) -> None:
        self.cancel(self.now, Failure(LIMIT, message))
        self._todo.append((self._advance, invocation))

    def _emit(self, record: Record) -> int:
        self.effects.append(Emit(record))
        self._ordinals += 1
        return self._ordinals - 1


def _prepared(invocation: Invocation, call: Call, state: dict[str, Any]) -> Running | None:
    """A call with the values it would run with, None when one of them is not to be had."""
    source = evaluate(call.source, state)
    if source is NOT_READY or source is ABSENT:
        return None
    arguments = []
    for item in call.arguments:
        value = evaluate(item, state)
        if value is NOT_READY:
            return None
        if value is not ABSENT:
            arguments.append(value)
    input: Any = ABSENT
    if call.input is not None:
        input = evaluate(call.input, state)
        if input is NOT_READY or input is ABSENT:
            return None
    return Running(invocation, call, source, arguments, input)


def _identity(running: Running) -> str:
    """What makes an invocation of a call the same as an earlier one; a checksum of it when it is long."""
    call = running.call
    has_input = running.input is not ABSENT
    parts = [call.name, running.source, call.generated, running.arguments, has_input, call.input_codec]
    text = canonical([*parts, running.input] if has_input else parts)
    return text if len(text) <= _LONGEST_IDENTITY else sha256(text.encode()).hexdigest()
