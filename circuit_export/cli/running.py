"""Runs a command so that every way it can end is an exit code and, if need be, one readable block."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import NoReturn

import click

from circuit_export.cli.console import Console, abandon_stdout, wants_colour
from circuit_export.cli.results import exit_code, result_of
from circuit_export.diagnostics import CircuitError

INTERRUPTED = 130
_HELP: tuple[type[Exception], ...] = tuple(
    kind
    for kind in (getattr(click.exceptions, "NoArgsIsHelpError", None),)
    if kind  # since click 8.2
)


def run(command: click.Command, args: list[str] | None = None) -> int:
    """Runs `command` with `args` (those of the process when None) and returns the exit code."""
    try:
        # By one name, however it was started: completion asks for it, and the help's usage line shows it.
        code = command.main(args, prog_name="circuit", standalone_mode=False)
    except click.exceptions.Exit as end:
        code = end.exit_code
    except click.ClickException as error:
        if isinstance(error, _HELP):
            error.show()
        else:
            Console(colour=wants_colour("auto")).error(of_usage(error))
        code = error.exit_code
    except CircuitError as error:
        Console(colour=wants_colour("auto")).error(error)
        code = exit_code([result_of(error)])
    except (KeyboardInterrupt, click.Abort):
        with contextlib.suppress(OSError):
            sys.stderr.write("stopped\n")
        code = INTERRUPTED
    except BrokenPipeError:
        # Whoever read stdout has left; what was not read is not missed, and Python must not complain at exit.
        abandon_stdout()
        code = 0
    except Exception as fault:
        refused = refused_by_the_system(fault)
        if refused is None and os.environ.get("CIRCUIT_DEBUG"):
            raise
        Console(colour=wants_colour("auto")).error(refused or unforeseen(fault))
        code = 1
    return code if isinstance(code, int) else 0


def fill_closed() -> None:
    """Opens what was closed of stdin, stdout and stderr, so that no file of ours takes its place unseen."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)


def stop_cleanly() -> None:
    """Lets a request to end (SIGTERM, a closed terminal) unwind what runs, so that nothing half made stays behind."""
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    for name in ("SIGTERM", "SIGHUP"):  # once is enough: a second one must not cut short what the first unwinds
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    sys.exit(128 + number)


def of_usage(error: click.ClickException) -> CircuitError:
    """An error of the command line's own reader, said as ours are: one block that ends with what to do."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    hint = f"{context.command_path} --help" if context else ""
    return CircuitError(error.format_message().rstrip("."), hint=hint)


def refused_by_the_system(fault: Exception) -> CircuitError | None:
    """What is said when the system would not let us have a file, wherever that was; None for any other fault."""
    if not isinstance(fault, OSError) or not fault.strerror:
        return None
    if not isinstance(fault.filename, str):  # of a stream: stdout is what a command writes to without its name
        abandon_stdout()
        return CircuitError(f"The system refused: {fault.strerror}")
    return CircuitError(
        f"The system refused: {fault.strerror}",
        file=fault.filename,
        hint="check who may read and write there",
    )


def unforeseen(fault: Exception) -> CircuitError:
    """What is said of a fault of ours, which nobody but us can mend."""
    return CircuitError(
        "This is a fault in circuit-export, not in what you asked for",
        found=f"{type(fault).__name__}: {fault}",
        hint="please report it, with the input if you can share it; CIRCUIT_DEBUG=1 shows the traceback",
    )
