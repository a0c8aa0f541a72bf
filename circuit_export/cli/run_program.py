"""One run of a program by `circuit run`: what it could start is shown, then it is performed and its output printed."""

from __future__ import annotations

import json
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from circuit_export import api
from circuit_export.cli.console import printable
from circuit_export.cli.files import write_file, write_stdout
from circuit_export.cli.results import Result
from circuit_export.cli.run_input import input_of
from circuit_export.cli.run_trace import TraceSink, trace_sink
from circuit_export.diagnostics import CircuitError, Severity, UsageError
from circuit_export.formats.performing import Order
from circuit_export.formats.wording import one_line
from circuit_export.runs import record as run_record

if TYPE_CHECKING:
    from circuit_export.cli.console import Console
    from circuit_export.cli.run_options import Wanted
    from circuit_export.formats.performing import Ending, Performance, Performing, Startable

_SAID = 10
"""Lines of what a failed command said that are shown."""
_NAME = 80
_PLAIN = re.compile(r"[A-Za-z0-9_./+@%:,\\-]+")
"""A command that can be read as it is; every other one is shown quoted."""


class ProgramSession:
    """A program, and how it is to be run."""

    def __init__(
        self, wanted: Wanted, workflow: api.Workflow, format: Performing, source: api.Source, console: Console
    ) -> None:
        self.wanted = wanted
        self.workflow = workflow
        self.format = format
        self.source = source
        self.console = console
        self.is_own = _is_own(source, workflow)

    def run(self) -> Result:
        """Runs it. Raises CircuitError for what keeps it from running."""
        document = self.workflow.document
        if not self.is_own or self.wanted.dry_run or self.wanted.answers is not None:
            # A run of one's own file reads what it runs for itself, wherever it is, and says what is not there.
            for missing in self.workflow.missing:
                self.console.warn(missing)
        if not self.format.can_run(document):
            errors = [one for one in api.findings(self.workflow) if one.severity is Severity.ERROR]
            self.console.findings(errors, self.source.name)
            return Result.WRONG
        if self.wanted.dry_run:
            return self.list_commands()
        if sys.stdout is None:
            raise UsageError(
                "There is no stdout for the output", hint="send it somewhere: > /dev/null, if nowhere else"
            )
        order = self.order()
        if self.wanted.answers is not None:
            return self.play(order)
        if not self.is_agreed():
            self.console.say("nothing was run")
            return Result.NOTHING
        performance = self.format.perform(document, self.workflow.called, order)
        return self.perform(performance)

    def order(self) -> Order:
        """What the run is given."""
        wanted = self.wanted
        own = Path(wanted.board).absolute().parent if self.source.folder is not None else Path.cwd()
        folder = own if wanted.cwd is None else wanted.cwd.absolute()
        given = input_of(wanted.input, self.format.input_of)
        return Order(str(folder), given.value, given.given, bounds=wanted.bounds, bundled=not self.is_own, alone=True)

    # --- what it could start -----------------------------------------------------------------------------------------

    def startable(self) -> list[str]:
        """Every command that it could start, a line each."""
        found = self.format.startable(self.workflow.document, self.workflow.called)
        return [_shown(one) for one in found]

    def list_commands(self) -> Result:
        lines = self.startable()
        write_stdout(printable("".join(f"{line}\n" for line in lines)))
        if not lines:
            self.console.say("it starts no command")
        return Result.FINE

    def is_agreed(self) -> bool:
        """Are the commands of a program that came from elsewhere agreed to? Raises UsageError when nobody can say."""
        lines = [] if self.is_own else self.startable()
        if not lines:
            return True
        listed = "\n".join(f"  {line}" for line in lines)
        told = f"this program came from {self._whence()}; running it starts commands here, with your rights:\n{listed}"
        if self.wanted.yes:
            self.console.say(told)
            return True
        self.console.warn(told)
        if not self._can_ask():
            raise UsageError(
                "Nobody has agreed to these commands", hint="read them, then give --yes; --dry-run lists them, too"
            )
        import click

        return click.confirm("Run it?", err=True)

    def _whence(self) -> str:
        if self.wanted.board == "-":
            return "stdin"
        return f"a link ({self.source.name})" if api.is_url(self.wanted.board) else f"inside {self.source.name}"

    def _can_ask(self) -> bool:
        if "-" in (self.wanted.board, *self.wanted.input) or sys.stdin is None:
            return False
        return sys.stdin.isatty()

    # --- the run -----------------------------------------------------------------------------------------------------

    def play(self, order: Order) -> Result:
        """Runs it by fixed answers."""
        from circuit_export.cli.run_files import check_save, fixed_answers

        wanted = self.wanted
        assert wanted.answers is not None
        scenario = fixed_answers(wanted.answers, wanted.scenario)
        if wanted.save is not None:
            check_save(wanted.save, force=wanted.force)
        performance = self.format.play(self.workflow.document, self.workflow.called, order, scenario)
        result = self.perform(performance)
        if wanted.save is not None and performance.run is not None:
            run = run_record.redacted(performance.run) if wanted.redact else performance.run
            if wanted.save == "-":
                write_stdout(run_record.save(run))
            else:
                write_file(Path(wanted.save), run_record.save(run), force=True)
                self.console.say(f"kept in {wanted.save}")
        return result

    def perform(self, performance: Performance) -> Result:
        """Follows a run to its end, and says what came of it."""
        wanted = self.wanted
        with trace_sink(wanted.trace, follow=wanted.follow, force=wanted.force) as sink:
            stopped_by = follow(performance, sink)
        ending = performance.ending
        if ending.output is not None:
            if "-" not in (wanted.trace, wanted.save):
                write_stdout(ending.output + "\n")
            return Result.FINE
        assert ending.error is not None
        if ending.cancelled and stopped_by:
            leave(stopped_by)
        self.tell_failure(ending, ending.error)
        return Result.WRONG

    def tell_failure(self, ending: Ending, error: CircuitError) -> None:
        """Says why there is no output."""
        if error.position is not None:
            error.located(self.source.name)
        self.console.error(error)
        said = [line.rstrip() for line in ending.details.splitlines() if line.strip()]
        if said:
            more = " (the last lines)" if len(said) > _SAID else ""
            self.console.warn("\n".join([f"it said{more}:", *(f"  {line}" for line in said[-_SAID:])]))


