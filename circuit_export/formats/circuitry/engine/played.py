"""A program as the scenario driver plays it: its commands are asked for one by one, in the order of declaration.

A run is plain JSON: what was answered is in its `log`, from which everything else follows. Between two calls the
machine itself is kept, and built anew from the log whenever the run is another one.
"""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from circuit_export.diagnostics import CircuitError
from circuit_export.formats.circuitry.branches import branches
from circuit_export.formats.circuitry.dataflow import IN, OUT, dataflow
from circuit_export.formats.circuitry.engine.answers import asked, outcome, revived
from circuit_export.formats.circuitry.engine.failures import Failure
from circuit_export.formats.circuitry.engine.machine import Machine
from circuit_export.formats.circuitry.engine.state import Emit, Limits, Load, Start
from circuit_export.formats.circuitry.engine.watch import Watch
from circuit_export.formats.circuitry.patterns import match_all
from circuit_export.formats.circuitry.values import ABSENT
from circuit_export.formats.circuitry.words import Kind, kind, nested_path
from circuit_export.formats.wording import shown
from circuit_export.runs import record
from circuit_export.runs.clipping import clip
from circuit_export.runs.directives import BLOCKED, CALL_TOOL, DONE
from circuit_export.runs.outline import Outline, Way
from circuit_export.runs.record import NotPlain, plain

if TYPE_CHECKING:
    from circuit_export.formats.circuitry.document import ProgramDocument
    from circuit_export.runs.directives import Directive
    from circuit_export.runs.record import Run
    from circuit_export.runs.targets import Proposer

_NO_INPUT: Mapping[str, Any] = {}
_DEEPEST = 100


class _Live:
    """The machine of a run, as far as its log goes."""

    def __init__(self, program: PlayedProgram, run: Run) -> None:
        self.log = run["log"]
        self.watch = Watch(program.flow)
        self.starts: deque[Start] = deque()
        self.done = 0
        self._program = program
        document = program.document
        given = run["data"]["given"]
        input = revived(given["value"]) if given else ABSENT
        limits = Limits(generations=program.limit, depth=_DEEPEST)
        folder = posixpath.dirname(document.definition.path)
        self.machine = Machine(document.program, document.definition.text, input=input, folder=folder, limits=limits)
        takes = match_all(document.program.input, [{} if input is ABSENT else input])
        if takes is not None:
            self.watch.begin(takes)
        self.machine.begin(run["id"], "2000-01-01T00:00:00.000Z")
        self.proceed(run["startedAt"])
        for entry in list(self.log):
            self.take(entry, entry["at"])

    def take(self, entry: dict[str, Any], now: str) -> None:
        """Gives the command that is asked for its outcome."""
        start = self.starts.popleft()
        values, failure = outcome(start.command, entry)
        for value in values:
            self.machine.yielded(start.id, value, 0)
        self.machine.ended(start.id, failure, 0)
        self.done += 1
        self.proceed(now)

    def proceed(self, now: str) -> None:
        """Goes on until an answer is needed."""
        machine = self.machine
        while True:
            while machine.effects:
                effect = machine.effects.popleft()
                if isinstance(effect, Emit):
                    self.watch.see(effect.record, now)
                elif isinstance(effect, Load):
                    machine.loaded(effect.path, self._program.text(effect.path), 0)
                elif isinstance(effect, Start):
                    self.starts.append(effect)
                else:
                    machine.ended(effect.id, None, 0)
            if not machine.work(0) and not machine.effects:
                self.watch.flush()
                return


