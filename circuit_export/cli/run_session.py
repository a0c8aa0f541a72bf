"""One session of `circuit run`: begins or takes up a run, asks until it ends or stops, and keeps what is to be kept."""

from __future__ import annotations

import json
import shlex
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from circuit_export.cli.dialogue import Dialogue
from circuit_export.cli.files import write_file, write_stdout
from circuit_export.cli.results import Result
from circuit_export.cli.run_files import check_name, check_save, fixed_answers, load_run, record, value_of
from circuit_export.diagnostics import CircuitError, UsageError
from circuit_export.runs import record as run_record
from circuit_export.runs.answering import Unclear, howto, question, reply_of
from circuit_export.runs.directives import BLOCKED, DONE, LAST, Directive, trace_line
from circuit_export.runs.recording import recorded
from circuit_export.runs.scenario import START, Answers, Exchange, Reply, Scenario, give, play

if TYPE_CHECKING:
    from circuit_export.cli.console import Console
    from circuit_export.cli.run_options import Wanted
    from circuit_export.runs.machine import Machine
    from circuit_export.runs.record import Run


class Session:
    """A run and who answers in it."""

    def __init__(self, wanted: Wanted, machine: Machine, inputs: Sequence[str], console: Console) -> None:
        self.wanted = wanted
        self.machine = machine
        self.inputs = inputs
        self.console = console
        self.dialogue = Dialogue(console, beside=wanted.save == "-")
        self.scenario = fixed_answers(wanted.answers, wanted.scenario) if wanted.answers is not None else None
        self.answers = Answers(self.scenario.answers) if self.scenario is not None else None
        self.exchanges: list[Exchange] = []
        self.given: Mapping[str, Any] = {}
        self.trigger: Any = None
        self.run_: Run = {}
        self.taken_up = False
        """Was it gone on with after it had stopped?"""

    # --- from start to end -------------------------------------------------------------------------------------------

    def run(self, workflow_id: str) -> Result:
        """Runs until the end, a stop, or the last answer. A KeyboardInterrupt keeps what there is and goes on up."""
        self.check_files()
        directive = self.begin(workflow_id)
        if directive is None:
            self.console.say(f"the run has ended already: {self.run_['status']}")
            return Result.NOTHING
        try:
            return self.until_end(directive)
        except KeyboardInterrupt:
            self.dialogue.show("")
            self.keep()
            self.tell_kept()
            raise

    def until_end(self, directive: Directive) -> Result:
        """Asks until the run ends, or stops and nobody takes it up at once."""
        ended = self.until_stop(directive)
        while isinstance(ended, dict):
            ended = self.until_stop(ended)
        return ended

    def until_stop(self, first: Directive) -> Result | Directive:
        """Asks until the run ends or stops; the next directive when it is taken up again."""
        directive = first
        self.keep_if_typed()
        while directive["act"] not in LAST:
            self.say(question(directive), "cyan", apart=directive is not first or self.taken_up)
            following = self.step(directive)
            if following is None:
                return self.left(directive)
            directive = following
            self.keep_if_typed()
        return self.taken_up_at_once(directive) or self.ended(directive)

    def taken_up_at_once(self, directive: Directive) -> Directive | None:
        """At a terminal a run that stands still can be gone on with on the spot; None when it is not."""
        self.tell_end(directive)
        if directive["act"] == DONE or self.answers is not None or not self.dialogue.typed:
            return None
        self.dialogue.show("  type:  again, skip (to go on without this step), or nothing to leave it there")
        while (word := (self.dialogue.answer() or "").strip().lower()) not in ("again", "skip", ""):
            self.dialogue.show("  again, skip or nothing", "yellow")
        if not word:
            return None
        self.taken_up = True
        return self.move(self.machine.resume, self.run_, self.now(), word == "skip", {})

    def step(self, directive: Directive) -> Directive | None:
        """Takes one answer; the next directive, None when no answer comes (or one that was fixed is not taken)."""
        while True:
            reply, key = self.reply(directive)
            if reply is None:
                return None
            path = self.machine.path(self.run_)
            handed_out = self.run_["directives"]
            following = self.move(give, self.machine, self.run_, self.now(), directive, reply)
            if following["act"] != BLOCKED or self.run_["directives"] != handed_out:
                self.exchanges.append(Exchange(directive, path, reply, key))
                return following
            self.dialogue.show(f"  {following['reason']}", "yellow")
            if self.answers is not None:
                return None
            self.dialogue.show(f"  {howto(directive)}")

    def reply(self, directive: Directive) -> tuple[Reply | None, str]:
        """The answer to a directive: from the file, or as it is typed, asked for again until it is one."""
        if self.answers is not None:
            key, fixed = self.answers.reply(self.machine.path(self.run_), directive)
            self.say(f"> {shown(fixed)}{'' if key else '   (not in the file: a bland answer)'}")
            return fixed, key
        while True:
            typed = self.dialogue.answer()
            if typed is None:
                return None, ""
            try:
                return reply_of(directive, typed), directive["stepId"]
            except Unclear as unclear:
                self.dialogue.show(f"  that is no answer here: {unclear}", "yellow")

    # --- beginning ---------------------------------------------------------------------------------------------------

    def check_files(self) -> None:
        """Says before anything is asked what could not be kept in the end. Raises CircuitError."""
        wanted = self.wanted
        if wanted.save is not None:
            check_save(wanted.save, force=wanted.force, resume=wanted.resume)
        if wanted.record is not None:
            check_name(wanted.board, wanted.record, force=wanted.force)

    def begin(self, workflow_id: str) -> Directive | None:
        """The first directive, None when the run that is to be taken up has ended."""
        wanted, scenario = self.wanted, self.scenario or Scenario(0, "")
        inputs = {
            name.strip(): value_of(text) for name, _equals, text in (pair.partition("=") for pair in wanted.input)
        }
        if wanted.resume is not None:
            return self.take_up(load_run(wanted.resume, workflow_id), inputs)
        self.given = {**scenario.input, **inputs, **self.asked_inputs(inputs)}
        self.trigger = scenario.trigger if wanted.trigger is None else value_of(wanted.trigger)
        now = self.now()
        run_id = "run" if self.answers is not None else f"run-{now.replace(':', '').replace('-', '')}"
        self.run_ = self.machine.start(run_id, now, wanted.mode or scenario.mode, self.trigger, self.given)
        return self.move(self.machine.advance, self.run_, now)

    def asked_inputs(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The inputs that a person at a terminal gives when asked; nobody else is asked."""
        if self.answers is not None or not self.dialogue.typed:
            return {}
        missing = [name for name in self.inputs if name not in given]
        if missing:
            self.dialogue.show("What it is to start with; an empty line leaves it out.")
        typed = {name: self.dialogue.answer(f"{name}: ") for name in missing}
        return {name: value_of(text) for name, text in typed.items() if text}

    def take_up(self, run: Run, inputs: Mapping[str, Any]) -> Directive | None:
        self.run_ = run
        if run["status"] in run_record.ENDED:
            return None
        if run["status"] == run_record.FAILED:
            return self.move(self.machine.resume, run, self.now(), self.wanted.skip, inputs)
        if inputs or self.wanted.skip:
            option = "--skip" if self.wanted.skip else "--input"
            raise UsageError(f"{option} is for a run that stopped, and this one waits for an answer")
        return self.move(self.machine.advance, run, self.now())

    def now(self) -> str:
        """The time; with fixed answers a fixed one, so that the same answers make the same run."""
        return START if self.answers is not None else datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def move(self, do: Callable[..., Directive], *args: Any) -> Directive:
        """One move of the engine, which nothing interrupts midway.

        Raises CircuitError for a run from a file that it cannot go on with.
        """
        with _uninterrupted():
            try:
                return do(*args)
            except (LookupError, TypeError, AttributeError) as fault:
                if self.wanted.resume is None:
                    raise
                raise CircuitError(
                    "The run cannot be gone on with: it is not as it was saved",
                    file=str(self.wanted.resume),
                    found=f"{type(fault).__name__}: {fault}",
                    hint="start anew, without --resume",
                ) from None

    # --- ending ------------------------------------------------------------------------------------------------------

    def ended(self, directive: Directive) -> Result:
        """The run came to its end, or stands still."""
        self.keep()
        if self.wanted.record is not None and self.exchanges and not self.taken_up:
            self.record(self.wanted.record)
        elif self.wanted.record is not None:
            why = "a scenario does not go on after a stop" if self.taken_up else "nothing was answered"
            self.console.warn(f"nothing was recorded: {why}")
        self.tell_kept()
        return Result.FINE if directive["act"] == DONE else Result.WRONG

    def tell_end(self, directive: Directive) -> None:
        """Says how the run ended, or why it stands still."""
        if directive["act"] == DONE:
            self.say(f"done: {directive['summary']}", "green", apart=bool(self.exchanges))
        else:
            self.say(f"blocked at {directive['stepId']}\n  {directive['reason']}", "red", apart=bool(self.exchanges))

    def left(self, directive: Directive) -> Result:
        """No answer came: the run waits."""
        if self.answers is None:
            self.console.warn(f"the answers ended; the run waits for “{directive['stepId']}”")
        else:
            self.console.warn(f"the answer to “{directive['stepId']}” was not taken; the run waits for another")
        self.keep()
        if self.wanted.record is not None:
            self.console.warn("nothing was recorded: a scenario is a run that came to its end")
        self.tell_kept()
        return Result.WRONG

    def record(self, name: str) -> None:
        scenario = recorded(
            name,
            self.exchanges,
            status=self.run_["status"],
            input=self.given,
            trigger=self.trigger,
            mode=self.run_["mode"],
            redacted=self.wanted.redact,
        )
        file = record(self.wanted.board, scenario, force=self.wanted.force)
        if self.wanted.redact and self.plays_otherwise(scenario):
            self.console.warn(f"with shapes in place of values “{name}” runs another way: look at its answers")
        self.console.say(f"recorded “{name}” in {file}; its trace is kept by:")
        self.console.say(f"  {typed('circuit', 'trace', self.wanted.board, '--accept', name)}")

    def plays_otherwise(self, scenario: Scenario) -> bool:
        """Does a scenario ask for something else than this run did?"""
        asked = [trace_line(exchange.directive) for exchange in self.exchanges]
        return list(play(self.machine, scenario).lines[:-1]) != asked

    def say(self, text: str, colour: str = "", *, apart: bool = False) -> None:
        """Shows what goes on, unless nobody has to answer and it is to be quiet."""
        if not (self.console.quiet and self.answers is not None):
            if apart:
                self.dialogue.show("")
            self.dialogue.show(text, colour)

    def keep_if_typed(self) -> None:
        """Keeps the run after each answer of a person: nothing they typed may be lost."""
        if self.answers is None and self.wanted.save != "-":
            self.keep()

    def keep(self) -> None:
        if self.wanted.save is None:
            return
        text = run_record.save(run_record.redacted(self.run_) if self.wanted.redact else self.run_)
        if self.wanted.save == "-":
            write_stdout(text)
        else:
            write_file(Path(self.wanted.save), text, force=True)

    def tell_kept(self) -> None:
        """Says where the run is, and what is in it."""
        save, over = self.wanted.save, self.run_["status"] in run_record.ENDED
        if save is None and not over:
            self.console.say("nothing of it is kept; --save RUN keeps a run, and --resume RUN goes on with it")
        if save in (None, "-"):
            return
        self.console.say(f"kept in {save}")
        if self.wanted.redact:
            self.console.note(f"{save} holds shapes instead of values: to look at, not to go on with")
            return
        self.console.note(f"{save} holds what the services returned; --redact keeps shapes instead of values")
        if not over:
            ways = " (--skip passes over the step)" if self.run_["status"] == run_record.FAILED else ""
            self.console.say(f"go on with it{ways}:")
            self.console.say(f"  {typed('circuit', 'run', self.wanted.board, '--resume', save, '--save', save)}")


def typed(*words: str) -> str:
    """A command as it is typed at a shell."""
    return shlex.join(words)


def shown(reply: Reply) -> str:
    """A reply as it would be typed."""
    if reply.kind == "error":
        return f"! {reply.value}"
    value = {"results": reply.value, "errors": reply.errors} if reply.kind == "results" else reply.value
    return json.dumps(value, ensure_ascii=False)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Holds Ctrl-C back until the block is through."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _frame: held.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if held:
        raise KeyboardInterrupt
