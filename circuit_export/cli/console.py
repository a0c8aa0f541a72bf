"""What a command says, on stderr; stdout is for the product alone."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

import click

from circuit_export.cli.results import exit_code, result_of
from circuit_export.diagnostics import CircuitError, Diagnostic, Severity

Command = TypeVar("Command", bound=Callable[..., Any])

MOST = 8
"""Findings of one file that are shown when nobody asked for them; `circuit validate` shows all."""
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}


class Console(NamedTuple):
    """How much is said and whether in colour."""

    quiet: bool = False
    verbose: bool = False
    colour: bool = False
    product: bool = False
    """Whether what goes to stdout is coloured, where it is for people."""

    def say(self, text: str) -> None:
        """Says what happened, unless quiet."""
        if not self.quiet:
            self._write(printable(text))

    def detail(self, text: str) -> None:
        """Says more, if asked to be verbose."""
        if self.verbose and not self.quiet:
            self._write(printable(text))

    def warn(self, text: str) -> None:
        """Says what its reader should know; quiet does not hide it."""
        self._write(f"{self.paint('warning', 'yellow')}: {printable(text)}")

    def note(self, text: str) -> None:
        """Says what may be of interest, unless quiet."""
        if not self.quiet:
            self._write(f"{self.paint('note', 'cyan')}: {printable(text)}")

    def findings(self, said: Sequence[Diagnostic], file: str) -> None:
        """Says what was found in a file, a line each, MOST of them at most; notes are left out when quiet."""
        shown = [one for one in said if not (self.quiet and one.severity is Severity.NOTE)]
        for one in shown[:MOST]:
            place = f":{one.start.line}:{one.start.column}" if one.start else ""
            word = self.paint(one.severity.value, _COLOURS[one.severity])
            meant = f" ({one.hint})" if one.hint.startswith("did you mean") else ""
            self._write(f"{word}: {printable(file + place)}: {printable(one.message + meant)} [{one.code}]")
        if len(shown) > MOST:
            self.say(f"  … and {len(shown) - MOST:,} more: circuit validate {file}")

    def error(self, error: CircuitError) -> None:
        """Says an error as one block."""
        first, *rest = printable(error.block()).split("\n")
        self._write("\n".join([f"{self.paint('error', 'red')}: {first}", *rest]))

    def paint(self, text: str, colour: str) -> str:
        return click.style(text, fg=colour, bold=True) if self.colour else text

    def _write(self, text: str) -> None:
        stream = sys.stderr
        line = text + "\n"
        if stream is None:
            return
        encoding = stream.encoding or "utf-8"
        with contextlib.suppress(OSError):  # when nobody can hear us, what was made is good all the same
            stream.write(line.encode(encoding, "replace").decode(encoding, "replace"))
            stream.flush()


def printable(text: str) -> str:
    """`text` with what a terminal would obey (control characters, bidirectional overrides) made visible as U+FFFD."""
    return text.translate(_UNPRINTABLE)


_CONTROLS = (*range(9), *range(11, 32), *range(127, 160))
_BIDIRECTIONAL = (0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
_UNPRINTABLE = dict.fromkeys((*_CONTROLS, *_BIDIRECTIONAL), "\ufffd")


def abandon_stdout() -> None:
    """Lets what stdout did not take go nowhere, so that Python does not complain of it at its end."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def wants_colour(choice: str, *, product: bool = False) -> bool:
    """Whether to colour stderr (the product's stdout): as told, else on a terminal unless NO_COLOR is set."""
    if choice != "auto":
        return choice == "always"
    stream = sys.stdout if product else sys.stderr
    return (
        stream is not None and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    )


def console_options(command: Command) -> Command:
    """Adds --quiet, --verbose and --color, handed to the command as one `console`."""
    import functools

    @functools.wraps(command)
    def with_console(*args: Any, quiet: bool, verbose: bool, color: str, **kwargs: Any) -> Any:
        console = Console(quiet, verbose, wants_colour(color), wants_colour(color, product=True))
        try:
            return command(*args, console=console, **kwargs)
        except CircuitError as error:
            console.error(error)
            click.get_current_context().exit(exit_code([result_of(error)]))

    for option in (
        click.option(
            "--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colour messages."
        ),
        click.option("-v", "--verbose", is_flag=True, help="Say more."),
        click.option("-q", "--quiet", is_flag=True, help="Say nothing but warnings and errors."),
    ):
        with_console = option(with_console)
    return with_console  # type: ignore[return-value]