class PlayedProgram:
    """The engine of one program and those it calls; `limit` bounds directives and generations alike."""

    def __init__(self, document: ProgramDocument, called: Mapping[str, ProgramDocument], limit: int = 10_000) -> None:
        self.document = document
        self.called = called
        self.limit = limit
        self.flow = dataflow(document.program)
        self._live: _Live | None = None

    def text(self, path: str) -> str | Failure:
        """The text of a nested program."""
        path = path.replace("\\", "/")
        if path == self.document.definition.path:
            return self.document.definition.text
        found = self.called.get(path)
        return found.definition.text if found is not None else Failure("source.read", f"{path} is not at hand")

    # --- beginning -----------------------------------------------------------------------------------------------

    def start(
        self, run_id: str, now: str, mode: str = record.LIVE, trigger: Any = None, input: Mapping[str, Any] = _NO_INPUT
    ) -> Run:
        """A new run; the program's input is `trigger`, which may be any value, or else `input`.

        Raises CircuitError for a program that is wrong, and for a mode that there is not.
        """
        if mode not in (record.LIVE, record.TEST):
            raise CircuitError("There is no such mode", found=mode, expected=f"{record.LIVE} or {record.TEST}")
        if not self.document.is_valid:
            first = self.document.said[0]
            raise CircuitError("The program is wrong, so it cannot run", found=f"{first.code}: {first.message}")
        given = trigger if trigger is not None else dict(input) or None
        try:
            revived(given)
        except ValueError as error:
            raise CircuitError("The program cannot have this input", found=str(error)) from None
        held = {} if given is None else {"value": given}
        data = {"trigger": trigger, "input": dict(input), "steps": {}, "given": held}
        return {
            "id": run_id,
            "workflowId": self.document.id,
            "status": record.RUNNING,
            "mode": mode,
            "startedAt": now,
            "data": data,
            "queue": [],
            "loops": [],
            "flowId": self.document.id,
            "calls": [],
            "awaiting": None,
            "attempts": 0,
            "failedAt": None,
            "trace": [{"stepId": id, "state": record.IDLE} for id in self.flow.ids],
            "history": [],
            "directives": 0,
            "taken": [],
            "branches": [],
            "stopped": None,
            "log": [],
        }

    # --- moving on -----------------------------------------------------------------------------------------------

    def advance(self, run: Run, now: str = "") -> Directive:
        """The next directive: a command to be answered for, or the end. Until it is answered it is the same again."""
        self._check(run)
        if run["stopped"]:
            return {**run["stopped"], "turn": run["directives"]}
        live = self._alive(run)
        if run["awaiting"]:
            return asked(live.starts[0], live.watch, run["awaiting"]["turn"])
        return self._next(run, now, live)

    def report(self, run: Run, now: str, step_id: str, result: Any, turn: int | None = None) -> Directive:
        """Takes what a command gave; of a `jsonl` one a list is its records."""
        return self._take(run, now, step_id, {"result": result}, turn)

    def fail(self, run: Run, now: str, step_id: str, error: Any, turn: int | None = None) -> Directive:
        """Takes the failure of a command: a text, or an object with `code`, `message` and `data`."""
        return self._take(run, now, step_id, {"error": error}, turn)

    def report_many(
        self,
        run: Run,
        now: str,  # the driver's protocol
        step_id: str,
        results: Mapping[str, Any],
        errors: Mapping[str, Any],
        turn: int | None = None,
    ) -> Directive:
        """Refuses: commands are asked for one by one."""
        self._check(run)
        return self._refuse(run, "one result is awaited, not several")

    def resume(self, run: Run, now: str, skip: bool = False, input: Mapping[str, Any] | None = None) -> Directive:
        """Takes up a run that stopped: the answer that failed it is asked for once more. Nothing can be passed over."""
        self._check(run)
        if skip or input:
            return self._refuse(run, "a program's call cannot be passed over or given something else")
        if not run["stopped"] or run["status"] != record.FAILED or not run["log"]:
            return self.advance(run, now)
        run["log"].pop()
        run.update(stopped=None, failedAt=None, status=record.RUNNING, awaiting=None)
        run.pop("endedAt", None)
        self._live = None
        return self.advance(run, now)

    def path(self, run: Run) -> tuple[str, ...]:
        """The calls that lead to the command that is asked for."""
        live = self._alive(run)
        return live.watch.path(live.starts[0].id)[:-1] if live.starts and run["awaiting"] else ()

    # --- what there is -------------------------------------------------------------------------------------------

    def outline(self) -> Outline:
        """The input, the calls and the output, the wires between them, and which calls are commands."""
        return self._outline({})

    def _outline(self, known: dict[str, Outline | None]) -> Outline:
        """The outline; of programs inside it each is outlined once, and `known` then."""
        flow = self.flow
        ways = [Way(flow.ids[found.port.step], found.port.label, flow.ids[found.target]) for found in flow.flows()]
        asks, calls = {}, {}
        for call in self.document.calls:
            what = kind(call)
            if what is Kind.COMMAND:
                asks[call.name] = CALL_TOOL
            elif what is not Kind.PASS:
                calls[call.name] = self._inner(nested_path(call, self.document), known)
        return Outline(flow.ids, tuple(dict.fromkeys(ways)), asks, calls, branches(self.document.program, flow))

    def _inner(self, path: str | None, known: dict[str, Outline | None]) -> Outline | None:
        found = self.called.get(path) if path is not None else None
        if found is None or path is None:
            return None
        if path not in known:
            known[path] = None  # what it runs may run it in turn
            known[path] = PlayedProgram(found, self.called, self.limit)._outline(known)
        return known[path]

    def told(self, run: Run) -> tuple[str, ...]:
        """What happened, as a golden holds it: by generation, whatever came first in each."""
        from circuit_export.formats.circuitry.engine.telling import telling

        return telling(self._alive(run).watch.records, self._paths)

    @cached_property
    def _paths(self) -> dict[str, str]:
        """The paths of the program and of those inside it, from its own folder, by their texts."""
        home = self.document.definition.path
        found = {self.document.definition.text: posixpath.basename(home)}
        waiting = [self.document]
        while waiting:
            document = waiting.pop()
            for path in filter(None, (nested_path(call, document) for call in document.calls)):
                inner = self.called.get(path)
                if inner is not None and inner.definition.text not in found:
                    found[inner.definition.text] = posixpath.relpath(path, posixpath.dirname(home) or ".")
                    waiting.append(inner)
        return found

    def proposer(self) -> Proposer:
        """What suggests scenarios for the program."""
        from circuit_export.formats.circuitry.engine.suggesting import ProgramProposer

        return ProgramProposer(self)

    # --- inside --------------------------------------------------------------------------------------------------

    def _alive(self, run: Run) -> _Live:
        live = self._live
        if live is None or live.log is not run["log"] or live.done != len(run["log"]):
            live = self._live = _Live(self, run)
            watch = live.watch
            run.update(trace=watch.trace, taken=watch.taken, branches=watch.branches, history=watch.history)
        return live

    def _take(self, run: Run, now: str, step_id: str, entry: dict[str, Any], turn: int | None) -> Directive:
        self._check(run)
        awaited = run["awaiting"]
        if not awaited or awaited["stepId"] != step_id or turn not in (None, awaited["turn"]):
            what = f"{shown(awaited['stepId'])} is awaited, turn {awaited['turn']}" if awaited else "nothing is awaited"
            return self._refuse(run, f"the answer is for {shown(step_id)}, but {what}")
        try:
            entry = {**plain(entry), "at": now}
            live = self._alive(run)
            outcome(live.starts[0].command, entry)
        except (NotPlain, ValueError) as error:
            return self._refuse(run, f"the answer cannot be used: {error}")
        run["awaiting"] = None
        run["log"].append(entry)
        live.take(entry, now)
        return self._next(run, now, live)

    def _next(self, run: Run, now: str, live: _Live) -> Directive:
        run["directives"] += 1
        if live.machine.finished:
            return self._end(run, now, live)
        start = live.starts[0]
        if run["directives"] > self.limit:
            run["stopped"] = {
                "act": BLOCKED,
                "stepId": start.call,
                "reason": f"The run needs more than {self.limit:,} directives",
            }
            run["status"], run["failedAt"] = record.FAILED, start.call
            return {**run["stopped"], "turn": run["directives"]}
        directive = asked(start, live.watch, run["directives"])
        given = clip(directive["arguments"])
        run["awaiting"] = {"stepId": start.call, "act": CALL_TOOL, "turn": run["directives"], "input": given}
        return directive

    def _end(self, run: Run, now: str, live: _Live) -> Directive:
        watch = live.watch
        run["endedAt"] = now
        if watch.failure is None:
            run["status"] = record.SUCCEEDED
            run["stopped"] = {"act": DONE, "summary": f"{len(watch.calls):,} calls ran and the output is there."}
        else:
            run["status"], run["failedAt"] = record.FAILED, watch.failed
            reason = f"{watch.failure['code']}: {watch.failure['message']}"
            run["stopped"] = {"act": BLOCKED, "stepId": watch.failed, "reason": reason}
        return {**run["stopped"], "turn": run["directives"]}

    def _check(self, run: Run) -> None:
        """Raises CircuitError for a record that is none of a run of this program."""
        if "log" not in run or run["workflowId"] != self.document.id:
            raise CircuitError("This is no run of this program", expected="what `circuit run --save` wrote for it")

    def _refuse(self, run: Run, why: str) -> Directive:
        at = run["awaiting"]["stepId"] if run["awaiting"] else OUT if run["stopped"] else IN
        return {"act": BLOCKED, "stepId": at, "turn": run["directives"], "reason": f"Nothing was changed: {why}."}