def follow(performance: Performance, sink: TraceSink) -> int:
    """Takes a run's trace to its end; the signal that asked it to end, 0 for none."""
    with stopping(performance, sink) as stopped, closing(performance.lines(shown=sink.takes)) as lines:
        for line in lines:
            sink.put(line)
    return stopped()


@contextmanager
def stopping(performance: Performance, sink: TraceSink) -> Iterator[Callable[[], int]]:
    """Lets a request to end (Ctrl-C, SIGTERM, a closed terminal) cancel the run, whose trace goes on to its end.

    When it comes again while nobody takes the trace, there is nothing more to wait for.
    """
    stopped: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopped.append(number)
        performance.cancel(f"The run was stopped by {signal.Signals(number).name}")
        if sink.writing and len(stopped) > 1:
            raise KeyboardInterrupt

    before = {}
    if threading.current_thread() is threading.main_thread():
        numbers = [getattr(signal, name, None) for name in ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")]
        # A signal that is ignored, such as SIGHUP below nohup, stays so.
        listened = [number for number in numbers if number is not None and signal.getsignal(number) != signal.SIG_IGN]
        before = {number: signal.signal(number, stop) for number in listened}
    try:
        yield lambda: stopped[0] if stopped else 0
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)


def leave(number: int) -> None:
    """Ends as after the signal `number`."""
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)


def _is_own(source: api.Source, workflow: api.Workflow) -> bool:
    """Is the program the file that was named, and nothing that was found in it or elsewhere?"""
    if source.folder is None or not Path(source.name).is_file():
        return False
    return source.data.decode("utf-8-sig", "replace") == workflow.definition.text


def _shown(one: Startable) -> str:
    """A command that could be started, in one line."""
    way = " → ".join(one_line(name, _NAME) for name in one.path)
    command = one.command if not one.known or _PLAIN.fullmatch(one.command) else json.dumps(one.command)
    what = f"{command} {one.arguments}".rstrip()
    return f"{way}: {what}" if one.known else f"{way}: {what} (only a run tells what this starts)"
